// Paints the lines of a chart onto its canvas.

import type { Range } from "../../charts/axis";
import type { Box } from "../../charts/chart";
import { visibleSpan } from "../../charts/extent";
import type { Curve } from "./curve";
import { gapAt } from "./gaps";
import { partsOf } from "./parts";
import { type Mapping, type Pen, trace, traceBand } from "./trace";

export interface Line {
  readonly run: string;
  readonly colour: string;
  readonly curve: Curve;
  /** Another line is being pointed out. */
  readonly faded: boolean;
}

/** Many lines are drawn finer. */
const LINE_WIDTH = 1.5;
const FINE_WIDTH = 1;
const MANY_LINES = 12;
const FADED = 0.15;
/** How strongly values show behind their smoothed line, and the extremes of buckets behind their means. */
const BEHIND = 0.25;
const BAND = 0.3;
const DOT_RADIUS = 2.5;
const MARK_SIZE = 4;

/** Paints lines into `box`, whose edges stand for `x` and `y`; those pointed out lie above the others. */
export function paint(
  context: CanvasRenderingContext2D,
  box: Box,
  lines: readonly Line[],
  x: Range,
  y: Range,
  zoomed: boolean,
): void {
  const ratio = devicePixelRatio;
  const xScale = box.width / (x[1] - x[0]);
  const yScale = -box.height / (y[1] - y[0]);
  const map = { xScale, xOffset: box.left - x[0] * xScale, yScale, yOffset: box.top + box.height - y[0] * yScale };
  context.save();
  context.beginPath();
  // Points at the very end are drawn whole.
  const overhang = zoomed ? 0 : 2 * DOT_RADIUS * ratio;
  context.rect(box.left - overhang, box.top - overhang, box.width + 2 * overhang, box.height + 2 * overhang);
  context.clip();
  context.lineJoin = "round";
  const width = (lines.length > MANY_LINES ? FINE_WIDTH : LINE_WIDTH) * ratio;
  const back = lines.filter((line) => line.faded);
  const front = lines.filter((line) => !line.faded);
  for (const group of [back, front]) {
    for (const line of group) {
      paintBehind(context, line, visibleSpan(line.curve, x), map, box);
    }
    for (const line of group) {
      context.lineWidth = width;
      paintLine(context, line, visibleSpan(line.curve, x), map);
    }
  }
  for (const line of front) {
    paintMarks(context, line, visibleSpan(line.curve, x), map, box);
  }
  context.restore();
}

/** What the line is an average of: the values, or the extremes of buckets. */
function paintBehind(
  context: CanvasRenderingContext2D,
  { curve, colour, faded }: Line,
  [from, to]: [number, number],
  map: Mapping,
  box: Box,
): void {
  const { x, y, raw, low, high, series } = curve;
  const parts = partsOf(series, from, to);
  if (low !== null && high !== null) {
    const band = new Path2D();
    for (const [first, end] of parts.buckets) {
      traceBand(x, low, high, first, end, map, box.top + box.height, (...rectangle) => band.rect(...rectangle));
    }
    context.globalAlpha = (faded ? FADED : 1) * BAND;
    context.fillStyle = colour;
    context.fill(band);
  }
  if (y !== raw && !faded) {
    const path = new Path2D();
    trace(x, raw, ...parts.points, map, penFor(path, null));
    context.globalAlpha = BEHIND;
    context.strokeStyle = colour;
    context.lineWidth = devicePixelRatio;
    context.stroke(path);
  }
}

function paintLine(
  context: CanvasRenderingContext2D,
  { curve, colour, faded }: Line,
  [from, to]: [number, number],
  map: Mapping,
): void {
  const path = new Path2D();
  const dots = new Path2D();
  trace(curve.x, curve.y, from, to, map, penFor(path, dots));
  context.globalAlpha = faded ? FADED : 1;
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.stroke(path);
  context.fill(dots);
}

/** Where values are no finite numbers: triangles at the upper edge for +∞, at the lower for −∞ (downwards) and NaN (upwards). */
function paintMarks(
  context: CanvasRenderingContext2D,
  { curve, colour }: Line,
  [from, to]: [number, number],
  map: Mapping,
  box: Box,
): void {
  const size = MARK_SIZE * devicePixelRatio;
  const { x, series } = curve;
  const marks = new Path2D();
  let last = Number.NEGATIVE_INFINITY;
  let lastValue = 0;
  let found = false;
  for (let i = from; i < to; i += 1) {
    const what = gapAt(series, i);
    if (what === 0) {
      continue;
    }
    const at = map.xScale * (x[i] as number) + map.xOffset;
    // One mark where several would cover each other.
    if (at - last < size && Object.is(what, lastValue)) {
      continue;
    }
    [last, lastValue, found] = [at, what, true];
    const upper = what > 0;
    const edge = upper ? box.top : box.top + box.height;
    const inwards = upper ? size * 1.6 : -size * 1.6;
    const [base, tip] = what < 0 || upper ? [edge + inwards, edge] : [edge, edge + inwards];
    marks.moveTo(at - size, base);
    marks.lineTo(at + size, base);
    marks.lineTo(at, tip);
    marks.closePath();
  }
  if (found) {
    context.globalAlpha = 1;
    context.fillStyle = colour;
    context.fill(marks);
  }
}

function penFor(path: Path2D, dots: Path2D | null): Pen {
  const radius = DOT_RADIUS * devicePixelRatio;
  return {
    moveTo: (x, y) => path.moveTo(x, y),
    lineTo: (x, y) => path.lineTo(x, y),
    dot: (x, y) => {
      dots?.moveTo(x + radius, y);
      dots?.arc(x, y, radius, 0, 2 * Math.PI);
    },
  };
}
