// Paints all plots of a card of histograms.

import { paintHorizontalAxis, paintVerticalAxis } from "../../charts/axes";
import { onCanvas, type Rect, type Surface } from "../../charts/geometry";
import { shareOf } from "../../charts/plot";
import { type ChartTheme, chartTheme, css, rgbOf } from "../../charts/theme";
import { markSize } from "../../histograms/bins";
import { positionsOf } from "../../histograms/steps";
import { lastUpTo } from "../../lib/search";
import { countTicks, paintCountAxis, paintUnit } from "./countaxis";
import { type Heatmap, pixelsOf } from "./heatmap";
import { legendOf, paintLegend } from "./legend";
import { paintRidges } from "./paintridges";
import type { HistogramPlot, HistogramPlots } from "./plots";
import { footOf } from "./ridges";

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
  const theme = chartTheme[all.content.theme];
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

/** Bars at the edges for what is out of sight there: the more that is, the higher. */
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
