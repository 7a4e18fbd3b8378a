// Paints the plots of a card of histograms, and the scale of what their colors or heights stand for.

import { paintHorizontalAxis, paintVerticalAxis } from "../../charts/axes";
import { onCanvas, type Rect, type Surface } from "../../charts/geometry";
import { shareOf } from "../../charts/plot";
import { labelFont } from "../../charts/text";
import { type ChartTheme, css, type PageColors, type Rgb, rgbOf } from "../../charts/theme";
import { markSize } from "../../histograms/bins";
import { positionsOf } from "../../histograms/steps";
import { formatTick, formatValue } from "../../lib/format";
import { lastUpTo, type Range } from "../../lib/search";
import { chartColors } from "../../lib/tokens";
import { countTicks, paintCountAxis, paintUnit } from "./axes";
import type { CountScale } from "./countscale";
import { countsAt, type Heatmap, pixelsOf, rampOf, stopAt } from "./heatmap";
import { paintRidges } from "./paintridges";
import type { HistogramPlot, HistogramPlots } from "./plots";
import { binWidth } from "./profile";
import { footOf } from "./ridges";
import { histogramPanelTexts } from "./texts";

/** CSS pixels from the linked step in a heat map to the lines on both sides of it. */
const ASIDE = 3;

/** CSS pixels from the left and from the upper edge of the chart to the unit of heights. */
const EDGE = 10;
const MIDDLE = 9;

/** CSS pixels of a bar at the edge of a heat map: for hardly anything that is out of sight, and what one for everything is more. */
const BAR = 1;
const BAR_MORE = 14;
const BAR_OPACITY = 0.75;

/** `highlight` is the ridge that is painted boldly. */
export function paintPlots(surface: Surface, all: HistogramPlots, highlight: object | null): void {
  const theme = chartColors[all.content.theme];
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
    paintUnit(surface, ridges, EDGE, MIDDLE, theme);
  }
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
  const { ridges, acrossTicks, downTicks } = plot;
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
  paintRidges(surface, area, ridges, content.page, highlight);
}

function paintHeatmap(
  surface: Surface,
  area: Rect,
  plot: HistogramPlot,
  { content, steps, values, countScale }: HistogramPlots,
  theme: ChartTheme,
): void {
  const { context, ratio } = surface;
  const { map, acrossTicks, downTicks } = plot;
  if (map === null) {
    return;
  }
  const [across, down] = [{ range: steps, ends: [0, 1] } as const, { range: values, ends: [1, 0] } as const];
  paintHorizontalAxis(surface, area, roomOf(plot, ratio), acrossTicks, (at) => shareOf(across, at), theme);
  const axis = { side: "left", grid: true, labels: true } as const;
  paintVerticalAxis(surface, area, downTicks, (value) => shareOf(down, value), theme, axis);
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [map.columns.length, map.cells];
  picture.getContext("2d")?.putImageData(pixelsOf(map, countScale, content.page), 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(picture, area.left, area.top, area.width, area.height);
  paintBeyond(surface, area, map, css(content.page.foreground));
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
function paintBeyond({ context, ratio }: Surface, area: Rect, { columns }: Heatmap, color: string): void {
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

export interface Legend {
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
export function paintLegend(
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
