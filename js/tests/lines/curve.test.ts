import { expect, test } from "vitest";
import { LOG } from "../../src/lib/scale";
import { smooth } from "../../src/lib/smoothing";
import { type CurveOptions, curveBytes, curveOf, freeCurve } from "../../src/lines/curve";
import { applyPart, coarsened, isSmoothable, type Series } from "../../src/lines/series";
import { longPoints, part, pointRows, points, waves } from "../wire/made";
import { bucketed, buckets } from "./buckets";
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

test("unchanged curves are not computed again", () => {
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
  const values = waves(60);
  const versions = [points([...values.slice(0, 40).keys()], values.slice(0, 40))];
  for (let n = 40; n < 60; n += 1) {
    const rows = pointRows([n], [values[n] as number]);
    const next = applyPart(versions.at(-1), part("t", "r", [n], { keep: n, total: n + 1, rows }));
    versions.push(next as Series);
  }
  const buffers = versions.slice(1).map((series) => curveOf(series, options).smoothed.buffer);
  expect(new Set(buffers).size).toBe(1);
  const last = versions.at(-1) as Series;
  expect([...curveOf(last, options).smoothed]).toEqual([...smooth(last.value, 0.5)]);
});

test("a logarithmic axis has logarithms of positive values, smoothed before", () => {
  const { y, raw } = curveOf(longPoints([0, 1, 2, 3], [1, 100, 0, -5]), { ...PLAIN, smoothing: ema(0.5), yScale: LOG });
  expect([...raw.subarray(0, 4)]).toEqual([0, 2, Number.NaN, Number.NaN]);
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

test("computed curves count as memory, and are freed", () => {
  const series = longPoints([1, 2, 3, 4], [4, 1, 5, 2]);
  const column = 8 * series.value.length;
  const bytes = (options: CurveOptions) => {
    curveOf(series, options);
    return curveBytes(series);
  };
  expect(bytes(PLAIN)).toBe(0);
  expect(bytes({ ...PLAIN, smoothing: ema(0.5) })).toBe(column);
  expect(bytes({ ...PLAIN, xAxis: "relative", smoothing: ema(0.5), yScale: LOG })).toBe(4 * column);
  freeCurve(series);
  expect(curveBytes(series)).toBe(0);
});

test("short series, series that never turn and series that mostly stay are drawn as they are", () => {
  const series = (values: readonly number[]) => points([...values.keys()], values);
  const count = (n: number, of: (i: number) => number) => Array.from({ length: n }, (_, i) => of(i));
  const judged = (values: readonly number[]) => {
    const { y, raw, smoothed } = curveOf(series(values), { ...PLAIN, smoothing: ema(0.6) });
    expect([y === raw, smoothed === raw]).toEqual(Array(2).fill(!isSmoothable(series(values))));
    return isSmoothable(series(values));
  };
  expect([judged(waves(29)), judged(waves(30))]).toEqual([false, true]);
  const epoch = count(300, (i) => i / 7);
  expect([judged(epoch), judged(epoch.map((v) => -v)), judged([...epoch, 0])]).toEqual([false, false, true]);
  const warmRestarts = count(300, (i) => 0.1 ** (Math.floor(i / 10) % 3));
  expect(judged(warmRestarts)).toBe(false);
  expect(judged(count(300, (i) => 0.1 ** (Math.floor(i / 3) % 3)))).toBe(true);
  expect(judged(epoch.map((v, i) => (i % 9 === 5 ? Number.NaN : v)))).toBe(false);
});

test("the verdict on a growing series changes at most once for each doubling, and hardly ever", () => {
  const random = (i: number) => Math.abs(Math.sin(i * 12.9898) * 43758.5453) % 1;
  // Near the border: four of five values equal the previous one.
  const values = [0];
  for (let i = 1; i < 4000; i += 1) {
    values.push(random(i) < 0.8 ? (values[i - 1] as number) : random(i + 0.5));
  }
  const verdicts: boolean[] = [];
  for (let n = 30; n < values.length; n += 13) {
    verdicts.push(isSmoothable(points([...values.slice(0, n).keys()], values.slice(0, n))));
  }
  expect(verdicts.filter((one, i) => i > 0 && one !== verdicts[i - 1]).length).toBeLessThanOrEqual(7);
});

test("the edges of a margin are smoothed if the line inside is", () => {
  const steps = [...Array(60).keys()];
  const [rising, turning] = [points(steps), points(steps, waves(60))];
  const smoothed = (series: Series, inside: Series) => {
    const curve = curveOf(series, { ...PLAIN, smoothing: ema(0.6), inside });
    return curve.smoothed !== series.value;
  };
  expect([smoothed(rising, turning), smoothed(rising, rising)]).toEqual([true, false]);
  expect([smoothed(turning, rising), smoothed(turning, turning)]).toEqual([false, true]);
});

test("buckets are judged by what they tell", () => {
  const steps = [...Array(960).keys()];
  const judged = (of: (i: number) => number) => isSmoothable(bucketed(steps, steps.map(of), 16));
  expect(judged((i) => Math.sin(i))).toBe(true);
  expect(judged((i) => i / 7)).toBe(false);
  expect(judged((i) => 0.1 ** (Math.floor(i / 160) % 3))).toBe(false);
  // The kernel has seen all points.
  const often = bucketed(
    steps,
    steps.map((i) => Math.floor(i / 10) % 3),
    16,
  );
  expect([isSmoothable(often), isSmoothable({ ...often, smoothable: false })]).toEqual([true, false]);
  const whole = points(
    steps,
    steps.map((i) => Math.floor(i / 10) % 3),
  );
  expect([isSmoothable(whole), isSmoothable(coarsened(whole))]).toEqual([false, false]);
});

test("a series that only rose while its points were reduced is smoothed once it falls", () => {
  const more = Array.from({ length: 100 }, (_, i) => 100 + i);
  const rising = coarsened(points([...Array(100).keys()]));
  const falls = waves(100);
  const held = applyPart(rising, part("t", "r", more, { keep: 100, rows: pointRows(more, falls) })) as Series;
  expect([rising, held].map(isSmoothable)).toEqual([false, true]);
  expect(isSmoothable(coarsened(held))).toBe(true);
});
