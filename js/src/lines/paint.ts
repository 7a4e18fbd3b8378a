// Paints the lines of a chart onto its canvas.

import { visibleSpan } from "../charts/extent";
import { canvasSurface, type PaintContext, type PaintPath, type Rect, type Surface } from "../charts/geometry";
import type { Range } from "../lib/search";
import { chartColors, type Theme } from "../lib/tokens";
import { type Curve, gapAt, gapsOf, partsOf } from "./curve";
import { columnOf, valueAtStep } from "./derived";
import type { RawValues } from "./options";
import { type Mapping as Columns, columnWidth, type Pen, trace, traceBand, traceBetween, traceEnvelope } from "./trace";

/** Facts about the points of an aggregate line, a row for each. */
export interface Aggregation {
  readonly n: Uint32Array;
  /** How many runs there are. */
  readonly members: number;
  /** The ends of its band in values; null without one. */
  readonly low: Float64Array | null;
  readonly high: Float64Array | null;
  /** Some of the runs are held in buckets. */
  readonly approximate: boolean;
}

export interface Line {
  /** Its run, or what its runs are called together. */
  readonly run: string;
  readonly color: string;
  /** Lengths of dashes and gaps in CSS pixels; none for a solid line. */
  readonly dash?: readonly number[];
  readonly curve: Curve;
  /** The pointer is on another run in the list. */
  readonly faded: boolean;
  /** Null for a single run. */
  readonly aggregation?: Aggregation;
}

interface LinesOptions {
  readonly zoomed: boolean;
  readonly behind: RawValues;
  /** Points that restarts have superseded. */
  readonly older: readonly Line[];
  /** The curve that stands out. */
  readonly highlight: object | null;
}

/** More lines than these are drawn finer. */
const MANY_LINES = 12;
/** More lines than these are transparent, the more the more there are. */
const OPAQUE_LINES = 32;
const LINE_WIDTH_PX = 1.5;
const FINE_WIDTH_PX = 1;
const MIN_OPACITY = 0.12;
/** The line near the pointer is wider by this. */
const HIGHLIGHT_WIDTH_PX = 1;
/** With more lines, the ones that are not highlighted fade to UNLIT_SHARE of their opacity. */
const MAX_UNFADED_LINES = 6;
const UNLIT_SHARE = 0.35;
const FADED_OPACITY = 0.15;
/** Share of its opacity that an aggregate has where less than half of the runs count. */
const MINORITY_OPACITY = 0.4;
const RAW_OPACITY = 0.42;
/** Opacity of the area between the extremes of buckets. */
const BUCKET_OPACITY = 0.3;
/** Opacity of the band around an aggregate; low, since bands overlap each other and the grid. */
const AGGREGATE_OPACITY = 0.2;
/** With more lines there are no dashes: they would make one pattern of all. */
const MAX_DASHED_LINES = 100;
const DOT_RADIUS_PX = 2.5;
/** Half the width of a mark of values that are not finite. */
const MARK_SIZE_PX = 4;

/** Dashes where a line begins again, in CSS pixels. A line with more such places has none: those are no restarts. */
const RESTART_DASHES = [3, 3];
const MAX_RESTARTS = 20;
const RESTART_OPACITY = 0.55;
/** Superseded points: dashes long enough to be seen in a noisy line. */
const SUPERSEDED_OPACITY = 0.75;
const SUPERSEDED_DASHES = [8, 4];

interface Mapping extends Columns {
  readonly crowded: boolean;
}

/** The opacity of each of `lines` lines. */
export function alphaOf(lines: number): number {
  return Math.max(MIN_OPACITY, Math.min(1, Math.sqrt(OPAQUE_LINES / lines)));
}

/** With this many lines, raw values are drawn only behind the highlighted one: they would hide the others. */
export function isCrowded(lines: number): boolean {
  return lines > MANY_LINES;
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
  const map = {
    ...mappingOf(area, x, y),
    column: columnWidth(lines.length, area.width),
    crowded: isCrowded(lines.length),
  };
  context.save();
  context.beginPath();
  // Dots at the very end are not cut off.
  const overhang = zoomed ? 0 : 2 * DOT_RADIUS_PX * ratio;
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
    const beside = front > MAX_UNFADED_LINES ? UNLIT_SHARE : 1;
    const parts = [lines, older, behind, map.xScale, map.xOffset, map.yScale, map.yOffset];
    paintPicture(surface, clip, parts, (picture) => paintAll(picture, all, beside));
    for (const line of raised) {
      const span = visibleSpan(line.curve, x);
      if (beside < 1) {
        paintBehind(surface, line, span, { ...map, crowded: false }, area, behind, 1);
      }
      context.lineJoin = "round";
      context.lineWidth = widthOf(front, ratio) + HIGHLIGHT_WIDTH_PX * ratio;
      paintLine(surface, line, line.dash, span, map, 1);
      paintMarks(surface, line, span, map, area);
    }
  }
  context.restore();
}

