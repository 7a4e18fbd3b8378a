import { describe, expect, test } from "vitest";
import { curveItems, decodeCurve, type PRCurve } from "../../../src/panels/pr_curves/codec";
import {
  averagePrecision,
  bestF1,
  f1At,
  meanOf,
  microAverage,
  nearestThreshold,
  positiveShare,
  ratesOf,
  rocAuc,
  thresholdOf,
} from "../../../src/panels/pr_curves/measures";
import { blobOf, CASES } from "./made";

describe.each(CASES)("a curve of $f1.length thresholds, as scikit-learn has it", (said) => {
  const { curve } = said;

  test("average precision and the area under the ROC curve", () => {
    expect(averagePrecision(curve)).toBeCloseTo(said.averagePrecision, 12);
    expect(rocAuc(curve)).toBeCloseTo(said.rocAuc, 12);
  });

  test("F1 at each threshold, and the best", () => {
    const all = said.f1.map((_, i) => f1At(curve, i));
    for (const [i, f1] of all.entries()) {
      expect(f1).toBeCloseTo(said.f1[i] as number, 12);
    }
    const best = bestF1(curve);
    expect(best.f1).toBeCloseTo(Math.max(...said.f1), 12);
    expect(f1At(curve, nearestThreshold(curve, best.threshold))).toBe(best.f1);
  });

  test("rates from the counts", () => {
    const { truePositive, falsePositive } = ratesOf(curve);
    expect([...truePositive]).toEqual([...curve.recall].map((recall) => expect.closeTo(recall, 12)));
    expect([falsePositive[0], truePositive[0]]).toEqual([1, 1]);
    expect(falsePositive.every((rate, i) => i === 0 || rate <= (falsePositive[i - 1] as number))).toBe(true);
  });

  test("the micro average of a curve with itself is that curve", () => {
    const twice = microAverage([curve, curve]) as PRCurve;
    expect(averagePrecision(twice)).toBeCloseTo(said.averagePrecision, 12);
    expect(twice.tp[0]).toBe(2 * (curve.tp[0] as number));
  });

  test.each([4, 8] as const)("bytes of numbers of %i bytes become the curve", (width) => {
    const read = decodeCurve(blobOf(curve, width));
    expect(read.tp).toHaveLength(curve.tp.length);
    expect([...read.fn]).toEqual([...curve.fn]);
    expect(read.precision[0]).toBeCloseTo(curve.precision[0] as number, 6);
  });
});

const curveOf = (tp: number[], fp: number[], tn: number[], fn: number[]): PRCurve => {
  const share = (some: number[], others: number[]) => some.map((n, i) => n / Math.max(1e-7, n + (others[i] as number)));
  const columns = { tp, fp, tn, fn, precision: share(tp, fp), recall: share(tp, fn) };
  return Object.fromEntries(
    Object.entries(columns).map(([name, values]) => [name, Float64Array.from(values)]),
  ) as unknown as PRCurve;
};

test("sums of weights are no counts, and count all the same", () => {
  const curve = curveOf([2.5, 1.5], [1.5, 0.5], [0, 1], [0, 1]);
  expect(f1At(curve, 1)).toBeCloseTo((2 * 1.5) / (2 * 1.5 + 0.5 + 1), 12);
  expect(positiveShare(curve)).toBeCloseTo(2.5 / 4, 12);
});

test("without positives, the ROC curve is not defined, and nothing else breaks", () => {
  const curve = curveOf([0, 0], [4, 1], [0, 3], [0, 0]);
  expect([rocAuc(curve), averagePrecision(curve), bestF1(curve).f1, positiveShare(curve)]).toEqual([
    Number.NaN,
    0,
    0,
    0,
  ]);
});

test("a single threshold is 0", () => {
  const curve = curveOf([5], [3], [0], [0]);
  expect([thresholdOf(curve, 0), nearestThreshold(curve, 0.7), averagePrecision(curve)]).toEqual([0, 0, 5 / 8]);
});

test("curves of different thresholds have no micro average, and NaN counts for no mean", () => {
  expect(microAverage([CASES[0]?.curve as PRCurve, CASES[1]?.curve as PRCurve])).toBeNull();
  expect(microAverage([])).toBeNull();
  expect(meanOf([0.5, Number.NaN, 1])).toBe(0.75);
  expect(meanOf([])).toBeNaN();
});

test.each([
  ["nothing", new Uint8Array()],
  ["a header alone", blobOf(CASES[0]?.curve as PRCurve).slice(0, 8)],
  ["a part", blobOf(CASES[0]?.curve as PRCurve).slice(0, -8)],
  ["no thresholds", new Uint8Array(8)],
  ["a width that there is not", Uint8Array.from([1, 0, 0, 0, 2, 0, 0, 0, ...new Uint8Array(12)])],
])("of %s, the curve is damaged", (_, bytes) => {
  expect(curveItems.read(bytes)).toEqual({ value: null, problem: "the curve is damaged", whole: true });
});
