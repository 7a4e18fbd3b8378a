// The height of a column by its count: the same in all plots of a card, so that areas compare.

import { select } from "../../lib/quantiles";
import type { BinSort } from "./options";

/** Share of written bins' columns that may stand out: written bins may be needles in every histogram. */
const MAX_OUTLIER_SHARE = 0.05;
/** Share of histograms whose highest column may stand out, with even bins. */
const MAX_PEAK_OUTLIER_SHARE = 0.1;
/** Columns this many times as high as the others are cut, so that the others do not become flat. */
const MIN_CUT_FACTOR = 3;

export interface CountScale {
  /** The height of a column, from 0 to 1; 1 if it is cut off. */
  (counts: number): number;
  /** Counts per column that reach the top; more are cut off. */
  readonly top: number;
  /** Heights are logarithms. */
  readonly log: boolean;
  /** Some columns have more. */
  readonly cut: boolean;
  /** The counts that are drawn so high. */
  counts(height: number): number;
}

export interface CountScaleOptions {
  readonly log: boolean;
  readonly ignoreOutliers: boolean;
  readonly bins: BinSort;
}

/** The scale of profiles that are drawn on one card. */
export function countScaleFor(
  profiles: readonly Float64Array[],
  { log, ignoreOutliers, bins }: CountScaleOptions,
): CountScale {
  const held = counted(profiles);
  const most = held.reduce((a, b) => Math.max(a, b), 0);
  if (log) {
    const floor = lowest(held, most);
    const span = Math.log(most / floor);
    const height = (counts: number) => (counts > floor ? Math.min(1, Math.log(counts / floor) / span) : 0);
    return Object.assign(height, {
      log,
      top: most,
      cut: false,
      counts: (share: number) => floor * (most / floor) ** share,
    });
  }
  const usual = () =>
    bins === "even" ? nearly(peaksOf(profiles), MAX_PEAK_OUTLIER_SHARE) : nearly(held, MAX_OUTLIER_SHARE);
  const top = ignoreOutliers ? Math.min(most, MIN_CUT_FACTOR * usual()) : most;
  const height = (counts: number) => (counts > 0 ? Math.min(1, counts / top) : 0);
  return Object.assign(height, { log, top, cut: top < most, counts: (share: number) => share * top });
}

/** The counts of columns that are not empty. */
function counted(profiles: readonly Float64Array[]): Float64Array {
  const held = new Float64Array(profiles.reduce((sum, { length }) => sum + length, 0));
  let columns = 0;
  for (const profile of profiles) {
    for (let i = 0; i < profile.length; i += 1) {
      const counts = profile[i] as number;
      if (counts > 0) {
        held[columns] = counts;
        columns += 1;
      }
    }
  }
  return held.subarray(0, columns);
}

/** The highest column of each. */
function peaksOf(profiles: readonly Float64Array[]): Float64Array {
  const peaks = Float64Array.from(profiles, (profile) => profile.reduce((a, b) => Math.max(a, b), 0));
  return peaks.filter((peak) => peak > 0);
}

/** The height that only a share of `standingOut` exceeds. */
function nearly(held: Float64Array, standingOut: number): number {
  return held.length > 0 ? select(held, Math.floor((held.length - 1) * (1 - standingOut))) : 0;
}

/** The foot of a logarithmic scale: a little below what nearly all columns are above, and eight decades down at most. */
function lowest(held: Float64Array, most: number): number {
  const low = nearly(held, 1 - MAX_OUTLIER_SHARE);
  return Math.max(most * 1e-8, Math.min(low / 2, most / 10));
}
