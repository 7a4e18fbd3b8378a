import { expect, test } from "vitest";
import { nearestIndex, stepRange, valueRange, visibleSpan } from "../../src/panels/scalars/extent";
import { applyPart, type Series } from "../../src/wire/series";

function series(steps: number[], values: number[]): Series {
  const made = applyPart(
    undefined,
    {
      run: "r",
      tag: "t",
      base: 0,
      keep: 0,
      steps: { drawn: Float64Array.from(steps), exact: null },
      values: Float64Array.from(values),
      total: steps.length,
      superseded: 0,
      width: 1,
    },
    1,
  );
  if (made === null) {
    throw new Error("a whole part always applies");
  }
  return made;
}

test("steps of all series fit", () => {
  expect(stepRange([series([5, 9], [0, 0]), series([-3], [0]), series([], [])])).toEqual([-3, 9]);
  expect(stepRange([series([7], [0])])).toEqual([6, 8]);
  expect(stepRange([])).toEqual([0, 1]);
});

test("values get a margin; only finite ones in sight count", () => {
  const one = series([0, 1, 2, 3], [10, 20, Number.POSITIVE_INFINITY, 1e9]);
  expect(valueRange([one], [0, 2])).toEqual([9.5, 20.5]);
  expect(valueRange([series([0], [Number.NaN])], [0, 1])).toEqual([0, 1]);
});

test("a constant is in the middle of something", () => {
  expect(valueRange([series([0, 1], [0, 0])], [0, 1])).toEqual([-1, 1]);
  expect(valueRange([series([0, 1], [3, 3])], [0, 1])).toEqual([0, 6]);
  expect(valueRange([series([0, 1], [-3, -3])], [0, 1])).toEqual([-6, 0]);
});

test("lines that leave the view are drawn to its edge", () => {
  const one = series([0, 10, 20, 30, 40], [0, 0, 0, 0, 0]);
  expect(visibleSpan(one, [12, 28])).toEqual([1, 4]);
  expect(visibleSpan(one, [-5, 100])).toEqual([0, 5]);
  expect(visibleSpan(series([0, 20, 10], [0, 0, 0]), [12, 15])).toEqual([0, 3]);
});

test("the nearest point is found, also among shuffled steps", () => {
  const one = series([0, 10, 20], [0, 0, 0]);
  expect([-9, 4, 6, 14, 99].map((step) => nearestIndex(one, step))).toEqual([0, 0, 1, 1, 2]);
  expect(nearestIndex(series([30, 10, 20], [0, 0, 0]), 11)).toBe(1);
  expect(nearestIndex(series([], []), 1)).toBe(-1);
});

test.each([[[-1.7e308, 1.7e308]], [[1.7e308, 1.7e308]], [[5e-324, 1e-323]], [[1e-300, 2e-300]], [[1, 1 + 1e-15]]])(
  "%j gives an axis that can be drawn",
  (values) => {
    const [min, max] = valueRange([series([0, 1], values)], [0, 1]);
    expect(Number.isFinite(100 / (max - min))).toBe(true);
    expect(100 / (max - min)).toBeGreaterThan(0);
  },
);
