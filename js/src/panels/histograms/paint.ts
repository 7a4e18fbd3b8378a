// Paints ridges. The filled area is proportional to the counts, to a fraction of a pixel; an outline lies upon it.

import { paintHorizontalAxis, paintVerticalAxis } from "../../charts/axes";
import { onCanvas, type PaintPath, type Rect, type Surface } from "../../charts/geometry";
import { ticksBeside } from "../../charts/linkedstep";
import { type PlacedRange, paintRangeMarks, paintRanges } from "../../charts/namedranges";
import { shareOf } from "../../charts/plot";
import { labelFont } from "../../charts/text";
import { type ChartTheme, chartTheme, css, mixed, type PageColors, type Rgb, rgbOf } from "../../charts/theme";
import { markSize } from "../../histograms/bins";
import { positionsOf } from "../../histograms/steps";
import { formatTick, formatValue } from "../../lib/format";
import { lastUpTo, type Range } from "../../lib/search";
import { countTicks, paintCountAxis, paintUnit } from "./axes";
import type { CountScale } from "./countscale";
import { countsAt, type Heatmap, pixelsOf, rampOf, stopAt } from "./heatmap";
import type { HistogramPlot, HistogramPlots } from "./plots";
import { binWidth } from "./profile";
import { footOf, type Ridge, type Ridges } from "./ridges";
import { histogramPanelTexts } from "./texts";

const FADED_ALPHA = 0.12;
/** Opacity of the areas of runs that share a plot, whose outlines tell them apart: of one at most, of all of them together. */
const THROUGH = 0.3;
const TOGETHER = 0.8;
/** Opacity of the background between them and older ones. */
const VEIL_ALPHA = 0.7;
/** Opacity of the base line of a ridge, and of the parts of it with counts, however few. */
const BASE = 0.22;
const COUNTED = 0.45;
/** Share of its color in the area of a ridge, whose outline has all of it. */
const FILL = 0.5;
/** CSS pixels of background around a ridge; the ridge covers half of them. */
const MARGIN = 3;
/** Opacity of other ridges than the linked one. */
const UNLINKED_ALPHA = 0.35;

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

/** Paints all ridges into an area of the canvas; `highlight` is the ridge or the named range below the pointer. */
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
  const spans = highlight !== null && "spans" in highlight ? (highlight as PlacedRange).spans : null;
  const isAside = ({ at, linked }: Ridge) =>
    spans === null ? anyLinked && !linked : !spans.some(([from, to]) => at >= from && at <= to);
  const aside = (ridge: Ridge) => (ridge.run.faded ? FADED_ALPHA : isAside(ridge) ? UNLINKED_ALPHA : 1);
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
    context.globalAlpha = VEIL_ALPHA;
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

// Paints the plots of a card of histograms, and the scale of what their colors or heights stand for.

/** CSS pixels from the linked step in a heat map to the lines on both sides of it. */
const ASIDE = 3;

/** CSS pixels of a bar at the edge of a heat map: for hardly anything that is out of sight, and what one for everything is more. */
const BAR = 1;
const BAR_MORE = 14;
const BAR_OPACITY = 0.75;

/** `highlight` is the ridge that is painted boldly, or the named range whose ridges are emphasized. */
export function paintPlots(surface: Surface, all: HistogramPlots, highlight: object | null): void {
  const theme = chartTheme(surface, all.content.theme);
  for (const plot of all.drawn) {
    const area = onCanvas(plot.facet, surface.ratio);
    if (plot.map !== null) {
      paintHeatmap(surface, area, plot, all, theme);
    } else if (plot.ridges !== null) {
      paintRidgePlot(surface, area, plot, all, theme, highlight);
    }
  }
  const [{ map = null, ridges = null, facet } = {}] = all.drawn;
  if (ridges !== null && facet !== undefined && ridges.ridges.length > 0) {
    paintUnit(surface, ridges, theme);
  }
  paintRangeMarks(surface, all.rangeMarks, theme);
  if (map && all.countScale.top > 0) {
    const { page } = all.content;
    const [first, ...others] = all.drawn.flatMap(({ runs }) => runs);
    // Several runs have colors of their own, but share how strong these are.
    const color = first === undefined || others.length > 0 ? theme.label : first.color;
    const right = Math.max(...all.drawn.map(({ facet }) => facet.left + facet.width)) * surface.ratio;
    paintLegend(surface, legendOf(all.countScale, all.values, map.cells), rgbOf(color), page, theme, right);
  }
}

function roomOf({ facet }: HistogramPlot, ratio: number): [number, number] {
  return [facet.room[0] * ratio, facet.room[1] * ratio];
}

function paintRidgePlot(
  surface: Surface,
  area: Rect,
  plot: HistogramPlot,
  { content }: HistogramPlots,
  theme: ChartTheme,
  highlight: object | null,
): void {
  const { ridges, ranges, acrossTicks, downTicks } = plot;
  if (ridges === null) {
    return;
  }
  const scale = { range: ridges.values, ends: [0, 1] } as const;
  const room = roomOf(plot, surface.ratio);
  paintHorizontalAxis(surface, area, room, acrossTicks, (value) => shareOf(scale, value), theme);
  const axis = { side: "right", grid: false, labels: true } as const;
  paintVerticalAxis(surface, area, downTicks, (at) => footOf(ridges, at), theme, axis);
  const [foot, tallest] = [footOf(ridges, ridges.steps[0]), ridges.tallest];
  const heights = countTicks(ridges, tallest * plot.facet.height);
  paintCountAxis(surface, area, heights, { foot, tallest, labels: plot.facet.first }, theme);
  if (ridges.mode === "offset") {
    paintRanges(surface, area, ranges, (at) => footOf(ridges, at), theme, tallest);
  }
  paintRidges(surface, area, ridges, content.page, highlight);
}

