// The value range without outliers.

/** Share of the values that may lie below the range, and above it. */
const TAIL = 0.05;

/**
 * Smallest and largest of the values that are no outliers; those are farther from what lies between the 5th and the 95th
 * percentile than that is wide, so the beginning of a curve is none. The values, all finite, get another order.
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

/** The k-th smallest value, from 0 on; the values get another order. Those before `from` are smaller already. */
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
