// Thousands of histograms at once: steps from left to right, values upwards, counts as colour. Where several steps fall
// into one column, each cell shows the one that counted most there: none is lost.

import { type Heights, heightsFor, type Scale } from "./heights";
import { profileOf, type Range } from "./profile";
import type { RunSeries } from "./ridges";
import { mixed, parseColour, type Rgb } from "./shades";

/** Counts of one column of the picture, lowest values first, and which row they are of. */
export interface HeatColumn {
  readonly counts: Float64Array;
  /** Row of the series by cell. */
  readonly rows: Int32Array;
}

/** One run's histograms. */
export interface Heatmap {
  readonly run: RunSeries;
  readonly cells: number;
  /** Null where there is none; the same object where one histogram takes several. */
  readonly columns: readonly (HeatColumn | null)[];
}

/**
 * Which rows stand in each of so many columns: those that begin there; where none does, the last before, unless that is
 * behind the series' end: its last histogram holds for a step, or a second.
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
  const end = placeAt(column.reduce((most, at) => (at > most ? at : most), Number.NEGATIVE_INFINITY) + 1);
  let before = order.filter((row) => place(row) < 0).slice(-1);
  return across.map((here, x) => {
    before = here.length > 0 ? here.slice(-1) : before;
    return here.length > 0 || x >= end ? here : before;
  });
}

export function heatmapOf(
  run: RunSeries,
  column: Float64Array,
  steps: Range,
  values: Range,
  columns: number,
  cells: number,
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
    const counts = profileOf(held, values, cells);
    const most = { counts, rows: new Int32Array(cells).fill(first) };
    for (const row of others) {
      raise(most, profileOf(rows[row] ?? held, values, cells), row);
    }
    [lone, last] = [others.length === 0 ? first : -1, most];
    return most;
  });
  return { run, cells, columns: found };
}

/** Takes in what a further row has more. */
function raise({ counts, rows }: HeatColumn, more: Float64Array, row: number): void {
  for (let cell = 0; cell < more.length; cell += 1) {
    if ((more[cell] as number) > (counts[cell] as number)) {
      counts[cell] = more[cell] as number;
      rows[cell] = row;
    }
  }
}

export function heatHeights(maps: readonly Heatmap[], scale: Scale): Heights {
  const columns = new Set(maps.flatMap((map) => map.columns));
  return heightsFor(
    [...columns].flatMap((column) => column?.counts ?? []),
    scale,
  );
}

/** Colours from few counts to many. */
const STOPS = 256;

/** How strong a colour is, from 0 to 1. By square roots, twice the counts is seen as more, not as twice as much. */
function levelOf(height: number, log: boolean): number {
  return log ? height : Math.sqrt(height);
}

/** The counts of a cell whose colour is so strong. */
export function countsAt(level: number, heights: Heights): number {
  return heights.counts(heights.log ? level : level * level);
}

/** Which of so many colours is so strong; the first is nothing's. */
export function stopAt(level: number): number {
  return 1 + Math.round(level * (STOPS - 2));
}

/** The colours of a run, through its own; the first is nothing's. */
export function rampOf(run: Rgb, paper: Rgb, ink: Rgb): Rgb[] {
  return Array.from({ length: STOPS }, (_, i) => {
    const share = i / (STOPS - 1);
    return share < 0.6 ? mixed(paper, run, 0.1 + (0.9 * share) / 0.6) : mixed(run, ink, (0.65 * (share - 0.6)) / 0.4);
  });
}

/** The picture, a pixel a cell, the highest values first; nothing where nothing was counted. */
export function pixelsOf({ run, cells, columns }: Heatmap, heights: Heights, paper: Rgb, ink: Rgb): ImageData {
  const image = new ImageData(columns.length, cells);
  const pixels = new Uint32Array(image.data.buffer);
  const colours = new Uint32Array(
    Uint8ClampedArray.from(rampOf(parseColour(run.colour), paper, ink).flatMap((colour) => [...colour, 255])).buffer,
  );
  for (const [x, column] of columns.entries()) {
    for (let cell = 0; column !== null && cell < cells; cell += 1) {
      const counts = column.counts[cell] as number;
      if (counts > 0) {
        pixels[(cells - 1 - cell) * columns.length + x] = colours[
          stopAt(levelOf(heights(counts), heights.log))
        ] as number;
      }
    }
  }
  return image;
}
