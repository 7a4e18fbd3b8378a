// Drawing of parallel coordinates: places of the axes, their labels, and the saved picture.

import type { Size, Surface } from "../../../charts/geometry";
import { fittedName, labelFont, measureLabel, titleFont } from "../../../charts/text";
import { chartTheme, css, type PageColors } from "../../../charts/theme";
import { chartColors, type Theme } from "../../../lib/tokens";
import type { Brush } from "../sessions";
import { AxisSpace, type ParallelAxis, type Span } from "./axes";
import { faintAlpha, litAlpha } from "./gaps";
import { parallelTexts } from "./texts";

/** CSS pixels between axes down to which they do not scroll, so that the goal, the last one, stays visible. */
const FIT_GAP_PX = 56;

/** CSS pixels: between neighboring axes that scroll, at the left of the first axis, at the right of the last one. */
const SCROLL_GAP_PX = 88;
const MAX_LEFT_PX = 116;
const MIN_LEFT_PX = 44;
const RIGHT_PX = 44;

/** CSS pixels: of a tick, and from an axis to its labels. */
const TICK_PX = 4;
const LABEL_PX = 7;

/** CSS pixels of the stroke about a label, which keeps it apart from the lines below. */
const HALO_PX = 5;

/** CSS pixels: of a brush, and of the line of the goal metric's axis. */
export const BRUSH_PX = 14;
const GOAL_PX = 4;

/** CSS pixels: of the titles above the axes of a picture. */
const TITLE_PX = 24;

const GOAL_STEPS = 48;

/** Where each axis is, in CSS pixels from the left. */
export interface Places {
  readonly xs: readonly number[];
  /** Layout of all axes. */
  readonly width: number;
  /** Between neighbors. */
  readonly gap: number;
}

export function placesOf(axes: readonly ParallelAxis[], space: AxisSpace, width: number): Places {
  const labels = axes[0]?.ticks(space).map(({ label }) => measureLabel(label)) ?? [];
  const widest = Math.max(0, ...labels) + LABEL_PX + 6;
  const left = Math.round(Math.min(MAX_LEFT_PX, Math.max(MIN_LEFT_PX, widest)));
  const gaps = Math.max(1, axes.length - 1);
  const fit = Math.floor((width - left - RIGHT_PX) / gaps);
  const gap = fit >= FIT_GAP_PX ? fit : SCROLL_GAP_PX;
  return {
    xs: axes.map((_, i) => Math.round(left + i * gap)),
    width: Math.max(width, left + gaps * gap + RIGHT_PX),
    gap,
  };
}

/** The state of an axis that changes its look. */
export interface AxisLook {
  readonly axis: ParallelAxis;
  readonly x: number;
  readonly brushes: readonly Brush[];
  /** Set for the axis of the goal metric, which shows what the colors stand for. */
  readonly colorAt: ((value: number) => string) | null;
}

interface Look {
  readonly space: AxisSpace;
  readonly theme: Theme;
  readonly page: PageColors;
  /** CSS pixels that a label may take. */
  readonly room: number;
}

export function paintAxes(surface: Surface, axes: readonly AxisLook[], look: Look): void {
  for (const axis of axes) {
    paintAxis(surface, axis, look);
  }
}

function paintAxis(surface: Surface, { axis, x, brushes, colorAt }: AxisLook, look: Look): void {
  const { context, ratio } = surface;
  const { space, theme, page, room } = look;
  const colors = chartTheme(surface, theme);
  const line = Math.max(1, Math.round(ratio));
  const left = Math.round(x * ratio - line / 2);
  const [top, bottom] = [Math.round(space.top * ratio), Math.round(space.bottom * ratio)];
  if (colorAt === null) {
    context.fillStyle = colors.label;
    context.fillRect(left, top, line, bottom - top);
  } else {
    paintScale(surface, axis, x, colorAt, look);
  }
  for (const span of brushes.flatMap((brush) => axis.spansOf(brush, space))) {
    paintBrush(surface, x, span, page);
  }
  context.font = labelFont(ratio);
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = HALO_PX * ratio;
  context.strokeStyle = css(page.background);
  for (const { y, label } of axis.ticks(space)) {
    const at = Math.round(y * ratio - line / 2);
    context.fillStyle = colors.label;
    context.fillRect(left - Math.round(TICK_PX * ratio), at, Math.round(TICK_PX * ratio), line);
    const text = fittedName(label.replace(/\s+/g, " "), room);
    const [textX, textY] = [left - LABEL_PX * ratio, at + line / 2];
    context.strokeText(text, textX, textY);
    context.fillStyle = css(page.foreground);
    context.fillText(text, textX, textY);
  }
}

/** The line of an axis in the colors of the goal metric. */
function paintScale(
  { context, ratio }: Surface,
  axis: ParallelAxis,
  x: number,
  colorAt: (value: number) => string,
  { space, theme }: Look,
): void {
  const [left, width] = [Math.round((x - GOAL_PX / 2) * ratio), Math.round(GOAL_PX * ratio)];
  const heightOf = (step: number) =>
    Math.round((space.bottom + (step / GOAL_STEPS) * (space.top - space.bottom)) * ratio);
  for (let step = 0; step < GOAL_STEPS; step += 1) {
    const up = (step + 0.5) / GOAL_STEPS;
    const value = axis.numberAt(up);
    context.fillStyle = value === null ? chartColors[theme].label : colorAt(value);
    context.fillRect(left, heightOf(step + 1), width, heightOf(step) - heightOf(step + 1));
  }
}

