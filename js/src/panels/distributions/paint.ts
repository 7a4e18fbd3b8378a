// Paints bands between percentiles: the nearer to the median, the more opaque.

import { visibleSpan } from "../../charts/extent";
import type { PaintPath, Rect, Surface } from "../../charts/geometry";
import { css, mixed, type PageColors, rgbOf } from "../../charts/theme";
import { beyond, markSize } from "../../histograms/bins";
import type { Range } from "../../lib/search";
import { type Bands, stretches } from "./bands";

/** The bands of one run. */
export interface BandLine {
  readonly run: string;
  readonly color: string;
  readonly bands: Bands;
  readonly faded: boolean;
}

/** Bands between two percentiles, from the outermost inwards, with their opacity on top of those below. */
const LAYERS = [
  [0, 8, 0.1],
  [1, 7, 0.1],
  [2, 6, 0.13],
  [3, 5, 0.16],
] as const;

/** Where several runs overlap, fewer layers: all and one standard deviation of few runs, only the latter of many. */
const MAX_LAYERED_RUNS = 3;
const OF_FEW = [
  [0, 8, 0.07],
  [2, 6, 0.15],
] as const;
/** Opacity of the bands of many runs together. */
const MANY_RUNS_ALPHA = 0.6;
const FADED_ALPHA = 0.25;

/** CSS pixels of the medians, and of the background beside a lone one; share of the page's foreground in their color. */
const MEDIAN = 2;
const BESIDE = 1.25;
const DARKER = 0.25;

/** CSS pixels of a mark where hardly anything is out of sight, and what one is higher where all is. */
const MARK = 2;
const MARK_MORE = 16;

type Layer = readonly [low: number, high: number, strength: number];

function layersOf(runs: number): readonly Layer[] {
  return runs > MAX_LAYERED_RUNS ? [[2, 6, MANY_RUNS_ALPHA / runs]] : runs > 1 ? OF_FEW : LAYERS;
}

/** The outermost percentiles drawn when `runs` runs overlap. */
export function outermost(runs: number): readonly [number, number] {
  const [[low, high]] = layersOf(runs) as readonly [Layer];
  return [low, high];
}

export function paintBands(
  { context, ratio, path: newPath }: Surface,
  area: Rect,
  lines: readonly BandLine[],
  { x, y, values }: { readonly x: Range; readonly y: Range; readonly values: Range },
  page: PageColors,
): void {
  const xScale = area.width / (x[1] - x[0]);
  const yScale = area.height / (y[1] - y[0]);
  const bottom = area.top + area.height;
  const across = (value: number) => area.left + (value - x[0]) * xScale;
  // A canvas computes in single precision, which is too little for places far outside of it.
  const up = (value: number) => Math.max(area.top - 1e5, Math.min(bottom + 1e5, bottom - (value - y[0]) * yScale));
  context.save();
  context.beginPath();
  context.rect(area.left, area.top, area.width, area.height);
  context.clip();
  context.lineJoin = "round";
  const front = lines.filter((line) => !line.faded).length;
  const layers = layersOf(front);
  const ordered = [...lines].sort((a, b) => Number(b.faded) - Number(a.faded));
  for (const { bands, color, faded } of ordered) {
    const [from, to] = visibleSpan(bands, x);
    const parts = stretches(bands, from, to);
    context.fillStyle = color;
    for (const [low, high, strength] of layers) {
      const lower = bands.percentiles[low] as Float64Array;
      const upper = bands.percentiles[high] as Float64Array;
      context.globalAlpha = strength * (faded ? FADED_ALPHA : 1);
      context.fill(bandOf(newPath(), bands.x, lower, upper, parts, across, up, ratio));
    }
    const median = medianOf(newPath(), bands, parts, across, up, ratio);
    if (front === 1 && !faded) {
      context.globalAlpha = 0.7;
      context.strokeStyle = css(page.background);
      context.lineWidth = (MEDIAN + 2 * BESIDE) * ratio;
      context.stroke(median);
    }
    const strong = css(mixed(rgbOf(color), page.foreground, DARKER));
    context.globalAlpha = faded ? FADED_ALPHA : 1;
    context.strokeStyle = strong;
    context.lineWidth = (front > MAX_LAYERED_RUNS ? 1.25 : MEDIAN) * ratio;
    context.stroke(median);
    if (!faded) {
      context.fillStyle = strong;
      context.globalAlpha = 1 / Math.sqrt(front);
      context.fill(beyondOf(newPath(), bands, parts, layers[0] as Layer, { area, across, y, values, ratio }));
    }
  }
  context.restore();
}

