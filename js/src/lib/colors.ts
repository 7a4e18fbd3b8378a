// Colors of runs and of scales.

import { runColors, SCALE_CHROMA, scaleEnds, type Theme } from "./tokens";

/** Different colors: from this number on they come again. */
const PALETTE_SIZE = runColors.light.length;

/** Color of the n-th run, as #rrggbb. */
export function runColor(index: number, theme: Theme): string {
  return runColors[theme][index % PALETTE_SIZE] as string;
}

/** Dashes and gaps in CSS pixels, for each further time that the colors are gone through. */
const DASHES: readonly (readonly number[])[] = [[], [5, 2], [2, 2], [7, 2, 2, 2], [10, 3]];

/** How the line of the n-th run is dashed: lengths of dashes and gaps in CSS pixels, none for a solid line. */
export function runDash(index: number): readonly number[] {
  return DASHES[Math.floor(index / PALETTE_SIZE) % DASHES.length] ?? [];
}

/** The color at a place on a continuous scale, from 0 to 1. */
export function scaleColor(place: number, theme: Theme): string {
  const [[darkest, first], [lightest, last]] = scaleEnds[theme];
  return oklchToHex(darkest + place * (lightest - darkest), SCALE_CHROMA, first + place * (last - first));
}

/** OKLCH to sRGB; colors outside of sRGB lose chroma until they fit. */
export function oklchToHex(lightness: number, chroma: number, hue: number): string {
  for (let c = chroma; ; c -= 0.005) {
    const channels = oklchToSrgb(lightness, Math.max(0, c), hue);
    if (c <= 0 || channels.every((channel) => channel >= -0.001 && channel <= 1.001)) {
      return `#${channels.map(toHexByte).join("")}`;
    }
  }
}

function oklchToSrgb(lightness: number, chroma: number, hue: number): number[] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map(gamma);
}

function gamma(linear: number): number {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}

function toHexByte(channel: number): string {
  const byte = Math.round(Math.min(1, Math.max(0, channel)) * 255);
  return byte.toString(16).padStart(2, "0");
}
