// What the colours of a heat map stand for.

import { formatTick, formatValue } from "../../lib/format";
import { strings } from "../../lib/strings";
import { roundUp } from "../../lib/ticks";
import { type AxisColours, begin } from "./axes";
import { countsAt, rampOf, stopAt } from "./heatmap";
import type { Heights } from "./heights";
import type { Range } from "./profile";
import { css, type Rgb } from "./shades";

/** Of the values in sight, the stretch that counts are given for, about. */
const STRETCH = 1 / 40;

/** CSS pixels. */
const HALF = 44;
const THICK = 9;
const GAP = 5;

export interface Legend {
  /** Counts for so long a stretch of values. */
  readonly per: string;
  /** Of the palest colour, the one in the middle, and the strongest. */
  readonly counts: readonly [string, string, string];
}

/** What the colours of cells stand for, of which so many share the values in sight. */
export function legendOf(heights: Heights, [min, max]: Range, cells: number): Legend {
  const stretch = roundUp((max - min) * STRETCH);
  const counts = (level: number) => {
    const found = (countsAt(level, heights) * stretch * cells) / (max - min);
    return found > 0 ? formatTick(found, 10 ** (Math.floor(Math.log10(found)) - 1)) : "0";
  };
  const most = counts(1);
  return { per: formatValue(stretch), counts: [counts(0), counts(0.5), heights.cut ? strings.orMore(most) : most] };
}

/** Draws it into the upper right corner, as far as there is room; in canvas pixels. */
export function drawLegend(
  context: CanvasRenderingContext2D,
  { per, counts }: Legend,
  colour: Rgb,
  ground: { readonly paper: Rgb; readonly ink: Rgb },
  colours: AxisColours,
  right: number,
  ratio: number,
): void {
  begin(context, ratio, colours);
  context.textAlign = "right";
  context.textBaseline = "middle";
  const y = 9 * ratio;
  let x = right;
  const text = (words: string) => {
    context.fillStyle = colours.label;
    context.fillText(words, x, y);
    x -= context.measureText(words).width + GAP * ratio;
  };
  const ramp = rampOf(colour, ground.paper, ground.ink);
  const half = (from: number) => {
    const width = HALF * ratio;
    for (let i = 0; i < width; i += 1) {
      context.fillStyle = css(ramp[stopAt(from + i / width / 2)] ?? colour);
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
