import { expect, test } from "vitest";
import { gapAt, gapsOf, notPositiveOf } from "../../src/lines/curve";
import { points } from "../wire/made";
import { buckets } from "./buckets";

const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

test("values that are not finite are found in points, and in buckets with such a mean", () => {
  const series = points([0, 1, 2, 3], [1, nan, -inf, 0]);
  expect([0, 1, 2, 3].map((i) => gapAt(series, i))).toEqual([0, nan, -inf, 0]);
  const few = buckets([
    { last: 2, values: [1, nan, 3] },
    { last: 5, values: [4, 5, 6] },
    { last: 8, values: [nan, nan, nan] },
    { last: 11, values: [7, inf, 9] },
  ]);
  expect([0, 1, 2, 3].map((i) => gapAt(few, i))).toEqual([nan, 0, nan, nan]);
});

test("the last bucket may stand for fewer points", () => {
  const whole = buckets([
    { last: 2, values: [1, 2, 3] },
    { last: 4, values: [4, 5] },
  ]);
  expect([0, 1].map((i) => gapAt({ ...whole, total: 5 }, i))).toEqual([0, 0]);
  expect(gapAt({ ...whole, total: 6 }, 1)).toBe(nan);
});

test("values that are not finite are counted, with the first and the last step", () => {
  const series = points([5, 6, 7, 8, 9, 10], [1, nan, -inf, nan, inf, 2]);
  expect(gapsOf(series)).toEqual({ nan: 2, up: 1, down: 1, other: 0, first: 6n, last: 9n });
  const few = buckets([
    { last: 2, values: [1, nan, 3] },
    { last: 5, values: [4, 5, 6] },
    { last: 8, values: [nan, nan, inf] },
  ]);
  expect(gapsOf(few)).toEqual({ nan: 0, up: 0, down: 0, other: 4, first: 0n, last: 8n });
  expect(gapsOf(points([1, 2]))).toBeNull();
});

test("values at or below 0 are counted; of a bucket that has others, too, there is at least one", () => {
  expect(notPositiveOf(points([0, 1, 2, 3, 4], [1, 0, -2, nan, -inf]))).toEqual({ count: 2, isAtLeast: false });
  expect(notPositiveOf(points([1, 2]))).toEqual({ count: 0, isAtLeast: false });
  const series = points([1], [0]);
  expect(notPositiveOf(series)).toBe(notPositiveOf(series));
  const few = buckets([
    { last: 2, values: [-1, 0, -3] },
    { last: 5, values: [4, 5, 6] },
    { last: 8, values: [7, -1, -2] },
  ]);
  expect(notPositiveOf(few)).toEqual({ count: 4, isAtLeast: true });
});
