// What the pointer is on: a histogram, and the bin of it.

import { edgesOf } from "../../wire/bins";
import type { Histogram } from "../../wire/histograms";
import type { Heatmap } from "./heatmap";
import { binAt, type Range } from "./profile";
import { type Ridge, type Ridges, type RunSeries, ridgeAt } from "./ridges";

export interface Found {
  readonly run: RunSeries;
  readonly row: Histogram;
  readonly bin: { readonly left: number; readonly right: number; readonly count: number } | null;
  /** Null in a heat map. */
  readonly ridge: Ridge | null;
}

/** Pixels beside a bin that count as on it. */
const REACH = 2;

/** `x` and `y` are shares of the plot, from its upper left corner. */
export function foundInRidges(scene: Ridges, x: number, y: number): Found | null {
  const ridge = scene.ridges[ridgeAt(scene, x, y)];
  return ridge === undefined
    ? null
    : { run: ridge.run, row: ridge.row, ridge, bin: binOf(ridge.row, scene.values, x, ridge.profile.length) };
}

/** Of the steps in a column the one that the cell shows. */
export function foundInMap({ run, cells, columns }: Heatmap, values: Range, x: number, y: number): Found | null {
  const within = (share: number, count: number) => Math.min(count - 1, Math.max(0, Math.floor(share * count)));
  const row = run.series.rows[columns[within(x, columns.length)]?.rows[within(1 - y, cells)] ?? -1];
  return row === undefined ? null : { run, row, ridge: null, bin: binOf(row, values, 1 - y, cells) };
}

function binOf(row: Histogram, [min, max]: Range, share: number, columns: number): Found["bin"] {
  const bin = binAt(row, min + share * (max - min), (REACH * (max - min)) / columns);
  if (bin < 0) {
    return null;
  }
  const { left, right } = edgesOf(row);
  return { left: left[bin] as number, right: right[bin] as number, count: row.counts[bin] as number };
}
