// Paints the lines of a chart onto its canvas.

import { visibleSpan } from "../../charts/extent";
import type { PaintPath, Rect, Surface } from "../../charts/geometry";
import type { Range } from "../../lib/range";
import type { Curve } from "./curve";
import { gapAt, gapsOf } from "./gaps";
import type { RawValues } from "./options";
import { partsOf } from "./parts";
import { dropPicture, paintPicture } from "./picture";
import { type Mapping as Columns, columnOf, type Pen, trace, traceBand, traceBetween, traceEnvelope } from "./trace";

/** What a line is of that stands for several runs, a row for each of its points. */
export interface Several {
  readonly n: Uint32Array;
  /** The ends of its band in values; null without one. */
  readonly low: Float64Array | null;
  readonly high: Float64Array | null;
  /** Some of the runs are held in buckets. */
  readonly approximate: boolean;
}

export interface Line {
  /** Its run, or what its runs are called together. */
  readonly run: string;
  readonly colour: string;
  /** Lengths of dashes and gaps in CSS pixels; none for a solid line. */
  readonly dash?: readonly number[];
  readonly curve: Curve;
  /** The pointer is on another run in the list. */
  readonly faded: boolean;
  /** Null for a single run. */
  readonly several?: Several;
}

export interface LinesOptions {
  readonly zoomed: boolean;
  readonly behind: RawValues;
  /** What was superseded by restarts. */
  readonly older: readonly Line[];
  /** The curve that stands out. */
  readonly highlight: object | null;
}

/** Many lines are drawn finer, and the more there are the more transparent. */
const LINE_WIDTH = 1.5;
const FINE_WIDTH = 1;
const MANY_LINES = 12;
const LEAST_ALPHA = 0.12;
/** The line near the pointer is wider by so many pixels; of more lines than these, the others fade. */
const WIDER = 1;
const FEW_LINES = 6;
const BESIDE = 0.35;
const FADED = 0.15;
/** Opacity of values behind their smoothed line, and of the area between the extremes of buckets. */
const BEHIND = 0.42;
const BAND = 0.3;
/** Of what runs spread over around what is made of them: several lie upon one another, and upon the grid. */
const SPREAD = 0.2;
/** Of more lines than these, no values are drawn behind them: they would hide each other, and take as long again. */
const MOST_BEHIND = 100;
const DOT_RADIUS = 2.5;
const MARK_SIZE = 4;

/** Where a line begins again: dashes, in CSS pixels. With more such places it is not a few restarts that one looks for. */
const DASHES = [3, 3];
const MOST_RESTARTS = 20;
const RESTART = 0.55;
/** Of what was superseded: opacity, and dashes long enough to be seen as such in a line that is noisy. */
const OLDER = 0.75;
const LONG_DASHES = [8, 4];

interface Mapping extends Columns {
  /** There are so many lines that nothing is drawn behind them, and that dashes would make one pattern of all. */
  readonly crowded: boolean;
}

/** The opacity of one of so many lines. */
export function alphaOf(lines: number): number {
  return lines <= MANY_LINES ? 1 : Math.max(LEAST_ALPHA, Math.sqrt(MANY_LINES / lines));
}

/**
 * Paints lines into an area whose edges are the ranges `x` and `y`; faded lines lie below the others, and the one whose
 * curve is highlighted above.
 */
