import { expect, test } from "vitest";
import { bandsOf, stretches } from "../../../src/panels/distributions/bands";
import { even, series } from "../../histograms/made";

const held = series(4, 1, (place) =>
  place === 2 ? even(Number.NaN, Number.NaN, []) : even(-place - 1, place + 1, [2, 2]),
);

test("each histogram gives nine values where it stands", () => {
  const { x, percentiles, y, low, high, ascending } = bandsOf(held, "step", false);
  expect([[...x], ascending]).toEqual([[0, 10, 20, 30], true]);
  expect(percentiles).toHaveLength(9);
  expect([[...low], [...y], [...high]]).toEqual([
    [-1, -2, Number.NaN, -4],
    [0, 0, Number.NaN, 0],
    [1, 2, Number.NaN, 4],
  ]);
});

test("along times they are the same", () => {
  const { x, percentiles } = bandsOf(held, "relative", false);
  expect([...x]).toEqual([0, 1, 2, 3]);
  expect(percentiles).toBe(bandsOf(held, "wall", false).percentiles);
});

test("on a logarithmic axis values that are not positive are below", () => {
  const { low, high } = bandsOf(held, "step", true);
  expect(low[0]).toBe(Number.NEGATIVE_INFINITY);
  expect(high[0]).toBe(0);
  expect(high[2]).toBeNaN();
});

test("unchanged bands are not computed again", () => {
  expect(bandsOf(held, "step", false)).toBe(bandsOf(held, "step", false));
});

test("bands end where nothing was counted", () => {
  expect(stretches(bandsOf(held, "step", false), 0, 4)).toEqual([
    [0, 2],
    [3, 4],
  ]);
  expect(stretches({ y: new Float64Array(3).fill(Number.NaN) }, 0, 3)).toEqual([]);
  expect(stretches({ y: new Float64Array(3) }, 1, 3)).toEqual([[1, 3]]);
});
