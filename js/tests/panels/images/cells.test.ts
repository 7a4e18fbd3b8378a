import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import type { ShownRun } from "../../../src/items/card";
import { shownRows } from "../../../src/items/shown";
import { cellsOf, rowsNear } from "../../../src/panels/images/card";
import type { ImageRow } from "../../../src/panels/images/codec";
import type { AtStep } from "../../../src/ui/globalstep";

const row = (id: number, step: number, sample = 0): ImageRow => ({ id, step: BigInt(step), wall: 1000 + id, sample });
/** The cells of a run with these rows. */
function cellsAt(rows: readonly ImageRow[], at: AtStep, repeat: AtStep) {
  const held = { rows, blobs: new Map(), arrivals: signal(0) };
  return cellsOf({ run: "r", held, rows: shownRows(held, at, repeat) } as unknown as ShownRun<ImageRow>);
}

test("a cell keeps its name from step to step, also where a step was written several times", () => {
  const rows = [row(1, 0, 0), row(2, 0, 1), row(3, 5, 0), row(4, 5, 0), row(5, 5, 1)];
  const [before, after] = [cellsAt(rows, 0n, "newest"), cellsAt(rows, "newest", "newest")];
  expect(after.map(({ row, number, count }) => [row?.id, number, count])).toEqual([
    [4, 2, 2],
    [5, 1, 1],
  ]);
  expect(before.map(({ key }) => key)).toEqual(after.map(({ key }) => key));
  // The user can reach every image.
  expect(cellsAt(rows, 5n, 1n).map(({ row }) => row?.id)).toEqual([3, 5]);
  expect(cellsAt(rows, 5n, 9n).map(({ row }) => row?.id)).toEqual([4, 5]);
});

test("a run that has nothing up to a step has one cell that says so, and one without images none", () => {
  expect(cellsAt([row(1, 5)], 4n, "newest").map((cell) => cell.row)).toEqual([null]);
  expect(cellsAt([], 4n, "newest")).toEqual([]);
});

test("the same sample of the steps ahead and of the one behind is near", () => {
  const rows = [0, 1, 2, 3, 4, 5].flatMap((step) => [row(2 * step, step, 0), row(2 * step + 1, step, 1)]);
  expect(rowsNear(rows, row(5, 2, 1)).map(({ id }) => id)).toEqual([7, 9, 11, 3]);
  expect(rowsNear(rows, row(11, 5, 1)).map(({ id }) => id)).toEqual([9]);
  expect(rowsNear([row(1, 0)], row(1, 0))).toEqual([]);
});
