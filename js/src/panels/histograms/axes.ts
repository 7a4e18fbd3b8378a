// The axes of histograms: counts beside the oldest ridge, ticks beside the plot, and the labels of linked steps.

import { paintVerticalAxis } from "../../charts/axes";
import { type AxisKind, type Tick, ticksAlong, widthOfLabels } from "../../charts/axis";
import type { Rect, Surface } from "../../charts/geometry";
import { LABEL_HEIGHT, labelAtAxis, labelWidth, type StepLabel } from "../../charts/linkedstep";
import { shareOf } from "../../charts/plot";
import { labelFont } from "../../charts/text";
import type { ChartTheme } from "../../charts/theme";
import { positionsOf } from "../../histograms/steps";
import { chartTexts } from "../../lib/commontexts";
import { formatCount, formatTick, formatValue } from "../../lib/format";
import { lastUpTo, type Range } from "../../lib/search";
import type { XAxisMode } from "../../lib/xaxis";
import { lineTexts } from "../../lines/texts";
import type { HistogramPlot, HistogramPlots } from "./plots";
import { binWidth } from "./profile";
import { footOf, type Ridge, type Ridges, type RunSeries } from "./ridges";
import { histogramPanelTexts } from "./texts";

/** From tick to tick of counts, and between the highest one and the next. */
const COUNT_SPACING_PX = 20;
const MIN_COUNT_SPACING_PX = 11;

/** A tick with the height it is at, as a share of the highest that a ridge may be. */
interface CountTick extends Tick {
  readonly height: number;
}

/** Ticks along `length` pixels, the first at the foot; at least two, unless nothing was counted. */
export function countTicks({ countScale, values, ridges }: Ridges, length: number): CountTick[] {
  const columns = ridges[0]?.profile.length ?? 0;
  // The factor turns counts per column into counts per bin of the axis.
  const factor = (binWidth(values) * columns) / (values[1] - values[0]);
  const [foot, top] = [countScale.log ? countScale.counts(0) * factor : 0, countScale.top * factor];
  if (!(top > foot && Number.isFinite(top) && length > MIN_COUNT_SPACING_PX)) {
    return [];
  }
  const found = countScale.log ? decades(foot, top, length) : ticksAlong("number", [0, top], length, COUNT_SPACING_PX);
  const ticks = found.length > 1 ? found : [foot, top].map((value) => ({ value, label: formatTick(value, top / 10) }));
  return ticks.map((tick) => ({ ...tick, height: countScale(tick.value / factor) }));
}

/** Powers of ten, as many as there is room for. */
function decades(foot: number, top: number, length: number): Tick[] {
  const [first, last] = [Math.ceil(Math.log10(foot)), Math.floor(Math.log10(top))];
  const every = Math.max(1, Math.ceil((Math.log10(top / foot) * COUNT_SPACING_PX) / length));
  const powers = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => 10 ** (first + i));
  return powers.filter((_, i) => i % every === 0).map((value) => ({ value, label: formatTick(value, value / 10) }));
}

/** `foot` and `tallest` are shares of the height of the plot. */
export function paintCountAxis(
  surface: Surface,
  area: Rect,
  ticks: readonly CountTick[],
  { foot, tallest, labels }: { readonly foot: number; readonly tallest: number; readonly labels: boolean },
  theme: ChartTheme,
): void {
  const heights = new Map(ticks.map(({ value, height }) => [value, height]));
  const shareOf = (count: number) => foot - (heights.get(count) ?? 0) * tallest;
  paintVerticalAxis(surface, area, ticks, shareOf, theme, { side: "left", grid: false, labels });
}

/** CSS pixels from the left and from the upper edge of the chart to the unit of heights. */
export const UNIT_LEFT_PX = 10;
const UNIT_MIDDLE_PX = 9;

/** Which counts the heights are: of a bin, or per this width where bins are as logged. */
export function unitOf({ values, grid }: Ridges): string {
  const words = grid === null ? histogramPanelTexts().countPer : histogramPanelTexts().binWidth;
  return words(formatValue(binWidth(values)));
}

/** Above the axis. */
export function paintUnit({ context, ratio }: Surface, ridges: Ridges, theme: ChartTheme): void {
  context.font = labelFont(ratio);
  context.fillStyle = theme.label;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(unitOf(ridges), UNIT_LEFT_PX * ratio, UNIT_MIDDLE_PX * ratio);
}

/** From tick to tick of steps or times, between lines of text, and between a line and the label of a linked step. */
const STEP_SPACING_PX = 22;
const LINE_SPACING_PX = 12;
const LABEL_SPACING_PX = 15;

/** Ticks beside a plot; none where the label of a step is. `down` is the place of a value, in CSS pixels. */
export function upright(
  kind: AxisKind,
  range: Range,
  height: number,
  down: (value: number) => number,
  labeled: readonly number[] = [],
): readonly Tick[] {
  const length = range[0] < range[1] ? Math.abs(down(range[1]) - down(range[0])) : height;
  const { ticks, newest } = ticksAndNewest(kind, range, length);
  const beside = (tick: Tick, other: number, pixels: number) => Math.abs(down(tick.value) - down(other)) < pixels;
  const all = [...ticks.filter((tick) => newest.length === 0 || !beside(tick, range[1], LINE_SPACING_PX)), ...newest];
  return all.filter((tick) => !labeled.some((other) => beside(tick, other, LABEL_SPACING_PX)));
}

