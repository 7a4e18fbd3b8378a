// Smoothing: the exponential moving average that TensorBoard draws, free of its bias towards 0 at the beginning; the mean
// of the last points; a Gaussian average of the points around.

import { piecesOf } from "./pieces";

export const SMOOTHING_KINDS = ["ema", "mean", "gaussian", "none"] as const;

export interface Smoothing {
  readonly kind: (typeof SMOOTHING_KINDS)[number];
  /** Weight of the past of an "ema"; of a "mean" and a "gaussian" the points of the window. */
  readonly amount: number;
}

/** Whether it changes anything. */
export function isSmoothed({ kind, amount }: Smoothing): boolean {
  return kind !== "none" && amount > (kind === "ema" ? 0 : 1);
}

/** Rows that stand for several points. */
export interface RowCounts {
  /** Points of a row, and how many of them are finite; a row's value is the mean of these. */
  readonly points: ArrayLike<number>;
  readonly finite: ArrayLike<number>;
}

/** Smooths each piece of a line by itself; `breaks` are the rows with which pieces begin, but for the first. */
export function smoothPieces(
  values: Float64Array,
  { kind, amount }: Smoothing,
  counts: RowCounts | null,
  breaks: ArrayLike<number>,
  into: Float64Array = new Float64Array(values.length),
): Float64Array {
  const piece = (column: ArrayLike<number>, from: number, to: number): ArrayLike<number> =>
    to - from === column.length ? column : Array.prototype.slice.call(column, from, to);
  for (const [from, to] of piecesOf(breaks, 0, values.length)) {
    const [part, target] = [values.subarray(from, to), into.subarray(from, to)];
    const finite = counts && piece(counts.finite, from, to);
    if (kind === "ema" || kind === "none") {
      smooth(part, kind === "none" ? 0 : amount, finite, target);
    } else {
      const points = counts && piece(counts.points, from, to);
      const kernel = kind === "mean" ? trailing(amount) : centered(amount);
      average(part, kernel, points && finite ? { points, finite } : null, target);
    }
  }
  return into;
}

/** Weights of points by their distance from the smoothed one; the first weight belongs to the distance `from`. */
interface Kernel {
  readonly from: number;
  readonly weights: Float64Array;
  /** Sums of the weights before each. */
  readonly sums: Float64Array;
  /** Whether all weights are equal: the result is the mean of the last points. */
  readonly isMean: boolean;
}

/** The last `window` points alike. */
function trailing(window: number): Kernel {
  const count = Math.max(1, Math.round(window));
  return kernelOf(1 - count, new Float64Array(count).fill(1), true);
}

/** The kernel made last: all lines of a chart use the same one. */
let lastCentered: { readonly window: number; readonly kernel: Kernel } | null = null;

/** exp(−d² / 2σ²) of the points up to half a window away, with σ a sixth of the window. */
function centered(window: number): Kernel {
  if (lastCentered?.window === window) {
    return lastCentered.kernel;
  }
  const reach = Math.floor(window / 2);
  const deviation = window / 6;
  const weights = Float64Array.from({ length: 2 * reach + 1 }, (_, i) =>
    Math.exp(-((i - reach) ** 2) / (2 * deviation ** 2)),
  );
  const kernel = kernelOf(-reach, weights, false);
  lastCentered = { window, kernel };
  return kernel;
}

function kernelOf(from: number, weights: Float64Array, isMean: boolean): Kernel {
  const sums = new Float64Array(weights.length + 1);
  for (let i = 0; i < weights.length; i += 1) {
    sums[i + 1] = (sums[i] as number) + (weights[i] as number);
  }
  return { from, weights, sums, isMean };
}

/**
 * Weighted means of the finite values around each of them; others stay as they are. Distances are counted in points, and
 * a row of several stands for each of its points with their mean; it is smoothed for its last one.
 */
function average(values: Float64Array, kernel: Kernel, counts: RowCounts | null, into: Float64Array): void {
  if (isConstant(values)) {
    into.set(values);
    return;
  }
  const { from, weights, sums } = kernel;
  const end = from + weights.length;
  const n = values.length;
  if (counts === null) {
    const means = kernel.isMean ? lastMeans(values, weights.length) : weightedMeans(values, kernel);
    for (let i = 0; i < n; i += 1) {
      const mean = means[i] as number;
      const [first, last] = [Math.max(0, i + from), Math.min(n, i + end)];
      into[i] = mean - mean === 0 ? mean : weighted(values, i, first, last, (j) => weights[j - i - from] as number);
    }
    return;
  }
  const { points, finite } = counts;
  const begins = new Float64Array(n + 1);
  for (let i = 0; i < n; i += 1) {
    begins[i + 1] = (begins[i] as number) + (points[i] as number);
  }
  let [first, last] = [0, 0];
  for (let i = 0; i < n; i += 1) {
    const at = (begins[i + 1] as number) - 1;
    while ((begins[first + 1] as number) <= at + from) {
      first += 1;
    }
    while (last < n && (begins[last] as number) < at + end) {
      last += 1;
    }
    into[i] = weighted(values, i, first, last, (j) => {
      const [least, most] = [(begins[j] as number) - at - from, (begins[j + 1] as number) - at - from];
      const within = (place: number) => sums[Math.max(0, Math.min(weights.length, place))] as number;
      return ((within(most) - within(least)) * (finite[j] as number)) / (points[j] as number);
    });
  }
}

/**
 * Means of the last `window` values, as far as they are finite; not finite where the value, or the sum, is not. A window is
 * the end of one block of as many values and the beginning of the next: nothing is subtracted, so no digits are lost.
 */
