// Which item a side of the viewer shows: a sample of a tag of a run, at a step. Pure.

import type { AtStep } from "../../ui/globalstep";
import { placeOf, stepsOf } from "../steps";

export interface Place {
  readonly run: string;
  readonly tag: string;
  readonly sample: number;
  readonly at: AtStep;
  /** The very row, where one was chosen: a step may have several. */
  readonly id: number | null;
}

/** A second item to compare, and whether it goes along with the steps of the first. */
export interface Second {
  readonly place: Place;
  readonly follows: boolean;
}

interface Sampled {
  readonly id: number;
  readonly step: bigint;
  readonly sample: number;
}

/** The rows of one sample, in the order of the index. */
export function rowsOfSample<R extends Sampled>(rows: readonly R[], sample: number): readonly R[] {
  return rows.every((row) => row.sample === sample) ? rows : rows.filter((row) => row.sample === sample);
}

/** Index of the sample's shown row: the chosen one, or the last of the last step up to `at`. */
export function shownOf(rows: readonly Sampled[], { at, id }: Pick<Place, "at" | "id">): number {
  const chosen = id === null ? -1 : rows.findIndex((row) => row.id === id);
  if (chosen >= 0) {
    return chosen;
  }
  const steps = stepsOf(rows);
  const step = steps[placeOf(steps, at)];
  return step === undefined ? -1 : rows.findLastIndex((row) => row.step === step);
}

/** The samples of an index, ascending. */
export function samplesOf(rows: readonly Sampled[]): readonly number[] {
  return [...new Set(rows.map(({ sample }) => sample))].sort((a, b) => a - b);
}

/** The first choice for a comparison: another run at the same step, else the step before, else another tag. */
export function otherThan(
  place: Place,
  runs: readonly string[],
  before: Sampled | undefined,
  tags: readonly string[],
): Place {
  const next = (names: readonly string[], name: string) => names[(names.indexOf(name) + 1) % names.length] ?? name;
  const run = next(runs, place.run);
  if (run !== place.run) {
    return { ...place, run, id: null };
  }
  return before === undefined
    ? { ...place, tag: next(tags, place.tag), id: null }
    : { ...place, at: before.step, id: before.id };
}
