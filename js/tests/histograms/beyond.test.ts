import { expect, test } from "vitest";
import { beyond, outsideTexts } from "../../src/histograms/bins";
import { aroundMiddle } from "../../src/lib/quantiles";
import { yRange } from "../../src/lines/valuerange";
import { bandsOf } from "../../src/panels/distributions/bands";
import { apart, between, even, series } from "./made";

test("a bin is beyond by the share of its width", () => {
  const bins = between([0, 1, 3, 4], [10, 20, 10]);
  expect(beyond(bins, [0, 4])).toEqual({ below: 0, above: 0 });
  expect(beyond(bins, [0.5, 2])).toEqual({ below: 5 / 40, above: 20 / 40 });
  expect(beyond(bins, [3, 9])).toEqual({ below: 30 / 40, above: 0 });
  expect(beyond(bins, [7, 9])).toEqual({ below: 1, above: 0 });
  expect(beyond(bins, [-9, -7])).toEqual({ below: 0, above: 1 });
});

test("values are beyond or not; those on an end are not", () => {
  const bins = apart([0, 1, 2], [0, 1, 2], [1, 2, 1]);
  expect(beyond(bins, [0, 2])).toEqual({ below: 0, above: 0 });
  expect(beyond(bins, [0.5, 1.5])).toEqual({ below: 0.25, above: 0.25 });
});

test("nothing is beyond of nothing, of what cannot be counted, or by rounding", () => {
  expect(beyond(even(0, 1, []), [5, 6])).toEqual({ below: 0, above: 0 });
  expect(beyond(even(0, 4, [-1, Number.NaN, 2, 2]), [0, 3])).toEqual({ below: 0, above: 0.5 });
  expect(beyond(even(0.1, 0.3, [1, 1]), [0.1 + 1e-12, 0.3])).toEqual({ below: 0, above: 0 });
  expect(beyond(even(-7e307, 7e307, [1]), [0, 1]).below).toBeCloseTo(0.5, 9);
});

test("it is said in percent", () => {
  const texts = outsideTexts({ below: 0.287, above: 0.00002 }, [-0.035, 1200]);
  expect(texts).toEqual(["28.7 % below −0.035", "under 0.1 % above 1200"]);
  expect(outsideTexts({ below: 0, above: 0 }, [0, 1])).toEqual([]);
});

test("without outliers the middle is visible, and half as much on either side", () => {
  expect(aroundMiddle([-1, 1], [-1.5, 90])).toEqual([-1.5, 2]);
  expect(aroundMiddle([-1, 1], [-1, 1])).toEqual([-1, 1]);
  expect(aroundMiddle([0, 0], [-3, 5])).toEqual([-3, 5]);
});

test("the axis of distributions shows distant values of a single step", () => {
  const held = series(100, 1, (place) =>
    place === 50 ? apart([-1, -0.01], [-0.9, 0.01], [287, 713]) : even(-0.01, 0.01, [1, 2, 1]),
  );
  const lines = [bandsOf(held, "step", false)];
  const values = yRange(lines, [0, 990], { scale: "linear", ignoreOutliers: true });
  expect(values[0]).toBeLessThan(-0.99);
  for (const row of held.rows) {
    const { below, above } = beyond(row, values);
    expect(below + above).toBeLessThanOrEqual(0.01);
  }
  // 4 of 1000, far above, are outside the axis.
  const few = series(20, 1, (place) => (place === 9 ? apart([-1, 50], [1, 51], [996, 4]) : even(-1, 1, [500, 500])));
  const [, most] = yRange([bandsOf(few, "step", false)], [0, 190], { scale: "linear", ignoreOutliers: true });
  expect(most).toBeLessThan(3);
  expect(beyond(few.rows[9] as (typeof few.rows)[number], [-3, most]).above).toBeCloseTo(0.004, 9);
});