function lastMeans(values: Float64Array, window: number): Float64Array {
  const n = values.length;
  const [sums, counts] = [new Float64Array(n + 1), new Float64Array(n + 1)];
  const held = (i: number) => (values[i] as number) - (values[i] as number) === 0;
  for (let i = n - 1; i >= 0; i -= 1) {
    const goes = (i + 1) % window !== 0;
    sums[i] = (goes ? (sums[i + 1] as number) : 0) + (held(i) ? (values[i] as number) : 0);
    counts[i] = (goes ? (counts[i + 1] as number) : 0) + (held(i) ? 1 : 0);
  }
  const means = new Float64Array(n);
  let [sum, count] = [0, 0];
  for (let i = 0; i < n; i += 1) {
    [sum, count] = i % window === 0 ? [0, 0] : [sum, count];
    sum += held(i) ? (values[i] as number) : 0;
    count += held(i) ? 1 : 0;
    const first = i - window + 1;
    const inBlock = first <= 0 || first % window === 0;
    const total = inBlock ? sum : sum + (sums[first] as number);
    means[i] = held(i) ? total / (inBlock ? count : count + (counts[first] as number)) : Number.NaN;
  }
  return means;
}

/**
 * Means of the values around each by their weights, not finite where one of them, or the sum, is not. Four at once, of two
 * values at a time: each is read once for them, and no addition waits for the one before it.
 */
function weightedMeans(values: Float64Array, { from, weights, sums }: Kernel): Float64Array {
  const [n, count] = [values.length, weights.length];
  const padded = new Float64Array(count + 8);
  padded.set(weights, 3);
  const means = new Float64Array(n);
  const totalOf = (i: number) => {
    return (sums[Math.min(count, n - i - from)] as number) - (sums[Math.max(0, -i - from)] as number);
  };
  const four = new Float64Array(4);
  for (let i = 0; i < n; i += 4) {
    const first = Math.max(0, i + from);
    sumFour(values, padded, first, Math.min(n, i + 3 + from + count), first - i - from, four);
    for (let k = 0; k < Math.min(4, n - i); k += 1) {
      means[i + k] = (four[k] as number) / totalOf(i + k);
    }
  }
  return means;
}

/** Four weighted sums of values; the first uses the weights at `place` + 3, + 2, + 1 and + 0. */
function sumFour(
  values: Float64Array,
  weights: Float64Array,
  first: number,
  last: number,
  place: number,
  into: Float64Array,
): void {
  let a = 0.0;
  let b = 0.0;
  let c = 0.0;
  let d = 0.0;
  let at = place;
  let w0 = weights[at] as number;
  let w1 = weights[at + 1] as number;
  let w2 = weights[at + 2] as number;
  let j = first;
  for (; j + 1 < last; j += 2) {
    const one = values[j] as number;
    const other = values[j + 1] as number;
    const w3 = weights[at + 3] as number;
    const w4 = weights[at + 4] as number;
    a += w3 * one + w4 * other;
    b += w2 * one + w3 * other;
    c += w1 * one + w2 * other;
    d += w0 * one + w1 * other;
    w0 = w2;
    w1 = w3;
    w2 = w4;
    at += 2;
  }
  if (j < last) {
    const one = values[j] as number;
    a += (weights[at + 3] as number) * one;
    b += w2 * one;
    c += w1 * one;
    d += w0 * one;
  }
  into[0] = a;
  into[1] = b;
  into[2] = c;
  into[3] = d;
}

/** The mean of the finite values from `first` to `last`, by their weights, in place of value `i`. */
function weighted(
  values: Float64Array,
  i: number,
  first: number,
  last: number,
  weightOf: (j: number) => number,
): number {
  const own = values[i] as number;
  if (own - own !== 0) {
    return own;
  }
  let [sum, total] = [0, 0];
  for (let j = first; j < last; j += 1) {
    const value = values[j] as number;
    if (value - value === 0) {
      const weight = weightOf(j);
      sum += weight * value;
      total += weight;
    }
  }
  const mean = sum / total;
  if (mean - mean === 0) {
    return mean;
  }
  // Sums of the largest doubles are too large for one.
  let scaled = 0;
  for (let j = first; total > 0 && j < last; j += 1) {
    const value = values[j] as number;
    scaled += value - value === 0 ? value * (weightOf(j) / total) : 0;
  }
  return total > 0 ? scaled : own;
}

/**
 * Smooths finite values; others stay as they are. `weight` of the past is at least 0 and less than 1.
 *
 * A row may stand for several points: `counts` says how many, and its value is their mean.
 * A constant stays the same, bit for bit.
 */
export function smooth(
  values: Float64Array,
  weight: number,
  counts: ArrayLike<number> | null = null,
  into: Float64Array = new Float64Array(values.length),
): Float64Array {
  if (weight <= 0 || isConstant(values)) {
    into.set(values);
    return into;
  }
  let last = 0;
  // weight ** n: the share of the initial 0 in the average.
  let bias = 1;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as number;
    const count = counts === null ? 1 : (counts[i] as number);
    if (value - value !== 0 || count === 0) {
      into[i] = value;
      continue;
    }
    const kept = count === 1 ? weight : weight ** count;
    last = kept * last + (1 - kept) * value;
    bias *= kept;
    if (bias < 1e-17) {
      bias = 0;
    }
    into[i] = last / (1 - bias);
  }
  return into;
}

function isConstant(values: Float64Array): boolean {
  let first = Number.NaN;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as number;
    if (value - value === 0) {
      if (Number.isNaN(first)) {
        first = value;
      } else if (value !== first) {
        return false;
      }
    }
  }
  return true;
}
