// The scale of ridges' heights: counts of a bin of a round width, beside the oldest ridge, which has the most room above it.

import { paintVerticalAxis } from "../../charts/axes";
import { type Tick, ticksAlong } from "../../charts/axis";
import type { Rect, Surface } from "../../charts/geometry";
import { labelFont } from "../../charts/text";
import type { ChartTheme } from "../../charts/theme";
import { formatTick, formatValue } from "../../lib/format";
import { strings } from "../../lib/strings";
import { binWidth } from "./evenbins";
import type { Ridges } from "./ridges";

/** CSS pixels from tick to tick, and between two of which one is the highest. */
const APART = 20;
const LINE = 11;

/** A tick with the height it is at, as a share of the highest that a ridge may be. */
interface CountTick extends Tick {
  readonly height: number;
}

/** Ticks along so many pixels, of which the first is at the foot; two at least, unless nothing was counted. */
export function countTicks({ countScale, values, ridges }: Ridges, length: number): CountTick[] {
  const columns = ridges[0]?.profile.length ?? 0;
  // Of a column, and of a bin as wide as counts are given for.
  const factor = (binWidth(values) * columns) / (values[1] - values[0]);
  const [foot, top] = [countScale.log ? countScale.counts(0) * factor : 0, countScale.top * factor];
  if (!(top > foot && Number.isFinite(top) && length > LINE)) {
    return [];
  }
  const found = countScale.log ? decades(foot, top, length) : ticksAlong("number", [0, top], length, APART);
  const ticks = found.length > 1 ? found : [foot, top].map((value) => ({ value, label: formatTick(value, top / 10) }));
  return ticks.map((tick) => ({ ...tick, height: countScale(tick.value / factor) }));
}

/** Powers of ten, as many as there is room for. */
function decades(foot: number, top: number, length: number): Tick[] {
  const [first, last] = [Math.ceil(Math.log10(foot)), Math.floor(Math.log10(top))];
  const every = Math.max(1, Math.ceil((Math.log10(top / foot) * APART) / length));
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

/** Which counts the heights are, above the axis: of a bin, or per this width where bins are as logged. */
export function paintUnit(
  { context, ratio }: Surface,
  { values, grid }: Ridges,
  left: number,
  middle: number,
  theme: ChartTheme,
): void {
  context.font = labelFont(ratio);
  context.fillStyle = theme.label;
  context.textAlign = "left";
  context.textBaseline = "middle";
  const words = grid === null ? strings.countPer : strings.binWidth;
  context.fillText(words(formatValue(binWidth(values))), left * ratio, middle * ratio);
}
