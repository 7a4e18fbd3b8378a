import { expect, test } from "vitest";
import { timeXAxis } from "../../src/charts/axis";
import { LINEAR, LOG } from "../../src/lib/scale";
import { type RowsAlong, rangesAlong } from "../../src/lines/rangesalong";
import type { NamedRange } from "../../src/options/namedranges";

const range = (name: string, first: number | bigint, last: number | bigint = first): NamedRange => ({
  name,
  steps: [first, last],
});

const rows = (steps: readonly number[], x: readonly number[]): RowsAlong => ({
  steps: Float64Array.from(steps),
  x: Float64Array.from(x),
});

const none = () => {
  throw new Error("steps need no rows");
};

test("along steps, ranges stand at their steps, on a logarithm as well; along numbers that are no steps there are none", () => {
  const ranges = [range("a", 10, 1000), range("huge", 2n ** 62n, 2n ** 62n + 1n), range("zero", 0)];
  expect(rangesAlong(ranges, timeXAxis("step"), none).map(({ spans }) => spans)).toEqual([
    [[10, 1000]],
    [[2 ** 62, 2 ** 62]],
    [[0, 0]],
  ]);
  const named = rangesAlong(ranges, timeXAxis("step", LOG), none).map(({ name, spans }) => [name, spans]);
  expect(named.slice(0, 1)).toEqual([["a", [[1, 3]]]]);
  expect(named.map(([name]) => name)).toEqual(["a", "huge"]);
  expect(rangesAlong(ranges, { kind: "number", scale: LINEAR, name: "lr", linksSteps: false }, none)).toEqual([]);
});

test("along times, a range is where each run was at its steps, and runs that were there together share a band", () => {
  const lines = [rows([0, 10, 20, 30], [100, 110, 120, 130]), rows([0, 15, 30], [115, 118, 500])];
  const spans = (...ranges: NamedRange[]) =>
    rangesAlong(ranges, timeXAxis("wall"), () => lines).map(({ name, spans }) => [name, spans]);
  expect(spans(range("both", 10, 20))).toEqual([["both", [[110, 120]]]]);
  expect(spans(range("apart", 25, 30))).toEqual([
    [
      "apart",
      [
        [130, 130],
        [500, 500],
      ],
    ],
  ]);
  // Between two rows: where the run was before. Beyond its last step nothing is known.
  expect(spans(range("between", 12, 13), range("later", 31, 99), range("before", -9, -1))).toEqual([
    [
      "between",
      [
        [110, 110],
        [115, 115],
      ],
    ],
  ]);
});

test("rows that come later move the end of a range", () => {
  const ranges = [range("going on", 10, 99)];
  const at = (line: RowsAlong) => rangesAlong(ranges, timeXAxis("relative"), () => [line])[0]?.spans;
  const before = rows([0, 10, 20], [0, 1, 2]);
  expect(at(before)).toEqual([[1, 2]]);
  expect(at(before)).toEqual([[1, 2]]);
  expect(at(rows([0, 10, 20, 30], [0, 1, 2, 3]))).toEqual([[1, 3]]);
});
