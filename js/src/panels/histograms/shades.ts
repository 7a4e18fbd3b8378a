// The color of a run's histograms: from pale, the oldest, to full, the newest.

import { mixed, type PageColors, type Rgb } from "../../charts/theme";

/** Share of the background in the oldest, and of the foreground in the newest. */
const PALEST = 0.74;
const DARKEST = 0.22;

/** `age` from 0, the oldest, to 1, the newest. */
export function shade(run: Rgb, { background, foreground }: PageColors, age: number): Rgb {
  return age < 0.7
    ? mixed(background, run, 1 - PALEST + (PALEST * age) / 0.7)
    : mixed(run, foreground, (DARKEST * (age - 0.7)) / 0.3);
}
