import { expect, test } from "vitest";
import { partsOf } from "../../src/lines/curve";

const STRETCH = { from: 3, to: 8, width: 1, points: 5 };

test("points are drawn as lines, buckets as bands", () => {
  expect(partsOf({ width: 1 }, 2, 9)).toEqual({ points: [2, 9], buckets: [] });
  expect(partsOf({ width: 4 }, 2, 9)).toEqual({ points: [9, 9], buckets: [[2, 9]] });
  expect(partsOf({ width: 4, stretch: { ...STRETCH, width: 2 } }, 2, 9).buckets).toEqual([[2, 9]]);
});

test.each([
  [0, 10, [3, 8], [0, 3], [8, 10]],
  [4, 6, [4, 6], [4, 4], [6, 6]],
  [5, 10, [5, 8], [5, 5], [8, 10]],
  [0, 2, [2, 2], [0, 2], [2, 2]],
  [9, 12, [9, 9], [9, 9], [9, 12]],
])("of rows %d to %d, those of a stretch of points are points", (from, to, points, before, behind) => {
  expect(partsOf({ width: 4, stretch: STRETCH }, from, to)).toEqual({ points, buckets: [before, behind] });
});
