// Paints ridges onto a canvas. What is filled of a ridge is what was counted: no pixel more, none less.

import type { Box } from "../../charts/chart";
import { footOf, type Ridge, type Ridges } from "./ridges";
import { css, mixed, type Rgb, shade } from "./shades";
import { type Stair, stairsOf } from "./stairs";

export interface Ground {
  readonly paper: Rgb;
  readonly ink: Rgb;
}

const FADED = 0.12;
/** Of runs that share a plot, each lets the others through. */
const THROUGH = 0.6;
/** Of the line that a ridge stands on, and of its parts above which something was counted, however little. */
const BASE = 0.22;
const COUNTED = 0.45;
/** CSS pixels of paper about a ridge, of which it covers half. */
const MARGIN = 1.2;
/** Of ridges beside the linked one. */
const BESIDE = 0.35;

interface Brush {
  readonly context: CanvasRenderingContext2D;
  readonly box: Box;
  readonly scene: Ridges;
  readonly ground: Ground;
  readonly ratio: number;
  /** Several runs share the plot. */
  readonly several: boolean;
}

/** Paints all ridges into `box`, the one under the pointer boldly; `ratio` is that of canvas pixels to the page's. */
export function paintRidges(
  context: CanvasRenderingContext2D,
  box: Box,
  scene: Ridges,
  ground: Ground,
  hovered: Ridge | null,
  ratio: number,
): void {
  const several = new Set(scene.ridges.map(({ run }) => run)).size > 1;
  const brush: Brush = { context, box, scene, ground, ratio, several };
  const pointing = scene.ridges.some(({ linked }) => linked);
  const aside = ({ run, linked }: Ridge) => (run.faded ? FADED : pointing && !linked ? BESIDE : 1);
  context.save();
  context.beginPath();
  context.rect(box.left, box.top, box.width, box.height + ratio);
  context.clip();
  context.lineJoin = "round";
  // What is pointed out stands before all else.
  for (const ridge of [...scene.ridges].sort((a, b) => rank(a, hovered) - rank(b, hovered))) {
    const bold = ridge === hovered || ridge.linked;
    // Where several runs are pointed out, each keeps its colour.
    const colour = several && ridge !== hovered ? scene.colours.get(ridge.run.run) : ground.ink;
    const paint = scene.mode === "offset" ? paintArea : paintLine;
    paint(brush, ridge, aside(ridge), bold ? (colour ?? ground.ink) : null);
  }
  context.restore();
}

function rank(ridge: Ridge, hovered: Ridge | null): number {
  return 2 * Number(ridge === hovered) + Number(ridge.linked) - Number(ridge.run.faded);
}

/** `bold` is the colour of its outline, if it is pointed out. */
function paintArea(brush: Brush, ridge: Ridge, alpha: number, bold: Rgb | null): void {
  const { context, box, scene, ground, ratio, several } = brush;
  const { run, tone } = colourOf(brush, ridge);
  const foot = box.top + Math.round(footOf(scene, ridge.at) * box.height);
  const stairs = stairsOf(ridge.profile, scene.heights, scene.tallest * box.height);
  const line = bold !== null || !several ? outline(stairs, box, foot) : null;
  // A margin of paper sets it off from those behind.
  if (line !== null) {
    context.globalAlpha = 1;
    context.strokeStyle = css(ground.paper);
    context.lineWidth = (bold === null ? MARGIN : several ? 3 : 5) * ratio;
    context.stroke(line);
  }
  context.fillStyle = css(mixed(ground.paper, tone, several ? 1 : alpha));
  context.globalAlpha = several ? alpha * THROUGH : 1;
  for (const { from, to, height } of stairs) {
    // Columns are pixels: only the upper end may lie within one, which then is as pale as it is little of it.
    context.fillRect(box.left + from, foot - height, to - from, height);
  }
  if (several) {
    context.globalAlpha = alpha;
    for (const { from, to, height } of stairs) {
      const lid = Math.min(height, ratio);
      context.fillRect(box.left + from, foot - height, to - from, lid);
    }
  }
  const base = Math.max(1, Math.round(ratio / 2));
  context.fillStyle = css(bold ?? run);
  context.globalAlpha = alpha * BASE;
  context.fillRect(box.left, foot, box.width, base);
  context.globalAlpha = alpha * COUNTED;
  for (const { from, to } of spans(stairs)) {
    context.fillRect(box.left + from, foot, to - from, base);
  }
  paintCuts(brush, stairs, foot, mixed(tone, ground.ink, 0.5), alpha);
  if (bold !== null && line !== null) {
    context.globalAlpha = 1;
    context.strokeStyle = css(bold);
    context.lineWidth = 1.5 * ratio;
    context.stroke(line);
  }
}

function paintLine(brush: Brush, ridge: Ridge, aside: number, bold: Rgb | null): void {
  const { context, box, scene, ground, ratio, several } = brush;
  const { tone } = colourOf(brush, ridge);
  const foot = box.top + box.height;
  const stairs = stairsOf(ridge.profile, scene.heights, scene.tallest * box.height);
  const line = outline(stairs, box, foot);
  if (bold !== null) {
    context.globalAlpha = 1;
    context.strokeStyle = css(ground.paper);
    context.lineWidth = (several ? 3 : 5) * ratio;
    context.stroke(line);
  }
  const alpha = bold !== null ? 1 : aside * (several ? 0.1 + 0.9 * ridge.age ** 3 : 0.35 + 0.5 * ridge.age);
  context.globalAlpha = alpha;
  context.strokeStyle = css(bold ?? tone);
  context.lineWidth = (bold !== null ? 2 : 1) * ratio;
  context.stroke(line);
  paintCuts(brush, stairs, foot, bold ?? tone, alpha);
}

/** Where a ridge goes on beyond what is drawn: a line above it, set off by a gap. */
function paintCuts({ context, box, ratio }: Brush, stairs: readonly Stair[], foot: number, tone: Rgb, alpha: number) {
  context.fillStyle = css(tone);
  context.globalAlpha = alpha;
  for (const { from, to, height, cut } of stairs) {
    if (cut) {
      context.fillRect(box.left + from, foot - height - 4 * ratio, Math.max(to - from, ratio), 2 * ratio);
    }
  }
}

function colourOf({ scene, ground: { paper, ink }, several }: Brush, ridge: Ridge): { run: Rgb; tone: Rgb } {
  const run = scene.colours.get(ridge.run.run) ?? ink;
  const pale = several && scene.mode === "offset";
  return { run, tone: pale ? mixed(paper, run, 0.45 + 0.55 * ridge.age) : shade(run, paper, ink, ridge.age) };
}

/** Columns above which something was counted, without a gap between them. */
function spans(stairs: readonly Stair[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const { from, to } of stairs) {
    const last = found.at(-1);
    if (last?.to === from) {
      last.to = to;
    } else {
      found.push({ from, to });
    }
  }
  return found;
}

/** The stairs as a line that is open at the foot. */
function outline(stairs: readonly Stair[], box: Box, foot: number): Path2D {
  const line = new Path2D();
  let end = -1;
  for (const { from, to, height } of stairs) {
    if (end < 0) {
      line.moveTo(box.left + from, foot);
    } else if (from > end) {
      line.lineTo(box.left + end, foot);
      line.lineTo(box.left + from, foot);
    }
    line.lineTo(box.left + from, foot - height);
    line.lineTo(box.left + to, foot - height);
    end = to;
  }
  if (end >= 0) {
    line.lineTo(box.left + end, foot);
  }
  return line;
}
