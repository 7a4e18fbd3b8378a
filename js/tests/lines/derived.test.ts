import { expect, test } from "vitest";
import { comparedWith, joinedOver, picked } from "../../src/lines/derived";
import { pointsAt } from "../../src/lines/series";
import { points } from "../wire/made";
import { bucketed } from "./buckets";

test("difference and ratio at a run's own steps, with the baseline between its steps and within its extent", () => {
  const base = points([2, 4, 8], [1, 3, -5]);
  const run = points([0, 2, 3, 4, 6, 8, 9], [7, 7, 7, 7, 7, 7, 7]);
  const difference = comparedWith(run, base, "difference");
  expect([...(difference.step as Float64Array)]).toEqual([2, 3, 4, 6, 8]);
  expect([...difference.value]).toEqual([6, 5, 4, 8, 12]);
  expect([...comparedWith(run, base, "ratio").value]).toEqual([7, 3.5, 7 / 3, -7, -1.4]);
  expect([difference.total, difference.lastStep]).toEqual([5, 8n]);
  expect([...comparedWith(base, base, "difference").value]).toEqual([0, 0, 0]);
  expect(comparedWith(run, base, "difference")).toBe(comparedWith(run, base, "difference"));
});

test("a run's own NaN stays, the baseline's are passed over; nothing shared is nothing drawn", () => {
  const base = points([0, 1, 2], [1, Number.NaN, 3]);
  const made = comparedWith(points([0, 1, 2], [Number.NaN, 5, 5]), base, "difference");
  expect([...made.value]).toEqual([Number.NaN, 3, 2]);
  expect([...made.count]).toEqual([0, 1, 1]);
  expect(comparedWith(points([10, 11]), base, "difference").step.length).toBe(0);
});

test("extremes of buckets are compared, too, and change places where the baseline is negative", () => {
  const run = bucketed([0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6], 2);
  const base = points([0, 10], [-2, -2]);
  const ratio = comparedWith(run, base, "ratio");
  expect([...ratio.value]).toEqual([-0.75, -1.75, -2.75]);
  expect([...ratio.min]).toEqual([-1, -2, -3]);
  expect([...ratio.max]).toEqual([-0.5, -1.5, -2.5]);
  expect([ratio.width, ratio.total]).toEqual([2, 6]);
});

test("picked rows say how many points they stand for", () => {
  const run = bucketed([0, 1, 2, 3, 4], [0, 0, 0, 0, 0], 2);
  const some = picked(run, [1, 2]);
  expect([some.total, pointsAt(some, 0), pointsAt(some, 1)]).toEqual([3, 2, 1]);
  expect(picked(run, [0, 1, 2])).toBe(run);
});

test("one tag along another: at the same step, else at the last before; in the order of steps", () => {
  const loss = points([0, 1, 2, 3, 4], [10, 11, 12, 13, 14]);
  const accuracy = points([1, 3], [0.9, 0.2]);
  const { series, x } = joinedOver(loss, accuracy, null);
  expect([...series.value]).toEqual([11, 12, 13, 14]);
  expect([...x]).toEqual([0.9, 0.9, 0.2, 0.2]);
  expect([...joinedOver(loss, accuracy, [2, 3]).x]).toEqual([0.9, 0.2]);
  expect([...joinedOver(loss, points([0], [Number.NaN]), null).x]).toEqual([]);
  expect([...joinedOver(points([0]), points([0], [1.7e308]), null).x]).toEqual([5e307]);
});
