import { expect, test } from "vitest";
import { piecesOf } from "../../src/lib/pieces";
import { LOG } from "../../src/lib/scale";
import { curveOf, stepsBack } from "../../src/lines/curve";
import { trace, traceEnvelope } from "../../src/lines/trace";
import { longPoints, points } from "../wire/made";
import { buckets } from "./buckets";
import { ema, PLAIN } from "./options";

const IDENTITY = { xScale: 1, xOffset: 0, yScale: 1, yOffset: 0 };

test("a piece begins where a step is less than the one before", () => {
  const steps = [0, 1, 2, 1, 2, 2, 3, 0, 5];
  const naive = steps.flatMap((step, i) => (i > 0 && step < (steps[i - 1] ?? 0) ? [i] : []));
  expect([...Array.from(stepsBack(points(steps)))]).toEqual(naive);
  expect(stepsBack(points([1, 1, 2])).length).toBe(0);
});

test("a bucket begins a piece if it begins before the end of the last one, or goes back within", () => {
  const series = buckets([
    { last: 9, values: [1, 2] },
    { last: 19, values: [1, 2] },
    { last: 12, values: [1, 2] },
    { last: 30, values: [1, 2] },
  ]);
  expect(Array.from(stepsBack(series))).toEqual([2]);
});

test("rows in pieces", () => {
  expect(piecesOf([3, 5], 0, 8)).toEqual([
    [0, 3],
    [3, 5],
    [5, 8],
  ]);
  expect(piecesOf([3, 5], 3, 5)).toEqual([[3, 5]]);
  expect(piecesOf([3, 5], 4, 8)).toEqual([
    [4, 5],
    [5, 8],
  ]);
  expect(piecesOf([], 2, 2)).toEqual([]);
});

test("lines are split, or lead back, as chosen; smoothing restarts in each piece", () => {
  const series = points([0, 10, 20, 5, 15], [1, 2, 3, 8, 9]);
  const drawn = (split: boolean) => {
    const { x, y, breaks } = curveOf(series, { ...PLAIN, split });
    const strokes: string[] = [];
    const pen = {
      moveTo: (...at: number[]) => strokes.push(`M${at}`),
      lineTo: (...at: number[]) => strokes.push(`L${at}`),
    };
    trace(x, y, 0, x.length, IDENTITY, { ...pen, dot: () => {} }, breaks);
    return strokes.join(" ");
  };
  expect(drawn(true)).toBe("M0,1 L10,2 L20,3 M5,8 L15,9");
  expect(drawn(false)).toBe("M0,1 L10,2 L20,3 L5,8 L15,9");
  const long = longPoints([0, 10, 20, 5, 15], [1, 2, 3, 8, 9]);
  const smoothed = curveOf(long, { ...PLAIN, split: true, smoothing: ema(0.5) }).smoothed;
  expect(smoothed[3]).toBe(8);
  expect(smoothed[4]).toBeCloseTo((0.25 * 8 + 0.5 * 9) / 0.75, 12);
});

test("steps without a place on a logarithmic axis are before all others, and not drawn", () => {
  const { x, y, ascending } = curveOf(points([-1, 0, 1, 100], [1, 2, 3, 4]), { ...PLAIN, xScale: LOG });
  expect([[...x], ascending]).toEqual([[Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 2], true]);
  const strokes: string[] = [];
  const pen = {
    moveTo: (...at: number[]) => strokes.push(`M${at}`),
    lineTo: (...at: number[]) => strokes.push(`L${at}`),
  };
  trace(x, y, 0, 4, IDENTITY, { ...pen, dot: () => {} });
  expect(strokes).toEqual(["M0,3", "L2,4"]);
});

test("an envelope holds all values of the rows around, and no others", () => {
  const values = Array.from({ length: 60 }, (_, i) => (i === 30 ? 100 : (i * 7919) % 11));
  const x = Float64Array.from(values, (_, i) => 10 * i);
  const outline: [number, number][] = [];
  const path = {
    moveTo: (...at: [number, number]) => outline.push(at),
    lineTo: (...at: [number, number]) => outline.push(at),
  };
  traceEnvelope(x, Float64Array.from(values), [0, 60], [], IDENTITY, { ...path, closePath: () => {} });
  const around = (i: number) => values.slice(Math.max(0, i - 4), i + 5);
  expect(outline.slice(0, 60)).toEqual(values.map((_, i) => [10 * i, Math.max(...around(i)) - 0.5]));
  expect(outline.slice(60).reverse()).toEqual(values.map((_, i) => [10 * i, Math.min(...around(i)) + 0.5]));
});

test("without raw values, axes are fitted to smoothed values", () => {
  const series = points([0, 1, 2], [0, 100, 0]);
  const hidden = curveOf(series, { ...PLAIN, smoothing: ema(0.9), behind: "hidden" });
  expect([hidden.raw === hidden.y, hidden.low]).toEqual([true, null]);
  expect(curveOf(series, { ...PLAIN, behind: "hidden" }).raw).toBe(series.value);
});