function mappingOf(area: Rect, x: Range, y: Range): Columns {
  const xScale = area.width / (x[1] - x[0]);
  const yScale = -area.height / (y[1] - y[0]);
  return { xScale, xOffset: area.left - x[0] * xScale, yScale, yOffset: area.top + area.height - y[0] * yScale };
}

/** All lines, none highlighted; `share` multiplies their opacity. */
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
    paintSuperseded(surface, line, map, area);
  }
  const groups: [readonly Line[], alpha: number][] = [
    [back, FADED_OPACITY],
    [front, alphaOf(front.length) * share],
  ];
  for (const [group, alpha] of groups) {
    for (const line of group) {
      paintBehind(surface, line, visibleSpan(line.curve, x), map, area, behind, alpha);
    }
    for (const line of group) {
      context.lineWidth = widthOf(front.length, ratio);
      paintLine(
        surface,
        line,
        lines.length > MAX_DASHED_LINES ? [] : line.dash,
        visibleSpan(line.curve, x),
        map,
        alpha,
      );
    }
  }
  for (const line of front) {
    paintRestarts(surface, line.color, line.curve, line.curve.breaks, map, area);
    paintMarks(surface, line, visibleSpan(line.curve, x), map, area);
  }
}

/** The width of each of `lines` lines. */
function widthOf(lines: number, ratio: number): number {
  return (lines > MANY_LINES ? FINE_WIDTH_PX : LINE_WIDTH_PX) * ratio;
}

/** The values behind a smoothed line, the area between the extremes of buckets, and the band of several runs. */
function paintBehind(
  { context, ratio, path: newPath }: Surface,
  { curve, color, faded, aggregation }: Line,
  [from, to]: [number, number],
  map: Mapping,
  area: Rect,
  behind: RawValues,
  alpha: number,
): void {
  const { x, y, raw, low, high, series, breaks } = curve;
  const parts = partsOf(series, from, to);
  const floor = area.top + area.height;
  if (low !== null && high !== null && aggregation !== undefined) {
    const band = newPath();
    traceBetween(x, low, high, from, to, map, floor, band);
    context.globalAlpha = alpha * AGGREGATE_OPACITY;
    context.fillStyle = color;
    context.fill(band);
  } else if (low !== null && high !== null) {
    const band = newPath();
    for (const [first, end] of parts.buckets) {
      traceBand(x, low, high, first, end, map, floor, (...rectangle) => band.rect(...rectangle));
    }
    context.globalAlpha = alpha * BUCKET_OPACITY;
    context.fillStyle = color;
    context.fill(band);
  }
  if (y === raw || faded || map.crowded) {
    return;
  }
  if (behind === "band") {
    const band = newPath();
    traceEnvelope(x, raw, parts.points, breaks, map, band);
    context.globalAlpha = alpha * BUCKET_OPACITY;
    context.fillStyle = color;
    context.fill(band);
  } else {
    const path = newPath();
    trace(x, raw, ...parts.points, map, penFor(path, null, ratio), breaks);
    context.globalAlpha = alpha * RAW_OPACITY;
    context.strokeStyle = color;
    context.lineWidth = ratio;
    context.stroke(path);
  }
}

function paintLine(
  { context, ratio, path: newPath }: Surface,
  { curve, color, aggregation }: Line,
  dash: readonly number[] = [],
  [from, to]: [number, number],
  map: Mapping,
  alpha: number,
): void {
  const spans = spansBySupport(aggregation, from, to);
  for (const few of [false, true]) {
    const drawn = spans.filter((span) => span.few === few);
    if (drawn.length === 0) {
      continue;
    }
    const [path, dots] = [newPath(), newPath()];
    for (const span of drawn) {
      trace(curve.x, curve.y, span.from, span.to, map, penFor(path, dots, ratio), curve.breaks);
    }
    context.globalAlpha = few ? alpha * MINORITY_OPACITY : alpha;
    context.strokeStyle = color;
    context.fillStyle = color;
    context.setLineDash(dash.map((length) => length * ratio));
    context.stroke(path);
    context.setLineDash([]);
    context.fill(dots);
  }
}

