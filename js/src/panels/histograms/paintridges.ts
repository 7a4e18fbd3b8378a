// Paints ridges. The filled area is proportional to the counts, to a fraction of a pixel; an outline lies upon it.

import type { PaintPath, Rect, Surface } from "../../charts/geometry";
import { css, mixed, type PageColors, type Rgb } from "../../charts/theme";
import { markSize } from "../../histograms/bins";
import type { CountScale } from "./countscale";
import { footOf, type Ridge, type Ridges } from "./ridges";

const FADED = 0.12;
/** Opacity of the areas of runs that share a plot, whose outlines tell them apart: of one at most, of all of them together. */
const THROUGH = 0.3;
const TOGETHER = 0.8;
/** Opacity of the background between them and older ones. */
const VEIL = 0.7;
/** Opacity of the base line of a ridge, and of the parts of it with counts, however few. */
const BASE = 0.22;
const COUNTED = 0.45;
/** Share of its color in the area of a ridge, whose outline has all of it. */
const FILL = 0.5;
/** CSS pixels of background around a ridge; the ridge covers half of them. */
const MARGIN = 3;
/** Opacity of other ridges than the linked one. */
const BESIDE = 0.35;

/** CSS pixels that an arrow to hardly anything is long, and what one to everything is longer; half its width, as a share. */
const ARROW = 4;
const ARROW_MORE = 15;
const ARROW_HALF = 0.4;

interface Brush extends Surface {
  readonly area: Rect;
  readonly ridges: Ridges;
  readonly page: PageColors;
  /** Several runs share the plot. */
  readonly several: boolean;
  /** Opacity of areas where they do. */
  readonly through: number;
  /** It is the only ridge: there is none to tell it from. */
  readonly alone: boolean;
}

/** A ridge as it is painted. */
interface Stroke {
  readonly ridge: Ridge;
  readonly stairs: readonly Stair[];
  readonly foot: number;
  /** The stairs as a line. */
  readonly line: PaintPath;
  readonly alpha: number;
  /** The color of its outline if it is linked or highlighted. */
  readonly bold: Rgb | null;
}

/** Paints all ridges into an area of the canvas; `highlight` is the ridge below the pointer. */
export function paintRidges(
  surface: Surface,
  area: Rect,
  ridges: Ridges,
  page: PageColors,
  highlight: object | null,
): void {
  const { context, ratio } = surface;
  const runs = new Set(ridges.ridges.map(({ run }) => run)).size;
  const several = runs > 1;
  const through = Math.min(THROUGH, TOGETHER / runs);
  const brush: Brush = { ...surface, area, ridges, page, several, through, alone: ridges.ridges.length === 1 };
  const anyLinked = ridges.ridges.some(({ linked }) => linked);
  const aside = ({ run, linked }: Ridge) => (run.faded ? FADED : anyLinked && !linked ? BESIDE : 1);
  context.save();
  context.beginPath();
  context.rect(area.left, area.top, area.width, area.height + ratio);
  context.clip();
  context.lineJoin = "round";
  // Linked and highlighted ridges are painted last.
  const sorted = [...ridges.ridges].sort((a, b) => rank(a, highlight) - rank(b, highlight));
  const strokes = sorted.map((ridge): Stroke => {
    const bold = ridge === highlight || ridge.linked;
    // Linked ridges of several runs keep the colors of their runs.
    const strong = several && ridge !== highlight ? ridges.colors.get(ridge.run.run) : page.foreground;
    const stairs = stairsOf(ridge.profile, ridges.countScale, ridges.tallest * area.height);
    const foot = area.top + Math.round(footOf(ridges, ridge.at) * area.height);
    const line = outlined(surface.path(), stairs, area, foot);
    return { ridge, stairs, foot, line, alpha: aside(ridge), bold: bold ? (strong ?? page.foreground) : null };
  });
  const passes = ridges.mode === "offset" ? [paintBack, paintArea, paintOutline] : [paintLine];
  for (const together of groupsOf(strokes)) {
    for (const paint of passes) {
      for (const stroke of together) {
        paint(brush, stroke);
      }
    }
  }
  context.restore();
}

