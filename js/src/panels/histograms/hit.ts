// Hit tests: the histogram and the bin below the pointer.

import { type Beyond, beyond, edgesOf } from "../../histograms/bins";
import type { Histogram } from "../../histograms/codec";
import type { Range } from "../../lib/search";
import type { Heatmap } from "./heatmap";
import { binAt, binWidth, drawnBins, type Grid } from "./profile";
import { type Ridge, type Ridges, type RunSeries, ridgeAt } from "./ridges";

/** A bin as it is drawn. */
export interface HitBin {
  readonly left: number;
  readonly right: number;
  readonly count: number;
  /** It is none of those written, so that its count may be of parts. */
  readonly even: boolean;
}

export interface HistogramHit {
  readonly run: RunSeries;
  readonly row: Histogram;
  /** Null where a whole histogram was chosen. */
  readonly bin: HitBin | null;
  /** Null in a heat map. */
  readonly ridge: Ridge | null;
  /** The visible values, and the histogram's counts beyond them. */
  readonly values: Range;
  readonly beyond: Beyond;
  /** The width of a bin that has as many counts as heights stand for, and how many are drawn at most; null where all are. */
  readonly per: number;
  readonly cutAbove: number | null;
}

/** Pixels beside a bin that count as on it. */
const REACH = 2;

/** Rounding error of counts, as a share. */
const ROUNDING = 1e-9;

/** `x` and `y` are shares of the plot, from its upper left corner. */
export function hitInRidges(ridges: Ridges, x: number, y: number): HistogramHit | null {
  const ridge = ridges.ridges[ridgeAt(ridges, x, y)];
  if (ridge === undefined) {
    return null;
  }
  const { profile } = ridge;
  const column = within(x, profile.length);
  const cut = (profile[column] as number) > ridges.countScale.top * (1 + ROUNDING);
  return {
    ...hitOnRidge(ridges, ridge),
    bin: binOf(ridge.row, ridges, x, profile.length),
    cutAbove: cut ? topOf(ridges) : null,
  };
}

/** The whole of a ridge. */
export function hitOnRidge({ values }: Ridges, ridge: Ridge): HistogramHit {
  const { run, row } = ridge;
  return { run, row, ridge, bin: null, values, beyond: ridge.beyond, per: binWidth(values), cutAbove: null };
}

/** The step of a column that the cell shows. */
export function hitInHeatmap(map: Heatmap, values: Range, x: number, y: number): HistogramHit | null {
  const { run, cells, columns } = map;
  const row = run.series.rows[columns[within(x, columns.length)]?.rows[within(1 - y, cells)] ?? -1];
  return row === undefined
    ? null
    : { ...hitOnRow(run, row, values), bin: binOf(row, { values, grid: map.grid }, 1 - y, cells) };
}

/** The whole of a histogram in a heat map. */
export function hitOnRow(run: RunSeries, row: Histogram, values: Range): HistogramHit {
  return {
    run,
    row,
    ridge: null,
    bin: null,
    values,
    beyond: beyond(row, values),
    per: binWidth(values),
    cutAbove: null,
  };
}

/** Counts of a bin as wide as heights are given for, at the top of the scale. */
function topOf({ values, countScale, ridges }: Ridges): number {
  return (countScale.top * (ridges[0]?.profile.length ?? 0) * binWidth(values)) / (values[1] - values[0]);
}

function within(share: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(share * count)));
}

function binOf(
  row: Histogram,
  { values: [min, max], grid }: { readonly values: Range; readonly grid: Grid | null },
  share: number,
  columns: number,
): HitBin | null {
  const drawn = drawnBins(row, grid);
  const bin = binAt(drawn, min + share * (max - min), (REACH * (max - min)) / columns);
  if (bin < 0) {
    return null;
  }
  const { left, right } = edgesOf(drawn);
  const count = drawn.counts[bin] as number;
  return { left: left[bin] as number, right: right[bin] as number, count, even: grid !== null };
}
