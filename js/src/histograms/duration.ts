// When histograms were written: from when to when, and which steps in a range of time.

import { type Range, union } from "../lib/range";
import type { RunFacts } from "../wire/runfacts";

/** What has to be known of a series for that. */
interface Timed {
  /** NaN if it is no time. */
  readonly startWall: number;
  readonly rows: readonly { readonly step: bigint; readonly wall: number }[];
}

export function factsOf({ startWall, rows }: Timed): RunFacts | null {
  const last = rows.at(-1);
  return last === undefined
    ? null
    : { began: Number.isNaN(startWall) ? last.wall : startWall, ended: last.wall, step: last.step };
}

/** The least and the greatest step; of those that are not held the steps lie between their neighbours', which count too. */
export function stepsDuring(series: readonly Timed[], [from, to]: Range, relative: boolean): Range | null {
  const ranges = series.flatMap(({ rows, startWall }): Range[] => {
    const origin = relative ? startWall : 0;
    const times = rows.map(({ wall }) => wall - origin);
    const first = times.findIndex((time) => time >= from);
    const behind = times.findIndex((time) => time > to);
    if (first < 0 || (behind === 0 && first === 0)) {
      return [];
    }
    const last = behind < 0 ? rows.length - 1 : behind;
    const steps = rows.slice(Math.max(0, first - 1), last + 1).map(({ step }) => Number(step));
    return [[Math.min(...steps), Math.max(...steps)]];
  });
  return union(ranges);
}
