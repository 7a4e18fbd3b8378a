import { expect, test } from "vitest";
import { smooth } from "../../src/lib/smoothing";

const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

function smoothed(values: number[], weight: number, counts?: number[]): number[] {
  return [...smooth(Float64Array.from(values), weight, counts)];
}

/** TensorBoard's own words, point by point. */
function reference(values: number[], weight: number): number[] {
  let last = 0;
  let n = 0;
  return values.map((value) => {
    if (!Number.isFinite(value)) {
      return value;
    }
    last = weight * last + (1 - weight) * value;
    n += 1;
    return last / (1 - weight ** n);
  });
}

test.each([0.1, 0.6, 0.99, 0.999])("as TensorBoard does, with weight %d", (weight) => {
  const values = Array.from({ length: 3000 }, (_, i) => Math.sin(i / 7) + (i % 5) * 0.1);
  const expected = reference(values, weight);
  smoothed(values, weight).forEach((value, i) => {
    expect(value).toBeCloseTo(expected[i] ?? nan, 10);
  });
});

test("what is not finite stays, and is no part of the average", () => {
  const values = [1, nan, 2, inf, 3, -inf, 5];
  expect(smoothed(values, 0.5)).toEqual(reference(values, 0.5));
});

test("a constant stays the same, bit for bit; so does everything without smoothing", () => {
  expect(smoothed([0.1, nan, 0.1, 0.1], 0.9)).toEqual([0.1, nan, 0.1, 0.1]);
  expect(smoothed([1, 5, 2], 0)).toEqual([1, 5, 2]);
  expect(smoothed([], 0.5)).toEqual([]);
});

test("a bucket counts as often as it has points: buckets of equal points end where the points would", () => {
  const points = [...Array<number>(4).fill(1), ...Array<number>(7).fill(3), 2];
  const [, , last] = smoothed([1, 3, 2], 0.8, [4, 7, 1]);
  expect(last).toBeCloseTo(smoothed(points, 0.8).at(-1) ?? nan, 12);
});

test("a bucket without a finite value changes nothing", () => {
  expect(smoothed([1, nan, 3], 0.5, [1, 0, 1])[2]).toBe(smoothed([1, 3], 0.5)[1]);
});
