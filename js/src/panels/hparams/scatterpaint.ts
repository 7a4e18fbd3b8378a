// Paints the cells of a scatter matrix: points in the colors of the goal, brushes, histograms, and a trend.

import { onCanvas, type Rect } from "../../charts/geometry";
import { packed, Raster } from "../../charts/raster";
import { fittedName, labelFont, measureLabel } from "../../charts/text";
import { type ChartTheme, css, mixed, type PageColors } from "../../charts/theme";
import type { Range } from "../../lib/range";
import { groupsOf } from "./importance";
import type { Placement } from "./placement";
import type { Brush } from "./sessions";

export interface ScatterDrawing {
  /** The rows that are shown, those that are drawn on top last. */
  readonly rows: readonly number[];
  /** Packed, one a row. */
  readonly colors: Int32Array;
  /** Null: there is no brush. */
  readonly brushed: ReadonlySet<number> | null;
  readonly brushes: ReadonlyMap<string, readonly Brush[]>;
  readonly theme: ChartTheme;
  readonly page: PageColors;
  /** Canvas pixels to one CSS pixel. */
  readonly ratio: number;
}

/** CSS pixels of a point, by the number of points up to which it is so large. */
const RADII: readonly (readonly [count: number, radius: number])[] = [
  [150, 3],
  [1500, 2.2],
  [Number.POSITIVE_INFINITY, 1.5],
];

/** Of OPAQUE: points, and those outside of the brush. */
const POINT = 210;
const FAINT = 34;

const BRUSH_FILL = 0.1;
const HISTOGRAM_FAINT = 0.35;

/** Points in a rectangle of CSS pixels; rasters of equal cells are used again. */
export class PointPainter {
  #raster: Raster | null = null;

  paint(context: CanvasRenderingContext2D, cell: Rect, x: Placement, y: Placement, drawing: ScatterDrawing): void {
    const { rows, colors, brushed, page, theme, ratio } = drawing;
    const area = onCanvas(cell, ratio);
    if (this.#raster?.width !== area.width || this.#raster.height !== area.height) {
      this.#raster = new Raster(area.width, area.height);
    }
    const raster = this.#raster;
    raster.clear(packed(page.background));
    const radius = ratio * (RADII.find(([count]) => rows.length <= count)?.[1] ?? 1);
    const gray = packed(mixed(page.background, page.foreground, 0.6));
    const draw = (row: number, color: number, alpha: number) => {
      const [right, up] = [x.places[row] as number, y.places[row] as number];
      if (!Number.isNaN(right + up)) {
        raster.disc(right * area.width, (1 - up) * area.height, radius, color, alpha, row);
      }
    };
    if (brushed !== null) {
      for (const row of rows) {
        if (!brushed.has(row)) {
          draw(row, gray, FAINT);
        }
      }
    }
    for (const row of rows) {
      if (brushed === null || brushed.has(row)) {
        draw(row, colors[row] as number, POINT);
      }
    }
    raster.put(context, area.left, area.top);
    paintBrushes(context, area, x, y, drawing);
    paintBorder(context, area, theme, ratio);
  }
}

/** The parts of a cell that are brushed; along an axis without a brush all of it. */
function paintBrushes(
  context: CanvasRenderingContext2D,
  area: Rect,
  x: Placement,
  y: Placement | null,
  { brushes, page, ratio }: ScatterDrawing,
): void {
  const partsOf = (placement: Placement | null) =>
    placement === null ? [] : (brushes.get(placement.column.key) ?? []).flatMap((brush) => placement.partsOf(brush));
  const [across, up] = [partsOf(x), partsOf(y)];
  if (across.length + up.length === 0) {
    return;
  }
  const whole: readonly Range[] = [[0, 1]];
  context.strokeStyle = context.fillStyle = css(page.foreground);
  context.lineWidth = Math.max(1, Math.round(ratio));
  for (const [left, right] of across.length > 0 ? across : whole) {
    for (const [low, high] of up.length > 0 ? up : whole) {
      const box: [number, number, number, number] = [
        Math.round(area.left + left * area.width) + 0.5,
        Math.round(area.top + (1 - high) * area.height) + 0.5,
        Math.round((right - left) * area.width) - 1,
        Math.round((high - low) * area.height) - 1,
      ];
      context.globalAlpha = BRUSH_FILL;
      context.fillRect(...box);
      context.globalAlpha = 0.6;
      context.strokeRect(...box);
    }
  }
  context.globalAlpha = 1;
}

function paintBorder(context: CanvasRenderingContext2D, area: Rect, theme: ChartTheme, ratio: number): void {
  const width = Math.max(1, Math.round(ratio));
  context.strokeStyle = theme.axis;
  context.lineWidth = width;
  context.strokeRect(area.left + width / 2, area.top + width / 2, area.width - width, area.height - width);
}

/** Counts of the bars of a histogram. */
export function barsOf({ exact, bars }: Placement, rows: Iterable<number>): number[] {
  const counts = Array.from({ length: bars }, () => 0);
  for (const row of rows) {
    const at = exact[row] as number;
    if (at >= 0 && at <= 1) {
      const bar = Math.min(bars - 1, Math.floor(at * bars));
      counts[bar] = (counts[bar] ?? 0) + 1;
    }
  }
  return counts;
}

