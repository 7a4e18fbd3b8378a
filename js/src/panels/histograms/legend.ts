// The legend of heat maps: which counts the colors are.

import type { Surface } from "../../charts/geometry";
import { labelFont } from "../../charts/text";
import { type ChartTheme, css, type PageColors, type Rgb } from "../../charts/theme";
import { formatTick, formatValue } from "../../lib/format";
import type { Range } from "../../lib/range";
import { strings } from "../../lib/strings";
import type { CountScale } from "./countscale";
import { binWidth } from "./evenbins";
import { countsAt, rampOf, stopAt } from "./heatmap";

/** CSS pixels. */
const HALF = 44;
const THICK = 9;
const GAP = 5;

export interface Legend {
  /** The stretch of values for which counts are given. */
  readonly per: string;
  /** Of the palest color, the one in the middle, and the strongest. */
  readonly counts: readonly [string, string, string];
}

/** The legend of heat maps with so many cells from the lowest value in sight to the highest. */
export function legendOf(scale: CountScale, [min, max]: Range, cells: number): Legend {
  const stretch = binWidth([min, max]);
  const counts = (level: number) => {
    const found = (countsAt(level, scale) * stretch * cells) / (max - min);
    return found > 0 ? formatTick(found, 10 ** (Math.floor(Math.log10(found)) - 1)) : "0";
  };
  const most = counts(1);
  return { per: formatValue(stretch), counts: [counts(0), counts(0.5), scale.cut ? strings.orMore(most) : most] };
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
  const words = strings.countPer(per);
  if (context.measureText(words).width < x) {
    text(words);
  }
}
