// One series as the browser holds it.

import type { SeriesPart, Steps, Values } from "./protocol";

export interface Extent {
  readonly min: number;
  readonly max: number;
}

/** The points of one run under one tag. Never changed, only replaced. */
export interface Series {
  /** `seq` of the message that brought its newest points. */
  readonly seq: number;
  readonly steps: Steps;
  readonly values: Values;
  /** Points in the log; more than are held when only the extremes of buckets travelled. */
  readonly total: number;
  readonly superseded: number;
  readonly width: number;
  /** Steps never go back. */
  readonly ascending: boolean;
  /** Largest step, as a decimal; null without points. */
  readonly lastStep: bigint | null;
  readonly stepExtent: Extent | null;
}

/** The series after `part`; null when the part continues something that is not held. */
export function applyPart(held: Series | undefined, part: SeriesPart, seq: number): Series | null {
  if (part.keep > 0 && (held === undefined || held.seq !== part.base || held.values.length < part.keep)) {
    return null;
  }
  const steps = held === undefined ? part.steps : joinSteps(held.steps, part.keep, part.steps);
  const values = held === undefined ? part.values : joinValues(held.values, part.keep, part.values);
  const { total, superseded, width } = part;
  return { seq, steps, values, total, superseded, width, ...summary(steps) };
}

function joinSteps(held: Steps, keep: number, added: Steps): Steps {
  if (keep === 0) {
    return added;
  }
  const drawn = concat(new Float64Array(keep + added.drawn.length), held.drawn, keep, added.drawn);
  if (held.exact === null && added.exact === null) {
    return { drawn, exact: null };
  }
  const exact = new BigInt64Array(drawn.length);
  exact.set((held.exact ?? BigInt64Array.from(held.drawn, BigInt)).subarray(0, keep));
  exact.set(added.exact ?? BigInt64Array.from(added.drawn, BigInt), keep);
  return { drawn, exact };
}

function joinValues(held: Values, keep: number, added: Values): Values {
  if (keep === 0) {
    return added;
  }
  const length = keep + added.length;
  const narrow = held instanceof Float32Array && added instanceof Float32Array;
  return concat(narrow ? new Float32Array(length) : new Float64Array(length), held, keep, added);
}

function concat<T extends Values>(target: T, held: Values, keep: number, added: Values): T {
  target.set(held.subarray(0, keep));
  target.set(added, keep);
  return target;
}

function summary(steps: Steps): Pick<Series, "ascending" | "lastStep" | "stepExtent"> {
  const { drawn, exact } = steps;
  if (drawn.length === 0) {
    return { ascending: true, lastStep: null, stepExtent: null };
  }
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let previous = Number.NEGATIVE_INFINITY;
  let ascending = true;
  for (const step of drawn) {
    ascending &&= step >= previous;
    previous = step;
    min = Math.min(min, step);
    max = Math.max(max, step);
  }
  return { ascending, lastStep: exact === null ? BigInt(max) : largest(exact), stepExtent: { min, max } };
}

function largest(steps: BigInt64Array): bigint {
  let most = steps[0] ?? 0n;
  for (const step of steps) {
    if (step > most) {
      most = step;
    }
  }
  return most;
}
