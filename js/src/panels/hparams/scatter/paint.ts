// Paints the cells of a scatter matrix: points in the colors of the goal, brushes, histograms, and a trend.

import { fitCanvas, onCanvas, type Rect, type Surface } from "../../../charts/geometry";
import { packed, Raster } from "../../../charts/raster";
import { fittedName, labelFont, measureLabel } from "../../../charts/text";
import { type ChartTheme, css, mixed, type PageColors } from "../../../charts/theme";
import { fittedNames, type Measure } from "../../../lib/names";
import { quantile } from "../../../lib/quantiles";
import { LABEL_GAP_PX } from "../numberscale";
import type { Brush } from "../sessions";
import type { Part, ScatterAxis } from "./axis";
import { groupsOf } from "./importance";
import { TITLE_PX } from "./matrix";

export interface ScatterDrawing {
  /** Rows that are shown; those that are drawn on top come last. */
  readonly rows: readonly number[];
  /** Packed, one a row. */
  readonly colors: Int32Array;
  /** Null without a brush. */
  readonly brushed: ReadonlySet<number> | null;
  readonly brushes: ReadonlyMap<string, readonly Brush[]>;
  readonly theme: ChartTheme;
  readonly page: PageColors;
}

/** A cell with its two axes. */
export interface ScatterCell {
  /** In CSS pixels of the canvas. */
  readonly rect: Rect;
  readonly x: ScatterAxis;
  /** Null for a histogram. */
  readonly y: ScatterAxis | null;
}

/** CSS pixels of a point, by the number of points up to which it is so large. */
const RADII: readonly (readonly [count: number, radius: number])[] = [
  [150, 3],
  [1500, 2.2],
  [Number.POSITIVE_INFINITY, 1.5],
];

/** Opacity of points, and of those outside of the brush, of 256. */
const POINT = 210;
const FAINT = 34;

const BRUSH_FILL_ALPHA = 0.1;
const BRUSH_LINE_ALPHA = 0.6;
const BAR_ALPHA = 0.8;
const FAINT_BAR_ALPHA = 0.3;

/** CSS pixels that a category has for its label before others lose theirs. */
const MIN_CATEGORY_PX = 36;

/** Labels that are measured for the width of the widest: there may be thousands of categories. */
const MAX_MEASURED = 200;

/** Sums of fractions of pixels are not exact. */
const ROUNDING_PX = 1e-3;

/** CSS pixels of a line of text. */
const LINE_PX = 15;

/** Points; the raster of a cell is used again for the next one of its size. */
export class PointPainter {
  #raster: Raster | null = null;
  readonly #canvas = document.createElement("canvas");

