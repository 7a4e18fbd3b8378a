// Measures computed from the counts of a curve: rates, F1, areas, and the micro average of several curves.

import type { Column, PRCurve } from "./codec";

/** Writers divide by this where nothing is predicted, which makes precision 0. */
const MIN_DENOMINATOR = 1e-7;

export function thresholdOf({ tp }: PRCurve, i: number): number {
  return tp.length > 1 ? i / (tp.length - 1) : 0;
}

/** The place of the nearest threshold. */
export function nearestThreshold({ tp }: PRCurve, threshold: number): number {
  return Math.max(0, Math.min(tp.length - 1, Math.round(threshold * (tp.length - 1))));
}

export function f1At({ precision, recall }: PRCurve, i: number): number {
  const [p, r] = [precision[i] as number, recall[i] as number];
  return p + r > 0 ? (2 * p * r) / (p + r) : 0;
}

interface BestF1 {
  readonly f1: number;
  readonly threshold: number;
}

const bests = new WeakMap<PRCurve, BestF1>();

/** The largest F1, and the lowest threshold that has it. */
export function bestF1(curve: PRCurve): BestF1 {
  let best = bests.get(curve);
  if (best === undefined) {
    let place = 0;
    for (let i = 1; i < curve.tp.length; i += 1) {
      place = f1At(curve, i) > f1At(curve, place) ? i : place;
    }
    best = { f1: f1At(curve, place), threshold: thresholdOf(curve, place) };
    bests.set(curve, best);
  }
  return best;
}

/** Rates of a ROC curve; NaN without positives or negatives. */
export interface Rates {
  readonly truePositive: Float64Array;
  readonly falsePositive: Float64Array;
}

const rates = new WeakMap<PRCurve, Rates>();

export function ratesOf(curve: PRCurve): Rates {
  let found = rates.get(curve);
  if (found === undefined) {
    const { tp, fp, tn, fn } = curve;
    const share = (some: Column, others: Column) =>
      Float64Array.from(some, (count, i) => count / (count + (others[i] as number)));
    found = { truePositive: share(tp, fn), falsePositive: share(fp, tn) };
    rates.set(curve, found);
  }
  return found;
}

/** Share of positives: the precision of a classifier without skill. NaN without counts. */
export function positiveShare({ tp, fp, tn, fn }: PRCurve): number {
  const positives = (tp[0] as number) + (fn[0] as number);
  return positives / (positives + (fp[0] as number) + (tn[0] as number));
}

/** As `PRCurve.average_precision` in Python. */
export function averagePrecision({ precision, recall }: PRCurve): number {
  let sum = 0;
  for (let i = 0; i < recall.length; i += 1) {
    sum += ((recall[i] as number) - (recall[i + 1] ?? 0)) * (precision[i] as number);
  }
  return sum;
}

/** As `PRCurve.roc_auc` in Python. */
export function rocAuc(curve: PRCurve): number {
  const { truePositive, falsePositive } = ratesOf(curve);
  let sum = 0;
  for (let i = 0; i < truePositive.length; i += 1) {
    const width = (falsePositive[i] as number) - (falsePositive[i + 1] ?? 0);
    sum += (width * ((truePositive[i] as number) + (truePositive[i + 1] ?? 0))) / 2;
  }
  return sum;
}

/** The curve of the counts of several curves, summed threshold by threshold; null where their thresholds differ. */
export function microAverage(curves: readonly PRCurve[]): PRCurve | null {
  const [first] = curves;
  if (first === undefined || curves.some(({ tp }) => tp.length !== first.tp.length)) {
    return null;
  }
  const sum = (of: (curve: PRCurve) => Column) =>
    Float64Array.from(first.tp, (_, i) => curves.reduce((total, curve) => total + (of(curve)[i] as number), 0));
  const [tp, fp, tn, fn] = [sum((c) => c.tp), sum((c) => c.fp), sum((c) => c.tn), sum((c) => c.fn)];
  const share = (others: Float64Array) =>
    tp.map((count, i) => count / Math.max(MIN_DENOMINATOR, count + (others[i] as number)));
  return { tp, fp, tn, fn, precision: share(fp), recall: share(fn) };
}

/** Mean of the numbers that there are; NaN without any. */
export function meanOf(values: readonly number[]): number {
  const finite = values.filter((value) => Number.isFinite(value));
  return finite.reduce((sum, value) => sum + value, 0) / finite.length;
}
