// The bins of a histogram, and what is computed from them: percentiles, and how much lies beyond a range. Twin of
// tbwidget/panels/histogram_bins.py.

import { formatValue } from "../lib/format";
import type { Range } from "../lib/range";
import type { Counts } from "../wire/steps";
import { histogramTexts } from "./texts";

/** Where bins are: contiguous from `low` to `high`, of equal width without `innerEdges`; or each with edges of its own. */
export type BinLayout =
  | { readonly low: number; readonly high: number; readonly innerEdges: Float64Array | null }
  | { readonly left: Float64Array; readonly right: Float64Array };

export interface Bins {
  readonly counts: Counts;
  readonly layout: BinLayout;
}

/** The edges of each bin: as many as there are counts. */
export interface Edges {
  readonly left: Float64Array;
  readonly right: Float64Array;
}

/** The edges that most writers use: ±1e-12 · 1.1^k, below 1e20, and 0. */
export const POWERS: Float64Array = powers();

function powers(): Float64Array {
  const edges: number[] = [];
  for (let edge = 1e-12; edge < 1e20; edge *= 1.1) {
    edges.push(edge);
  }
  return Float64Array.of(...edges.map((edge) => -edge).reverse(), 0, ...edges);
}

export function edgesOf({ counts, layout }: Bins): Edges {
  if ("left" in layout) {
    return layout;
  }
  const { low, high, innerEdges } = layout;
  const bins = counts.length;
  const edges = new Float64Array(bins + 1);
  if (innerEdges === null) {
    const width = high - low;
    for (let i = 1; i < bins; i += 1) {
      // The ends may lie farther apart than a double can say.
      edges[i] = Number.isFinite(width) ? low + (width * i) / bins : low * (1 - i / bins) + high * (i / bins);
    }
  } else {
    edges.set(innerEdges, 1);
  }
  edges[0] = low;
  edges[bins] = high;
  return { left: edges.subarray(0, bins), right: edges.subarray(1) };
}

/** Bytes that bins take, here or in a message; parts of POWERS take none. */
export function bytesOf({ counts, layout }: Bins): number {
  const shared = "low" in layout && (layout.innerEdges === null || isOfPowers(layout.innerEdges));
  return counts.byteLength + (shared ? 0 : 16 * counts.length);
}

export function isOfPowers(innerEdges: Float64Array): boolean {
  return innerEdges.buffer === POWERS.buffer;
}

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

/** Of 10,000: the least value, −1.5σ, −σ, −σ/2, the median, σ/2, σ, 1.5σ and the greatest, as a normal distribution has them. */
export const BASIS_POINTS = [0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10_000] as const;

export const MEDIAN = 4;

/** Basis points of the ends between which 99 % lie: what a scale without outliers shows of every histogram at least. */
export const MIDDLE = [50, 9950] as const;

/**
 * The values below which so many of 10,000 lie, by interpolation within the bin; NaN if nothing was counted. Bins count in
 * the order written, as if they followed one on the other.
 */
export function percentilesOf(bins: Bins, points: readonly number[] = BASIS_POINTS): Float64Array {
  const lefts: number[] = [];
  const rights: number[] = [];
  const sums: number[] = [];
  let sum = 0;
  eachBin(bins, (left, right, count) => {
    sum += count;
    lefts.push(left);
    rights.push(right);
    sums.push(sum);
  });
  let bin = 0;
  return Float64Array.from(points, (point) => {
    const below = (point / 10_000) * sum;
    // A point that falls between two bins is the end of neither but the beginning of the second; the last is its end.
    while (bin < sums.length - 1 && (sums[bin] as number) <= below) {
      bin += 1;
    }
    if (sums.length === 0) {
      return Number.NaN;
    }
    const before = bin > 0 ? (sums[bin - 1] as number) : 0;
    const share = Math.min(1, (below - before) / ((sums[bin] as number) - before));
    const left = lefts[bin] as number;
    return left * (1 - share) + (rights[bin] as number) * share;
  });
}

/** Shares of the counts, from 0 to 1. */
export interface Beyond {
  readonly below: number;
  readonly above: number;
}

/** Smaller shares are what rounding makes of none. */
const NONE = 1e-9;

/** A bin counts below the range, and above it, by the share of its width that lies there. */
export const beyond = remembered((bins, [min, max]): Beyond => {
  let [below, above, total] = [0, 0, 0];
  eachBin(bins, (left, right, count) => {
    const width = right - left;
    const before = (value: number) => (width > 0 ? Math.min(1, Math.max(0, (value - left) / width)) : 0);
    below += count * (right < min ? 1 : before(min));
    above += count * (left > max ? 1 : width > 0 ? 1 - before(max) : 0);
    total += count;
  });
  const share = (counts: number) => (counts > total * NONE ? counts / total : 0);
  return { below: share(below), above: share(above) };
});

/** How large a mark is, from 0 to 1: by the square root, so that little is seen, too. */
export function markSize(share: number): number {
  return Math.sqrt(share);
}

/** Shares below this many percent are written as less than it. */
const LEAST_PERCENT = 0.1;

/** How much is beyond which end, in words; none where nothing is. */
export function outsideTexts({ below, above }: Beyond, [min, max]: Range): string[] {
  const { percent, underPercent, below: saysBelow, above: saysAbove } = histogramTexts();
  const share = (part: number) =>
    part * 100 < LEAST_PERCENT
      ? underPercent(formatValue(LEAST_PERCENT))
      : percent(formatValue(Number((part * 100).toPrecision(3))));
  return [
    ...(below > 0 ? [saysBelow(share(below), formatValue(min))] : []),
    ...(above > 0 ? [saysAbove(share(above), formatValue(max))] : []),
  ];
}

/** Remembers of each histogram what was computed last. */
export function remembered<T>(compute: (bins: Bins, range: Range, count: number) => T) {
  const last = new WeakMap<Bins, { min: number; max: number; count: number; found: T }>();
  return (bins: Bins, range: Range, count = 1): T => {
    const [min, max] = range;
    let known = last.get(bins);
    if (known?.min !== min || known.max !== max || known.count !== count) {
      known = { min, max, count, found: compute(bins, range, count) };
      last.set(bins, known);
    }
    return known.found;
  };
}
