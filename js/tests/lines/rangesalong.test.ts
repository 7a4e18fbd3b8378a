import { expect, test } from "vitest";
import { timeXAxis } from "../../src/charts/axis";
import type { HistogramSeries } from "../../src/histograms/codec";
import { rowsAlong } from "../../src/histograms/steps";
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
  ascending: [steps, x].every((column) => column.every((at, i) => i === 0 || at >= (column[i - 1] as number))),
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
  // Between two rows, the run is where it was before. Beyond its last step nothing is known.
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

test("rows without a place on a logarithm count as none", () => {
  const line = rows([0, 10, 20, 30], [Number.NEGATIVE_INFINITY, 0, 1, 2]);
  const spans = rangesAlong([range("a", 0, 10), range("b", 1, 2)], timeXAxis("relative", LOG), () => [line]);
  expect(spans.map(({ name, spans }) => [name, spans])).toEqual([["a", [[0, 0]]]]);
});

test("rows that come later move the end of a range", () => {
  const ranges = [range("going on", 10, 99)];
  const at = (line: RowsAlong) => rangesAlong(ranges, timeXAxis("relative"), () => [line])[0]?.spans;
  const before = rows([0, 10, 20], [0, 1, 2]);
  expect(at(before)).toEqual([[1, 2]]);
  expect(at(before)).toEqual([[1, 2]]);
  expect(at(rows([0, 10, 20, 30], [0, 1, 2, 3]))).toEqual([[1, 3]]);
});

test("where nothing goes back, few rows are looked at, and the same is found as among all", () => {
  let looks = 0;
  const counted = (column: Float64Array) =>
    new Proxy(column, {
      get: (target, key) => {
        looks += typeof key === "string" && /^\d+$/.test(key) ? 1 : 0;
        return Reflect.get(target, key, target);
      },
    });
  const count = 10_000;
  const steps = Float64Array.from({ length: count }, (_, i) => 3 * Math.floor(i / 2));
  const x = Float64Array.from({ length: count }, (_, i) => (i < 5 ? Number.NEGATIVE_INFINITY : i / 7));
  const ranges = Array.from({ length: 100 }, (_, i) => range(`${i}`, 151 * i - 20, 151 * i - 20 + (i % 4)));
  const found = (ascending: boolean) =>
    rangesAlong(ranges, timeXAxis("relative", LOG), () => [
      ascending ? { steps: counted(steps), x: counted(x), ascending } : { steps, x, ascending },
    ]).map(({ name, spans }) => [name, spans]);
  const few = found(true);
  expect(looks).toBeLessThan(100 * 60);
  expect(few.length).toBeGreaterThan(90);
  expect(few).toEqual(found(false));
});

test("histograms know whether their steps or times go back", () => {
  const series = (steps: readonly bigint[], walls: readonly number[]) =>
    ({
      startWall: 0,
      rows: steps.map((step, i) => ({ step, wall: walls[i], place: i })),
    }) as unknown as HistogramSeries;
  const [there, back, early] = [series([0n, 5n], [1, 2]), series([5n, 0n], [1, 2]), series([0n, 5n], [2, 1])];
  expect([there, back, early].map((one) => rowsAlong(one, "relative").ascending)).toEqual([true, false, false]);
  // The range is found again by the column until new data arrive.
  expect(rowsAlong(there, "relative").x).toBe(rowsAlong(there, "relative").x);
});
