// Which rows hold values that are not finite, and how many there are.

import { exactStep } from "../wire/steps";
import { hasOnlyFinite, pointsAt, type Series } from "./series";

/** The non-finite value in a row: ±∞ or NaN; 0 if there is none. A bucket does not hold which it was: NaN. */
export function gapAt(series: Series, i: number): number {
  const what = series.value[i] as number;
  if (what - what !== 0) {
    return what;
  }
  return series.width > 1 && (series.count[i] as number) < pointsAt(series, i) ? Number.NaN : 0;
}

/** How many values of a series are not finite, and the steps of the first and the last row with one. */
export interface Gaps {
  readonly nan: number;
  readonly up: number;
  readonly down: number;
  /** In buckets, which do not hold what they were. */
  readonly other: number;
  readonly first: bigint;
  readonly last: bigint;
}

const counted = new WeakMap<Series, Gaps | null>();

/** Null where all values are finite. */
export function gapsOf(series: Series): Gaps | null {
  let gaps = counted.get(series);
  if (gaps === undefined) {
    gaps = count(series);
    counted.set(series, gaps);
  }
  return gaps;
}

function count(series: Series): Gaps | null {
  if (hasOnlyFinite(series)) {
    return null;
  }
  const found = { nan: 0, up: 0, down: 0, other: 0 };
  let [from, to] = [-1, -1];
  for (let i = 0; i < series.value.length; i += 1) {
    const what = gapAt(series, i);
    if (what !== 0) {
      const points = pointsAt(series, i);
      const kind = points > 1 ? "other" : what > 0 ? "up" : what < 0 ? "down" : "nan";
      found[kind] += points > 1 ? points - (series.count[i] as number) : 1;
      from = from < 0 ? i : from;
      to = i;
    }
  }
  return from < 0 ? null : { ...found, first: exactStep(series.first, from), last: exactStep(series.step, to) };
}
