// A histogram by columns of pixels: how many of its counts each column holds; and even bins in place of those written, which
// may be as narrow as needles, or wide and uneven.

import { type Bins, eachBin, remembered } from "../../histograms/bins";
import type { Range } from "../../lib/search";
import { roundUp } from "../../lib/ticks";
import type { BinSort } from "./options";

/** Where a value is between the ends of a range, from 0 to 1. */
export function share(value: number, [min, max]: Range): number {
  return (value - min) / (max - min);
}

/** Rounding error, as a share of a column: a value on its lower edge is in it. */
const ROUNDING = 1e-9;

/**
 * Counts per column, for `columns` columns between the ends of a range. A bin is spread evenly over its width; a bin without
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

/** Largest number of visible even bins: 40 of the data, and its margins. With round widths there are at least 28. */
const MAX_BINS = 42;
const WIDTHS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Narrower bins, relative to where they are, are lost in rounding. */
const FINEST = 1e-12;

/** Bins of one width, from end to end. */
export interface Grid {
  readonly ends: Range;
  readonly count: number;
}

/** The width of even bins, a round number; heights are counts of so wide a bin, whichever bins are drawn. */
export function binWidth([min, max]: Range): number {
  return roundUp((max - min) / MAX_BINS, WIDTHS);
}

/**
 * The even bins of the visible values. Their edges are multiples of their width, so that they stay in place while the user
 * pans or the data grow. Null if doubles are too coarse for them.
 */
export function gridOf(values: Range, sort: BinSort): Grid | null {
  const width = binWidth(values);
  const [first, end] = [Math.floor(values[0] / width), Math.ceil(values[1] / width)];
  const ends = [rounded(first * width), rounded(end * width)] as const;
  const fine = width > FINEST * Math.max(Math.abs(ends[0]), Math.abs(ends[1]));
  return sort === "even" && fine && Number.isFinite(ends[1] - ends[0]) ? { ends, count: end - first } : null;
}

/** As a decimal: 3 · 0.1 is no edge, 0.3 is. */
function rounded(edge: number): number {
  return Number(edge.toPrecision(15));
}

const evened = remembered(
  (bins, [low, high], count): Bins => ({
    counts: profileOf(bins, [low, high], count),
    layout: { low, high, innerEdges: null },
  }),
);

/** The histogram as it is drawn: in even bins, or without a grid in its own. */
export function drawnBins(bins: Bins, grid: Grid | null): Bins {
  return grid === null ? bins : evened(bins, grid.ends, grid.count);
}
