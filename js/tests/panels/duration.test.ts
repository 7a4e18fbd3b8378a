import { expect, test } from "vitest";
import { stepsDuring as histogramsDuring } from "../../src/histograms/codec";
import { union } from "../../src/lib/search";
import { stepsDuring } from "../../src/lines/codec";
import type { Series } from "../../src/lines/series";
import { series } from "../histograms/made";
import { points } from "../wire/made";

test("steps of the rows that reach into the visible times", () => {
  const series = points([0, 10, 20, 30, 40]); // a second apart, from 1000 on
  expect(stepsDuring([series], [1001.5, 1002.5], false)).toEqual([20, 30]);
  expect(stepsDuring([series], [1.5, 2.5], true)).toEqual([20, 30]);
  expect(stepsDuring([series], [-50, 0], true)).toEqual([0, 10]);
  expect(stepsDuring([series], [5, 9], true)).toBeNull();
  expect(stepsDuring([], [0, 1], true)).toBeNull();
});

test("runs that began at other times span other steps: all of them count", () => {
  const late: Series = { ...points([100, 200, 300]), startWall: 1002 };
  expect(stepsDuring([points([0, 10, 20]), late], [-0.5, 0.9], true)).toEqual([0, 300]);
});

test("a bucket contains the points since the previous one", () => {
  const first = Float64Array.of(0, 50, 100);
  const bucketed: Series = { ...points([49, 99, 149]), first, width: 50, total: 150 };
  expect(stepsDuring([bucketed], [1000.2, 1000.8], false)).toEqual([50, 99]);
});

test("times that are no numbers are in no sight", () => {
  const wall = Float64Array.of(Number.NaN, 1001, Number.NaN);
  expect(stepsDuring([{ ...points([1, 2, 3]), wall }], [1001, 1002], false)).toBeNull();
});

test("a union reaches from the least to the greatest", () => {
  expect(union([])).toBeNull();
  expect(
    union([
      [3, 5],
      [-1, 4],
      [2, 9],
    ]),
  ).toEqual([-1, 9]);
});

test("missing histograms lie between their neighbors", () => {
  const held = series(101, 10); // places 0, 10 … 100 at steps 0, 100 … 1000, a tenth of a second a step
  expect(histogramsDuring([held], [1032, 1058], false)).toEqual([300, 600]);
  expect(histogramsDuring([held], [32, 58], true)).toEqual([300, 600]);
  expect(histogramsDuring([held], [33, 34], true)).toEqual([300, 400]);
  expect(histogramsDuring([held], [95, 500], true)).toEqual([900, 1000]);
  expect(histogramsDuring([held], [-9, -1], true)).toBeNull();
  expect(histogramsDuring([held], [101, 109], true)).toBeNull();
  expect(histogramsDuring([], [0, 1], true)).toBeNull();
});
