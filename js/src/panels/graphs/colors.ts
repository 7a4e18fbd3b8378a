// Colors that boxes are filled in: soft enough for text on them, in either theme.

import type { Theme } from "../../lib/colors";
import { oklchToHex } from "../../lib/colors";

/** Degrees (OKLCH), neighbors in the list far apart. */
const HUES = [255, 60, 150, 340, 100, 205, 25, 300, 175, 125];

/** Lightness and chroma of each round through the hues. */
const ROUNDS = {
  light: [
    [0.86, 0.075],
    [0.78, 0.1],
    [0.92, 0.05],
    [0.72, 0.07],
  ],
  dark: [
    [0.46, 0.085],
    [0.56, 0.1],
    [0.38, 0.07],
    [0.62, 0.06],
  ],
} as const;

/** Color of the n-th of things that are to be told apart. */
export function classColor(index: number, theme: Theme): string {
  const rounds = ROUNDS[theme];
  const round = Math.floor(index / HUES.length);
  const [lightness, chroma] = rounds[round % rounds.length] ?? rounds[0];
  return oklchToHex(lightness, chroma, (HUES[index % HUES.length] ?? 0) + 18 * (round % 2));
}

/** Steps of a ramp: neighbors can hardly be told apart. */
const STEPS = 32;

const ramps = new Map<Theme, readonly string[]>();

/** Color of a part (0 to 1) of the most: from nearly nothing to a warm red. */
export function rampColor(part: number, theme: Theme): string {
  let ramp = ramps.get(theme);
  if (ramp === undefined) {
    const [from, to] = theme === "light" ? [0.965, 0.7] : [0.32, 0.6];
    ramp = Array.from({ length: STEPS + 1 }, (_, i) =>
      oklchToHex(from + ((to - from) * i) / STEPS, 0.02 + (0.14 * i) / STEPS, 65 - (35 * i) / STEPS),
    );
    ramps.set(theme, ramp);
  }
  return ramp[Math.round(Math.min(1, Math.max(0, part)) * STEPS)] ?? "";
}