/** A histogram of one column; the bars of brushed rows stand in those of all. */
export function paintHistogram(
  context: CanvasRenderingContext2D,
  cell: Rect,
  placement: Placement,
  drawing: ScatterDrawing,
  title: string,
): void {
  const { rows, brushed, theme, page, ratio } = drawing;
  const area = onCanvas(cell, ratio);
  const all = barsOf(placement, rows);
  const lit = brushed === null ? all : barsOf(placement, brushed);
  const highest = Math.max(1, ...all);
  // The title stands above the bars.
  const room = Math.max(1, area.height - 20 * ratio);
  context.fillStyle = theme.label;
  const foot = area.top + area.height;
  for (const [counts, alpha] of [
    [all, brushed === null ? 0.75 : HISTOGRAM_FAINT],
    [brushed === null ? [] : lit, 0.85],
  ] as const) {
    context.globalAlpha = alpha;
    for (const [i, count] of counts.entries()) {
      const [left, right] = [i, i + 1].map((bar) => Math.round(area.left + (bar / placement.bars) * area.width)) as [
        number,
        number,
      ];
      const height = count === 0 ? 0 : Math.max(1, Math.round((count / highest) * room));
      const gap = right - left > 3 ? 1 : 0;
      context.fillRect(left, foot - height, right - left - gap, height);
    }
  }
  context.globalAlpha = 1;
  paintBrushes(context, area, placement, null, drawing);
  context.font = `600 ${labelFont(ratio)}`;
  context.fillStyle = css(page.foreground);
  context.textAlign = "left";
  context.textBaseline = "top";
  context.fillText(fittedName(title, 0.9 * (cell.width - 8)), area.left + 5 * ratio, area.top + 4 * ratio);
  paintBorder(context, area, theme, ratio);
}

/** A point of the trend, as shares of the axes. */
export interface TrendPoint {
  readonly x: number;
  readonly y: number;
  readonly count: number;
}

/** Groups with fewer rows have no point. */
const MIN_TREND_COUNT = 3;

/** The median of the rows of each group along x: of the same groups as importance, from left to right. */
export function trendOf(x: Placement, y: Placement, rows: readonly number[]): TrendPoint[] {
  if (y.isCategorical) {
    return [];
  }
  const placed = rows.filter((row) => !Number.isNaN((x.exact[row] as number) + (y.exact[row] as number)));
  const groups = groupsOf(placed.map((row) => (x.isCategorical ? String(x.exact[row]) : (x.exact[row] as number))));
  const members = new Map<number, number[]>();
  for (const [i, row] of placed.entries()) {
    const group = groups[i] as number;
    members.set(group, [...(members.get(group) ?? []), row]);
  }
  return [...members.values()]
    .filter(({ length }) => length >= MIN_TREND_COUNT)
    .map((some) => {
      const middle = (of: Float64Array) => median(some.map((row) => of[row] as number));
      return { x: middle(x.exact), y: middle(y.exact), count: some.length };
    })
    .sort((a, b) => a.x - b.x);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] as number) + (sorted[Math.floor(half)] as number)) / 2;
}

/** A line along numbers, a dash in each strip of categories. */
export function paintTrend(
  context: CanvasRenderingContext2D,
  cell: Rect,
  x: Placement,
  points: readonly TrendPoint[],
  { page, ratio }: Pick<ScatterDrawing, "page" | "ratio">,
): void {
  const area = onCanvas(cell, ratio);
  const at = (point: TrendPoint) => [area.left + point.x * area.width, area.top + (1 - point.y) * area.height] as const;
  context.beginPath();
  if (x.isCategorical) {
    const half = (area.width / x.bars) * 0.36;
    for (const point of points) {
      const [left, top] = at(point);
      context.moveTo(left - half, top);
      context.lineTo(left + half, top);
    }
  } else {
    for (const point of points) {
      context.lineTo(...at(point));
    }
  }
  context.lineJoin = "round";
  for (const [color, width] of [
    [css(page.background), 5],
    [css(page.foreground), 2],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = width * ratio;
    context.stroke();
  }
}

/** Labels along the foot of a cell; those that would run into another are left out. */
export function paintFoot(
  context: CanvasRenderingContext2D,
  cell: Rect,
  x: Placement,
  theme: ChartTheme,
  ratio: number,
): void {
  context.font = labelFont(ratio);
  context.fillStyle = theme.label;
  context.textAlign = "center";
  context.textBaseline = "top";
  const foot = (cell.top + cell.height + 4) * ratio;
  let end = Number.NEGATIVE_INFINITY;
  for (const { value, label } of x.ticks(cell.width, 48)) {
    const most = x.isCategorical ? Math.max(24, cell.width / x.bars - 4) : cell.width;
    const width = Math.min(most, measureLabel(label));
    const middle = Math.max(
      cell.left + width / 2,
      Math.min(cell.left + cell.width - width / 2, cell.left + value * cell.width),
    );
    if (value >= 0 && value <= 1 && middle - width / 2 > end) {
      context.fillText(fittedName(label, most), middle * ratio, foot);
      end = middle + width / 2 + 6;
    }
  }
}

/** Labels to the left of a cell, at most so wide. */
export function paintSide(
  context: CanvasRenderingContext2D,
  cell: Rect,
  y: Placement,
  room: number,
  theme: ChartTheme,
  ratio: number,
): void {
  context.font = labelFont(ratio);
  context.fillStyle = theme.label;
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const { value, label } of y.ticks(cell.height, y.isCategorical ? 14 : 30)) {
    const top = cell.top + Math.max(6, Math.min(cell.height - 6, (1 - value) * cell.height));
    if (value >= 0 && value <= 1) {
      context.fillText(fittedName(label, room), (cell.left - 5) * ratio, top * ratio);
    }
  }
}
