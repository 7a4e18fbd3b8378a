import { expect, test } from "vitest";
import { type Smoothing, smooth, smoothPieces } from "../../src/lib/smoothing";

const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

function smoothed(values: number[], weight: number, counts?: number[]): number[] {
  return [...smooth(Float64Array.from(values), weight, counts)];
}

/** TensorBoard's own formula, point by point. */
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

test("values that are not finite stay, and are no part of the average", () => {
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

const NOISE = Array.from({ length: 400 }, (_, i) => Math.sin(i / 9) + ((i * 7919) % 13) / 10);
const HOLES = NOISE.map((value, i) => (i % 37 === 5 ? nan : i % 101 === 50 ? inf : value));

/** The mean of finite values weighted by distance, as in the formulas. */
function naive(values: number[], weightOf: (distance: number) => number): number[] {
  return values.map((own, i) => {
    if (!Number.isFinite(own)) {
      return own;
    }
    let [sum, total] = [0, 0];
    values.forEach((value, j) => {
      if (Number.isFinite(value)) {
        sum += weightOf(j - i) * value;
        total += weightOf(j - i);
      }
    });
    return sum / total;
  });
}

const WEIGHTS = {
  mean: (n: number) => (d: number) => (d <= 0 && d > -n ? 1 : 0),
  gaussian: (n: number) => (d: number) => (Math.abs(d) <= n / 2 ? Math.exp((-d * d) / (2 * (n / 6) ** 2)) : 0),
};

function inPieces(values: number[], kind: Smoothing["kind"], amount: number, breaks: number[] = []): number[] {
  return [...smoothPieces(Float64Array.from(values), { kind, amount }, null, breaks)];
}

test.each([2, 7, 50, 1000])("means and Gaussian averages of %d points are what their formulas say", (window) => {
  for (const kind of ["mean", "gaussian"] as const) {
    for (const values of [NOISE, HOLES]) {
      const expected = naive(values, WEIGHTS[kind](window));
      inPieces(values, kind, window).forEach((value, i) => {
        expect(Object.is(value, expected[i]) || Math.abs(value - (expected[i] ?? nan)) < 1e-9, `${kind} ${i}`).toBe(
          true,
        );
      });
    }
  }
});

test("each piece is smoothed by itself", () => {
  for (const [kind, amount] of [
    ["ema", 0.9],
    ["mean", 20],
    ["gaussian", 20],
  ] as const) {
    const apart = [...inPieces(NOISE.slice(0, 100), kind, amount), ...inPieces(NOISE.slice(100), kind, amount)];
    expect(inPieces(NOISE, kind, amount, [100])).toEqual(apart);
  }
  expect(inPieces(NOISE, "none", 0.9)).toEqual(NOISE);
});

test("a constant stays the same, and the largest doubles make no infinities", () => {
  for (const kind of ["mean", "gaussian"] as const) {
    expect(inPieces([0.1, nan, 0.1, 0.1], kind, 30)).toEqual([0.1, nan, 0.1, 0.1]);
    const large = inPieces([1.7e308, 1.6e308, 1.7e308, -1.7e308, 1.7e308], kind, 5);
    expect(large.every(Number.isFinite), `${large}`).toBe(true);
    expect(large[2]).toBeGreaterThan(1e307);
  }
});

test("in buckets each point counts as their mean: within 2 % of the range of the points", () => {
  const values = Array.from(
    { length: 20_000 },
    (_, i) => 2 * Math.exp(-i / 4000) + 0.2 * Math.sin(i / 300) + ((i * 7919) % 97) / 970,
  );
  const [width, rows] = [16, 1250];
  const means = Float64Array.from({ length: rows }, (_, row) => {
    return values.slice(row * width, (row + 1) * width).reduce((a, b) => a + b, 0) / width;
  });
  const full = new Uint32Array(rows).fill(width);
  const range = Math.max(...values) - Math.min(...values);
  for (const [kind, window] of [
    ["mean", 100],
    ["mean", 1000],
    ["gaussian", 200],
    ["gaussian", 1000],
  ] as const) {
    const exact = naiveAt(values, WEIGHTS[kind](window), window);
    const found = smoothPieces(means, { kind, amount: window }, { points: full, finite: full }, []);
    for (let row = 0; row < rows; row += 7) {
      const error = Math.abs((found[row] as number) - exact((row + 1) * width - 1)) / range;
      expect(error, `${kind} ${window} ${row}`).toBeLessThan(0.02);
    }
  }
});

function naiveAt(values: number[], weightOf: (distance: number) => number, reach: number): (i: number) => number {
  return (i) => {
    let [sum, total] = [0, 0];
    for (let j = Math.max(0, i - reach); j <= Math.min(values.length - 1, i + reach); j += 1) {
      sum += weightOf(j - i) * (values[j] as number);
      total += weightOf(j - i);
    }
    return sum / total;
  };
}
