import { expect, test } from "vitest";
import { compareNatural } from "../../src/lib/natural";
import { bestRuns, parseColumn, parseSort, sortText } from "../../src/lib/runcolumns";
import { type CellValue, nextSort, sortRows } from "../../src/lib/sortrows";

test("columns have exactly the values that the trait accepts", () => {
  expect(parseColumn("steps")).toEqual({ type: "fixed", what: "steps" });
  expect(parseColumn("min:loss:a/b")).toEqual({ type: "statistic", what: "min", tag: "loss:a/b" });
  expect(parseColumn("hparam:lr")).toEqual({ type: "hparam", name: "lr" });
  expect(["", "loss", "min:", "median:loss", "hparam:", "name"].map(parseColumn)).toEqual(Array(6).fill(null));
  expect(parseSort("-min:loss")).toMatchObject({ key: "min:loss", descending: true });
  expect([parseSort("")?.column, parseSort("-name")?.column]).toEqual([{ type: "name" }, { type: "name" }]);
  expect(["-", "nonsense", "--name"].map(parseSort)).toEqual([null, null, null]);
});

const values = new Map<string, CellValue>([
  ["a", 3],
  ["b", Number.NaN],
  ["c", -1e308],
  ["d", null],
  ["e", Number.POSITIVE_INFINITY],
  ["f", 2n ** 60n],
  ["g", 2n ** 60n + 1n],
  ["h", "run10"],
  ["i", "run9"],
  ["j", true],
  ["k", 3],
]);
const runs = [...values.keys()];
const cellOf = (run: string) => values.get(run) ?? null;

test("runs are sorted by numbers, then texts in their natural order; those without a value are last either way", () => {
  const ascending = sortRows(runs, cellOf, false, compareNatural);
  expect(ascending).toEqual(["c", "a", "k", "f", "g", "e", "j", "i", "h", "b", "d"]);
  expect(sortRows(runs, cellOf, true, compareNatural)).toEqual(["h", "i", "j", "e", "g", "f", "a", "k", "c", "b", "d"]);
});

test("the best are the smallest or the greatest numbers, and no others", () => {
  expect(bestRuns(runs, cellOf, 3, false)).toEqual(["c", "a", "k"]);
  expect(bestRuns(runs, cellOf, 2, true)).toEqual(["e", "g"]);
  expect(bestRuns(runs, cellOf, 100, true)).toHaveLength(6);
  expect(bestRuns(["b", "d", "h"], cellOf, 1, false)).toEqual([]);
});

test("a column sorts upwards, downwards, and not any more", () => {
  const next = (sort: string, key: string) => sortText(nextSort(parseSort(sort), key));
  const after = ["min:loss", "-min:loss", ""].map((_, i, sorts) => next(sorts[(i + 2) % 3] ?? "", "min:loss"));
  expect(after).toEqual(["min:loss", "-min:loss", ""]);
  expect([next("", "name"), next("-name", "name"), next("steps", "name")]).toEqual(["-name", "", ""]);
  const numbersFirst = [null, { key: "n", descending: true }, { key: "n", descending: false }];
  expect(numbersFirst.map((sort) => nextSort(sort, "n", true))).toEqual([...numbersFirst.slice(1), null]);
});