export function paintLines(
  surface: Surface,
  area: Rect,
  lines: readonly Line[],
  x: Range,
  y: Range,
  { zoomed, behind, older, highlight }: LinesOptions,
): void {
  const { context, ratio } = surface;
  const xScale = area.width / (x[1] - x[0]);
  const yScale = -area.height / (y[1] - y[0]);
  const map = {
    ...{ xScale, xOffset: area.left - x[0] * xScale, yScale, yOffset: area.top + area.height - y[0] * yScale },
    column: columnOf(lines.length, area.width),
    crowded: lines.length > MOST_BEHIND,
  };
  context.save();
  context.beginPath();
  // Dots at the very end are not cut off.
  const overhang = zoomed ? 0 : 2 * DOT_RADIUS * ratio;
  const clip = {
    ...{ left: area.left - overhang, top: area.top - overhang },
    ...{ width: area.width + 2 * overhang, height: area.height + 2 * overhang },
  };
  context.rect(clip.left, clip.top, clip.width, clip.height);
  context.clip();
  const all = { lines, older, behind, x, map, area };
  const raised = lines.filter(({ curve, faded }) => curve === highlight && !faded);
  if (raised.length === 0) {
    dropPicture(context);
    paintAll(surface, all, 1);
  } else {
    const front = lines.filter(({ faded }) => !faded).length;
    const beside = front > FEW_LINES ? BESIDE : 1;
    const parts = [lines, older, behind, map.xScale, map.xOffset, map.yScale, map.yOffset];
    paintPicture(surface, clip, parts, (picture) => paintAll(picture, all, beside));
    for (const line of raised) {
      const span = visibleSpan(line.curve, x);
      if (beside < 1) {
        paintBehind(surface, line, span, map, area, behind, 1);
      }
      context.lineJoin = "round";
      context.lineWidth = widthOf(front, ratio) + WIDER * ratio;
      paintLine(surface, line, line.dash, span, map, 1);
      paintMarks(surface, line, span, map, area);
    }
  }
  context.restore();
}

/** All lines, none of which stands out; `share` is what is left of their opacity. */
function paintAll(
  surface: Surface,
  {
    lines,
    older,
    behind,
    x,
    map,
    area,
  }: {
    readonly lines: readonly Line[];
    readonly older: readonly Line[];
    readonly behind: RawValues;
    readonly x: Range;
    readonly map: Mapping;
    readonly area: Rect;
  },
  share: number,
): void {
  const { context, ratio } = surface;
  context.lineJoin = "round";
  const back = lines.filter((line) => line.faded);
  const front = lines.filter((line) => !line.faded);
  for (const line of older) {
    paintOlder(surface, line, map, area);
  }
  const groups: [readonly Line[], alpha: number][] = [
    [back, FADED],
    [front, alphaOf(front.length) * share],
  ];
  for (const [group, alpha] of groups) {
    for (const line of group) {
      paintBehind(surface, line, visibleSpan(line.curve, x), map, area, behind, alpha);
    }
    for (const line of group) {
      context.lineWidth = widthOf(front.length, ratio);
      paintLine(surface, line, map.crowded ? [] : line.dash, visibleSpan(line.curve, x), map, alpha);
    }
  }
  for (const line of front) {
    paintRestarts(surface, line.colour, line.curve, line.curve.breaks, map, area);
    paintMarks(surface, line, visibleSpan(line.curve, x), map, area);
  }
}

/** The width of one of so many lines. */
function widthOf(lines: number, ratio: number): number {
  return (lines > MANY_LINES ? FINE_WIDTH : LINE_WIDTH) * ratio;
}

/** The values behind a smoothed line, the area between the extremes of buckets, and the band of several runs. */
function paintBehind(
  { context, ratio, path: newPath }: Surface,
  { curve, colour, faded, several }: Line,
  [from, to]: [number, number],
  map: Mapping,
  area: Rect,
  behind: RawValues,
  alpha: number,
): void {
  const { x, y, raw, low, high, series, breaks } = curve;
  const parts = partsOf(series, from, to);
  const floor = area.top + area.height;
  if (low !== null && high !== null && several !== undefined) {
    const band = newPath();
    traceBetween(x, low, high, from, to, map, floor, band);
    context.globalAlpha = alpha * SPREAD;
    context.fillStyle = colour;
    context.fill(band);
  } else if (low !== null && high !== null) {
    const band = newPath();
    for (const [first, end] of parts.buckets) {
      traceBand(x, low, high, first, end, map, floor, (...rectangle) => band.rect(...rectangle));
    }
    context.globalAlpha = alpha * BAND;
    context.fillStyle = colour;
    context.fill(band);
  }
  if (y === raw || faded || map.crowded) {
    return;
  }
  if (behind === "band") {
    const band = newPath();
    traceEnvelope(x, raw, parts.points, breaks, map, band);
    context.globalAlpha = alpha * BAND;
    context.fillStyle = colour;
    context.fill(band);
  } else {
    const path = newPath();
    trace(x, raw, ...parts.points, map, penFor(path, null, ratio), breaks);
    context.globalAlpha = alpha * BEHIND;
    context.strokeStyle = colour;
    context.lineWidth = ratio;
    context.stroke(path);
  }
}

