// The cells of a card's grid at a step, one for each image.

import type { ShownRun } from "../../items/card";
import type { ShownRow } from "../../items/shown";
import { placeOf, rowsAt, stepsOf } from "../../items/steps";
import type { ImageRow } from "./codec";

/** Steps from the one shown to those whose images are fetched before they are shown. */
const AHEAD = [1, 2, 3, -1];

/** An image, or a run that has none up to the step. */
export interface Cell extends ShownRow<ImageRow | null> {
  readonly key: string;
  readonly of: ShownRun<ImageRow>;
}

/** The images of a run, a sample each; one cell without, where it has none up to the step. */
export function cellsOf(of: ShownRun<ImageRow>): Cell[] {
  const { run, held, rows } = of;
  const cells = rows.map((one): Cell => ({ ...one, key: JSON.stringify([run, one.row.sample]), of }));
  const none: Cell = { key: JSON.stringify([run]), of, row: null, number: 0, count: 0, newer: null };
  return cells.length > 0 || held.rows.length === 0 ? cells : [none];
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