function paintHeatmap(
  surface: Surface,
  area: Rect,
  plot: HistogramPlot,
  { content, steps, values, countScale, stepLabels }: HistogramPlots,
  theme: ChartTheme,
): void {
  const { context, ratio } = surface;
  const { facet, map, ranges, acrossTicks, downTicks } = plot;
  if (map === null) {
    return;
  }
  const [across, down] = [{ range: steps, ends: [0, 1] } as const, { range: values, ends: [1, 0] } as const];
  const ticks = ticksBeside(acrossTicks, stepLabels, facet, (at) => facet.left + shareOf(across, at) * facet.width);
  paintHorizontalAxis(surface, area, roomOf(plot, ratio), ticks, (at) => shareOf(across, at), theme);
  const axis = { side: "left", grid: true, labels: true } as const;
  paintVerticalAxis(surface, area, downTicks, (value) => shareOf(down, value), theme, axis);
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [map.columns.length, map.cells];
  picture.getContext("2d")?.putImageData(pixelsOf(map, countScale, content.page), 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(picture, area.left, area.top, area.width, area.height);
  paintRanges(surface, area, ranges, (at) => shareOf(across, at), theme);
  paintCellsBeyond(surface, area, map, css(content.page.foreground));
  const { linked, xAxis } = content.options;
  const row = linked === null ? -1 : lastUpTo(positionsOf(map.run.series, "step"), linked);
  const at = positionsOf(map.run.series, xAxis)[row];
  const x = at === undefined ? -1 : shareOf(across, at);
  if (x >= 0 && x <= 1) {
    // Two lines, so that they do not cover the step itself.
    const middle = Math.floor(area.left + x * area.width);
    const aside = Math.round(ASIDE * ratio);
    context.fillStyle = css(content.page.foreground);
    context.fillRect(middle - aside, area.top, Math.max(1, Math.floor(ratio)), area.height);
    context.fillRect(middle + aside, area.top, Math.max(1, Math.floor(ratio)), area.height);
  }
}

/** Bars at the edges for the counts beyond them; their height grows with the counts. */
function paintCellsBeyond({ context, ratio }: Surface, area: Rect, { columns }: Heatmap, color: string): void {
  context.fillStyle = color;
  context.globalAlpha = BAR_OPACITY;
  const high = (share: number) => (share > 0 ? (BAR + BAR_MORE * markSize(share)) * ratio : 0);
  for (const [x, column] of columns.entries()) {
    if (column !== null) {
      const [below, above] = [high(column.beyond.below), high(column.beyond.above)];
      context.fillRect(area.left + x, area.top, 1, above);
      context.fillRect(area.left + x, area.top + area.height - below, 1, below);
    }
  }
  context.globalAlpha = 1;
}

/** CSS pixels. */
const HALF = 44;
const THICK = 9;
const GAP = 5;

interface Legend {
  /** The stretch of values for which counts are given. */
  readonly per: string;
  /** Counts of the palest, the middle and the strongest color. */
  readonly counts: readonly [string, string, string];
}

/** The legend of heat maps with `cells` cells from the lowest visible value to the highest. */
export function legendOf(scale: CountScale, [min, max]: Range, cells: number): Legend {
  const stretch = binWidth([min, max]);
  const counts = (level: number) => {
    const found = (countsAt(level, scale) * stretch * cells) / (max - min);
    return found > 0 ? formatTick(found, 10 ** (Math.floor(Math.log10(found)) - 1)) : "0";
  };
  const most = counts(1);
  return {
    per: formatValue(stretch),
    counts: [counts(0), counts(0.5), scale.cut ? histogramPanelTexts().orMore(most) : most],
  };
}

/** Paints it into the upper right corner, as far as there is room; `right` is in canvas pixels. */
function paintLegend(
  { context, ratio }: Surface,
  { per, counts }: Legend,
  color: Rgb,
  page: PageColors,
  theme: ChartTheme,
  right: number,
): void {
  context.font = labelFont(ratio);
  context.textAlign = "right";
  context.textBaseline = "middle";
  const y = 9 * ratio;
  let x = right;
  const text = (words: string) => {
    context.fillStyle = theme.label;
    context.fillText(words, x, y);
    x -= context.measureText(words).width + GAP * ratio;
  };
  const ramp = rampOf(color, page);
  const half = (from: number) => {
    const width = HALF * ratio;
    for (let i = 0; i < width; i += 1) {
      context.fillStyle = css(ramp[stopAt(from + i / width / 2)] ?? color);
      context.fillRect(Math.round(x - width) + i, y - (THICK / 2) * ratio, 1, THICK * ratio);
    }
    x -= width + GAP * ratio;
  };
  const [least, middle, most] = counts;
  text(most);
  half(0.5);
  text(middle);
  half(0);
  text(least);
  x -= GAP * ratio;
  const words = histogramPanelTexts().countPer(per);
  if (context.measureText(words).width < x) {
    text(words);
  }
}
