import { expect, test } from "vitest";
import { type AxisScale, LINEAR, LOG, symlog } from "../../src/lib/scale";
import { curveOf } from "../../src/lines/curve";
import { fittedRange, hasPlaces, type ValueLimits } from "../../src/lines/valuerange";
import { points } from "../wire/made";
import { PLAIN } from "./options";

function range(values: number[], limits?: ValueLimits, scale = LINEAR, shared: [number, number] | null = null) {
  const line = curveOf(
    points(
      values.map((_, i) => i),
      values,
    ),
    { ...PLAIN, yScale: scale },
  );
  return fittedRange({ lines: [line], yScale: scale, ignoreOutliers: false, limits, shared }, [0, values.length]);
}

test("a fixed end is where it was fixed, the other one fits", () => {
  expect(range([10, 20], [0, 5])).toEqual([0, 5]);
  expect(range([10, 20], [0, null])).toEqual([0, 20.5]);
  expect(range([10, 20], [null, 30])).toEqual([9.5, 30]);
  expect(range([10, 20])).toEqual([9.5, 20.5]);
});

test("a fitted end on the wrong side of a fixed one makes way", () => {
  const [low, high] = range([10, 20], [50, null]);
  expect([low, high > 50]).toEqual([50, true]);
  const [below, above] = range([10, 20], [null, -5]);
  expect([below < -5, above]).toEqual([true, -5]);
});

test("limits are values, on every scale; what has no place there is fitted", () => {
  expect(range([1, 10], [0.1, 1000], LOG)).toEqual([-1, 3]);
  const [low, high] = range([1, 10], [0, 1000], LOG);
  expect([low, high]).toEqual([-Math.log10(2), 3]);
  expect(range([1, 10], [-9, 9], symlog()).map((place) => Math.round(1e9 * place) / 1e9)).toEqual([-1, 1]);
});

test("shared values replace the visible ones, with the same margins", () => {
  expect(range([10, 20], undefined, LINEAR, [0, 100])).toEqual([-5, 105]);
  expect(range([10, 20], undefined, LOG, [1, 100])).toEqual([-Math.log10(2), 2 + Math.log10(2)]);
  expect(range([10, 20], [null, 50], LINEAR, [0, 100])).toEqual([-5, 50]);
});

test("a constant is in the middle of its magnitude on a symmetric logarithmic axis", () => {
  const [low, high] = range([1e9, 1e9], undefined, symlog());
  expect([symlog().value(low), symlog().value(high)].map((value) => Math.round(value / 1e8))).toEqual([5, 20]);
});

test("values that are not finite, or have no logarithm, have no place on an axis", () => {
  const lineOf = (values: readonly number[], yScale: AxisScale = LINEAR) =>
    curveOf(
      points(
        values.map((_, i) => i),
        values,
      ),
      { ...PLAIN, yScale },
    );
  const empty = lineOf([Number.NaN, Number.POSITIVE_INFINITY]);
  expect(hasPlaces([empty], [0, 1])).toBe(false);
  expect(hasPlaces([empty, lineOf([1])], [0, 1])).toBe(true);
  expect(hasPlaces([lineOf([Number.NaN, 5])], [-1, 0])).toBe(false);
  expect(hasPlaces([lineOf([-1, 0], LOG)], [0, 1])).toBe(false);
});
