// The percentiles of a series along its steps or times: what the distributions panel draws.

import type { LineData } from "../../charts/extent";
import { BASIS_POINTS, MEDIAN, MIDDLE, percentilesOf } from "../../histograms/bins";
import type { HistogramSeries } from "../../histograms/codec";
import { positionsOf } from "../../histograms/steps";
import type { XAxisMode } from "../../lib/xaxis";

/** The percentiles of a series as columns, with a row for each histogram that is held. */
export interface Bands extends LineData {
  readonly series: HistogramSeries;
  /** By basis point; NaN of an empty histogram. */
  readonly percentiles: readonly Float64Array[];
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly middle: readonly [Float64Array, Float64Array];
}

/** In ascending order: the ends of the middle lie between the outermost percentiles and their neighbors. */
const POINTS = [BASIS_POINTS[0], MIDDLE[0], ...BASIS_POINTS.slice(1, -1), MIDDLE[1], BASIS_POINTS[8]];

interface Cached {
  readonly percentiles: readonly Float64Array[];
  readonly middle: readonly [Float64Array, Float64Array];
  bands?: { readonly xAxis: XAxisMode; readonly log: boolean; readonly bands: Bands };
}

const cache = new WeakMap<HistogramSeries, Cached>();

/** Percentiles by row: a series that grows has mostly the same rows as before. */
const byRow = new WeakMap<object, Float64Array>();

export function bandsOf(series: HistogramSeries, xAxis: XAxisMode, log: boolean): Bands {
  let known = cache.get(series);
  if (known === undefined) {
    const [least, low, ...others] = columnsOf(series) as [Float64Array, Float64Array, ...Float64Array[]];
    const [high] = others.splice(-2, 1) as [Float64Array];
    known = { percentiles: [least, ...others], middle: [low, high] };
    cache.set(series, known);
  }
  if (known.bands?.xAxis === xAxis && known.bands.log === log) {
    return known.bands.bands;
  }
  const percentiles = log ? known.percentiles.map(log10) : known.percentiles;
  const x = positionsOf(series, xAxis);
  const y = percentiles[MEDIAN] as Float64Array;
  const [low, high] = [percentiles[0] as Float64Array, percentiles.at(-1) as Float64Array];
  const ascending = x.every((at, i) => i === 0 || at >= (x[i - 1] as number));
  const [from, to] = known.middle;
  const middle = log ? ([log10(from), log10(to)] as const) : known.middle;
  const bands = { series, x, ascending, percentiles, y, raw: y, low, high, middle };
  known.bands = { xAxis, log, bands };
  return bands;
}

/** Bytes that were computed for a series. */
export function bandBytes(series: HistogramSeries): number {
  const known = cache.get(series);
  const percentiles = known === undefined ? [] : [...known.percentiles, ...known.middle];
  const { bands } = known?.bands ?? {};
  const columns = new Set([...percentiles, ...(bands ? [...bands.percentiles, ...bands.middle, bands.x] : [])]);
  // The same values are held once more, row by row.
  let bytes = percentiles.reduce((sum, column) => sum + column.byteLength, 0);
  for (const column of columns) {
    bytes += column.byteLength;
  }
  return bytes;
}

/** Drops the computed bands of a series that is off the screen. */
export function forgetBands(series: HistogramSeries): void {
  cache.delete(series);
  for (const row of series.rows) {
    byRow.delete(row);
  }
}

function columnsOf({ rows }: HistogramSeries): Float64Array[] {
  const columns = POINTS.map(() => new Float64Array(rows.length));
  for (const [i, row] of rows.entries()) {
    let values = byRow.get(row);
    if (values === undefined) {
      values = percentilesOf(row, POINTS);
      byRow.set(row, values);
    }
    for (const [at, column] of columns.entries()) {
      column[i] = values[at] as number;
    }
  }
  return columns;
}

/** Only positive values have a place on a logarithmic axis; bands go down to its lower end. */
function log10(values: Float64Array): Float64Array {
  return values.map((value) => (value > 0 ? Math.log10(value) : value <= 0 ? Number.NEGATIVE_INFINITY : Number.NaN));
}

/** Consecutive rows of [from, to) without an empty histogram among them. */
export function stretches({ y }: Pick<Bands, "y">, from: number, to: number): [number, number][] {
  const found: [number, number][] = [];
  let begin = -1;
  for (let i = from; i <= to; i += 1) {
    const held = i < to && !Number.isNaN(y[i]);
    if (held && begin < 0) {
      begin = i;
    } else if (!held && begin >= 0) {
      found.push([begin, i]);
      begin = -1;
    }
  }
  return found;
}
