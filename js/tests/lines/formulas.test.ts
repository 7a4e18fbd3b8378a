// The drawn lines of long series, compared with the documented formulas at every point.

import { expect, test } from "vitest";
import { nearestIndex } from "../../src/charts/extent";
import { rangeWithoutOutliers } from "../../src/lib/quantiles";
import { symlog } from "../../src/lib/scale";
import { curveOf } from "../../src/lines/curve";
import { points } from "../wire/made";
import { bucketed } from "./buckets";
import { ema, PLAIN } from "./options";

/** Maximum number of points of a series that are sent unbucketed. */
const WHOLE = 4096;

/** Reproducible numbers from 0 to 1 without an apparent order. */
function noise(n: number, seed: number): number[] {
  let state = seed;
  return Array.from({ length: n }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  });
}

/** A loss that falls and is noisy, with some missing values. */
function loss(n: number, holes = true): number[] {
  const [around, kinds] = [noise(n, 1), noise(n, 2)];
  return around.map((share, i) => {
    const value = 2 * Math.exp((-5 * i) / n) + 0.2 * (share - 0.5);
    const kind = holes ? (kinds[i] as number) : 1;
    return kind < 0.01 ? Number.NaN : kind < 0.02 ? Number.POSITIVE_INFINITY : value;
  });
}

/** s(n) = w s(n - 1) + (1 - w) v(n) from 0, over 1 - w^n: for finite values alone, restarted in each piece. */
function averaged(values: readonly number[], steps: readonly number[], weight: number): number[] {
  let [last, n] = [0, 0];
  return values.map((value, i) => {
    if (i > 0 && (steps[i] as number) < (steps[i - 1] as number)) {
      [last, n] = [0, 0];
    }
    if (!Number.isFinite(value)) {
      return value;
    }
    last = weight * last + (1 - weight) * value;
    n += 1;
    return last / (1 - weight ** n);
  });
}

test.each([0.3, 0.6, 0.9, 0.999])("smoothing by %d, split where steps go back, on a symlog axis: exact", (weight) => {
  const steps = [...Array(2500).keys(), ...Array(WHOLE - 2500).keys()];
  const values = loss(WHOLE).map((value) => value - 1);
  const c = 0.1;
  const options = { ...PLAIN, smoothing: ema(weight), split: true, yScale: symlog(c) };
  const { smoothed, y } = curveOf(points(steps, values), options);
  averaged(values, steps, weight).forEach((expected, i) => {
    const place = Number.isFinite(expected) ? Math.sign(expected) * Math.log10(1 + Math.abs(expected) / c) : Number.NaN;
    expect(Object.is(smoothed[i], expected) || Math.abs((smoothed[i] as number) - expected) < 1e-9, `${i}`).toBe(true);
    expect(Number.isNaN(place) || Math.abs((y[i] as number) - place) < 1e-8, `${i}: ${y[i]}, ${place}`).toBe(true);
  });
});

test.each([0.6, 0.9, 0.99])("smoothing by %d of a series in buckets: within 2 % of its range", (weight) => {
  const width = 16;
  const steps = [...Array(10 * WHOLE).keys()];
  const values = loss(10 * WHOLE, false);
  const exact = averaged(values, steps, weight);
  const range = Math.max(...values) - Math.min(...values);
  const { smoothed } = curveOf(bucketed(steps, values, width), { ...PLAIN, smoothing: ema(weight) });
  // A weight that forgets within a bucket shows the bucket's mean of the formula.
  const within = (row: number) => exact.slice(row * width, (row + 1) * width);
  smoothed.forEach((value, row) => {
    const expected =
      weight ** width > 0.5 ? (within(row).at(-1) as number) : within(row).reduce((a, b) => a + b) / width;
    expect(Math.abs(value - expected) / range, `${row}`).toBeLessThan(0.02);
  });
});

test("values count as outliers that are farther from the middle 90 % than that is wide", () => {
  for (const n of [5, 21, 100, 777, WHOLE]) {
    for (const seed of [3, 4, 5]) {
      // Most values are near 0; some of the others are far off.
      const values = noise(n, seed).map((share) => Math.tan(3 * (share - 0.5)));
      const sorted = [...values].sort((a, b) => a - b);
      const low = sorted[Math.ceil((n - 1) * 0.05)] as number;
      const high = sorted[Math.floor((n - 1) * 0.95)] as number;
      const kept = sorted.filter((value) => value >= low - (high - low) && value <= high + (high - low));
      expect(rangeWithoutOutliers(Float64Array.from(values)), `${n} ${seed}`).toEqual([kept[0], kept.at(-1)]);
    }
  }
});

test("the nearest point along x is the nearest of all, in order and shuffled", () => {
  const shuffled = noise(WHOLE, 6).map((share) => Math.round(1e6 * share));
  for (const steps of [[...shuffled].sort((a, b) => a - b), shuffled]) {
    const curve = curveOf(points(steps), PLAIN);
    for (const at of [-5, 0, 1e6, 2e6, ...noise(200, 7).map((share) => 1e6 * share)]) {
      const least = Math.min(...steps.map((step) => Math.abs(step - at)));
      expect(Math.abs((steps[nearestIndex(curve, at)] as number) - at)).toBe(least);
    }
  }
});
