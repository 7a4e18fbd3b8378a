// A histogram by columns of pixels: how many of its counts each column holds.

import { type Bins, eachBin } from "../../histograms/bins";
import type { Range } from "../../lib/range";

/** Where a value is between the ends of a range, from 0 to 1. */
export function share(value: number, [min, max]: Range): number {
  return (value - min) / (max - min);
}

/** Of a column, what may be lost in rounding: a value on its lower edge is in it. */
const ROUNDING = 1e-9;

/**
 * Counts per column, for so many columns between the ends of a range: a bin is spread evenly over its width; one without
 * width goes to one column. The sum is the count within the range.
 */
export function profileOf(bins: Bins, [min, max]: Range, columns: number): Float64Array {
  const profile = new Float64Array(columns);
  // Divided before multiplied: columns per value may be more than a double can hold.
  const place = (value: number) => ((value - min) / (max - min)) * columns;
  eachBin(bins, (left, right, count) => {
    const from = place(left);
    const to = place(right);
    if (!(to >= 0 && from <= columns)) {
      return;
    }
    const first = Math.floor(from);
    if (to - from < ROUNDING || (first === Math.floor(to) && first >= 0 && first < columns)) {
      const column = Math.min(columns - 1, Math.max(0, Math.floor(from + ROUNDING)));
      profile[column] = (profile[column] as number) + count;
      return;
    }
    const density = count / (to - from);
    const begin = Math.max(0, first);
    const end = Math.min(columns, Math.ceil(to));
    for (let i = begin; i < end; i += 1) {
      profile[i] = (profile[i] as number) + density * (Math.min(to, i + 1) - Math.max(from, i));
    }
  });
  return profile;
}

/** Edges of the lowest and the highest bin with counts; null without any. */
export function extentOf(bins: Bins): Range | null {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  eachBin(bins, (left, right) => {
    min = Math.min(min, left);
    max = Math.max(max, right);
  });
  return min <= max ? [min, max] : null;
}

/** The counts of all bins. */
export function totalOf({ counts }: Bins): number {
  let total = 0;
  for (let i = 0; i < counts.length; i += 1) {
    total += counts[i] as number;
  }
  return total;
}

/** The bin that holds a value, or is nearer to it than `reach`; the last of several; -1 if none is. */
export function binAt(bins: Bins, value: number, reach: number): number {
  let found = -1;
  let distance = reach;
  eachBin(bins, (left, right, _count, bin) => {
    const away = value < left ? left - value : value > right ? value - right : 0;
    if (away <= distance) {
      found = bin;
      distance = away;
    }
  });
  return found;
}
