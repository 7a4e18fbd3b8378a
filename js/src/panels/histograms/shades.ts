// The colour of a run's histograms: from pale, the oldest, to full, the newest.

export type Rgb = readonly [number, number, number];

/** How much of the paper is in the oldest, and how much ink in the newest. */
const PALEST = 0.74;
const DARKEST = 0.22;

/** A colour as canvas and style sheets give it back; black if it is none. */
export function parseColour(text: string): Rgb {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (hex !== null) {
    return [Number.parseInt(hex[1] ?? "", 16), Number.parseInt(hex[2] ?? "", 16), Number.parseInt(hex[3] ?? "", 16)];
  }
  const parts = /^rgba?\((\d+)[, ]+(\d+)[, ]+(\d+)/.exec(text);
  return parts === null ? [0, 0, 0] : [Number(parts[1]), Number(parts[2]), Number(parts[3])];
}

export function mixed(a: Rgb, b: Rgb, share: number): Rgb {
  const at = (i: 0 | 1 | 2) => Math.round(a[i] + (b[i] - a[i]) * share);
  return [at(0), at(1), at(2)];
}

export function css([r, g, b]: Rgb): string {
  return `rgb(${r} ${g} ${b})`;
}

/** `age` from 0, the oldest, to 1, the newest. */
export function shade(run: Rgb, paper: Rgb, ink: Rgb, age: number): Rgb {
  return age < 0.7
    ? mixed(paper, run, 1 - PALEST + (PALEST * age) / 0.7)
    : mixed(run, ink, (DARKEST * (age - 0.7)) / 0.3);
}
