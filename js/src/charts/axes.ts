// Paints axes along the edges of a plot: grid, ticks, labels.

import type { Tick } from "./axis";
import type { Rect, Surface } from "./geometry";
import { labelFont, measureLabel } from "./text";
import type { ChartTheme } from "./theme";

/** CSS pixels: length of a tick, and from the axis to its labels. */
const TICK = 4;
const BELOW = 7;
const LABEL_GAP_PX = 8;

/** CSS pixels between a label and the edge of its room, and between labels that had to be moved. */
const EDGE = 3;
const BETWEEN = 4;

/** Where the value of a tick is, as a share of the plot's width or height from its upper left corner. */
type ShareOf = (value: number) => number;

/** Along the lower edge; `room` are the ends, in canvas pixels, between which labels may be written. */
export function paintHorizontalAxis(
  { context, ratio }: Surface,
  area: Rect,
  room: readonly [number, number],
  ticks: readonly Tick[],
  shareOf: ShareOf,
  theme: ChartTheme,
): void {
  const foot = area.top + area.height;
  const width = lineWidth(ratio);
  const places = ticks.map(({ value }) => Math.round(area.left + shareOf(value) * area.width - width / 2));
  context.fillStyle = theme.grid;
  for (const x of places) {
    context.fillRect(x, area.top, width, area.height);
  }
  context.fillStyle = theme.axis;
  for (const x of places) {
    context.fillRect(x, foot, width, Math.round(TICK * ratio));
  }
  context.font = labelFont(ratio);
  context.fillStyle = theme.label;
  context.textAlign = "center";
  context.textBaseline = "top";
  let end = Number.NEGATIVE_INFINITY;
  for (const [i, { label }] of ticks.entries()) {
    const half = (measureLabel(label) * ratio) / 2;
    // At the very edge, a label that would be cut is moved inwards.
    const [least, most] = [room[0] + half + EDGE * ratio, room[1] - half - EDGE * ratio];
    const x = Math.max(least, Math.min((places[i] as number) + width / 2, most));
    if (x - half >= end) {
      context.fillText(label, x, foot + BELOW * ratio);
      end = x + half + BETWEEN * ratio;
    }
  }
}

export interface VerticalAxis {
  readonly side: "left" | "right";
  readonly grid: boolean;
  readonly labels: boolean;
}

export function paintVerticalAxis(
  { context, ratio }: Surface,
  area: Rect,
  ticks: readonly Tick[],
  shareOf: ShareOf,
  theme: ChartTheme,
  { side, grid, labels }: VerticalAxis,
): void {
  const width = lineWidth(ratio);
  const right = side === "right";
  const edge = right ? area.left + area.width : area.left;
  const places = ticks.map(({ value }) => Math.round(area.top + shareOf(value) * area.height - width / 2));
  if (grid) {
    context.fillStyle = theme.grid;
    for (const y of places) {
      context.fillRect(area.left, y, area.width, width);
    }
  }
  const length = Math.round(TICK * ratio);
  context.fillStyle = theme.axis;
  for (const y of places) {
    context.fillRect(right ? edge : edge - length, y, length, width);
  }
  if (labels) {
    context.font = labelFont(ratio);
    context.fillStyle = theme.label;
    context.textAlign = right ? "left" : "right";
    context.textBaseline = "middle";
    for (const [i, { label }] of ticks.entries()) {
      context.fillText(
        label,
        right ? edge + LABEL_GAP_PX * ratio : edge - LABEL_GAP_PX * ratio,
        (places[i] as number) + width / 2,
      );
    }
  }
}

/** Paints the title of the horizontal axis, above its end. */
export function paintAxisName({ context, ratio }: Surface, area: Rect, name: string, theme: ChartTheme): void {
  context.save();
  context.font = labelFont(ratio);
  context.textAlign = "right";
  context.textBaseline = "bottom";
  context.lineJoin = "round";
  context.lineWidth = 4 * ratio;
  const [x, y] = [area.left + area.width - EDGE * ratio, area.top + area.height - EDGE * ratio];
  context.strokeStyle = theme.paper;
  context.strokeText(name, x, y, area.width);
  context.fillStyle = theme.label;
  context.fillText(name, x, y, area.width);
  context.restore();
}

/** Canvas pixels of a thin line: whole ones, so that it is crisp. */
export function lineWidth(ratio: number): number {
  return Math.max(1, Math.floor(ratio));
}

/** Paints a few words in the upper left corner of a plot, `inset` CSS pixels from its edges. */
export function paintCorner(
  { context, ratio }: Surface,
  area: Rect,
  text: string,
  inset: number,
  theme: ChartTheme,
): void {
  context.font = labelFont(ratio);
  context.fillStyle = theme.label;
  context.textAlign = "left";
  context.textBaseline = "top";
  context.fillText(text, area.left + inset * ratio, area.top + inset * ratio);
}

/** A few words in the middle of a plot. */
export function paintMiddle({ context, ratio }: Surface, area: Rect, text: string, theme: ChartTheme): void {
  context.font = labelFont(ratio);
  context.fillStyle = theme.label;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, area.left + area.width / 2, area.top + area.height / 2);
}