/** Ridges of several runs at one step: no run's area is to hide another's outline. */
function groupsOf(strokes: readonly Stroke[]): Stroke[][] {
  const groups: Stroke[][] = [];
  for (const stroke of strokes) {
    const [last] = groups.at(-1) ?? [];
    if (last !== undefined && last.ridge.at === stroke.ridge.at && (last.bold === null) === (stroke.bold === null)) {
      groups.at(-1)?.push(stroke);
    } else {
      groups.push([stroke]);
    }
  }
  return groups;
}

function rank(ridge: Ridge, highlight: object | null): number {
  return 2 * Number(ridge === highlight) + Number(ridge.linked) - Number(ridge.run.faded);
}

/** Background that separates it from those behind. */
function paintBack({ context, area, page, ratio, several }: Brush, { stairs, line, foot, bold }: Stroke): void {
  context.strokeStyle = context.fillStyle = css(page.background);
  if (bold !== null || !several) {
    context.globalAlpha = 1;
    context.lineWidth = (bold === null ? MARGIN : several ? 3 : 5) * ratio;
    context.stroke(line);
  }
  if (several) {
    context.globalAlpha = VEIL;
    fillStairs(context, area, stairs, foot);
  }
}

function paintArea(brush: Brush, { ridge, stairs, foot, alpha, bold }: Stroke): void {
  const { context, area, page, ratio, several, through, alone } = brush;
  const { run, tone } = colorOf(brush, ridge);
  context.fillStyle = css(mixed(page.background, tone, several ? 1 : alpha * (alone ? 1 : FILL)));
  context.globalAlpha = several ? alpha * through : 1;
  fillStairs(context, area, stairs, foot);
  const base = Math.max(1, Math.round(ratio / 2));
  context.fillStyle = css(bold ?? run);
  context.globalAlpha = alpha * BASE;
  context.fillRect(area.left, foot, area.width, base);
  context.globalAlpha = alpha * COUNTED;
  for (const { from, to } of spans(stairs)) {
    context.fillRect(area.left + from, foot, to - from, base);
  }
}

/** Columns are whole pixels; the upper end may cover a part of a pixel, which the canvas blends. */
function fillStairs(context: Surface["context"], area: Rect, stairs: readonly Stair[], foot: number): void {
  for (const { from, to, height } of stairs) {
    context.fillRect(area.left + from, foot - height, to - from, height);
  }
}

function paintOutline(brush: Brush, { ridge, stairs, foot, line, alpha, bold }: Stroke): void {
  const { context, page, ratio, several, alone } = brush;
  const { tone } = colorOf(brush, ridge);
  if (bold !== null || !alone) {
    context.globalAlpha = several && bold === null ? alpha : 1;
    context.strokeStyle = css(bold ?? mixed(page.background, tone, several ? 1 : alpha));
    context.lineWidth = (bold === null ? 1 : 1.5) * ratio;
    context.stroke(line);
  }
  const strong = mixed(tone, page.foreground, 0.5);
  paintCuts(brush, stairs, foot, strong, alpha);
  paintBeyond(brush, ridge, foot, bold ?? strong, alpha);
}

function paintLine(brush: Brush, { ridge, stairs, foot, line, alpha: aside, bold }: Stroke): void {
  const { context, page, ratio, several } = brush;
  const { tone } = colorOf(brush, ridge);
  if (bold !== null) {
    context.globalAlpha = 1;
    context.strokeStyle = css(page.background);
    context.lineWidth = (several ? 3 : 5) * ratio;
    context.stroke(line);
  }
  const alpha = bold !== null ? 1 : aside * (several ? 0.1 + 0.9 * ridge.age ** 3 : 0.35 + 0.5 * ridge.age);
  context.globalAlpha = alpha;
  context.strokeStyle = css(bold ?? tone);
  context.lineWidth = (bold !== null ? 2 : 1) * ratio;
  context.stroke(line);
  paintCuts(brush, stairs, foot, bold ?? tone, alpha);
  paintBeyond(brush, ridge, foot, bold ?? mixed(tone, page.foreground, 0.5), alpha);
}

