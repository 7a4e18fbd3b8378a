// Ranges that cover others.

import { expect, test } from "vitest";
import { type Range, union } from "../../src/lib/search";

test("the union reaches from the least to the greatest end; of none it is null", () => {
  expect(union([])).toBeNull();
  expect(
    union([
      [3, 4],
      [-1, 0],
    ]),
  ).toEqual([-1, 4]);
});

test("hundred thousands of ranges have a union, too", () => {
  const ranges = Array.from({ length: 500_000 }, (_, i): Range => [i, i + 1]);
  expect(union(ranges)).toEqual([0, 500_000]);
});