  /** `sharpness`: pixels of the raster to one of the surface. */
  paint(surface: Surface, { rect, x, y }: ScatterCell, drawing: ScatterDrawing, sharpness = 1): void {
    const { rows, colors, brushed, page } = drawing;
    const ratio = surface.ratio * sharpness;
    const { width, height } = onCanvas(rect, ratio);
    if (this.#raster?.width !== width || this.#raster.height !== height) {
      this.#raster = new Raster(width, height);
    }
    const raster = this.#raster;
    raster.clear(packed(page.background));
    const radius = ratio * (RADII.find(([count]) => rows.length <= count)?.[1] ?? 1);
    const gray = packed(mixed(page.background, page.foreground, 0.6));
    const [lefts, tops] = [x.positions(), y?.positions() ?? new Float64Array()];
    for (const isLit of brushed === null ? [true] : [false, true]) {
      for (const row of rows) {
        if ((brushed?.has(row) ?? true) === isLit) {
          const [left, top] = [(lefts[row] as number) * ratio, (tops[row] as number) * ratio];
          raster.disc(left, top, radius, isLit ? (colors[row] as number) : gray, isLit ? POINT : FAINT, row);
        }
      }
    }
    fitCanvas(this.#canvas, raster, 1);
    const context = this.#canvas.getContext("2d");
    if (context !== null) {
      raster.put(context, 0, 0);
      const area = onCanvas(rect, surface.ratio);
      surface.context.drawImage(this.#canvas, area.left, area.top, area.width, area.height);
    }
    paintBrushes(surface, { rect, x, y }, drawing);
    paintBorder(surface, rect, drawing);
  }

  clear(): void {
    this.#raster = null;
    // Browsers keep the pixels of a canvas until it is collected.
    this.#canvas.width = this.#canvas.height = 0;
  }
}

/** The parts of a cell that are brushed; along an axis without a brush all of it. */
function paintBrushes(surface: Surface, { rect, x, y }: ScatterCell, { brushes, page }: ScatterDrawing): void {
  const { context, ratio } = surface;
  const partsOf = (axis: ScatterAxis | null) =>
    axis === null ? [] : (brushes.get(axis.column.key) ?? []).flatMap((brush) => axis.partsOf(brush));
  const [across, down] = [partsOf(x), partsOf(y)];
  if (across.length + down.length === 0) {
    return;
  }
  const or = (parts: readonly Part[], length: number) => (parts.length > 0 ? parts : [{ from: 0, to: length }]);
  context.strokeStyle = context.fillStyle = css(page.foreground);
  context.lineWidth = Math.max(1, Math.round(ratio));
  for (const { from: left, to: right } of or(across, rect.width)) {
    for (const { from: top, to: bottom } of or(down, rect.height)) {
      const box = [
        Math.round((rect.left + left) * ratio) + 0.5,
        Math.round((rect.top + top) * ratio) + 0.5,
        Math.round((right - left) * ratio) - 1,
        Math.round((bottom - top) * ratio) - 1,
      ] as const;
      context.globalAlpha = BRUSH_FILL_ALPHA;
      context.fillRect(...box);
      context.globalAlpha = BRUSH_LINE_ALPHA;
      strokeBox(surface, ...box);
    }
  }
  context.globalAlpha = 1;
}

function paintBorder(surface: Surface, rect: Rect, { theme }: ScatterDrawing): void {
  const { context, ratio } = surface;
  const { left, top, width, height } = onCanvas(rect, ratio);
  const line = Math.max(1, Math.round(ratio));
  context.strokeStyle = theme.axis;
  context.lineWidth = line;
  strokeBox(surface, left + line / 2, top + line / 2, width - line, height - line);
}

function strokeBox({ context, path }: Surface, left: number, top: number, width: number, height: number): void {
  const box = path();
  box.rect(left, top, width, height);
  context.stroke(box);
}

/** A histogram with the title of its column. The bars of brushed rows stand inside the bars of all rows. */
export function paintHistogram(surface: Surface, cell: ScatterCell, drawing: ScatterDrawing): void {
  const { context, ratio } = surface;
  const { rows, brushed, theme, page } = drawing;
  const { rect, x } = cell;
  const area = onCanvas(rect, ratio);
  const all = x.bars(rows);
  const highest = Math.max(1, ...all.map(({ count }) => count));
  const room = Math.max(1, area.height - TITLE_PX * ratio);
  const foot = area.top + area.height;
  const layers =
    brushed === null
      ? [{ bars: all, alpha: BAR_ALPHA }]
      : [
          { bars: all, alpha: FAINT_BAR_ALPHA },
          { bars: x.bars(brushed), alpha: BAR_ALPHA },
        ];
  context.fillStyle = theme.label;
  for (const { bars, alpha } of layers) {
    context.globalAlpha = alpha;
    for (const { from, to, count } of bars) {
      const [left, right] = [from, to].map((at) => Math.round((rect.left + at) * ratio)) as [number, number];
      const height = Math.max(1, Math.round((count / highest) * room));
      context.fillRect(left, foot - height, Math.max(1, right - left - (right - left > 3 ? 1 : 0)), height);
    }
  }
  context.globalAlpha = 1;
  paintBrushes(surface, cell, drawing);
  context.font = `600 ${labelFont(ratio)}`;
  context.fillStyle = css(page.foreground);
  context.textAlign = "left";
  context.textBaseline = "top";
  context.fillText(fittedName(x.column.title, 0.9 * (rect.width - 8)), area.left + 5 * ratio, area.top + 4 * ratio);
  paintBorder(surface, rect, drawing);
}

/** A point of the trend, in CSS pixels of the cell. */
export interface TrendPoint {
  readonly x: number;
  readonly y: number;
  readonly count: number;
}

/** Groups with fewer rows have no point. */
const MIN_TREND_COUNT = 3;

/** The medians of the groups along x that importance has, from left to right; nothing over categories. */
export function trendOf(x: ScatterAxis, y: ScatterAxis, rows: readonly number[]): TrendPoint[] {
  if (y.isCategorical) {
    return [];
  }
  const placed = rows.filter((row) => x.has(row) && y.has(row));
  const places = placed.map((row) => x.axis.places[row] as number);
  const groups = groupsOf(x.isCategorical ? places.map(String) : places);
  const members = new Map<number, number[]>();
  for (const [i, row] of placed.entries()) {
    const group = groups[i] as number;
    const own = members.get(group);
    if (own === undefined) {
      members.set(group, [row]);
    } else {
      own.push(row);
    }
  }
  return [...members.values()]
    .filter(({ length }) => length >= MIN_TREND_COUNT)
    .map((some) => {
      const middle = (axis: ScatterAxis) =>
        quantile(
          Float64Array.from(some, (row) => axis.exactAt(row)),
          0.5,
        );
      return { x: middle(x), y: middle(y), count: some.length };
    })
    .sort((a, b) => a.x - b.x);
}

/** A line along numbers, a dash in each strip of categories. */
export function paintTrend(
  { context, ratio, path }: Surface,
  { rect, x }: ScatterCell,
  points: readonly TrendPoint[],
  { page }: ScatterDrawing,
): void {
  const line = path();
  for (const [i, point] of points.entries()) {
    const [left, top] = [(rect.left + point.x) * ratio, (rect.top + point.y) * ratio];
    if (x.isCategorical) {
      const half = Math.max(6, x.spread) * ratio;
      line.moveTo(left - half, top);
      line.lineTo(left + half, top);
    } else if (i === 0) {
      line.moveTo(left, top);
    } else {
      line.lineTo(left, top);
    }
  }
  context.lineJoin = "round";
  for (const [color, width] of [
    [css(page.background), 5],
    [css(page.foreground), 2],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = width * ratio;
    context.stroke(line);
  }
}

/** A label below a cell, in CSS pixels from its left edge. */
export interface FootLabel extends Part {
  readonly text: string;
}

/** The labels below a cell; they neither overlap nor leave the cell. Long categories are cut, and many are thinned out. */
export function labelsAcross(x: ScatterAxis, measure: Measure = measureLabel): FootLabel[] {
  const ticks = x.ticks().sort((a, b) => a.at - b.at);
  const widest = Math.max(0, ...ticks.slice(0, MAX_MEASURED).map(({ label }) => measure(label)));
  const most = Math.floor(x.length / (Math.min(MIN_CATEGORY_PX, widest) + LABEL_GAP_PX));
  const stride = x.isCategorical ? Math.max(1, Math.ceil(ticks.length / Math.max(1, most))) : 1;
  const some = ticks.filter((_, i) => i % stride === 0);
  const apart = ((some.at(-1)?.at ?? 0) - (some[0]?.at ?? 0)) / (some.length - 1 || 1) || x.length;
  const room = x.isCategorical ? Math.min(x.length / some.length, apart) - LABEL_GAP_PX : x.length;
  const labels = some.map(({ label }) => label);
  const texts = x.isCategorical ? fittedNames(labels, room, measure) : null;
  const kept: FootLabel[] = [];
  for (const { at, label } of some) {
    const text = texts?.get(label)?.text ?? label;
    const half = measure(text) / 2;
    const middle = Math.max(half, Math.min(x.length - half, at));
    const from = middle - half;
    if (from - (kept.at(-1)?.to ?? Number.NEGATIVE_INFINITY) >= LABEL_GAP_PX - ROUNDING_PX) {
      kept.push({ text, from, to: middle + half });
    }
  }
  return kept;
}

export function paintFoot({ context, ratio }: Surface, { rect, x }: ScatterCell, { theme }: ScatterDrawing): void {
  context.font = labelFont(ratio);
  context.fillStyle = theme.label;
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const { text, from, to } of labelsAcross(x)) {
    context.fillText(text, (rect.left + (from + to) / 2) * ratio, (rect.top + rect.height + 4) * ratio);
  }
}

/** Labels to the left of a cell, at most `room` CSS pixels wide. */
export function paintSide(
  { context, ratio }: Surface,
  { rect, y }: ScatterCell,
  room: number,
  { theme }: ScatterDrawing,
): void {
  context.font = labelFont(ratio);
  context.fillStyle = theme.label;
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const { at, label } of y?.ticks() ?? []) {
    const top = rect.top + Math.max(6, Math.min(rect.height - 6, at));
    context.fillText(fittedName(label, room), (rect.left - 6) * ratio, top * ratio);
  }
}

/** Paints the numbers of two columns in the middle of their cell, a line each. */
export function paintLines(
  { context, ratio }: Surface,
  { left, top, width, height }: Rect,
  lines: readonly string[],
  { page }: ScatterDrawing,
): void {
  context.font = labelFont(ratio);
  context.fillStyle = css(page.foreground);
  context.textAlign = "center";
  context.textBaseline = "middle";
  lines.forEach((line, i) => {
    const y = top + height / 2 + LINE_PX * (i - (lines.length - 1) / 2);
    context.fillText(line, (left + width / 2) * ratio, y * ratio);
  });
}

/** The titles of the two columns of a large plot: above its side, and below its foot. */
export function paintTitles({ context, ratio }: Surface, { rect, x, y }: ScatterCell, { page }: ScatterDrawing): void {
  context.font = `600 ${labelFont(ratio)}`;
  context.fillStyle = css(page.foreground);
  context.textBaseline = "middle";
  const paint = (title: string, align: CanvasTextAlign, left: number, top: number) => {
    context.textAlign = align;
    context.fillText(fittedName(title, 0.9 * rect.width), left * ratio, top * ratio);
  };
  paint(y?.column.title ?? "", "left", Math.max(4, rect.left - 40), rect.top - TITLE_PX / 2);
  paint(x.column.title, "center", rect.left + rect.width / 2, rect.top + rect.height + 1.5 * TITLE_PX);
}
