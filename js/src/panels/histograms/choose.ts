// Which histograms of a series are drawn, and which values the card shows.

import { type Along, positionsOf } from "../../charts/along";
import { percentilesOf } from "../../charts/percentiles";
import { rangeWithoutOutliers } from "../../lib/quantiles";
import type { Histogram, HistogramSeries } from "../../wire/histograms";
import { extentOf, type Range } from "./profile";

/** Of 10,000: what is cut off at either end of a histogram when outliers are ignored. */
const TAILS = [5, 9995];

/** Share of the span left free at either end. */
const MARGIN = 0.02;

/** Spans below, relative to their ends, are lost in rounding. */
const NARROWEST = 1e-9;

/**
 * Rows of a series that are drawn, `most` at most: of those within `range` (null: all) the ones at multiples of a power of
 * two, so that few change places while the series grows, and the newest.
 */
export function chosenRows(series: HistogramSeries, column: Float64Array, range: Range | null, most: number): number[] {
  const inSight: number[] = [];
  for (let i = 0; i < column.length; i += 1) {
    const at = column[i] as number;
    if (at - at === 0 && (range === null || (at >= range[0] && at <= range[1]))) {
      inSight.push(i);
    }
  }
  let chosen = inSight;
  for (let stride = 1; chosen.length > most; ) {
    stride *= 2;
    chosen = inSight.filter((row) => (series.rows[row]?.place ?? 0) % stride === 0);
  }
  const newest = inSight.at(-1);
  return newest === undefined || chosen.at(-1) === newest ? chosen : [...chosen, newest];
}

const ends = new WeakMap<Histogram, { readonly all: Range | null; readonly most: Range | null }>();

function endsOf(row: Histogram): { readonly all: Range | null; readonly most: Range | null } {
  let known = ends.get(row);
  if (known === undefined) {
    const all = extentOf(row);
    const [low, high] = percentilesOf(row, TAILS);
    known = { all, most: all === null ? null : [low as number, high as number] };
    ends.set(row, known);
  }
  return known;
}

/** Values from which to which histograms are shown; without outliers, nearly all of nearly all histograms. */
export function valueRange(rows: readonly Histogram[], ignoreOutliers: boolean): Range {
  const held = rows.flatMap((row) => endsOf(row)[ignoreOutliers ? "most" : "all"] ?? []);
  const extent = ignoreOutliers
    ? rangeWithoutOutliers(Float64Array.from(held))
    : held.length > 0
      ? ([held.reduce((a, b) => Math.min(a, b)), held.reduce((a, b) => Math.max(a, b))] as const)
      : null;
  if (extent === null) {
    return [0, 1];
  }
  const [min, max] = extent;
  const span = max - min;
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (span > size * NARROWEST) {
    return [min - span * MARGIN, max + span * MARGIN];
  }
  const room = size > 0 ? size * 0.1 : 1;
  return [min - room, max + room];
}

/** First and last place of all steps of these runs. */
export function placesSpanned(runs: readonly { readonly series: HistogramSeries }[], along: Along): Range {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const { series } of runs) {
    for (const at of positionsOf(series, along)) {
      if (at - at === 0) {
        min = Math.min(min, at);
        max = Math.max(max, at);
      }
    }
  }
  return min < max ? [min, max] : min === max ? [min, min + 1] : [0, 1];
}