/** Arrows at the ends of the foot for the counts beyond them; their size grows with the counts. */
function paintBeyond(
  { context, area, page, ratio, path: newPath }: Brush,
  ridge: Ridge,
  foot: number,
  tone: Rgb,
  alpha: number,
): void {
  const { below, above } = ridge.beyond;
  const arrow = (share: number, edge: number, inwards: 1 | -1) => {
    if (share > 0) {
      const long = (ARROW + markSize(share) * ARROW_MORE) * ratio;
      const half = Math.max(1.5 * ratio, long * ARROW_HALF);
      const middle = foot - half;
      const path = newPath();
      path.moveTo(edge, middle);
      path.lineTo(edge + inwards * long, middle - half);
      path.lineTo(edge + inwards * long, middle + half);
      path.closePath();
      context.globalAlpha = 1;
      context.strokeStyle = css(page.background);
      context.lineWidth = ratio;
      context.stroke(path);
      context.globalAlpha = alpha;
      context.fillStyle = css(tone);
      context.fill(path);
    }
  };
  arrow(below, area.left, 1);
  arrow(above, area.left + area.width, -1);
}

/** Where a ridge is cut off: a line above it, behind a gap. */
function paintCuts({ context, area, ratio }: Brush, stairs: readonly Stair[], foot: number, tone: Rgb, alpha: number) {
  context.fillStyle = css(tone);
  context.globalAlpha = alpha;
  for (const { from, to, height, cut } of stairs) {
    if (cut) {
      context.fillRect(area.left + from, foot - height - 4 * ratio, Math.max(to - from, ratio), 2 * ratio);
    }
  }
}

function colorOf({ ridges, page, several }: Brush, ridge: Ridge): { run: Rgb; tone: Rgb } {
  const { background, foreground } = page;
  const run = ridges.colors.get(ridge.run.run) ?? foreground;
  const pale = several && ridges.mode === "offset";
  return { run, tone: pale ? mixed(background, run, 0.45 + 0.55 * ridge.age) : shade(run, page, ridge.age) };
}

/** Stretches of consecutive columns with counts. */
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
function outlined(line: PaintPath, stairs: readonly Stair[], area: Rect, foot: number): PaintPath {
  let end = -1;
  for (const { from, to, height } of stairs) {
    if (end < 0) {
      line.moveTo(area.left + from, foot);
    } else if (from > end) {
      line.lineTo(area.left + end, foot);
      line.lineTo(area.left + from, foot);
    }
    line.lineTo(area.left + from, foot - height);
    line.lineTo(area.left + to, foot - height);
    end = to;
  }
  if (end >= 0) {
    line.lineTo(area.left + end, foot);
  }
  return line;
}

/** Columns [from, to) of one height in pixels; `cut`: they have more counts than can be drawn. */
export interface Stair {
  readonly from: number;
  readonly to: number;
  readonly height: number;
  readonly cut: boolean;
}

/** Share of its height by which a stair may be off. */
const EVEN = 0.002;

/** The stairs of a profile whose highest column may be `tall` pixels; empty columns are in none. */
export function stairsOf(profile: Float64Array, scale: CountScale, tall: number): Stair[] {
  const stairs: Stair[] = [];
  let from = 0;
  let height = 0;
  let cut = false;
  const end = (to: number) => {
    if (height > 0 && to > from) {
      stairs.push({ from, to, height, cut });
    }
    from = to;
  };
  for (let i = 0; i < profile.length; i += 1) {
    const counts = profile[i] as number;
    const here = scale(counts) * tall;
    const over = counts > scale.top * (1 + 1e-9);
    if (Math.abs(here - height) > EVEN * height || over !== cut) {
      end(i);
      [height, cut] = [here, over];
    }
  }
  end(profile.length);
  return stairs;
}

/** Share of the background in the oldest, and of the foreground in the newest. */
const PALEST = 0.74;
const DARKEST = 0.22;

/** `age` from 0, the oldest, to 1, the newest. */
export function shade(run: Rgb, { background, foreground }: PageColors, age: number): Rgb {
  return age < 0.7
    ? mixed(background, run, 1 - PALEST + (PALEST * age) / 0.7)
    : mixed(run, foreground, (DARKEST * (age - 0.7)) / 0.3);
}
