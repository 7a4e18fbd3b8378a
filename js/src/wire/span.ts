// Which steps were written in a stretch of time.

import type { HistogramSeries } from "./histograms";
import { numbers, type Series } from "./series";

export type Range = readonly [number, number];

/** The least and the greatest step of the rows that reach into these times; null if none does. */
export function stepsDuring(series: readonly Series[], [from, to]: Range, relative: boolean): Range | null {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const { first, step, wall, startWall } of series) {
    const [begins, ends] = [numbers(first), numbers(step)];
    const origin = relative ? startWall : 0;
    // A bucket holds what was written since the one before it.
    let before = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < ends.length; i += 1) {
      const time = (wall[i] as number) - origin;
      if (before <= to && time >= from) {
        least = Math.min(least, begins[i] as number, ends[i] as number);
        most = Math.max(most, begins[i] as number, ends[i] as number);
      }
      before = time;
    }
  }
  return least <= most ? [least, most] : null;
}

/** The same of histograms, of which some may lie between those that are held: from the one before to the one behind. */
export function histogramsDuring(
  series: readonly HistogramSeries[],
  [from, to]: Range,
  relative: boolean,
): Range | null {
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

/** From the least of all to the greatest of all; null of none. */
export function union(ranges: readonly Range[]): Range | null {
  return ranges.length === 0 ? null : [Math.min(...ranges.map(([a]) => a)), Math.max(...ranges.map(([, b]) => b))];
}
