import { expect, test } from "vitest";
import { rangeWithoutOutliers } from "../../src/lib/quantiles";

function range(values: number[]): [number, number] | null {
  return rangeWithoutOutliers(Float64Array.from(values));
}

/** Reproducible numbers below 1 without an apparent order. */
function noise(n: number): number[] {
  return Array.from({ length: n }, (_, i) => (i * 0.6180339887) % 1);
}

test("far values are left out, at either end", () => {
  const values = [...noise(200), 1e9, -1e9];
  expect(range(values)).toEqual(range(noise(200)));
});

test("values near the others stay visible", () => {
  expect(range([...noise(200), 1.5, 1e9])?.[1]).toBe(1.5);
  expect(range(Array.from({ length: 101 }, (_, i) => i))).toEqual([0, 100]);
  const start = Array.from({ length: 100 }, (_, i) => Math.exp(-i / 40));
  expect(range(start)?.[1]).toBe(1);
});

test("few or equal values have no outliers", () => {
  expect(range([])).toBeNull();
  expect(range([3])).toEqual([3, 3]);
  expect(range([1, 100])).toEqual([1, 100]);
  expect(range([1, 2, 100])).toEqual([1, 100]);
  expect(range([...Array<number>(50).fill(0), 7])).toEqual([0, 7]);
});