function paintBrush({ context, ratio }: Surface, x: number, { top, bottom }: Span, { foreground }: PageColors): void {
  const line = Math.max(1, Math.round(ratio));
  const left = Math.round((x - BRUSH_PX / 2) * ratio);
  const width = Math.round(BRUSH_PX * ratio);
  const [from, to] = [
    Math.round(top * ratio),
    Math.max(Math.round(top * ratio) + 3 * line, Math.round(bottom * ratio)),
  ];
  context.save();
  context.fillStyle = css(foreground);
  context.globalAlpha = 0.16;
  context.fillRect(left, from, width, to - from);
  context.globalAlpha = 0.8;
  context.fillRect(left, from, width, line);
  context.fillRect(left, to - line, width, line);
  context.fillRect(left, from, line, to - from);
  context.fillRect(left + width - line, from, line, to - from);
  context.restore();
}

/** One line above all others, with a dot on each axis. `xs` and `ys` in CSS pixels. */
export function paintOnTop(
  { context, ratio, path }: Surface,
  xs: readonly number[],
  ys: readonly number[],
  color: string,
  { background, foreground }: PageColors,
): void {
  const line = path();
  xs.forEach((x, i) => {
    const [at, y] = [x * ratio, (ys[i] ?? 0) * ratio];
    if (i === 0) {
      line.moveTo(at, y);
    } else {
      line.lineTo(at, y);
    }
  });
  context.save();
  context.setLineDash([]);
  context.lineJoin = "round";
  for (const [width, style] of [
    [8, css(background)],
    [3, color],
  ] as const) {
    context.lineWidth = width * ratio;
    context.strokeStyle = style;
    context.stroke(line);
  }
  xs.forEach((x, i) => {
    for (const [radius, style] of [
      [4.5, css(foreground)],
      [3, color],
    ] as const) {
      context.beginPath();
      context.arc(x * ratio, (ys[i] ?? 0) * ratio, radius * ratio, 0, 2 * Math.PI);
      context.fillStyle = style;
      context.fill();
    }
  });
  context.restore();
}

/** Parts of a picture of the lines. */
export interface Drawn {
  readonly axes: readonly ParallelAxis[];
  readonly brushes: ReadonlyMap<string, readonly Brush[]>;
  /** In the order in which they are drawn. */
  readonly rows: readonly number[];
  /** The lit lines; null: all. */
  readonly brushed: ReadonlySet<number> | null;
  readonly goal: string | null;
  colorAt(value: number): string;
  colorOf(row: number): string;
}

/** All axes, as wide as they are: a picture does not scroll. */
export function paintPicture(
  surface: Surface,
  { width, height }: Size,
  drawn: Drawn,
  theme: Theme,
  page: PageColors,
): void {
  const { context, ratio, path } = surface;
  const { axes, brushed } = drawn;
  const space = new AxisSpace(axes, height - TITLE_PX);
  const { xs, gap } = placesOf(axes, space, width);
  const lit = brushed === null ? drawn.rows : drawn.rows.filter((row) => brushed.has(row));
  context.save();
  context.translate(0, Math.round(TITLE_PX * ratio));
  const stroke = (rows: readonly number[], colorOf: (row: number) => string, alpha: number) => {
    context.save();
    context.globalAlpha = alpha;
    context.lineWidth = 1.2 * ratio;
    context.lineJoin = "bevel";
    for (const row of rows) {
      const line = path();
      axes.forEach((axis, i) => {
        const [x, y] = [(xs[i] ?? 0) * ratio, space.yOf(axis.places[row] ?? 0) * ratio];
        if (i === 0) {
          line.moveTo(x, y);
        } else {
          line.lineTo(x, y);
        }
      });
      context.strokeStyle = colorOf(row);
      context.stroke(line);
    }
    context.restore();
  };
  if (brushed !== null) {
    stroke(drawn.rows, () => chartColors[theme].label, faintAlpha(drawn.rows.length));
  }
  stroke(lit, drawn.colorOf, litAlpha(lit.length));
  const looks = axes.map((axis, i) => ({
    ...{ axis, x: xs[i] ?? 0, brushes: drawn.brushes.get(axis.column.key) ?? [] },
    colorAt: drawn.goal === axis.column.key ? drawn.colorAt : null,
  }));
  paintAxes(surface, looks, { space, theme, page, room: gap - 2 * LABEL_PX });
  context.restore();
  context.font = titleFont(ratio);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = css(page.foreground);
  const measure = (text: string) => context.measureText(text).width;
  axes.forEach((axis, i) => {
    const text = axis.isFlipped ? `${axis.column.title} ${parallelTexts().down}` : axis.column.title;
    const room = (gap - 8) * ratio;
    context.fillText(
      fittedName(text.replace(/\s+/g, " "), room, measure),
      (xs[i] ?? 0) * ratio,
      (TITLE_PX / 2) * ratio,
    );
  });
}
