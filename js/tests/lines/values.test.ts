import { expect, test } from "vitest";
import { delimited } from "../../src/lib/delimited";
import { sortRows } from "../../src/lib/sortrows";
import { coarsened } from "../../src/lines/series";
import { valuesWithin, valueThere } from "../../src/lines/values";
import { RANGE_COLUMNS, rowsWithin, type ValueRow } from "../../src/lines/valuestable";
import { between, moved, resized } from "../../src/ui/steprange";
import { points } from "../wire/made";
import { bucketed } from "./buckets";

test("the values within a range of steps", () => {
  const series = points([0, 10, 20, 30, 40], [9, 4, -1, Number.NaN, 6]);
  expect(valuesWithin(series, [10, 40])).toEqual({
    ...{ n: 4, start: 4, end: 6, change: 2, percent: 50, min: -1, max: 6, mean: 3, approximate: false },
    ...{ firstStep: 10n, lastStep: 40n, minStep: 20n, maxStep: 40n },
  });
  expect(valuesWithin(series, null)?.n).toBe(5);
  expect(valuesWithin(series, [41, 50])).toBeNull();
  const none = valuesWithin(points([0], [Number.NaN]), null);
  expect([none?.n, none?.min, none?.mean, none?.minStep]).toEqual([1, Number.NaN, Number.NaN, null]);
  expect(valuesWithin(points([0, 1], [-2, -3]), null)?.percent).toBe(-50);
});

test("the last value of a series in buckets is the one that was written", () => {
  const values = Array.from({ length: 200 }, (_, i) => Math.cos(i));
  const series = coarsened(points([...values.keys()], values));
  const end = values.at(-1) as number;
  expect(valuesWithin(series, null)?.end).toBe(end);
  expect(valueThere(series, 500)).toEqual({ value: end, step: 199n, approximate: false });
  expect(valueThere(series, 100)?.approximate).toBe(true);
  // A page that was saved before it was sent does not know it.
  expect(valueThere({ ...series, last: null }, 500)?.approximate).toBe(true);
});

test("steps that no number has are told apart", () => {
  const series = { ...points([0, 1, 2], [1, 2, 3]), step: BigInt64Array.from([0n, 2n ** 60n, 2n ** 60n + 1n]) };
  const exact = { ...series, first: series.step };
  expect(valuesWithin(exact, [2n ** 60n + 1n, 2n ** 61n])?.n).toBe(1);
  expect(valuesWithin(exact, [0, 2n ** 60n])?.n).toBe(2);
});

test("values within buckets are computed from the buckets, and marked as approximate", () => {
  const series = bucketed([0, 1, 2, 3, 4], [5, 1, 9, 3, 7], 2);
  const facts = valuesWithin(series, null);
  expect([facts?.n, facts?.min, facts?.max, facts?.mean, facts?.approximate]).toEqual([5, 1, 9, 5, true]);
  expect([facts?.minStep, facts?.maxStep]).toEqual([1n, 3n]);
  expect(valuesWithin(series, [2, 2])?.n).toBe(2);
});

test("at a step stands the last value before it, else the first", () => {
  const series = points([10, 20], [1, 2]);
  const at = (step: number) => valueThere(series, step)?.value;
  expect([at(5), at(10), at(19), at(99), valueThere(points([]), 1)]).toEqual([1, 1, 1, 2, null]);
});

test("rows are sorted by any column; values that are no numbers come last both ways", () => {
  const row = (run: string, values: number[]): ValueRow => ({
    ...{ run, tag: "t", color: "" },
    facts: rowsWithin(
      valuesWithin(
        points(
          values.map((_, i) => i),
          values,
        ),
        null,
      ),
    ) as ValueRow["facts"],
  });
  const rows = [row("run10", [1]), row("run2", [Number.NaN]), row("run1", [3])];
  const order = (name: string, descending: boolean) => {
    const cellOf = RANGE_COLUMNS.find((column) => column.name === name)?.cellOf ?? (() => null);
    return sortRows(rows, cellOf, descending).map(({ run }) => run);
  };
  expect(order("max", true)).toEqual(["run1", "run10", "run2"]);
  expect(order("max", false)).toEqual(["run10", "run1", "run2"]);
  expect(order("run", false)).toEqual(["run1", "run2", "run10"]);
});

test("tables as text: quoted where needed, and no name is a formula", () => {
  expect(delimited([["a,b", 'say "x"', -1, "=1+1"]], ",")).toBe(`"a,b","say ""x""",-1,'=1+1\r\n`);
  expect(delimited([["a,b", "a\tb", 2n ** 60n]], "\t")).toBe(`a,b\t"a\tb"\t${2n ** 60n}\r\n`);
});

test("the strip of all steps: ends move by at least a step, never past each other; all is null", () => {
  expect(resized([0, 100], [0, 100], "first", 0.01)).toEqual([1, 100]);
  expect(resized([0, 10], [0, 10], "first", 0.01)).toEqual([1, 10]);
  expect(resized([40, 50], [0, 100], "first", 1)).toEqual([49, 50]);
  expect(resized([40, 50], [0, 100], "last", -1)).toEqual([40, 41]);
  expect(moved([40, 50], [0, 100], 0.9)).toEqual([90, 100]);
  expect(moved([40, 50], [0, 100], -0.9)).toEqual([0, 10]);
  expect([between([0.2, 99.8], [0, 100]), between([-5, 50.4], [0, 100])]).toEqual([null, [0, 50]]);
});
