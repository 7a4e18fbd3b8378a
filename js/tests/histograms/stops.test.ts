import { expect, test } from "vitest";
import type { HistogramSeries } from "../../src/histograms/codec";
import { stopsBeside, stopsSpan } from "../../src/histograms/steps";
import { histogram, series } from "./made";

const beside = (held: readonly HistogramSeries[], at: number) =>
  Object.values(stopsBeside(held, BigInt(at))).map((step) => (step === null ? null : Number(step)));

test("one goes from step to step", () => {
  const held = series(5);
  expect(beside([held], 20)).toEqual([10, 20, 30]);
  expect(beside([held], 24)).toEqual([20, 20, 30]);
  expect(beside([held], 0)).toEqual([null, 0, 10]);
  expect(beside([held], 40)).toEqual([30, 40, null]);
  expect(beside([held], -7)).toEqual([null, null, 0]);
  expect(beside([held], 1e300)).toEqual([40, 40, null]);
  expect(beside([], 3)).toEqual([null, null, null]);
});

test("those that only the kernel holds are steps too", () => {
  const held = series(102, 4);
  for (let place = 1; place < 101; place += 1) {
    expect(beside([held], 10 * place)).toEqual([10 * (place - 1), 10 * place, 10 * (place + 1)]);
    expect(beside([held], 10 * place + 3)).toEqual([10 * place, 10 * place, 10 * (place + 1)]);
  }
  expect(beside([held], 1010)).toEqual([1000, 1010, null]);
});

test("series of other steps have their own between", () => {
  const shifted = { ...series(5), rows: series(5).rows.map((row) => ({ ...row, step: row.step + 3n })) };
  expect(beside([series(5), shifted], 20)).toEqual([13, 20, 23]);
});

test("steps in any order, and equal ones", () => {
  const steps = [5, 5, 3, 9, 9, 1, 8];
  const held = { ...series(7), rows: steps.map((step, place) => ({ ...histogram(0), step: BigInt(step), place })) };
  expect(beside([held], 5)).toEqual([3, 5, 8]);
  expect(beside([held], 2)).toEqual([1, 1, 3]);
  expect(stopsSpan([held, series(0)])).toEqual([1n, 9n]);
  expect(stopsSpan([series(0)])).toBeNull();
});

test("neighbors beyond 2^53 are told from one another", () => {
  const big = 2n ** 62n;
  const rows = [big, big + 1n, big + 2n].map((step, place) => ({ ...histogram(0), step, place }));
  const held = { ...series(3), rows };
  expect(stopsBeside([held], big + 1n)).toEqual({ before: big, upTo: big + 1n, after: big + 2n });
  expect(stopsSpan([held])).toEqual([big, big + 2n]);
});

test("steps that are in order are found as among those that are in none", () => {
  const steps = [1, 1, 2, 5, 5, 5, 9];
  const rows = steps.map((step, place) => ({ ...histogram(0), step: BigInt(step), place }));
  const ordered = { ...series(7), rows };
  // The same rows in two series, both out of order.
  const apart = [
    { ...series(7), rows: [rows[6], ...rows.slice(0, 3)] as typeof rows },
    { ...series(7), rows: [rows[6], ...rows.slice(3, 6)] as typeof rows },
  ];
  for (let at = 0; at <= 10; at += 1) {
    expect(beside([ordered], at)).toEqual(beside(apart, at));
  }
});
