// What part of the plane a chart shows.

import type { Extent, Series } from "../../wire/series";

/** Share of the span left free above and below the lines. */
const MARGIN = 0.05;

/** Values beyond are not drawn to scale, nor are spans below: a double could not hold what is computed from them. */
const LARGEST = 5e307;
const SMALLEST = 1e-280;

/** Range of steps of all series; a lone step gets room on both sides. */
export function stepRange(series: Iterable<Series>): [number, number] {
  const extent = join([...series].map((one) => one.stepExtent));
  if (extent === null) {
    return [0, 1];
  }
  return extent.min < extent.max ? [extent.min, extent.max] : [extent.min - 1, extent.max + 1];
}

/** Range of values of all series between two steps, with a margin; only finite values count. */
export function valueRange(series: Iterable<Series>, [first, last]: readonly [number, number]): [number, number] {
  const extent = join([...series].map((one) => valueExtent(one, first, last)));
  if (extent === null) {
    return [0, 1];
  }
  // Kept where spans and scales stay finite; what lies beyond leaves the chart.
  const min = clamp(extent.min);
  const max = clamp(extent.max);
  const span = max - min;
  // A span lost in the rounding of its ends gives no axis either.
  if (span > Math.max(Math.abs(min), Math.abs(max), SMALLEST) * 1e-12) {
    return [min - span * MARGIN, max + span * MARGIN];
  }
  if (Math.abs(min) < SMALLEST) {
    return [-1, 1];
  }
  return min < 0 ? [2 * min, 0] : [0, 2 * max];
}

/** Indices [from, to) of the points needed to draw between two steps: one more on either side, for the lines that leave. */
export function visibleSpan(series: Series, [first, last]: readonly [number, number]): [number, number] {
  const { drawn } = series.steps;
  if (!series.ascending) {
    return [0, drawn.length];
  }
  return [Math.max(0, lowerBound(drawn, first) - 1), Math.min(drawn.length, upperBound(drawn, last) + 1)];
}

/** Index of the point whose step is nearest to `step`; -1 without points. */
export function nearestIndex(series: Series, step: number): number {
  const { drawn } = series.steps;
  if (!series.ascending) {
    let best = -1;
    let distance = Number.POSITIVE_INFINITY;
    drawn.forEach((other, i) => {
      if (Math.abs(other - step) < distance) {
        best = i;
        distance = Math.abs(other - step);
      }
    });
    return best;
  }
  const after = lowerBound(drawn, step);
  if (after === drawn.length) {
    return drawn.length - 1;
  }
  return after > 0 && step - (drawn[after - 1] ?? 0) < (drawn[after] ?? 0) - step ? after - 1 : after;
}

function valueExtent(series: Series, first: number, last: number): Extent | null {
  const { drawn } = series.steps;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < drawn.length; i += 1) {
    const step = drawn[i] ?? 0;
    const value = series.values[i] ?? Number.NaN;
    if (value - value === 0 && step >= first && step <= last) {
      min = Math.min(value, min);
      max = Math.max(value, max);
    }
  }
  return min <= max ? { min, max } : null;
}

function clamp(value: number): number {
  return Math.max(-LARGEST, Math.min(LARGEST, value));
}

function join(extents: readonly (Extent | null)[]): Extent | null {
  const known = extents.filter((extent) => extent !== null);
  if (known.length === 0) {
    return null;
  }
  return { min: Math.min(...known.map((e) => e.min)), max: Math.max(...known.map((e) => e.max)) };
}

/** First index whose step is not below `step`. */
function lowerBound(steps: Float64Array, step: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((steps[middle] ?? 0) < step) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** First index whose step is above `step`. */
function upperBound(steps: Float64Array, step: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((steps[middle] ?? 0) <= step) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
