// Thousands of histograms at once: steps from left to right, values upwards, counts as colour.

import type { HistogramSeries } from "../../wire/histograms";
import { type Heights, heightsFor } from "./heights";
import { profileOf, type Range } from "./profile";
import type { RunSeries } from "./ridges";
import { mixed, parseColour, type Rgb } from "./shades";

/** One run's histograms: a column of the picture for each histogram that can be told apart. */
export interface Heatmap {
  readonly run: RunSeries;
  readonly columns: number;
  readonly cells: number;
  /** Row of the series in each column of the picture; -1 where there is none. */
  readonly rows: Int32Array;
  /** Profile of each row that is shown, lowest value first. */
  readonly profiles: ReadonlyMap<number, Float64Array>;
}

/** Which row stands in each of so many columns: the last that begins at or before the column's end. */
export function rowsAcross(column: Float64Array, [first, last]: Range, columns: number): Int32Array {
  const rows = new Int32Array(columns).fill(-1);
  const order = Array.from(column.keys())
    .filter((i) => Number.isFinite(column[i]))
    .sort((a, b) => (column[a] as number) - (column[b] as number) || a - b);
  const width = (last - first) / columns;
  let next = 0;
  let current = -1;
  for (let x = 0; x < columns; x += 1) {
    const end = x === columns - 1 ? last : first + (x + 1) * width;
    while (next < order.length && (column[order[next] as number] as number) <= end) {
      current = order[next] as number;
      next += 1;
    }
    // Behind its last histogram a series says nothing.
    const over = next === order.length && current >= 0 && (column[current] as number) < first + x * width;
    rows[x] = over ? -1 : current;
  }
  return rows;
}

export function heatmapOf(
  run: RunSeries,
  column: Float64Array,
  steps: Range,
  values: Range,
  columns: number,
  cells: number,
): Heatmap {
  const rows = rowsAcross(column, steps, columns);
  const profiles = new Map<number, Float64Array>();
  const series: HistogramSeries = run.series;
  for (const row of rows) {
    const held = series.rows[row];
    if (held !== undefined && !profiles.has(row)) {
      profiles.set(row, profileOf(held, values, cells));
    }
  }
  return { run, columns, cells, rows, profiles };
}

export function heatHeights(
  maps: readonly Heatmap[],
  look: { readonly log: boolean; readonly ignoreOutliers: boolean },
): Heights {
  return heightsFor(
    maps.flatMap(({ profiles }) => [...profiles.values()]),
    look,
  );
}

/** Colours from few counts to many: through the run's own. */
const STOPS = 256;

function ramp(run: Rgb, paper: Rgb, ink: Rgb): Uint32Array {
  const colours = new Uint32Array(STOPS);
  const bytes = new Uint8ClampedArray(colours.buffer);
  for (let i = 0; i < STOPS; i += 1) {
    const share = i / (STOPS - 1);
    const colour =
      share < 0.6 ? mixed(paper, run, 0.1 + (0.9 * share) / 0.6) : mixed(run, ink, (0.65 * (share - 0.6)) / 0.4);
    bytes.set([...colour, i === 0 ? 0 : 255], 4 * i);
  }
  return colours;
}

/** The picture, a pixel a cell, the highest values first; nothing where nothing was counted. */
export function pixelsOf(
  { run, columns, cells, rows, profiles }: Heatmap,
  heights: Heights,
  paper: Rgb,
  ink: Rgb,
): ImageData {
  const image = new ImageData(columns, cells);
  const pixels = new Uint32Array(image.data.buffer);
  const colours = ramp(parseColour(run.colour), paper, ink);
  for (let x = 0; x < columns; x += 1) {
    const profile = profiles.get(rows[x] as number);
    if (profile === undefined) {
      continue;
    }
    for (let cell = 0; cell < cells; cell += 1) {
      const counts = profile[cell] as number;
      if (counts > 0) {
        // Square roots: twice the counts is seen as more, not as twice as much.
        const level = 1 + Math.round(Math.sqrt(heights(counts)) * (STOPS - 2));
        pixels[(cells - 1 - cell) * columns + x] = colours[level] as number;
      }
    }
  }
  return image;
}
