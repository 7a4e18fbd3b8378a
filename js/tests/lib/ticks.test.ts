import { expect, test } from "vitest";
import { multiples, roundUp } from "../../src/lib/ticks";

test.each([
  [1, 1],
  [1.1, 2],
  [2.1, 2.5],
  [0.03, 0.05],
  [0.51, 1],
  [6e237, 1e238],
  [3e-20, 5e-20],
  [4e-320, 5e-320],
])("%d rounds up to %d", (least, round) => {
  expect(roundUp(least)).toBe(round);
});

test("ticks are the visible round numbers", () => {
  expect(multiples(-0.05, 0.32, 0.1)).toEqual([0, 0.1, 0.2, 0.3]);
  expect(multiples(0, 3, 1)).toEqual([0, 1, 2, 3]);
  expect(multiples(4.5, 4.9, 1)).toEqual([]);
  expect(multiples(-1e238, 2e238, 1e238)).toEqual([-1e238, 0, 1e238, 2e238]);
});
