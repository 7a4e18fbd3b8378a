// Lines along steps or times: their common extent from left to right, and the rows of the viewport.

import { bisectLeft, bisectRight, type Range } from "../lib/search";

/** A line, or what else is drawn along the axes, as columns of one length. */
export interface LineData {
  /** Steps, seconds since the first point, or seconds since the epoch; their places, −∞ for none, on another axis. */
  readonly x: Float64Array;
  /** Where the first row begins, if it stands for several places: it ends at its x. */
  readonly start?: number | undefined;
  /** x never goes back. */
  readonly ascending: boolean;
  /** The values drawn: smoothed or raw; their positions on an axis that is not linear. */
  readonly y: Float64Array;
  /** The raw values; the same array as `y` without smoothing. */
  readonly raw: Float64Array;
  /**
   * Least and greatest values of a bucket, or the ends of an aggregate's band; null for points. The least is −∞ where it is
   * not on a logarithmic axis.
   */
  readonly low: Float64Array | null;
  readonly high: Float64Array | null;
  /** Place of the newest value, NaN for none; undefined unless the rows are buckets whose extents are drawn. */
  readonly newest?: number;
  /** Lower and upper values that stay visible when outliers are ignored; by default they are computed from the values. */
  readonly middle?: readonly [Float64Array, Float64Array];
}

/** Room on both sides of a lone point along x: so little that no other step has a tick. */
const LONE_ROOM = 0.5;

/** The horizontal range of all lines; a lone point gets room on both sides. */
export function xRange(lines: readonly LineData[]): Range {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const { x, ascending, start } of lines) {
    // Before the first place on a logarithmic axis there are rows at −∞.
    const ends = ascending ? [x[bisectLeft(x, -Number.MAX_VALUE)], x.at(-1)] : x;
    const add = (end: number | undefined) => {
      // A wall time may be NaN.
      if (end !== undefined && end - end === 0) {
        min = Math.min(min, end);
        max = Math.max(max, end);
      }
    };
    add(start);
    for (const end of ends) {
      add(end);
    }
  }
  if (min > max) {
    return [0, 1];
  }
  return widened([min, max], LONE_ROOM);
}

/** A lone point gets room on both sides: more than `least` where a double cannot represent that. */
export function widened([min, max]: Range, least = 1): Range {
  const room = min < max ? 0 : Math.max(least, Math.abs(min) * 2 ** -50);
  return [min - room, max + room];
}

/** Indices [from, to) of the rows needed to draw between two ends: one more on either side, for the lines that leave. */
export function visibleSpan({ x, ascending }: LineData, [first, last]: Range): [number, number] {
  if (!ascending) {
    return [0, x.length];
  }
  return [Math.max(0, bisectLeft(x, first) - 1), Math.min(x.length, bisectRight(x, last) + 1)];
}

/** Index of the row that is nearest along x; -1 without rows. */
export function nearestIndex({ x, ascending }: LineData, to: number): number {
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
  const after = bisectLeft(x, to);
  if (after === x.length) {
    return x.length - 1;
  }
  return after > 0 && to - (x[after - 1] as number) < (x[after] as number) - to ? after - 1 : after;
}

/** The nearest x of a line behind another one, or before it; null if there is none. */
export function nextAlong({ x, ascending }: LineData, from: number, direction: 1 | -1): number | null {
  if (ascending) {
    return x[direction > 0 ? bisectRight(x, from) : bisectLeft(x, from) - 1] ?? null;
  }
  let best: number | null = null;
  for (const other of x) {
    if ((other - from) * direction > 0 && (best === null || (best - other) * direction > 0)) {
      best = other;
    }
  }
  return best;
}
