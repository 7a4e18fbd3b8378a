// Thousands of histograms at once: steps from left to right, values upwards, counts as color. Where several steps fall
// into one column of pixels, each cell shows the one with the largest count there, so that no peak is lost.

import { mixed, type PageColors, type Rgb, rgbOf } from "../../charts/theme";
import { type Beyond, beyond } from "../../histograms/bins";
import type { Histogram } from "../../histograms/codec";
import { select } from "../../lib/quantiles";
import type { Range } from "../../lib/search";
import { type CountScale, type CountScaleOptions, countScaleFor } from "./countscale";
import { drawnBins, type Grid, profileOf } from "./profile";
import type { RunSeries } from "./ridges";

/** Counts of one column of the picture, lowest values first, and the row that each is of. */
export interface HeatColumn {
  readonly counts: Float64Array;
  /** Row of the series by cell. */
  readonly rows: Int32Array;
  /** The most that is out of sight of one of its histograms. */
  readonly beyond: Beyond;
}

/** One run's histograms. */
export interface Heatmap {
  readonly run: RunSeries;
  readonly cells: number;
  /** Null where bins are drawn as they were written. */
  readonly grid: Grid | null;
  /** Null where there is none; the same object where one histogram takes several. */
  readonly columns: readonly (HeatColumn | null)[];
}

/**
 * The rows that each of `columns` columns shows: those that begin there; without any, the last one before, up to the end of
 * the newest one.
 */
export function rowsAcross(column: Float64Array, [first, last]: Range, columns: number): (readonly number[])[] {
  const placeAt = (at: number) => Math.floor(((at - first) / (last - first)) * columns);
  const place = (row: number) => placeAt(column[row] as number);
  const order = Array.from(column.keys())
    .filter((i) => Number.isFinite(column[i]) && (column[i] as number) <= last)
    .sort((a, b) => (column[a] as number) - (column[b] as number) || a - b);
  const across = Array.from({ length: columns }, (): number[] => []);
  for (const row of order) {
    across[Math.min(columns - 1, place(row))]?.push(row);
  }
  const end = placeAt(endOf(column));
  let before = order.filter((row) => place(row) < 0).slice(-1);
  return across.map((here, x) => {
    before = here.length > 0 ? here.slice(-1) : before;
    return here.length > 0 || x >= end ? here : before;
  });
}

/** The newest histogram of a series with larger gaps is no wider than this share of all. */
const WIDEST = 1 / 20;

/** Where the newest histogram ends: it is as wide as the one before, unless that was much wider than most. */
export function endOf(column: Float64Array): number {
  const at = [...new Set(column)].filter(Number.isFinite).sort((a, b) => a - b);
  const [first, last] = [at[0], at.at(-1)];
  if (first === undefined || last === undefined) {
    return Number.NEGATIVE_INFINITY;
  }
  const gaps = Float64Array.from(at.slice(1), (here, i) => here - (at[i] as number));
  const newest = gaps.at(-1) ?? 1;
  const usual = gaps.length > 0 ? select(gaps, gaps.length >> 1) : 1;
  return last + Math.min(newest, Math.max(usual, (last - first) * WIDEST));
}

export function heatmapOf(
  run: RunSeries,
  column: Float64Array,
  steps: Range,
  values: Range,
  columns: number,
  cells: number,
  grid: Grid | null,
): Heatmap {
  const { rows } = run.series;
  let lone = -1;
  let last: HeatColumn | null = null;
  const found = rowsAcross(column, steps, columns).map((across) => {
    const [first, ...others] = across;
    const held = rows[first ?? -1];
    if (first === undefined || held === undefined) {
      return null;
    }
    if (others.length === 0 && first === lone) {
      return last;
    }
    const countsOf = (row: Histogram) => profileOf(drawnBins(row, grid), values, cells);
    const most = { counts: countsOf(held), rows: new Int32Array(cells).fill(first), beyond: beyond(held, values) };
    for (const row of others) {
      const other = rows[row] ?? held;
      const { below, above } = beyond(other, values);
      raise(most, countsOf(other), row);
      most.beyond = { below: Math.max(below, most.beyond.below), above: Math.max(above, most.beyond.above) };
    }
    [lone, last] = [others.length === 0 ? first : -1, most];
    return most;
  });
  return { run, cells, grid, columns: found };
}

/** Takes in what a further row has more. */
function raise({ counts, rows }: Pick<HeatColumn, "counts" | "rows">, more: Float64Array, row: number): void {
  for (let cell = 0; cell < more.length; cell += 1) {
    if ((more[cell] as number) > (counts[cell] as number)) {
      counts[cell] = more[cell] as number;
      rows[cell] = row;
    }
  }
}

export function heatScale(maps: readonly Heatmap[], options: CountScaleOptions): CountScale {
  const columns = new Set(maps.flatMap((map) => map.columns));
  return countScaleFor(
    [...columns].flatMap((column) => column?.counts ?? []),
    options,
  );
}

/** Colors from few counts to many. */
const STOPS = 256;

/** The level of a color, from 0 to 1, by square roots: low counts stay visible. */
function levelOf(height: number, log: boolean): number {
  return log ? height : Math.sqrt(height);
}

/** The counts of a cell whose color has this level. */
export function countsAt(level: number, scale: CountScale): number {
  return scale.counts(scale.log ? level : level * level);
}

/** Index of a level's color; the first color means no counts. */
export function stopAt(level: number): number {
  return 1 + Math.round(level * (STOPS - 2));
}

/** The colors of a run's heat map, through its own color; the first means no counts. */
export function rampOf(run: Rgb, { background, foreground }: PageColors): Rgb[] {
  return Array.from({ length: STOPS }, (_, i) => {
    const share = i / (STOPS - 1);
    return share < 0.6
      ? mixed(background, run, 0.1 + (0.9 * share) / 0.6)
      : mixed(run, foreground, (0.65 * (share - 0.6)) / 0.4);
  });
}

/** The picture, a pixel a cell, the highest values first; transparent where there are no counts. */
export function pixelsOf({ run, cells, columns }: Heatmap, scale: CountScale, page: PageColors): ImageData {
  const image = new ImageData(columns.length, cells);
  const pixels = new Uint32Array(image.data.buffer);
  const colors = new Uint32Array(
    Uint8ClampedArray.from(rampOf(rgbOf(run.color), page).flatMap((color) => [...color, 255])).buffer,
  );
  for (const [x, column] of columns.entries()) {
    for (let cell = 0; column !== null && cell < cells; cell += 1) {
      const counts = column.counts[cell] as number;
      if (counts > 0) {
        pixels[(cells - 1 - cell) * columns.length + x] = colors[stopAt(levelOf(scale(counts), scale.log))] as number;
      }
    }
  }
  return image;
}
