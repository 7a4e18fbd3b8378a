// Quantiles, and the value range without outliers.

import type { Range } from "./search";

/** Share of the values that may lie below the range, and above it. */
const TAIL = 0.05;

/**
 * Smallest and largest value without outliers: values that are farther from the range between the 5th and the 95th
 * percentile than that range is wide. So the beginning of a curve is no outlier. All values are finite; they are reordered.
 */
export function rangeWithoutOutliers(values: Float64Array): [number, number] | null {
  const n = values.length;
  if (n === 0) {
    return null;
  }
  const below = Math.ceil((n - 1) * TAIL);
  const above = Math.floor((n - 1) * (1 - TAIL));
  if (below >= above) {
    return within(values, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  }
  const low = select(values, below, 0);
  const high = select(values, above, below);
  const span = high - low;
  return span === 0
    ? within(values, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
    : within(values, low - span, high + span);
}

/**
 * Range shown without outliers around a middle range: the middle, and the part of the whole range at most half its width
 * away. A middle without width gives the whole range.
 */
export function aroundMiddle([low, high]: Range, [least, most]: Range): Range {
  const room = (high - low) / 2;
  return room > 0 ? [Math.max(least, low - room), Math.min(most, high + room)] : [least, most];
}

/** Smallest and largest of the values from `least` to `most`. */
function within(values: Float64Array, least: number, most: number): [number, number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as number;
    if (value >= least && value <= most) {
      min = value < min ? value : min;
      max = value > max ? value : max;
    }
  }
  return [min, max];
}

/** The k-th smallest value, counted from 0; reorders the values. Values before index `from` must be smaller. */
export function select(values: Float64Array, k: number, from = 0): number {
  let left = from;
  let right = values.length - 1;
  while (left < right) {
    const pivot = values[(left + right) >>> 1] as number;
    let i = left;
    let j = right;
    while (i <= j) {
      while ((values[i] as number) < pivot) {
        i += 1;
      }
      while ((values[j] as number) > pivot) {
        j -= 1;
      }
      if (i <= j) {
        const swapped = values[i] as number;
        values[i] = values[j] as number;
        values[j] = swapped;
        i += 1;
        j -= 1;
      }
    }
    if (k <= j) {
      right = j;
    } else if (k >= i) {
      left = i;
    } else {
      break;
    }
  }
  return values[k] as number;
}

/** The p-quantile, on the straight line between neighbors in order; NaN without values. Reorders the values. */
export function quantile(values: Float64Array, p: number): number {
  const place = (values.length - 1) * p;
  const below = Math.floor(place);
  if (values.length === 0) {
    return Number.NaN;
  }
  const low = select(values, below);
  if (place === below) {
    return low;
  }
  // Values after the selected one are not smaller.
  let high = Number.POSITIVE_INFINITY;
  for (let i = below + 1; i < values.length; i += 1) {
    high = Math.min(high, values[i] as number);
  }
  const share = place - below;
  return low === high ? low : low * (1 - share) + high * share;
}
