// Spark lines: small lines of the course of runs, in one range of values that those of a column share.

import { select } from "../../lib/quantiles";
import { type Range, union } from "../../lib/range";
import type { Outline } from "../../wire/runfacts";

/** CSS pixels of a spark line, and what is left free around it. */
export const SPARK_WIDTH = 48;
export const SPARK_HEIGHT = 16;
const MARGIN = 1.5;

/** Places along a spark line; what lies at the same place is averaged. */
const PLACES = 46;

const paths = new WeakMap<Outline, { readonly key: string; readonly path: string }>();

/** The path of a spark line, from its first step to its last, in the range of values that all lines of its column share. */
export function sparkPath(outline: Outline, range: Range | null): string {
  const key = String(range);
  let known = paths.get(outline);
  if (known?.key !== key) {
    known = { key, path: pathOf(outline, range ?? [0, 0]) };
    paths.set(outline, known);
  }
  return known.path;
}

const extents = new WeakMap<Outline, { readonly range: Range | null }>();

/** The least and the greatest finite value of an outline. */
function extentOf(outline: Outline): Range | null {
  let known = extents.get(outline);
  if (known === undefined) {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const value of Array.from(outline.value).filter(Number.isFinite)) {
      [least, most] = [Math.min(least, value), Math.max(most, value)];
    }
    known = { range: least <= most ? [least, most] : null };
    extents.set(outline, known);
  }
  return known.range;
}

/** Spans of the middle run by which an end may lie beyond the middle one's: what is farther away leaves the range. */
const MOST_SPANS = 3;

/** The range that the spark lines of a column share. A run that diverged is cut: it would make all others flat. */
export function sparkRange(outlines: readonly Outline[]): Range | null {
  const ranges = outlines.map(extentOf).filter((range) => range !== null);
  const middle = (of: (range: Range) => number) => select(Float64Array.from(ranges, of), (ranges.length - 1) >> 1);
  if (ranges.length === 0) {
    return null;
  }
  const [low, high] = [middle(([least]) => least), middle(([, most]) => most)];
  const room = MOST_SPANS * (high / 2 - low / 2);
  const isNear = (end: number, of: number) => room <= 0 || Math.abs(end / 2 - of / 2) <= room;
  const kept = ranges.flatMap(([least, most]): Range[] => [
    ...(isNear(least, low) ? [[least, least] as const] : []),
    ...(isNear(most, high) ? [[most, most] as const] : []),
  ]);
  return union(kept);
}

function pathOf({ step, value }: Outline, [least, most]: Range): string {
  const { length } = value;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < length; i += 1) {
    first = Math.min(first, step[i] as number);
    last = Math.max(last, step[i] as number);
  }
  const [sums, counts, rows] = [new Float64Array(PLACES), new Uint32Array(PLACES), new Uint32Array(PLACES)];
  for (let i = 0; i < length; i += 1) {
    const along = last > first ? ((step[i] as number) / 2 - first / 2) / (last / 2 - first / 2) : 0;
    const place = Math.round(along * (PLACES - 1));
    const one = value[i] as number;
    rows[place] = (rows[place] as number) + 1;
    if (Number.isFinite(one)) {
      // The mean so far: sums of the largest doubles would overflow.
      const count = (counts[place] as number) + 1;
      counts[place] = count;
      sums[place] = (sums[place] as number) + (one / count - (sums[place] as number) / count);
    }
  }
  let path = "";
  let isBroken = true;
  let points = 0;
  for (let place = 0; place < PLACES; place += 1) {
    if ((counts[place] as number) === 0) {
      // Where values were written that are not finite the line breaks; where none was, it goes on.
      isBroken ||= (rows[place] as number) > 0;
      continue;
    }
    const share = ((sums[place] as number) / 2 - least / 2) / (most / 2 - least / 2);
    const up = most > least ? Math.max(0, Math.min(1, share)) : 0.5;
    const x = MARGIN + (place / (PLACES - 1)) * (SPARK_WIDTH - 2 * MARGIN);
    const y = SPARK_HEIGHT - MARGIN - up * (SPARK_HEIGHT - 2 * MARGIN);
    path += `${isBroken ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    isBroken = false;
    points += 1;
  }
  // A line of one point is drawn as a dot, by its round end.
  return points === 1 ? `${path}h0.01` : path;
}
