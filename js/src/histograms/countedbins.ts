// The bins of a histogram as they can be drawn.

import { type Bins, edgesOf } from "./bins";

/** Edges beyond stand for no end at all: writers use ±1.8e308. */
const ENDLESS = 8e307;

/** More than anybody could have counted, and little enough that sums and densities stay numbers. */
const COUNTLESS = 1e250;

/** Whether it can be drawn. Less than nothing cannot, nor what is no number. */
function isCounted(count: number): boolean {
  return count > 0 && count < COUNTLESS;
}

/** The bins as they can be drawn: finite, from left to right, with what was counted; others are left out. */
export function eachBin(bins: Bins, take: (left: number, right: number, count: number, bin: number) => void): void {
  const { left, right } = edgesOf(bins);
  const { counts } = bins;
  for (let i = 0; i < counts.length; i += 1) {
    const count = counts[i] as number;
    if (!isCounted(count)) {
      continue;
    }
    const from = left[i] as number;
    const to = right[i] as number;
    const hasFrom = Math.abs(from) < ENDLESS;
    const hasTo = Math.abs(to) < ENDLESS;
    // A bin without an end holds values of which only the other end is known.
    if (hasFrom && hasTo) {
      take(Math.min(from, to), Math.max(from, to), count, i);
    } else if (hasFrom || hasTo) {
      take(hasFrom ? from : to, hasFrom ? from : to, count, i);
    }
  }
}
