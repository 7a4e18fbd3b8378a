// A histogram in pixels: how much of it each column holds. What is drawn over a bin is what was counted in it.

import { eachBin } from "../../charts/bins";
import type { Bins } from "../../wire/bins";

/** From, to. */
export type Range = readonly [number, number];

/** Where a value is between the ends of a range, from 0 to 1. */
export function share(value: number, [min, max]: Range): number {
  return (value - min) / (max - min);
}

/**
 * Counts per column, of so many columns between the ends of `range`: a bin is spread evenly over its width, one without
 * width is in one column. The sum is what was counted within the range.
 */
export function profileOf(bins: Bins, [min, max]: Range, columns: number): Float64Array {
  const profile = new Float64Array(columns);
  // Columns per value may be more than a double can say.
  const place = (value: number) => ((value - min) / (max - min)) * columns;
  eachBin(bins, (left, right, count) => {
    const from = place(left);
    const to = place(right);
    if (!(to >= 0 && from <= columns)) {
      return;
    }
    const first = Math.floor(from);
    if (to - from < 1e-9 || (first === Math.floor(to) && first >= 0 && first < columns)) {
      const column = Math.min(columns - 1, Math.max(0, first));
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

/** Least and greatest value that was counted, by the edges of the bins; null without any. */
export function extentOf(bins: Bins): Range | null {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  eachBin(bins, (left, right) => {
    min = Math.min(min, left);
    max = Math.max(max, right);
  });
  return min <= max ? [min, max] : null;
}

/** What was counted, in all bins. */
export function totalOf({ counts }: Bins): number {
  let total = 0;
  for (let i = 0; i < counts.length; i += 1) {
    total += counts[i] as number;
  }
  return total;
}

/** The bin that holds a value, the last of several; -1 if none does, those nearer than `reach` included. */
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
