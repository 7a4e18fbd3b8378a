// Spark lines: small lines of the course of runs. The lines of a column share one range of values.

import { select } from "../../lib/quantiles";
import { type Range, union } from "../../lib/search";
import type { Outline } from "../../wire/runfacts";

/** CSS pixels of a spark line, and of the margin around it. */
export const SPARK_WIDTH = 48;
export const SPARK_HEIGHT = 16;
const MARGIN = 1.5;

/** Places along a spark line; what lies at the same place is averaged. */
const MAX_PLACES = 46;

/** Heights of the box by which a line may be drawn outside of it. */
const BEYOND = 4;

const paths = new WeakMap<Outline, { readonly key: string; readonly path: string }>();

const NO_SCALE: SparkScale = { range: [0, 0], isLog: false };

/** The path of a spark line, from its first step to its last, in the range of values that all lines of its column share. */
export function sparkPath(outline: Outline, scale: SparkScale | null): string {
  const { range, isLog } = scale ?? NO_SCALE;
  const key = `${isLog} ${range}`;
  let known = paths.get(outline);
  if (known?.key !== key) {
    known = { key, path: pathOf(outline, { range, isLog }) };
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

/** The scale that the spark lines of a column share: a range of values or of their logarithms. */
export interface SparkScale {
  readonly range: Range;
  readonly isLog: boolean;
}

/** Farthest that an end may lie beyond the median run's range, in spans of that run; others are left out of the range. */
const MAX_SPANS = 3;

/** The least number of runs whose median end is typical; fewer runs may differ by this factor more. */
const MIN_MEDIAN_RUNS = 4;
const FEW_RUNS_SPANS = 10;

/** Share of the height below which a run looks flat. */
const FLAT = 0.2;
/** The scale is logarithmic only if that makes flat runs taller by at least this factor. */
const MIN_LOG_GAIN = 1.5;

/**
 * The scale that the spark lines of a column share. A run that diverged leaves it: it would make all others flat. Where more
 * than a quarter of the runs would be flat, since they begin or end at very different values, it is logarithmic; where some
 * values have no logarithm, the range is narrower and more runs leave it.
 */
export function sparkScale(outlines: readonly Outline[]): SparkScale | null {
  const ranges = outlines.map(extentOf).filter((range) => range !== null);
  const range = rangeOf(ranges, MAX_SPANS);
  const height = range === null ? 1 : quarterOf(ranges, range);
  if (range === null || height >= FLAT) {
    return range && { range, isLog: false };
  }
  if (!ranges.every(([least]) => least > 0)) {
    return { range: rangeOf(ranges, 1) as Range, isLog: false };
  }
  const logs = ranges.map(logOf);
  const wide = rangeOf(logs, MAX_SPANS) as Range;
  return quarterOf(logs, wide) > MIN_LOG_GAIN * height ? { range: wide, isLog: true } : { range, isLog: false };
}

/** The share of the height that three quarters of the runs take at least. */
function quarterOf(ranges: readonly Range[], [low, high]: Range): number {
  const span = high / 2 - low / 2;
  const heights = Float64Array.from(ranges, ([least, most]) => (span > 0 ? (most / 2 - least / 2) / span : 1));
  return select(heights, (ranges.length - 1) >> 2);
}

const logOf = ([least, most]: Range): Range => [Math.log(least), Math.log(most)];

/** The middle of the runs whose values differ; runs with one point say nothing about the span. */
function middleOf(ranges: readonly Range[]): Range {
  const spread = ranges.filter(([least, most]) => most > least);
  if (spread.length > 0 && spread.length < MIN_MEDIAN_RUNS) {
    const spans = spread.map(([least, most]) => most / 2 - least / 2);
    return spread[spans.indexOf(select(Float64Array.from(spans), (spans.length - 1) >> 1))] as Range;
  }
  const all = spread.length > 0 ? spread : ranges;
  const middle = (of: (range: Range) => number) => select(Float64Array.from(all, of), (all.length - 1) >> 1);
  return [middle(([least]) => least), middle(([, most]) => most)];
}

/** The range of all ends that lie at most `spans` spans of the median run beyond its own range. */
function rangeOf(ranges: readonly Range[], spans: number): Range | null {
  if (ranges.length === 0) {
    return null;
  }
  const [low, high] = middleOf(ranges);
  const room = (ranges.length < MIN_MEDIAN_RUNS ? FEW_RUNS_SPANS : 1) * spans * (high / 2 - low / 2);
  const isNear = (end: number, of: number) => room <= 0 || Math.abs(end / 2 - of / 2) <= room;
  const kept = ranges.flatMap(([least, most]): Range[] => [
    ...(isNear(least, low) ? [[least, least] as const] : []),
    ...(isNear(most, high) ? [[most, most] as const] : []),
  ]);
  return union(kept);
}

function pathOf({ step, value }: Outline, { range: [least, most], isLog }: SparkScale): string {
  const { length } = value;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < length; i += 1) {
    first = Math.min(first, step[i] as number);
    last = Math.max(last, step[i] as number);
  }
  const [sums, counts, rows] = [new Float64Array(MAX_PLACES), new Uint32Array(MAX_PLACES), new Uint32Array(MAX_PLACES)];
  for (let i = 0; i < length; i += 1) {
    const along = last > first ? ((step[i] as number) / 2 - first / 2) / (last / 2 - first / 2) : 0;
    const place = Math.round(along * (MAX_PLACES - 1));
    const one = value[i] as number;
    rows[place] = (rows[place] as number) + 1;
    if (Number.isFinite(one)) {
      // The mean so far: sums of the largest doubles would overflow.
      const count = (counts[place] as number) + 1;
      counts[place] = count;
      sums[place] = (sums[place] as number) + (one / count - (sums[place] as number) / count);
    }
  }
  const shares = Array.from(sums, (sum) => {
    const at = isLog ? Math.log(sum) : sum;
    return most > least ? (at / 2 - least / 2) / (most / 2 - least / 2) : 0.5;
  });
  const there = shares.filter((_, place) => (counts[place] as number) > 0);
  // A line leaves the box where its values leave the range. One that is nowhere within runs along the edge.
  const within = there.some((share) => share >= 0 && share <= 1) ? [-BEYOND, 1 + BEYOND] : [0, 1];
  const [bottom, top] = within as [number, number];
  let path = "";
  let isBroken = true;
  let points = 0;
  for (let place = 0; place < MAX_PLACES; place += 1) {
    if ((counts[place] as number) === 0) {
      // Where values were written that are not finite the line breaks; where none was, it goes on.
      isBroken ||= (rows[place] as number) > 0;
      continue;
    }
    const up = Math.max(bottom, Math.min(top, shares[place] as number));
    const x = MARGIN + (place / (MAX_PLACES - 1)) * (SPARK_WIDTH - 2 * MARGIN);
    const y = SPARK_HEIGHT - MARGIN - up * (SPARK_HEIGHT - 2 * MARGIN);
    path += `${isBroken ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    isBroken = false;
    points += 1;
  }
  // A line of one point is drawn as a dot, by its round end.
  return points === 1 ? `${path}h0.01` : path;
}