interface SupportSpan {
  readonly from: number;
  readonly to: number;
  /** Less than half of the runs count there. */
  readonly few: boolean;
}

/** The rows [from, to) in spans; one with few runs includes the rows beside it, to which its line goes. */
export function spansBySupport(
  aggregation: Pick<Aggregation, "n" | "members"> | undefined,
  from: number,
  to: number,
): SupportSpan[] {
  const isFew = (i: number) => aggregation !== undefined && 2 * (aggregation.n[i] as number) < aggregation.members;
  const spans: SupportSpan[] = [];
  for (let start = from, end = from; start < to; start = end) {
    const few = isFew(start);
    while (end < to && isFew(end) === few) {
      end += 1;
    }
    spans.push({ from: few ? Math.max(from, start - 1) : start, to: few ? Math.min(to, end + 1) : end, few });
  }
  return spans;
}

/** Dashed lines, thinner than those that superseded them, and marks where these began. */
function paintSuperseded(surface: Surface, { curve, color, faded }: Line, map: Mapping, area: Rect): void {
  const { context, ratio } = surface;
  const path = surface.path();
  trace(curve.x, curve.y, 0, curve.x.length, map, penFor(path, null, ratio), curve.breaks);
  context.save();
  context.globalAlpha = faded ? FADED_OPACITY : SUPERSEDED_OPACITY;
  context.strokeStyle = color;
  context.lineWidth = ratio;
  context.setLineDash(SUPERSEDED_DASHES.map((length) => length * ratio));
  context.stroke(path);
  context.restore();
  if (!faded && curve.x.length > 0) {
    paintRestarts(surface, color, curve, [0, ...Array.from(curve.breaks)], map, area);
  }
}

/** Thin dashes at the rows with which lines begin again, because steps went back. */
function paintRestarts(
  { context, ratio, path: newPath }: Surface,
  color: string,
  { x }: Curve,
  rows: ArrayLike<number>,
  map: Mapping,
  area: Rect,
): void {
  if (rows.length === 0 || rows.length > MAX_RESTARTS) {
    return;
  }
  const path = newPath();
  for (const row of Array.from(rows)) {
    const at = Math.round(map.xScale * (x[row] as number) + map.xOffset) + 0.5;
    path.moveTo(at, area.top);
    path.lineTo(at, area.top + area.height);
  }
  context.save();
  context.globalAlpha = RESTART_OPACITY;
  context.strokeStyle = color;
  context.lineWidth = ratio;
  context.setLineDash(RESTART_DASHES.map((length) => length * ratio));
  context.stroke(path);
  context.restore();
}

/** Non-finite values: triangles at the upper edge for +∞, at the lower one for −∞ (pointing down) and NaN (pointing up). */
function paintMarks(
  { context, ratio, path: newPath }: Surface,
  { curve, color }: Line,
  [from, to]: [number, number],
  map: Mapping,
  area: Rect,
): void {
  const size = MARK_SIZE_PX * ratio;
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
    context.fillStyle = color;
    context.fill(marks);
  }
}

function penFor(path: PaintPath, dots: PaintPath | null, ratio: number): Pen {
  const radius = DOT_RADIUS_PX * ratio;
  return {
    moveTo: (x, y) => path.moveTo(x, y),
    lineTo: (x, y) => path.lineTo(x, y),
    dot: (x, y) => {
      dots?.moveTo(x + radius, y);
      dots?.arc(x, y, radius, 0, 2 * Math.PI);
    },
  };
}

interface Kept {
  readonly image: HTMLCanvasElement;
  /** Content and place: the picture is valid while all of this stays the same. */
  readonly parts: readonly unknown[];
}

/** Kept for the chart below the pointer alone: pictures of all charts would take too much memory. */
const kept = new WeakMap<PaintContext, Kept>();

/**
 * Paints what `paint` paints into an area of a canvas, or the picture of it from the time before; `parts` is all that it
 * depends on.
 */
