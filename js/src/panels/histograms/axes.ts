// Axes along the edges of a plot, drawn onto its canvas.

import type { AxisKind, Range } from "../../charts/axis";
import { ticksAlong } from "../../charts/axis";
import type { Box } from "../../charts/chart";
import { shortened } from "../../lib/names";

const FONT_SIZE = 11;
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
/** CSS pixels from tick to tick at least, across and down; across less, where there would be fewer than three. */
const APART = 58;
const CLOSER = [APART, 46, 36];
const FEW = 3;
const APART_DOWN = 22;
/** CSS pixels between a label and the edge of the card. */
const EDGE = 3;
const CHARACTER = 6.5;
const BETWEEN = 8;
/** CSS pixels from one line of text to the next. */
const LEAST = 12;
/** And from a line of text to a name that stands on the axis. */
const NAME = 15;
/** CSS pixels beside labels: their ticks, and the edge of the card. */
const OFF = 13;

interface Tick {
  readonly at: number;
  readonly label: string;
}

export interface AxisColours {
  readonly label: string;
  readonly grid: string;
  readonly axis: string;
}

/** Along the lower edge, with lines up through the plot. */
export function drawBottom(
  context: CanvasRenderingContext2D,
  box: Box,
  range: Range,
  kind: AxisKind,
  colours: AxisColours,
  ratio: number,
): void {
  const width = box.width / ratio;
  const ticks = ticksAcross(kind, range, width);
  begin(context, ratio, colours);
  context.textAlign = "center";
  context.textBaseline = "top";
  const foot = box.top + box.height;
  for (const { at, label } of ticks) {
    const x = Math.round(box.left + ((at - range[0]) / (range[1] - range[0])) * box.width) + 0.5;
    line(context, colours.grid, x, box.top, x, foot, ratio);
    line(context, colours.axis, x, foot, x, foot + 4 * ratio, ratio);
    // At the very edge, what would be cut stands a little inwards.
    const half = context.measureText(label).width / 2;
    const [least, most] = [half + EDGE * ratio, context.canvas.width - half - EDGE * ratio];
    context.fillText(label, Math.max(least, Math.min(x, most)), foot + 6 * ratio);
  }
}

/** As many as have room for their labels; three, if that is possible at all. */
export function ticksAcross(kind: AxisKind, range: Range, width: number): readonly Tick[] {
  const longest = (ticks: readonly Tick[]) => Math.max(0, ...ticks.map(({ label }) => label.length)) * CHARACTER;
  const usual = ticksAlong(kind, range, width, APART);
  const found = CLOSER.map((apart) => ({ apart, ticks: ticksAlong(kind, range, width, apart) })).find(
    ({ apart, ticks }) => ticks.length >= FEW && longest(ticks) + BETWEEN <= apart,
  );
  return found?.ticks ?? ticksAlong(kind, range, width, Math.max(APART, longest(usual) + 2 * BETWEEN));
}

/**
 * Along an upright edge: labels on the right of it, or on the left. `place` gives the share of the height from above. What is
 * `named` by others has no label here.
 */
export function drawUpright(
  context: CanvasRenderingContext2D,
  box: Box,
  range: Range,
  kind: AxisKind,
  place: (value: number) => number,
  onTheRight: boolean,
  colours: AxisColours,
  ratio: number,
  named: readonly number[] = [],
): void {
  const length = (Math.abs(place(range[1]) - place(range[0])) * box.height) / ratio;
  begin(context, ratio, colours);
  context.textAlign = onTheRight ? "left" : "right";
  context.textBaseline = "middle";
  const edge = onTheRight ? box.left + box.width : box.left;
  const out = (onTheRight ? 1 : -1) * ratio;
  const { ticks, newest } = ticksDown(kind, range, length);
  const beside = (tick: Tick, other: number, apart: number) =>
    Math.abs(place(tick.at) - place(other)) * box.height < apart * ratio;
  const all = [...ticks.filter((tick) => newest.length === 0 || !beside(tick, range[1], LEAST)), ...newest];
  for (const { at, label } of all.filter((tick) => !named.some((other) => beside(tick, other, NAME)))) {
    const y = Math.round(box.top + place(at) * box.height) + 0.5;
    line(context, colours.grid, box.left, y, box.left + box.width, y, ratio);
    line(context, colours.axis, edge, y, edge + 4 * out, y, ratio);
    context.fillText(label, edge + 7 * out, y);
  }
}

/** CSS pixels that the labels of an upright axis need, and as much to set them off. */
export function widthBeside(kind: AxisKind, range: Range, length: number): number {
  const { ticks, newest } = ticksDown(kind, range, length);
  return CHARACTER * Math.max(0, ...[...ticks, ...newest].map(({ label }) => label.length)) + OFF;
}

/** The newest is named too, where there is room; a lone step is not between others. */
function ticksDown(kind: AxisKind, range: Range, length: number): { ticks: readonly Tick[]; newest: readonly Tick[] } {
  if (!(range[0] < range[1])) {
    return { ticks: lone(kind, range[0]), newest: [] };
  }
  const newest = kind === "whole" ? lone(kind, range[1]) : [];
  return { ticks: ticksAlong(kind, range, Math.max(1, length), APART_DOWN), newest };
}

function lone(kind: AxisKind, at: number): { at: number; label: string }[] {
  return ticksAlong(kind, [at - 1, at + 1], 2, 1).filter((tick) => tick.at === at);
}

/** The name of a plot's run above it, without the beginning that it has in common with all runs if all is too long. */
export function drawTitle(
  context: CanvasRenderingContext2D,
  box: Box,
  { run, colour }: { readonly run: string; readonly colour: string },
  shared: number,
  colours: AxisColours,
  ratio: number,
): void {
  begin(context, ratio, colours);
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  const y = box.top - 5 * ratio;
  context.fillStyle = colour;
  context.beginPath();
  context.arc(box.left + 4 * ratio, y - 4 * ratio, 3.5 * ratio, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = colours.label;
  const room = box.width - 14 * ratio;
  const fits = context.measureText(run).width <= room;
  context.fillText(fits ? run : cut(context, shortened(run, shared), room), box.left + 12 * ratio, y);
}

/** The end of a name, which is where names mostly differ, if there is no room for all of it. */
function cut(context: CanvasRenderingContext2D, text: string, width: number): string {
  let from = 0;
  while (from < text.length && context.measureText(from === 0 ? text : `…${text.slice(from)}`).width > width) {
    from += 1 + Math.floor((text.length - from) / 12);
  }
  return from === 0 ? text : `…${text.slice(from)}`;
}

/** Text from now on is that of the axes. */
export function begin(context: CanvasRenderingContext2D, ratio: number, { label }: { readonly label: string }): void {
  context.font = `${FONT_SIZE * ratio}px ${FONT}`;
  context.fillStyle = label;
}

function line(
  context: CanvasRenderingContext2D,
  colour: string,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  ratio: number,
): void {
  context.strokeStyle = colour;
  context.lineWidth = Math.max(1, Math.floor(ratio));
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}