/** The steps of the ridges, the newest first, as many as have room; round times. None where the label of a step is. */
export function ridgeTicks(
  kind: AxisKind,
  range: Range,
  ridges: readonly Pick<Ridge, "at">[],
  height: number,
  down: (value: number) => number,
  labeled: readonly number[],
): readonly Tick[] {
  if (kind !== "whole") {
    return ridges.length === 0 ? [] : upright(kind, range, height, down, labeled);
  }
  const ticks: Tick[] = [];
  let last = Number.POSITIVE_INFINITY;
  for (const at of [...new Set(ridges.map((ridge) => ridge.at))].sort((one, other) => other - one)) {
    if (Math.abs(down(at) - last) >= LABEL_SPACING_PX) {
      last = down(at);
      ticks.push(...lone(kind, at));
    }
  }
  return ticks.filter(({ value }) => labeled.every((other) => Math.abs(down(value) - down(other)) >= LABEL_SPACING_PX));
}

/** CSS pixels that the labels need. */
export function widthBeside(kind: AxisKind, range: Range, height: number): number {
  const { ticks, newest } = ticksAndNewest(kind, range, height);
  return widthOfLabels([...ticks, ...newest]) + 1;
}

/** The newest step has a label, too; a lone step has no others around it. */
function ticksAndNewest(kind: AxisKind, range: Range, length: number): { ticks: Tick[]; newest: Tick[] } {
  if (!(range[0] < range[1])) {
    return { ticks: lone(kind, range[0]), newest: [] };
  }
  return {
    ticks: ticksAlong(kind, range, length, STEP_SPACING_PX),
    newest: kind === "whole" ? lone(kind, range[1]) : [],
  };
}

function lone(kind: AxisKind, value: number): Tick[] {
  return ticksAlong(kind, [value - 1, value + 1], 2, 1).filter((tick) => tick.value === value);
}

/** CSS pixels between a plot and its label. */
const GAP = 3;

export function labelsOf({ facet, ridges, map }: HistogramPlot, { content, steps }: HistogramPlots): StepLabel[] {
  const { options, mode } = content;
  if (map !== null) {
    const { series } = map.run;
    const row = options.linked === null ? -1 : lastUpTo(positionsOf(series, "step"), options.linked);
    const [x, held] = [positionsOf(series, options.xAxis)[row], series.rows[row]];
    const scale = { range: steps, ends: [0, 1] } as const;
    return x === undefined || held === undefined
      ? []
      : labelAtAxis([{ x, step: held.step, isLone: series.rows.length === 1 }], facet, (at) => shareOf(scale, at));
  }
  const linked = ridges?.ridges.filter((ridge) => ridge.linked) ?? [];
  if (ridges === null || linked.length === 0) {
    return [];
  }
  return mode === "offset" ? besideRidges(linked, ridges, facet, options.xAxis) : [abovePlot(linked, facet)];
}

/** Along times, the label says that it is a step. */
function flagText(step: bigint, xAxis: XAxisMode): string {
  return xAxis === "step" ? formatCount(step) : chartTexts().atLinked(formatCount(step));
}

/** CSS pixels beside an axis of times for the label of any step of these runs. */
export function widestFlag(runs: readonly RunSeries[]): number {
  const widths = runs.map(({ series }) => {
    const last = series.rows.at(-1);
    return last === undefined ? 0 : labelWidth(flagText(last.step, "wall")) + GAP;
  });
  return Math.max(0, ...widths);
}

/** On the axis of steps or times; of labels that would cover each other, or say the same, the first. */
function besideRidges(linked: readonly Ridge[], ridges: Ridges, facet: Rect, xAxis: XAxisMode): StepLabel[] {
  const placed: StepLabel[] = [];
  for (const { row, at } of linked) {
    const text = flagText(row.step, xAxis);
    const top = facet.top + footOf(ridges, at) * facet.height - LABEL_HEIGHT / 2;
    if (placed.every((other) => other.text !== text && Math.abs(other.top - top) >= LABEL_HEIGHT)) {
      placed.push({ text, left: facet.left + facet.width + GAP, top, width: labelWidth(text) });
    }
  }
  return placed;
}

/** Where no axis is of steps: above the plot, at its right end. */
function abovePlot(linked: readonly Ridge[], { left, top, width }: Rect): StepLabel {
  const steps = linked.map(({ row }) => row.step).sort((a, b) => (a < b ? -1 : 1));
  const ends = [...new Set([steps[0] ?? 0n, steps.at(-1) ?? 0n])];
  const text = lineTexts().stepName(ends.map(formatCount));
  const own = labelWidth(text);
  return { text, width: own, left: left + width - own, top: top - LABEL_HEIGHT - GAP };
}
