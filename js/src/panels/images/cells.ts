// What the grid of a card shows at a step: an image a cell.

import { type Arriving, rowsShown } from "../../ui/arrived";
import { type AtStep, placeOf, rowsAt, stepsOf } from "../../ui/itemsteps";
import { type Repeat, repeatsAt } from "../../ui/repeats";
import type { ImageRow } from "./kind/codec";

/** Steps from the one shown to those whose images are fetched before they are shown. */
const AHEAD = [1, 2, 3, -1];

/** An image, or a run that has none up to the step. */
export interface Cell extends Repeat<ImageRow | null> {
  readonly key: string;
  readonly run: string;
}

/** The images of a run at the last step up to `at`, a sample each; one cell without, where it has none up to there. */
export function cellsOf(run: string, items: Arriving<ImageRow>, at: AtStep, time: AtStep): Cell[] {
  const cells = repeatsAt(rowsShown(items, at), time).map((repeat): Cell => {
    return { ...repeat, key: JSON.stringify([run, repeat.row.sample]), run };
  });
  const none: Cell = { key: JSON.stringify([run]), run, row: null, number: 0, count: 0 };
  return cells.length > 0 || items.rows.length === 0 ? cells : [none];
}

/** The same sample some steps ahead, and one behind. */
export function rowsNear(rows: readonly ImageRow[], { step, sample }: ImageRow): ImageRow[] {
  const steps = stepsOf(rows);
  const place = placeOf(steps, step);
  return AHEAD.flatMap((by) => {
    const next = steps[place + by];
    const found = next === undefined ? undefined : rowsAt(rows, next).findLast((row) => row.sample === sample);
    return found === undefined ? [] : [found];
  });
}
