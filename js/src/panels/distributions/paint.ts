// Paints bands between percentiles: the nearer to the median, the fuller.

import type { Range } from "../../charts/axis";
import type { Box } from "../../charts/chart";
import { visibleSpan } from "../../charts/extent";
import { type Bands, stretches } from "./bands";

/** The bands of one run. */
export interface BandLine {
  readonly run: string;
  readonly colour: string;
  readonly bands: Bands;
  readonly faded: boolean;
}

/** Each between two percentiles, from the outermost in, and how strong it is on top of those below. */
const LAYERS = [
  [0, 8, 0.13],
  [1, 7, 0.17],
  [2, 6, 0.22],
  [3, 5, 0.28],
] as const;

/** Where several runs overlap, less of each: all of it and what lies within a standard deviation, or only that, faintly. */
const FEW = 3;
const OF_FEW = [
  [0, 8, 0.09],
  [2, 6, 0.2],
] as const;
/** How strong all bands upon one another are, of however many runs. */
const OF_MANY = 0.6;
const FADED = 0.25;

type Layer = readonly [low: number, high: number, strength: number];

function layersOf(runs: number): readonly Layer[] {
  return runs > FEW ? [[2, 6, OF_MANY / runs]] : runs > 1 ? OF_FEW : LAYERS;
}

/** The percentiles between which something is drawn of each of so many runs upon one another. */
export function outermost(runs: number): readonly [number, number] {
  const [[low, high]] = layersOf(runs) as readonly [Layer];
  return [low, high];
}

export function paintBands(
  context: CanvasRenderingContext2D,
  box: Box,
  lines: readonly BandLine[],
  x: Range,
  y: Range,
): void {
  const xScale = box.width / (x[1] - x[0]);
  const yScale = box.height / (y[1] - y[0]);
  const bottom = box.top + box.height;
  const across = (value: number) => box.left + (value - x[0]) * xScale;
  // What lies far outside would be lost in the canvas' single precision.
  const up = (value: number) => Math.max(box.top - 1e5, Math.min(bottom + 1e5, bottom - (value - y[0]) * yScale));
  context.save();
  context.beginPath();
  context.rect(box.left, box.top, box.width, box.height);
  context.clip();
  context.lineJoin = "round";
  const front = lines.filter((line) => !line.faded).length;
  const layers = layersOf(front);
  const ordered = [...lines].sort((a, b) => Number(b.faded) - Number(a.faded));
  for (const { bands, colour, faded } of ordered) {
    const [from, to] = visibleSpan(bands, x);
    const parts = stretches(bands, from, to);
    context.fillStyle = colour;
    context.strokeStyle = colour;
    for (const [low, high, strength] of layers) {
      const lower = bands.percentiles[low] as Float64Array;
      const upper = bands.percentiles[high] as Float64Array;
      context.globalAlpha = strength * (faded ? FADED : 1);
      context.fill(areaOf(bands.x, lower, upper, parts, across, up));
    }
    context.globalAlpha = faded ? FADED : 1;
    context.lineWidth = 1.25 * devicePixelRatio;
    context.stroke(lineOf(bands, parts, across, up));
  }
  context.restore();
}

type Place = (value: number) => number;

function areaOf(
  x: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
  parts: readonly (readonly [number, number])[],
  across: Place,
  up: Place,
): Path2D {
  const path = new Path2D();
  for (const [from, to] of parts) {
    if (to === from + 1) {
      // A lone histogram is a bar.
      const at = across(x[from] as number);
      const top = up(upper[from] as number);
      path.rect(at - 2 * devicePixelRatio, top, 4 * devicePixelRatio, up(lower[from] as number) - top);
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

function lineOf({ x, y }: Bands, parts: readonly (readonly [number, number])[], across: Place, up: Place): Path2D {
  const path = new Path2D();
  for (const [from, to] of parts) {
    const alone = to === from + 1 ? 2 * devicePixelRatio : 0;
    path.moveTo(across(x[from] as number) - alone, up(y[from] as number));
    for (let i = from; i < to; i += 1) {
      path.lineTo(across(x[i] as number) + alone, up(y[i] as number));
    }
  }
  return path;
}
