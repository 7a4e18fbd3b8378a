// How high a column of so many counts is drawn: by all that is on the card, so that areas compare.

import { select } from "../../lib/quantiles";

/** Share of the columns that may stand out, and by how much, before they are cut instead of making all others flat. */
const STANDING_OUT = 0.05;
const BY_FACTOR = 3;

export interface Heights {
  /** From 0 to 1; of what is cut, 1. */
  (counts: number): number;
  /** Counts per column that reach the top; more is cut. */
  readonly top: number;
  /** Heights are logarithms. */
  readonly log: boolean;
  /** There is more than that. */
  readonly cut: boolean;
  /** The counts that are drawn so high: the other way round. */
  counts(height: number): number;
}

/** How counts are to be drawn. */
export interface Scale {
  readonly log: boolean;
  readonly ignoreOutliers: boolean;
}

/** Heights for profiles that are drawn on one card. */
export function heightsFor(profiles: readonly Float64Array[], { log, ignoreOutliers }: Scale): Heights {
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
  const top = ignoreOutliers ? Math.min(most, BY_FACTOR * usual(held)) : most;
  const height = (counts: number) => (counts > 0 ? Math.min(1, counts / top) : 0);
  return Object.assign(height, { log, top, cut: top < most, counts: (share: number) => share * top });
}

/** What is in the columns that are not empty. */
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

/** What nearly all columns stay below. */
function usual(held: Float64Array): number {
  return held.length > 0 ? select(held, Math.floor((held.length - 1) * (1 - STANDING_OUT))) : 0;
}

/** The foot of a logarithmic scale: a little below what nearly all columns are above, and eight decades down at most. */
function lowest(held: Float64Array, most: number): number {
  const low = held.length > 0 ? select(held, Math.floor((held.length - 1) * STANDING_OUT)) : 0;
  return Math.max(most * 1e-8, Math.min(low / 2, most / 10));
}
