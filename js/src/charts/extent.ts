// What part of the plane a chart shows.

import { rangeWithoutOutliers } from "../lib/quantiles";
import type { Range } from "./axis";

/** What axes are fitted to: a line, or what else is drawn along them, as columns of one length. */
export interface Drawn {
  /** Steps, seconds since the first point, or seconds since the epoch. */
  readonly x: Float64Array;
  /** x never goes back. */
  readonly ascending: boolean;
  /** What is shown: smoothed values, or the values themselves; logarithms of both on a logarithmic axis. */
  readonly y: Float64Array;
  /** The values behind the smoothed ones; the same array when there is no smoothing. */
  readonly raw: Float64Array;
  /** Least and greatest values of what a row stands for; null for points. Least is −∞ where it is not on a logarithmic axis. */
  readonly low: Float64Array | null;
  readonly high: Float64Array | null;
}

/** Share of the span left free above and below the lines. */
const MARGIN = 0.05;

/** Room around the least and the greatest value on a logarithmic axis: half of the one, double the other. */
const LOG_MARGIN = Math.log10(2);

/** Values beyond are not drawn to scale, nor are spans below: a double could not hold what is computed from them. */
const LARGEST = 5e307;
const SMALLEST = 1e-280;

/** Range along the axis from left to right; a lone point gets room on both sides. */
export function xRange(curves: readonly Drawn[]): Range {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const { x, ascending } of curves) {
    const ends = ascending ? [x[0], x.at(-1)] : x;
    for (const end of ends) {
      // What is no time has no place on the axis.
      if (end !== undefined && end - end === 0) {
        min = Math.min(min, end);
        max = Math.max(max, end);
      }
    }
  }
  if (min > max) {
    return [0, 1];
  }
  return widened([min, max]);
}

/** A lone point gets room on both sides: more than 1 where a double no longer tells that. */
export function widened([min, max]: Range): Range {
  const room = min < max ? 0 : Math.max(1, Math.abs(min) * 2 ** -50);
  return [min - room, max + room];
}

export interface Fit {
  readonly log: boolean;
  readonly ignoreOutliers: boolean;
}

/** Range of what is drawn between two ends along x, with a margin; only finite values count. */
export function yRange(curves: readonly Drawn[], x: Range, { log, ignoreOutliers }: Fit): Range {
  const values = valuesWithin(curves, x);
  const extent = ignoreOutliers ? rangeWithoutOutliers(values) : extentOf(values);
  if (extent === null) {
    return [0, 1];
  }
  // Kept where spans and scales stay finite; what lies beyond leaves the chart.
  const [min, max] = extent.map((end) => Math.max(-LARGEST, Math.min(LARGEST, end))) as [number, number];
  if (log) {
    return [min - LOG_MARGIN, max + LOG_MARGIN];
  }
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

/** Indices [from, to) of the rows needed to draw between two ends: one more on either side, for the lines that leave. */
export function visibleSpan({ x, ascending }: Drawn, [first, last]: Range): [number, number] {
  if (!ascending) {
    return [0, x.length];
  }
  return [Math.max(0, lowerBound(x, first) - 1), Math.min(x.length, upperBound(x, last) + 1)];
}

/** Index of the row that is nearest along x; -1 without rows. */
export function nearestIndex({ x, ascending }: Drawn, to: number): number {
  if (!ascending) {
    let best = -1;
    let distance = Number.POSITIVE_INFINITY;
    x.forEach((other, i) => {
      if (Math.abs(other - to) < distance) {
        best = i;
        distance = Math.abs(other - to);
      }
    });
    return best;
  }
  const after = lowerBound(x, to);
  if (after === x.length) {
    return x.length - 1;
  }
  return after > 0 && to - (x[after - 1] as number) < (x[after] as number) - to ? after - 1 : after;
}

let scratch = new Float64Array(4096);

/** Finite values of the lines and of what is faint behind them. Valid until the next call. */
function valuesWithin(curves: readonly Drawn[], [first, last]: Range): Float64Array {
  let n = 0;
  for (const curve of curves) {
    const { x, y, raw, low, high, ascending } = curve;
    let [from, to] = ascending ? [lowerBound(x, first), upperBound(x, last)] : [0, x.length];
    if (from === to && from > 0 && to < x.length) {
      // Its line passes between two values.
      [from, to] = [from - 1, to + 1];
    }
    const columns = new Set([y, low ?? raw, high ?? raw]);
    if (scratch.length < n + columns.size * (to - from)) {
      const larger = new Float64Array(2 * (n + columns.size * (to - from)));
      larger.set(scratch);
      scratch = larger;
    }
    for (const column of columns) {
      for (let i = from; i < to; i += 1) {
        const value = column[i] as number;
        if (value - value === 0 && (ascending || ((x[i] as number) >= first && (x[i] as number) <= last))) {
          scratch[n] = value;
          n += 1;
        }
      }
    }
  }
  return scratch.subarray(0, n);
}

function extentOf(values: Float64Array): Range | null {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    min = value < min ? value : min;
    max = value > max ? value : max;
  }
  return min <= max ? [min, max] : null;
}

/** First index whose x is not below. */
function lowerBound(x: Float64Array, least: number): number {
  let low = 0;
  let high = x.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((x[middle] as number) < least) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** First index whose x is above. */
function upperBound(x: Float64Array, most: number): number {
  let low = 0;
  let high = x.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((x[middle] as number) <= most) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
