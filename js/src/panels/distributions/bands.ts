// The percentiles of a series along its steps or times: what the distributions panel draws.

import { type Along, positionsOf } from "../../charts/along";
import type { Drawn } from "../../charts/extent";
import { BASIS_POINTS, MEDIAN, percentilesOf } from "../../charts/percentiles";
import type { HistogramSeries } from "../../wire/histograms";

/** What is drawn: the median, what lies around it, and the percentiles; a row for each histogram that is held. */
export interface Bands extends Drawn {
  readonly series: HistogramSeries;
  /** By basis point; NaN where nothing was counted. */
  readonly percentiles: readonly Float64Array[];
  readonly low: Float64Array;
  readonly high: Float64Array;
}

interface Kept {
  readonly percentiles: readonly Float64Array[];
  bands?: { readonly along: Along; readonly log: boolean; readonly bands: Bands };
}

const kept = new WeakMap<HistogramSeries, Kept>();

/** Rows keep their percentiles: a series that grows has mostly the rows that it had before. */
const byRow = new WeakMap<object, Float64Array>();

export function bandsOf(series: HistogramSeries, along: Along, log: boolean): Bands {
  let known = kept.get(series);
  if (known === undefined) {
    known = { percentiles: columnsOf(series) };
    kept.set(series, known);
  }
  if (known.bands?.along === along && known.bands.log === log) {
    return known.bands.bands;
  }
  const percentiles = log ? known.percentiles.map(log10) : known.percentiles;
  const x = positionsOf(series, along);
  const y = percentiles[MEDIAN] as Float64Array;
  const [low, high] = [percentiles[0] as Float64Array, percentiles.at(-1) as Float64Array];
  const ascending = x.every((at, i) => i === 0 || at >= (x[i - 1] as number));
  const bands = { series, x, ascending, percentiles, y, raw: y, low, high };
  known.bands = { along, log, bands };
  return bands;
}

function columnsOf({ rows }: HistogramSeries): Float64Array[] {
  const columns = BASIS_POINTS.map(() => new Float64Array(rows.length));
  for (const [i, row] of rows.entries()) {
    let values = byRow.get(row);
    if (values === undefined) {
      values = percentilesOf(row);
      byRow.set(row, values);
    }
    for (const [at, column] of columns.entries()) {
      column[i] = values[at] as number;
    }
  }
  return columns;
}

/** Only what is positive has a place on a logarithmic axis; bands go down to its lower end. */
function log10(values: Float64Array): Float64Array {
  return values.map((value) => (value > 0 ? Math.log10(value) : value <= 0 ? Number.NEGATIVE_INFINITY : Number.NaN));
}

/** Rows [from, to) that follow one another without one in which nothing was counted. */
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
