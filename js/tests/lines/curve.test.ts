import { expect, test } from "vitest";
import { LOG } from "../../src/lib/scale";
import { smooth } from "../../src/lib/smoothing";
import { type CurveOptions, curveBytes, curveOf, freeCurve } from "../../src/lines/curve";
import { applyPart, type Series } from "../../src/lines/series";
import { part, points } from "../wire/made";
import { buckets } from "./buckets";
import { ema, PLAIN } from "./options";

test("along x stand steps, seconds since the first point, or times", () => {
  const series = points([5, 7, 9]);
  expect([...curveOf(series, PLAIN).x]).toEqual([5, 7, 9]);
  expect([...curveOf(series, { ...PLAIN, xAxis: "relative" }).x]).toEqual([0, 1, 2]);
  expect([...curveOf(series, { ...PLAIN, xAxis: "wall" }).x]).toEqual([1000, 1001, 1002]);
});

test("shuffled steps are in order along the time", () => {
  const series = points([5, 1, 9]);
  expect(curveOf(series, PLAIN).ascending).toBe(false);
  expect(curveOf(series, { ...PLAIN, xAxis: "wall" }).ascending).toBe(true);
});

test("what did not change is not computed again", () => {
  const series = points([1, 2, 3], [4, 1, 5]);
  const options = { ...PLAIN, smoothing: ema(0.5) };
  expect(curveOf(series, { ...options })).toBe(curveOf(series, { ...options }));
  const { raw, x } = curveOf(series, { ...options, yScale: LOG });
  const other = curveOf(series, { ...options, yScale: LOG, smoothing: ema(0.7) });
  expect(other.raw).toBe(raw);
  expect(other.x).toBe(x);
});

test("versions of a series that grows are smoothed into one array", () => {
  const options = { ...PLAIN, smoothing: ema(0.5) };
  const versions = [points([0, 1, 2], [4, 1, 5])];
  for (let n = 3; n < 20; n += 1) {
    const next = applyPart(versions.at(-1), part("t", "r", [n], { keep: n, total: n + 1 }));
    versions.push(next as Series);
  }
  const buffers = versions.slice(1).map((series) => curveOf(series, options).smoothed.buffer);
  expect(new Set(buffers).size).toBe(1);
  const last = versions.at(-1) as Series;
  expect([...curveOf(last, options).smoothed]).toEqual([...smooth(last.value, 0.5)]);
});

test("on a logarithmic axis stand logarithms of what is positive, smoothed before", () => {
  const { y, raw } = curveOf(points([0, 1, 2, 3], [1, 100, 0, -5]), { ...PLAIN, smoothing: ema(0.5), yScale: LOG });
  expect([...raw]).toEqual([0, 2, Number.NaN, Number.NaN]);
  expect(10 ** (y[1] ?? 0)).toBeCloseTo((0.25 * 1 + 0.5 * 100) / 0.75, 9);
});

test("buckets have extremes, points have none", () => {
  const { low, high, y } = curveOf(buckets([{ last: 2, values: [1, 2, 9] }]), PLAIN);
  expect([[...(low ?? [])], [...(high ?? [])], [...y]]).toEqual([[1], [9], [4]]);
  expect(curveOf(points([1]), PLAIN).low).toBeNull();
});

test("a bucket of which only a part is positive has no lower end on a logarithmic axis", () => {
  const series = buckets([
    { last: 2, values: [-1, 10, 100] },
    { last: 5, values: [-3, -2, 0] },
    { last: 8, values: [1, 10, 100] },
  ]);
  const { low, high } = curveOf(series, { ...PLAIN, yScale: LOG });
  expect([...(low ?? [])]).toEqual([Number.NEGATIVE_INFINITY, Number.NaN, 0]);
  expect([...(high ?? [])]).toEqual([2, Number.NaN, 2]);
});

test("what is computed for a series is counted, and let go", () => {
  const series = points([1, 2, 3, 4], [4, 1, 5, 2]);
  const bytes = (options: CurveOptions) => {
    curveOf(series, options);
    return curveBytes(series);
  };
  expect(bytes(PLAIN)).toBe(0);
  expect(bytes({ ...PLAIN, smoothing: ema(0.5) })).toBe(32);
  expect(bytes({ ...PLAIN, xAxis: "relative", smoothing: ema(0.5), yScale: LOG })).toBe(4 * 32);
  freeCurve(series);
  expect(curveBytes(series)).toBe(0);
});
