// Ticks of logarithmic and symmetric logarithmic axes: powers of ten, round values between them, or even steps.

import { type AxisScale, valuesBetween } from "./scale";
import type { Range } from "./search";
import { multiples, roundUp } from "./ticks";

export interface ScaledTicks {
  /** Ascending. */
  readonly values: readonly number[];
  /** A label must be exact enough to tell its value from others so far away. */
  apart(value: number): number;
}

/** First digits of ticks, and the least distance between such, in decades. */
const LEADS: readonly (readonly [leads: readonly number[], gap: number])[] = [
  [[1, 2, 5], Math.log10(2)],
  [[1, 3], Math.log10(3)],
  [[1], Number.POSITIVE_INFINITY],
];

/** With fewer ticks than this, or on an axis with so much room to a decade, even steps are tried. */
const ENOUGH = 3;
const ROOM = 0.1;
const MIN_TICKS = 2;

/** Even steps that are tried in a range. */
const EVEN = [8, 6, 5, 4, 3, 2, 1.5];

/** Rounding takes nothing from a distance that is just large enough. */
const SLACK = 1 - 1e-9;

/** Ticks within a range of places, at least `least` apart there; closer together where there would be but one. */
export function scaledTicks(scale: AxisScale, range: Range, least: number): ScaledTicks {
  const [leads] = LEADS.find(([, gap]) => least <= gap / SLACK) as (typeof LEADS)[number];
  let found = decades(scale, range, least, leads);
  if (found.values.length < ENOUGH || least < ROOM) {
    const other = even(scale, range, least);
    found = other.values.length > found.values.length ? other : found;
  }
  const closer = found.values.length < MIN_TICKS && least > 1e-3 * (range[1] - range[0]);
  return closer ? scaledTicks(scale, range, least / 1.5) : found;
}

/** lead · 10^k, of either sign where the scale has both, and 0: from 0 outwards, as far apart as they have to be. */
function decades(scale: AxisScale, range: Range, least: number, leads: readonly number[]): ScaledTicks {
  const signed = scale.name === "symlog";
  const ends = valuesBetween(scale, range).map(Math.abs) as [number, number];
  // Values below the linear part of a symmetric axis are next to 0.
  const smallest = signed ? Math.ceil(Math.log10(scale.value(Math.log10(2))) - 1e-9) : Math.floor(range[0]);
  const largest = Math.min(308, Math.ceil(Math.log10(Math.max(...ends, 1e-300))));
  const stride = Math.max(1, Math.ceil(least * SLACK));
  const sizes: number[] = [];
  let last = signed ? 0 : Number.NEGATIVE_INFINITY;
  for (let k = Math.ceil(smallest / stride) * stride; k <= largest; k += stride) {
    for (const lead of leads) {
      const size = Number(`${lead}e${k}`);
      const place = scale.place(size);
      if (place - last >= least * SLACK) {
        sizes.push(size);
        last = place;
      }
    }
  }
  const all = signed ? [...sizes.map((size) => -size).reverse(), 0, ...sizes] : sizes;
  const values = all.filter((value) => scale.place(value) >= range[0] && scale.place(value) <= range[1]);
  return { values, apart: (value) => (value === 0 ? 1 : 10 ** Math.floor(Math.log10(Math.abs(value)) - 1 + 1e-9)) };
}

/** Multiples of a round number, as dense as they fit where they are closest. */
function even(scale: AxisScale, range: Range, least: number): ScaledTicks {
  const [from, to] = valuesBetween(scale, range);
  for (const count of EVEN) {
    const spacing = roundUp((to - from) / count);
    const values = spacing > 0 && Number.isFinite(spacing) ? multiples(from, to, spacing) : [];
    const places = values.map((value) => scale.place(value));
    if (places.every((place, i) => i === 0 || place - (places[i - 1] as number) >= least * SLACK)) {
      return { values, apart: () => spacing };
    }
  }
  return { values: [], apart: () => 1 };
}
