// How high a column of so many counts is drawn: by all that is on the card, so that areas compare.

/** Share of the columns that may stand out, and by how much, before they are cut instead of making all others flat. */
const STANDING_OUT = 0.05;
const BY_FACTOR = 3;

export interface Heights {
  /** From 0 to 1; of what is cut, 1. */
  (counts: number): number;
  /** Counts per column that reach the top; more is cut. */
  readonly top: number;
}

/** Heights for profiles that are drawn on one card. */
export function heightsFor(
  profiles: readonly Float64Array[],
  { log, ignoreOutliers }: { readonly log: boolean; readonly ignoreOutliers: boolean },
): Heights {
  const held: number[] = [];
  let most = 0;
  for (const profile of profiles) {
    for (let i = 0; i < profile.length; i += 1) {
      const counts = profile[i] as number;
      if (counts > 0) {
        held.push(counts);
        most = Math.max(most, counts);
      }
    }
  }
  if (log) {
    const floor = lowest(held, most);
    const span = Math.log(most / floor);
    const height = (counts: number) => (counts > floor ? Math.min(1, Math.log(counts / floor) / span) : 0);
    return Object.assign(height, { top: most });
  }
  const top = ignoreOutliers ? Math.min(most, BY_FACTOR * usual(held)) : most;
  const height = (counts: number) => (counts > 0 ? Math.min(1, counts / top) : 0);
  return Object.assign(height, { top });
}

/** What nearly all columns stay below. */
function usual(held: readonly number[]): number {
  const sorted = Float64Array.from(held).sort();
  return sorted[Math.floor((sorted.length - 1) * (1 - STANDING_OUT))] ?? 0;
}

/** The foot of a logarithmic scale: a little below what nearly all columns are above, and eight decades down at most. */
function lowest(held: readonly number[], most: number): number {
  const sorted = Float64Array.from(held).sort();
  const low = sorted[Math.floor((sorted.length - 1) * STANDING_OUT)] ?? 0;
  return Math.max(most * 1e-8, Math.min(low / 2, most / 10));
}
