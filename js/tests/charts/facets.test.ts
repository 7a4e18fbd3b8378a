import { expect, test } from "vitest";
import { facetsInLine, facetsOf, MOST_FACETS } from "../../src/charts/facets";

const MARGINS = { left: 10, right: 50, top: 20, bottom: 20 };

test("each run has a plot of its own, all of one size", () => {
  const facets = facetsOf(5, false, 480, 400, MARGINS);
  expect(facets.map(({ runs }) => runs)).toEqual([[0], [1], [2], [3], [4]]);
  expect(new Set(facets.map(({ top }) => top))).toEqual(new Set([20, 220]));
  expect(new Set(facets.map(({ left }) => left))).toEqual(new Set([10, 170, 330]));
  expect(new Set(facets.map(({ width, height }) => `${width} ${height}`))).toEqual(new Set(["100 160"]));
});

test("plots never overlap, however little room there is", () => {
  expect(facetsOf(3, false, 40, 30, MARGINS).every(({ width, height }) => width >= 1 && height >= 1)).toBe(true);
  expect(facetsOf(100, false, 2000, 900, MARGINS)).toHaveLength(MOST_FACETS);
});

test("all runs may share one plot", () => {
  expect(facetsOf(3, true, 300, 200, MARGINS).map(({ runs }) => runs)).toEqual([[0, 1, 2]]);
  expect(facetsOf(0, true, 300, 200, MARGINS)).toEqual([]);
});

test("lines are about equally long", () => {
  expect(facetsInLine(12, 1100)).toBe(6);
  expect([1, 2, 5].map((count) => facetsInLine(count, 480))).toEqual([1, 2, 3]);
  expect([facetsInLine(12, 10), facetsInLine(0, 480)]).toEqual([1, 1]);
});
