import { expect, test } from "vitest";
import { bytesBeside, curveOf, forgetCurve, type Look } from "../../src/panels/scalars/curve";
import { points } from "../wire/made";
import { buckets } from "./buckets";

const PLAIN: Look = { xAxis: "step", smoothing: 0, log: false };

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
  const look = { ...PLAIN, smoothing: 0.5 };
  expect(curveOf(series, { ...look })).toBe(curveOf(series, { ...look }));
  const { raw, x } = curveOf(series, { ...look, log: true });
  const other = curveOf(series, { ...look, log: true, smoothing: 0.7 });
  expect(other.raw).toBe(raw);
  expect(other.x).toBe(x);
});

test("on a logarithmic axis stand logarithms of what is positive, smoothed before", () => {
  const { y, raw } = curveOf(points([0, 1, 2, 3], [1, 100, 0, -5]), { ...PLAIN, smoothing: 0.5, log: true });
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
  const { low, high } = curveOf(series, { ...PLAIN, log: true });
  expect([...(low ?? [])]).toEqual([Number.NEGATIVE_INFINITY, Number.NaN, 0]);
  expect([...(high ?? [])]).toEqual([2, Number.NaN, 2]);
});

test("what is computed for a series is counted, and let go", () => {
  const series = points([1, 2, 3, 4], [4, 1, 5, 2]);
  const bytes = (look: Look) => {
    curveOf(series, look);
    return bytesBeside(series);
  };
  expect(bytes(PLAIN)).toBe(0);
  expect(bytes({ ...PLAIN, smoothing: 0.5 })).toBe(32);
  expect(bytes({ xAxis: "relative", smoothing: 0.5, log: true })).toBe(4 * 32);
  forgetCurve(series);
  expect(bytesBeside(series)).toBe(0);
});
