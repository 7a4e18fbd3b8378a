// Percentiles of a histogram, by the rule of TensorBoard's distributions (tensorboard/plugins/distribution/compressor.py).

import type { Bins } from "./bins";
import { eachBin } from "./countedbins";

/** Of 10,000: the least value, −1.5σ, −σ, −σ/2, the median, σ/2, σ, 1.5σ and the greatest, as a normal distribution has them. */
export const BASIS_POINTS = [0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10_000] as const;

export const MEDIAN = 4;

/** Basis points of the ends between which 99 % lie: what a scale without outliers shows of every histogram at least. */
export const MIDDLE = [50, 9950] as const;

/**
 * The values below which so many of 10,000 lie, by interpolation within the bin; NaN if nothing was counted. Bins count in
 * the order written, as if they followed one on the other.
 */
export function percentilesOf(bins: Bins, points: readonly number[] = BASIS_POINTS): Float64Array {
  const lefts: number[] = [];
  const rights: number[] = [];
  const sums: number[] = [];
  let sum = 0;
  eachBin(bins, (left, right, count) => {
    sum += count;
    lefts.push(left);
    rights.push(right);
    sums.push(sum);
  });
  let bin = 0;
  return Float64Array.from(points, (point) => {
    const below = (point / 10_000) * sum;
    // A point that falls between two bins is the end of neither but the beginning of the second; the last is its end.
    while (bin < sums.length - 1 && (sums[bin] as number) <= below) {
      bin += 1;
    }
    if (sums.length === 0) {
      return Number.NaN;
    }
    const before = bin > 0 ? (sums[bin - 1] as number) : 0;
    const share = Math.min(1, (below - before) / ((sums[bin] as number) - before));
    const left = lefts[bin] as number;
    return left * (1 - share) + (rights[bin] as number) * share;
  });
}