type ToPixel = (value: number) => number;

function bandOf(
  path: PaintPath,
  x: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
  parts: readonly (readonly [number, number])[],
  across: ToPixel,
  up: ToPixel,
  ratio: number,
): PaintPath {
  for (const [from, to] of parts) {
    if (to === from + 1) {
      // A lone histogram is a bar.
      const at = across(x[from] as number);
      const top = up(upper[from] as number);
      path.rect(at - 2 * ratio, top, 4 * ratio, up(lower[from] as number) - top);
      continue;
    }
    path.moveTo(across(x[from] as number), up(upper[from] as number));
    for (let i = from + 1; i < to; i += 1) {
      path.lineTo(across(x[i] as number), up(upper[i] as number));
    }
    for (let i = to - 1; i >= from; i -= 1) {
      path.lineTo(across(x[i] as number), up(lower[i] as number));
    }
    path.closePath();
  }
  return path;
}

interface Frame {
  readonly area: Rect;
  readonly across: ToPixel;
  readonly y: Range;
  readonly values: Range;
  readonly ratio: number;
}

/** Marks along the upper and the lower edge where the outermost band leaves the plot: the more lies beyond, the higher. */
function beyondOf(
  path: PaintPath,
  { x, series, percentiles }: Bands,
  parts: readonly (readonly [number, number])[],
  [low, high]: Layer,
  { area, across, y, values, ratio }: Frame,
): PaintPath {
  const [lower, upper] = [percentiles[low] as Float64Array, percentiles[high] as Float64Array];
  const sides = [
    { edge: area.top, inwards: 1, part: "above", leaves: (i: number) => (upper[i] as number) > y[1] },
    { edge: area.top + area.height, inwards: -1, part: "below", leaves: (i: number) => (lower[i] as number) < y[0] },
  ] as const;
  for (const [from, to] of parts) {
    for (const { edge, inwards, part, leaves } of sides) {
      const heights = series.rows.slice(from, to).map((row, i) => {
        const share = leaves(from + i) ? beyond(row, values)[part] : 0;
        return share > 0 ? (MARK + MARK_MORE * markSize(share)) * ratio : 0;
      });
      if (heights.every((height) => height === 0)) {
        continue;
      }
      path.moveTo(across(x[from] as number) - ratio, edge);
      // Each step is two pixels wide at least.
      for (const [i, height] of heights.entries()) {
        const at = across(x[from + i] as number);
        path.lineTo(at - ratio, edge + inwards * height);
        path.lineTo(at + ratio, edge + inwards * height);
      }
      path.lineTo(across(x[to - 1] as number) + ratio, edge);
      path.closePath();
    }
  }
  return path;
}

function medianOf(
  path: PaintPath,
  { x, y }: Bands,
  parts: readonly (readonly [number, number])[],
  across: ToPixel,
  up: ToPixel,
  ratio: number,
): PaintPath {
  for (const [from, to] of parts) {
    const alone = to === from + 1 ? 2 * ratio : 0;
    path.moveTo(across(x[from] as number) - alone, up(y[from] as number));
    for (let i = from; i < to; i += 1) {
      path.lineTo(across(x[i] as number) + alone, up(y[i] as number));
    }
  }
  return path;
}
