// Statistics of the values of a series, and when they were written.

import type { RunFacts, Statistics } from "../wire/runfacts";
import type { Series } from "./series";

export function factsOf({ startWall, wall, lastStep }: Series): RunFacts | null {
  const ended = wall.at(-1);
  return ended === undefined
    ? null
    : { began: Number.isNaN(startWall) ? (wall[0] ?? ended) : startWall, ended, step: lastStep };
}

/** By series, which never change. */
const known = new WeakMap<Series, Statistics>();

/** Exact, though the series may be held in buckets. */
export function statisticsOf(series: Series): Statistics {
  let found = known.get(series);
  if (found === undefined) {
    found = computed(series);
    known.set(series, found);
  }
  return found;
}

function computed(series: Series): Statistics {
  const { value, min, max, count, last } = series;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let mean = 0;
  let finite = 0;
  for (let i = 0; i < value.length; i += 1) {
    const more = count[i] as number;
    if (more > 0) {
      finite += more;
      // Weighted by the counts so far: sums of the largest doubles would overflow.
      mean += ((value[i] as number) / finite - mean / finite) * more;
      least = Math.min(least, min[i] as number);
      most = Math.max(most, max[i] as number);
    }
  }
  return {
    last,
    min: finite > 0 ? least : null,
    max: finite > 0 ? most : null,
    mean: finite > 0 ? Math.min(most, Math.max(least, mean)) : null,
  };
}
