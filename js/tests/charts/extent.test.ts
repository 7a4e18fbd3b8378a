import { expect, test } from "vitest";
import { nearestIndex, nextAlong, visibleSpan, xRange } from "../../src/charts/extent";
import { LOG } from "../../src/lib/scale";
import { type Curve, type CurveOptions, curveOf } from "../../src/lines/curve";
import { yRange } from "../../src/lines/valuerange";
import { buckets } from "../lines/buckets";
import { ema, PLAIN } from "../lines/options";
import { points } from "../wire/made";

const ALL = { scale: "linear", ignoreOutliers: false } as const;

function curve(steps: number[], values: number[] = steps, options: Partial<CurveOptions> = {}): Curve {
  return curveOf(points(steps, values), { ...PLAIN, ...options });
}

test("steps of all series fit", () => {
  expect(xRange([curve([5, 9]), curve([-3]), curve([])])).toEqual([-3, 9]);
  expect(xRange([curve([9, 5, 7])])).toEqual([5, 9]);
  expect(xRange([curve([7])])).toEqual([6.5, 7.5]);
  expect(xRange([])).toEqual([0, 1]);
  // The first bucket begins before the position at which it is drawn.
  expect(xRange([{ ...curve([23, 99]), start: 0 }])).toEqual([0, 99]);
});

test("a lone step gets a range that a double can resolve, however large the step is", () => {
  for (const step of [2 ** 53, -(2 ** 60), 2 ** 63]) {
    const [first, last] = xRange([curve([step])]);
    expect([first < step, step < last]).toEqual([true, true]);
  }
});

test("values get a margin; only finite visible ones count", () => {
  const one = curve([0, 1, 2, 3], [10, 20, Number.POSITIVE_INFINITY, 1e9]);
  expect(yRange([one], [0, 2], ALL)).toEqual([9.5, 20.5]);
  expect(yRange([curve([0], [Number.NaN])], [0, 1], ALL)).toEqual([0, 1]);
});

test("a line between two of its values stays visible; one that has ended, or not begun, does not count", () => {
  const [long, short] = [curve([0, 100, 200], [50, 40, 10]), curve([0, 20], [1e6, 1e6])];
  expect(yRange([long], [110, 120], ALL)).toEqual([8.5, 41.5]);
  expect(yRange([long, short], [110, 120], ALL)).toEqual([8.5, 41.5]);
  expect(yRange([short], [110, 120], ALL)).toEqual([0, 1]);
  expect(yRange([short], [-20, -10], ALL)).toEqual([0, 1]);
});

test("a constant is in the middle of something", () => {
  expect(yRange([curve([0, 1], [0, 0])], [0, 1], ALL)).toEqual([-1, 1]);
  expect(yRange([curve([0, 1], [3, 3])], [0, 1], ALL)).toEqual([0, 6]);
  expect(yRange([curve([0, 1], [-3, -3])], [0, 1], ALL)).toEqual([-6, 0]);
});

test("a logarithmic axis reaches from half the least to double the greatest positive value", () => {
  const [low, high] = yRange([curve([0, 1, 2], [-5, 1, 100], { yScale: LOG })], [0, 2], { ...ALL, scale: "log" });
  expect(10 ** low).toBeCloseTo(0.5, 9);
  expect(10 ** high).toBeCloseTo(200, 9);
});

test("outliers do not count unless asked for; the faint background of a line counts too", () => {
  const steps = Array.from({ length: 100 }, (_, i) => i);
  const values = steps.map((i) => (i === 50 ? 1e6 : i % 2));
  expect(yRange([curve(steps, values)], [0, 99], { ...ALL, ignoreOutliers: true })).toEqual([-0.05, 1.05]);
  expect(yRange([curve(steps, values)], [0, 99], ALL)[1]).toBeGreaterThan(1e6);
  const smoothed = curve(steps, values, { smoothing: ema(0.9) });
  expect(yRange([smoothed], [0, 99], ALL)[1]).toBeGreaterThan(1e6);
  expect(yRange([smoothed], [0, 40], { ...ALL, ignoreOutliers: true })[1]).toBeCloseTo(1.05, 9);
});

test("without smoothing, the extremes of buckets are visible", () => {
  const one = curveOf(
    buckets([
      { last: 9, values: [0, 10, 2] },
      { last: 19, values: [3, 3, 3] },
    ]),
    PLAIN,
  );
  expect(yRange([one], [0, 19], ALL)).toEqual([-0.5, 10.5]);
});

test("lines that leave the view are drawn to its edge", () => {
  const one = curve([0, 10, 20, 30, 40]);
  expect(visibleSpan(one, [12, 28])).toEqual([1, 4]);
  expect(visibleSpan(one, [-5, 100])).toEqual([0, 5]);
  expect(visibleSpan(curve([0, 20, 10]), [12, 15])).toEqual([0, 3]);
});

test("the nearest point is found, also among shuffled steps", () => {
  const one = curve([0, 10, 20]);
  expect([-9, 4, 6, 14, 99].map((step) => nearestIndex(one, step))).toEqual([0, 0, 1, 1, 2]);
  expect(nearestIndex(curve([30, 10, 20]), 11)).toBe(1);
  expect(nearestIndex(curve([]), 1)).toBe(-1);
});

test("the next point is found in both directions, also among shuffled steps", () => {
  for (const one of [curve([0, 10, 20]), curve([20, 0, 10])]) {
    expect([-5, 0, 4, 20].map((from) => nextAlong(one, from, 1))).toEqual([0, 10, 10, null]);
    expect([0, 4, 20, 99].map((from) => nextAlong(one, from, -1))).toEqual([null, 0, 10, 20]);
  }
});

test("values that exceed the scratch array are all used, and none of them later", () => {
  const steps = Array.from({ length: 300_000 }, (_, i) => i);
  const long = curve(steps, steps.map(Math.sin));
  expect(yRange([long], [0, 3e5], ALL)[1]).toBeCloseTo(1.1, 6);
  expect(yRange([curve([0, 1], [5, 7])], [0, 1], ALL)).toEqual([4.9, 7.1]);
});

test.each([[[-1.7e308, 1.7e308]], [[1.7e308, 1.7e308]], [[5e-324, 1e-323]], [[1e-300, 2e-300]], [[1, 1 + 1e-15]]])(
  "%j gives an axis that can be drawn",
  (values) => {
    const [min, max] = yRange([curve([0, 1], values)], [0, 1], ALL);
    expect(Number.isFinite(100 / (max - min))).toBe(true);
    expect(100 / (max - min)).toBeGreaterThan(0);
  },
);
