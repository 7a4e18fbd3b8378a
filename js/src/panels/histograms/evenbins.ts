// Few even bins instead of those that were written, which may be as narrow as needles, or wide and uneven.

import { type Bins, remembered } from "../../histograms/bins";
import type { Range } from "../../lib/range";
import { roundUp } from "../../lib/ticks";
import type { BinSort } from "./options";
import { profileOf } from "./profile";

/** Even bins in sight at most: 40 of the data, with its margins. Of a round width, they are 28 at least. */
const MOST = 42;
const WIDTHS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Narrower bins, relative to where they are, are lost in rounding. */
const FINEST = 1e-12;

/** So many bins of one width, from end to end. */
export interface Grid {
  readonly ends: Range;
  readonly count: number;
}

/** The width of even bins, a round number; heights are counts of so wide a bin, whichever bins are drawn. */
export function binWidth([min, max]: Range): number {
  return roundUp((max - min) / MOST, WIDTHS);
}

/**
 * The even bins of the values in sight. Their edges are multiples of their width, so that they stay where they are while one
 * goes along the values, or the data grows. Null where doubles are too few for them.
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