function paintPicture(
  surface: Surface,
  area: Rect,
  parts: readonly unknown[],
  paint: (surface: Surface) => void,
): void {
  const { context, ratio } = surface;
  const [left, top] = [Math.floor(area.left), Math.floor(area.top)];
  const width = Math.ceil(area.left + area.width) - left;
  const height = Math.ceil(area.top + area.height) - top;
  const all = [...parts, left, top, width, height, ratio];
  let image = kept.get(context)?.image;
  if (image === undefined || !all.every((part, i) => Object.is(part, kept.get(context)?.parts[i]))) {
    image ??= document.createElement("canvas");
    [image.width, image.height] = [width, height];
    const inside = image.getContext("2d");
    if (inside === null) {
      // The browser has no memory for it.
      paint(surface);
      return;
    }
    inside.translate(-left, -top);
    paint(canvasSurface(inside, ratio));
    kept.set(context, { image, parts: all });
  }
  context.globalAlpha = 1;
  context.drawImage(image, left, top, width, height);
}

/** Drops the picture of a canvas: the pointer has left it. */
function dropPicture(context: PaintContext): void {
  const image = kept.get(context)?.image;
  if (image !== undefined) {
    // Browsers keep the pixels of a canvas until it is collected.
    image.width = image.height = 0;
    kept.delete(context);
  }
}

/** CSS pixels that are drawn and left out in turn. */
const TAG_DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 2.5], [9, 3, 2, 3], [14, 4]];

/** By how much each round through the dashes is nearer to the ink than the one before. */
const DASH_SHADE_SHARE = 0.4;

interface TagStyle {
  readonly dash: readonly number[];
  /** The color of a run, as #rrggbb, for this tag. */
  colorOf(color: string): string;
}

export function tagStyle(index: number, theme: Theme): TagStyle {
  const round = Math.floor(index / TAG_DASHES.length);
  const share = 1 - (1 - DASH_SHADE_SHARE) ** round;
  return {
    dash: TAG_DASHES[index % TAG_DASHES.length] ?? [],
    colorOf: (color) => (round === 0 ? color : mixed(color, theme === "light" ? 0 : 255, share)),
  };
}

function mixed(color: string, towards: number, share: number): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const hex = channels.map((channel) =>
    Math.round(channel + (towards - channel) * share)
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${hex.join("")}`;
}

/** The area between two lines. */
export interface Margin {
  readonly color: string;
  readonly faded: boolean;
  readonly lower: Curve;
  readonly upper: Curve;
  /** The lower one, at the places of the upper one. */
  readonly low: Float64Array;
}

const MARGIN_OPACITY = 0.2;
const FADED_MARGIN_OPACITY = 0.05;

/** The area between two curves. Where they have rows at different places, the lower one is read from the lines between its rows. */
export function marginBetween(lower: Curve, upper: Curve, color: string, faded: boolean): Margin {
  const alike = lower.x === upper.x || (lower.x.length === upper.x.length && lower.x.every((x, i) => x === upper.x[i]));
  const column = alike ? null : columnOf(lower.x, lower.y);
  const low = column === null ? lower.y : upper.x.map((x) => valueAtStep(column, x));
  return { color, faded, lower, upper, low };
}

export function paintMargins(
  { context, path: newPath }: Surface,
  area: Rect,
  margins: readonly Margin[],
  x: Range,
  y: Range,
): void {
  const map = mappingOf(area, x, y);
  context.save();
  context.beginPath();
  context.rect(area.left, area.top, area.width, area.height);
  context.clip();
  for (const { color, faded, upper, low } of margins) {
    const path = newPath();
    traceBetween(upper.x, low, upper.y, ...visibleSpan(upper, x), map, area.top + area.height, path);
    context.globalAlpha = faded ? FADED_MARGIN_OPACITY : MARGIN_OPACITY;
    context.fillStyle = color;
    context.fill(path);
  }
  context.restore();
}

const SELECTED_SHADE = 0.13;

/** Paints the selected steps behind the lines. */
export function paintSelected(
  { context, ratio }: Surface,
  area: Rect,
  selected: Range | null,
  x: Range,
  theme: Theme,
): void {
  if (selected === null || selected[1] < x[0] || selected[0] > x[1]) {
    return;
  }
  const at = (value: number) =>
    area.left + (area.width * (Math.max(x[0], Math.min(x[1], value)) - x[0])) / (x[1] - x[0]);
  const [from, to] = [at(selected[0]), at(selected[1])];
  context.save();
  context.fillStyle = chartColors[theme].label;
  context.globalAlpha = SELECTED_SHADE;
  context.fillRect(from, area.top, Math.max(ratio, to - from), area.height);
  context.globalAlpha = 4 * SELECTED_SHADE;
  for (const edge of [selected[0], selected[1]].filter((end) => end >= x[0] && end <= x[1])) {
    context.fillRect(Math.round(at(edge) - ratio / 2), area.top, Math.max(1, Math.round(ratio)), area.height);
  }
  context.restore();
}
