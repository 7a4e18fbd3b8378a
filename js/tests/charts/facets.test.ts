import { expect, test } from "vitest";
import { facetsInRow, facetsOf, MAX_FACETS } from "../../src/charts/facets";

const MARGINS = { left: 10, right: 50, top: 20, bottom: 20 };

test("each run has a plot of its own, all of one size", () => {
  const facets = facetsOf(5, false, { width: 480, height: 400 }, MARGINS);
  expect(facets.map(({ runs }) => runs)).toEqual([[0], [1], [2], [3], [4]]);
  expect(new Set(facets.map(({ top }) => top))).toEqual(new Set([20, 220]));
  expect(new Set(facets.map(({ left }) => left))).toEqual(new Set([10, 170, 330]));
  expect(new Set(facets.map(({ width, height }) => `${width} ${height}`))).toEqual(new Set(["100 160"]));
});

test("plots never overlap, however little room there is", () => {
  expect(
    facetsOf(3, false, { width: 40, height: 30 }, MARGINS).every(({ width, height }) => width >= 1 && height >= 1),
  ).toBe(true);
  expect(facetsOf(100, false, { width: 2000, height: 900 }, MARGINS)).toHaveLength(MAX_FACETS);
});

test("all runs may share one plot", () => {
  expect(facetsOf(3, true, { width: 300, height: 200 }, MARGINS).map(({ runs }) => runs)).toEqual([[0, 1, 2]]);
  expect(facetsOf(0, true, { width: 300, height: 200 }, MARGINS)).toEqual([]);
});

test("the first of each row has room for the labels of all", () => {
  const facets = facetsOf(5, false, { width: 520, height: 400 }, MARGINS, 40);
  expect(facets.map(({ left }) => left)).toEqual([50, 210, 370, 50, 210]);
  expect(facets.map(({ first }) => first)).toEqual([true, false, false, true, false]);
  expect(new Set(facets.map(({ width }) => width))).toEqual(new Set([100]));
  expect(facets.map(({ room }) => room).slice(0, 3)).toEqual([
    [0, 200],
    [200, 360],
    [360, 520],
  ]);
});

test("rows are about equally long", () => {
  expect(facetsInRow(12, 1100)).toBe(6);
  expect([1, 2, 5].map((count) => facetsInRow(count, 480))).toEqual([1, 2, 3]);
  expect([facetsInRow(12, 10), facetsInRow(0, 480)]).toEqual([1, 1]);
});
