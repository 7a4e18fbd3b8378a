// Which histograms of a series are drawn, and which values the card shows.

import { MIDDLE, percentilesOf } from "../../histograms/bins";
import type { Histogram, HistogramSeries } from "../../histograms/codec";
import { positionsOf } from "../../histograms/steps";
import { aroundMiddle } from "../../lib/quantiles";
import type { Range } from "../../lib/search";
import type { XAxisMode } from "../../lib/xaxis";
import { extentOf } from "./profile";

/** Share of the span left free at either end. */
const MARGIN = 0.02;

/** Narrower spans, relative to their ends, are lost in rounding. */
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

/** From the least to the greatest end. */
function covering(ranges: readonly (Range | null)[]): Range | null {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const range of ranges) {
    // Bins that were written in another order may have percentiles that descend.
    min = Math.min(min, ...(range ?? []));
    max = Math.max(max, ...(range ?? []));
  }
  return min <= max ? [min, max] : null;
}

interface Extents {
  readonly all: Range | null;
  /** Range of 99 % of the counts. */
  readonly middle: Range | null;
}

const cache = new WeakMap<Histogram, Extents>();

function extentsOf(row: Histogram): Extents {
  let known = cache.get(row);
  if (known === undefined) {
    const all = extentOf(row);
    const [low, high] = percentilesOf(row, MIDDLE);
    known = { all, middle: all === null ? null : [low as number, high as number] };
    cache.set(row, known);
  }
  return known;
}

/**
 * The visible range of values: all of them. Without outliers, it is the middle 99 % of every histogram and the values at most
 * half its width away, so that a spike of a single step stays visible.
 */
export function valueRange(rows: readonly Histogram[], ignoreOutliers: boolean): Range {
  const extents = rows.map(extentsOf);
  const all = covering(extents.map((extent) => extent.all));
  const middle = covering(extents.map((extent) => extent.middle));
  if (all === null || middle === null) {
    return [0, 1];
  }
  const [min, max] = ignoreOutliers ? aroundMiddle(middle, all) : all;
  const span = max - min;
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (span > size * NARROWEST) {
    return [min - span * MARGIN, max + span * MARGIN];
  }
  const room = size > 0 ? size * 0.1 : 1;
  return [min - room, max + room];
}

/** The first and the last step, or time, of these runs. */
export function positionRange(runs: readonly { readonly series: HistogramSeries }[], xAxis: XAxisMode): Range {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const { series } of runs) {
    for (const at of positionsOf(series, xAxis)) {
      if (at - at === 0) {
        min = Math.min(min, at);
        max = Math.max(max, at);
      }
    }
  }
  return min < max ? [min, max] : min === max ? [min, min + 1] : [0, 1];
}
