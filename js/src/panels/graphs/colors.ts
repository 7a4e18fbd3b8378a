// Colors that boxes are filled in: soft enough for text on them, in either theme.

import { oklchToHex } from "../../lib/colors";
import { graphColors, type Theme } from "../../lib/tokens";

/** Color of the n-th of things that are to be told apart. */
export function classColor(index: number, theme: Theme): string {
  const { hues, rounds: byTheme, turn } = graphColors;
  const rounds = byTheme[theme];
  const round = Math.floor(index / hues.length);
  const [lightness, chroma] = rounds[round % rounds.length] ?? rounds[0];
  return oklchToHex(lightness, chroma, (hues[index % hues.length] ?? 0) + turn * (round % 2));
}

/** Steps of a ramp: neighbors can hardly be told apart. */
const STEPS = 32;

const ramps = new Map<Theme, readonly string[]>();

/** Color of a part (0 to 1) of the most: from nearly nothing to a warm red. */
export function rampColor(part: number, theme: Theme): string {
  let ramp = ramps.get(theme);
  if (ramp === undefined) {
    const [from, to] = graphColors.ramp[theme];
    const at = (part: number, i: 0 | 1 | 2) => from[i] + (to[i] - from[i]) * part;
    ramp = Array.from({ length: STEPS + 1 }, (_, i) => {
      const part = i / STEPS;
      return oklchToHex(at(part, 0), at(part, 1), at(part, 2));
    });
    ramps.set(theme, ramp);
  }
  return ramp[Math.round(Math.min(1, Math.max(0, part)) * STEPS)] ?? "";
}
