// The items of all runs at one step, in a grid.

import type { ComponentChildren } from "preact";
import { uiTexts } from "../../ui/texts";
import { useView } from "../../ui/view";
import type { SampledRow } from "../shown";
import type { Place } from "./place";
import { runsWith } from "./side";
import type { Viewing } from "./viewing";

/** Runs that are shown at once; the others are counted. */
const MAX_RUNS = 24;

interface Props<R extends SampledRow, V> {
  readonly viewing: Viewing<R, V>;
  /** Width by height of an item. */
  readonly shape: number;
  /** Makes the stage of a run, which is one of `count`. */
  readonly children: (place: Place, count: number) => ComponentChildren;
}

export function RunGrid<R extends SampledRow, V>({ viewing: { kind, a }, shape, children }: Props<R, V>) {
  const { place, row } = a;
  const runs = runsWith(kind, place.tag, place.run, useView());
  // The active run is always among them.
  const first = Math.max(0, Math.min(runs.indexOf(place.run) - MAX_RUNS + 1, runs.length - MAX_RUNS));
  const shown = runs.slice(first, first + MAX_RUNS);
  const columns = columnsFor(shown.length, shape, globalThis.innerWidth / globalThis.innerHeight);
  return (
    <>
      <div
        class="tbwidget-stages"
        data-mode="runs"
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
      >
        {shown.map((run) =>
          children(run === place.run ? place : { ...place, run, at: row?.step ?? place.at, id: null }, shown.length),
        )}
      </div>
      {shown.length < runs.length && <p class="tbwidget-hint">{uiTexts().moreRuns(runs.length - shown.length)}</p>}
    </>
  );
}

/** Return the number of columns at which `count` items are largest. `item` and `window`: width by height. */
export function columnsFor(count: number, item: number, window: number): number {
  let [best, most] = [1, 0];
  for (let columns = 1; columns <= count; columns += 1) {
    const [width, height] = [window / columns, 1 / Math.ceil(count / columns)];
    const size = Math.min(width, height * item);
    if (size > most) {
      [best, most] = [columns, size];
    }
  }
  return best;
}