function paintLine(
  { context, ratio, path: newPath }: Surface,
  { curve, colour }: Line,
  dash: readonly number[] = [],
  [from, to]: [number, number],
  map: Mapping,
  alpha: number,
): void {
  const [path, dots] = [newPath(), newPath()];
  trace(curve.x, curve.y, from, to, map, penFor(path, dots, ratio), curve.breaks);
  context.globalAlpha = alpha;
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.setLineDash(dash.map((length) => length * ratio));
  context.stroke(path);
  context.setLineDash([]);
  context.fill(dots);
}

/** Dashed lines, thinner than those that superseded them, and marks where these began. */
function paintOlder(surface: Surface, { curve, colour, faded }: Line, map: Mapping, area: Rect): void {
  const { context, ratio } = surface;
  const path = surface.path();
  trace(curve.x, curve.y, 0, curve.x.length, map, penFor(path, null, ratio), curve.breaks);
  context.save();
  context.globalAlpha = faded ? FADED : OLDER;
  context.strokeStyle = colour;
  context.lineWidth = ratio;
  context.setLineDash(LONG_DASHES.map((length) => length * ratio));
  context.stroke(path);
  context.restore();
  if (!faded && curve.x.length > 0) {
    paintRestarts(surface, colour, curve, [0, ...Array.from(curve.breaks)], map, area);
  }
}

/** Thin dashes at the rows with which lines begin again, because steps went back. */
function paintRestarts(
  { context, ratio, path: newPath }: Surface,
  colour: string,
  { x }: Curve,
  rows: ArrayLike<number>,
  map: Mapping,
  area: Rect,
): void {
  if (rows.length === 0 || rows.length > MOST_RESTARTS) {
    return;
  }
  const path = newPath();
  for (const row of Array.from(rows)) {
    const at = Math.round(map.xScale * (x[row] as number) + map.xOffset) + 0.5;
    path.moveTo(at, area.top);
    path.lineTo(at, area.top + area.height);
  }
  context.save();
  context.globalAlpha = RESTART;
  context.strokeStyle = colour;
  context.lineWidth = ratio;
  context.setLineDash(DASHES.map((length) => length * ratio));
  context.stroke(path);
  context.restore();
}

/** Non-finite values: triangles at the upper edge for +∞, at the lower one for −∞ (pointing down) and NaN (pointing up). */
function paintMarks(
  { context, ratio, path: newPath }: Surface,
  { curve, colour }: Line,
  [from, to]: [number, number],
  map: Mapping,
  area: Rect,
): void {
  const size = MARK_SIZE * ratio;
  const { x, series } = curve;
  if (gapsOf(series) === null) {
    return;
  }
  const marks = newPath();
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
    const edge = upper ? area.top : area.top + area.height;
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

function penFor(path: PaintPath, dots: PaintPath | null, ratio: number): Pen {
  const radius = DOT_RADIUS * ratio;
  return {
    moveTo: (x, y) => path.moveTo(x, y),
    lineTo: (x, y) => path.lineTo(x, y),
    dot: (x, y) => {
      dots?.moveTo(x + radius, y);
      dots?.arc(x, y, radius, 0, 2 * Math.PI);
    },
  };
}
