// The runs of a tag that are shown: their texts and their colors, and the steps of all of them.

import type { NearbySteps, StepSource } from "../../ui/stepslider";
import type { View } from "../../ui/view";
import type { HeldItems } from "../../wire/items";
import type { TagTexts, TextRow } from "./codec";
import { countUpTo, type RunRows } from "./window";

export interface RunTexts extends RunRows<TextRow> {
  /** As #rrggbb. */
  readonly color: string;
  /** Another run is highlighted. */
  readonly faded: boolean;
  readonly held: HeldItems<TextRow>;
}

/** In natural order. */
export function textsOf(data: TagTexts, { channel, options, theme, highlightedRun }: View): RunTexts[] {
  const highlighted = highlightedRun.value;
  const shown = channel.store.runs.value.filter((run) => data.byRun.has(run) && options.shows(run));
  const fading = highlighted !== null && shown.includes(highlighted);
  return shown.flatMap((run) => {
    const held = data.byRun.get(run);
    const color = options.colorOf.value(run, theme.value);
    return held === undefined ? [] : [{ run, rows: held.rows, color, faded: fading && run !== highlighted, held }];
  });
}

/** The steps of these texts. */
export function stepsOf(all: readonly (readonly TextRow[])[]): StepSource {
  const some = all.filter((rows) => rows.length > 0);
  return {
    span: () => {
      const firsts = some.map((rows) => Number(rows[0]?.step));
      const lasts = some.map((rows) => Number(rows.at(-1)?.step));
      return some.length === 0 ? null : [Math.min(...firsts), Math.max(...lasts)];
    },
    near: (step) => nearbySteps(some, step),
  };
}

function nearbySteps(all: readonly (readonly TextRow[])[], at: number): NearbySteps {
  const below: number[] = [];
  const upTo: number[] = [];
  const above: number[] = [];
  for (const rows of all) {
    const end = countUpTo(rows, BigInt(Math.floor(at)));
    const begin = countUpTo(rows, BigInt(Math.ceil(at)) - 1n);
    push(below, rows[begin - 1]);
    push(upTo, rows[end - 1]);
    push(above, rows[end]);
  }
  return { before: most(below), upTo: most(upTo), after: above.length === 0 ? null : Math.min(...above) };
}

function push(steps: number[], row: TextRow | undefined): void {
  if (row !== undefined) {
    steps.push(Number(row.step));
  }
}

function most(steps: readonly number[]): number | null {
  return steps.length === 0 ? null : Math.max(...steps);
}
