import { expect, test } from "vitest";
import { alphaOf } from "../../src/lines/paint";
import type { LinePoint } from "../../src/lines/points";
import { scalarColumns, sortedRows } from "../../src/lines/tooltip";
import { traceBetween } from "../../src/lines/trace";

const row = (run: string, smoothed: number) => ({ run, smoothed }) as LinePoint;
const runs = (rows: readonly LinePoint[]) => rows.map(({ run }) => run).join(" ");

test("rows by nearness, value and name; of too many, those about the nearest", () => {
  const rows = [row("c10", 2), row("c9", 5), row("b", Number.NaN), row("a", 1), row("d", 9)];
  const sorted = (most: number) =>
    (["nearest", "descending", "ascending", "name"] as const).map((sort) => runs(sortedRows(rows, sort, most)));
  expect(sorted(10)).toEqual(["c10 c9 b a d", "d c9 c10 a b", "a c10 c9 d b", "a b c9 c10 d"]);
  expect(sorted(3)).toEqual(["c10 c9 b", "c9 c10 a", "a c10 c9", "c9 c10 d"]);
  expect(sorted(1)).toEqual(["c10", "c10", "c10", "c10"]);
  expect(sortedRows([], "name", 3)).toEqual([]);
});

test("a column of smoothed values stands where some line is smoothed, and is empty for the others", () => {
  const point = (isSmoothed: boolean) => ({ ...row("a", 0.25), value: 0.5, step: 1n, wall: 0, band: null, isSmoothed });
  const cells = (points: readonly LinePoint[]) =>
    scalarColumns(points, "step", new Date(), () => null).flatMap(({ name, cell }) =>
      name === "Smoothed" ? points.map((one) => cell(one)) : [],
    );
  expect(cells([point(true), point(false)])).toEqual(["0.25", ""]);
  expect(cells([point(false)])).toEqual([]);
});

test("the more lines, the fainter each, down to a limit", () => {
  expect([1, 13, 32].map(alphaOf)).toEqual([1, 1, 1]);
  expect(alphaOf(128)).toBeCloseTo(0.5, 12);
  expect(alphaOf(10_000)).toBe(0.12);
});

test("a band is outlined along its upper edge and back along its lower one, apart where it has gaps", () => {
  const told: (string | number)[][] = [];
  const path = {
    moveTo: (x: number, y: number) => told.push(["move", x, y]),
    lineTo: (x: number, y: number) => told.push(["line", x, y]),
    closePath: () => told.push(["close"]),
  };
  const map = { xScale: 1, xOffset: 0, yScale: -1, yOffset: 100 };
  const column = (...values: number[]) => Float64Array.from(values);
  const low = column(1, 2, Number.NaN, Number.NEGATIVE_INFINITY);
  traceBetween(column(0, 1, 2, 3), low, column(5, 6, Number.NaN, 7), 0, 4, map, 120, path);
  expect(told).toEqual([
    ["move", 0, 95],
    ["line", 1, 94],
    ["line", 1, 98],
    ["line", 0, 99],
    ["close"],
    ["move", 3, 93],
    ["line", 3, 120],
    ["close"],
  ]);
});
