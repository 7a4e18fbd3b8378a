// Ticks of an axis: their values and their labels. Any range that doubles can hold has some.

import { chartTexts } from "../lib/commontexts";
import { formatTick } from "../lib/format";
import type { Measure } from "../lib/names";
import { type AxisScale, LINEAR, valuesBetween } from "../lib/scale";
import type { Range } from "../lib/search";
import { multiples, roundUp } from "../lib/ticks";
import { clockTicks, formatClockTick, formatDuration, roundUpTime } from "../lib/times";
import type { XAxisMode } from "../lib/xaxis";
import { measureLabel } from "./text";

/** Kind of the values along a linear axis: whole numbers, numbers, seconds, or seconds since the epoch. */
export type AxisKind = "whole" | "number" | "duration" | "clock";

/** An axis with another scale, of such values. */
export interface ScaledAxis {
  readonly kind: AxisKind;
  readonly scale: AxisScale;
}

export type Axis = AxisKind | ScaledAxis;

/** The horizontal axis: its kind of values, scale and title. */
export interface XAxis {
  readonly kind: AxisKind;
  readonly scale: AxisScale;
  /** Written below the plot, where the labels do not tell what they are. */
  readonly name: string | null;
  /** Its values are steps: all charts with such an axis show the same range of them. */
  readonly linksSteps: boolean;
}

/** The axis of each mode of the horizontal axis. */
export const AXIS_KINDS: Readonly<Record<XAxisMode, AxisKind>> = { step: "whole", relative: "duration", wall: "clock" };

/** The axis of steps or times. */
export function timeXAxis(mode: XAxisMode, scale: AxisScale = LINEAR): XAxis {
  return { kind: AXIS_KINDS[mode], scale, name: null, linksSteps: mode === "step" };
}

/** Whether a point has one place along x, in the order of its steps: elsewhere a line may come back to where it was. */
export function isTimeline({ kind, linksSteps }: XAxis): boolean {
  return linksSteps || kind === "duration" || kind === "clock";
}

export interface Tick {
  /** Where it is: on a scaled axis, the place of the value on its label. */
  readonly value: number;
  readonly label: string;
}

interface Even {
  /** A round spacing of ticks, at least as wide as this one. */
  spacing(least: number): number;
  ticks(min: number, max: number, spacing: number): number[];
  label(tick: number, spacing: number, range: Range): string;
}

const numeric: Even = {
  spacing: roundUp,
  ticks: multiples,
  label: (tick, spacing, range) => formatTick(tick, spacing, largestTick(range, spacing)),
};

const EVEN: Record<AxisKind, Even> = {
  number: numeric,
  whole: { ...numeric, spacing: (least) => Math.max(1, roundUp(least)) },
  duration: {
    spacing: roundUpTime,
    ticks: multiples,
    label: (tick, spacing, range) => formatDuration(tick, Math.max(Math.abs(range[0]), Math.abs(range[1])), spacing),
  },
  clock: { spacing: roundUpTime, ticks: clockTicks, label: formatClockTick },
};

/** Factor by which the distance between ticks shrinks until there are at least two. */
const CLOSER_BY = 0.7;
const MIN_TICKS = 2;

/** CSS pixels between ticks that are the least, even for the second one: a line of text. */
const MIN_TICK_SPACE_PX = 12;

/** Ticks at round values along an axis of `length` pixels, at least `space` pixels apart; nearer if there is but one. */
export function ticksAlong(axis: Axis, range: Range, length: number, space: number): Tick[] {
  const ticks = typeof axis === "string" ? evenly(axis, range, length, space) : scaled(axis, range, length, space);
  if (ticks.length >= MIN_TICKS || space * CLOSER_BY < MIN_TICK_SPACE_PX) {
    return ticks;
  }
  return ticksAlong(axis, range, length, space * CLOSER_BY);
}

/** The largest number that a tick of this range has, whatever its sign. */
function largestTick([from, to]: Range, spacing: number): number {
  const slack = spacing * 1e-9;
  return Math.max(Math.floor((to + slack) / spacing), -Math.ceil((from - slack) / spacing)) * spacing;
}

function evenly(kind: AxisKind, range: Range, length: number, space: number): Tick[] {
  const { spacing, ticks, label } = EVEN[kind];
  const apart = spacing(((range[1] - range[0]) * space) / Math.max(1, length));
  return ticks(...range, apart).map((value) => ({ value, label: label(value, apart, range) }));
}

function scaled({ kind, scale }: ScaledAxis, range: Range, length: number, space: number): Tick[] {
  const { values, apart } = scaledTicks(scale, range, ((range[1] - range[0]) * space) / Math.max(1, length));
  const labeled = kind === "duration" ? formatDurationTick : formatScaled;
  return values.map((value) => ({ value: scale.place(value), label: labeled(value, apart(value)) }));
}

function formatScaled(value: number, apart: number): string {
  return formatTick(Number(value.toPrecision(12)), apart);
}

/** On an axis of many magnitudes each duration has its own unit. */
function formatDurationTick(value: number): string {
  return formatDuration(Number(value.toPrecision(12)));
}

/** Longer labels are written as the distance from a value that is written once. */
const MAX_LABEL_CHARACTERS = 9;

export interface BasedTicks {
  readonly ticks: readonly Tick[];
  /** The number to be added to all labels; null for none. */
  readonly base: string | null;
}

/** Ticks of an even axis of numbers with short labels, however little its values differ. */
export function withBase(ticks: readonly Tick[]): BasedTicks {
  const [first, second] = ticks;
  const last = ticks.at(-1);
  if (!first || !second || !last || ticks.every(({ label }) => label.length <= MAX_LABEL_CHARACTERS)) {
    return { ticks, base: null };
  }
  const unit = 10 ** Math.ceil(Math.log10(last.value - first.value) + 1);
  const base = Number((Math.floor(first.value / unit + 1e-6) * unit).toPrecision(15));
  const apart = second.value - first.value;
  const spacing = Number(apart.toPrecision(2));
  const short = ticks.map(({ value }) => {
    const beyond = Math.round((value - base) / spacing) * spacing;
    return { value, label: chartTexts().beyondBase(formatTick(beyond, spacing)) };
  });
  return base === 0 || !(spacing > 0) ? { ticks, base: null } : { ticks: short, base: formatTick(base, unit) };
}

/** Pixels from tick to tick that are tried where the usual distance leaves fewer than `FEW` ticks. */
const CLOSER = [46, 36];
const FEW = 3;

/** Pixels between labels side by side, at least and where there is room for it. */
const MIN_LABEL_GAP_PX = 8;
const GAP = 14;

/** Ticks of a horizontal axis: as many as there is room for the labels of, and three if that is possible at all. */
export function horizontalTicks(
  axis: Axis,
  range: Range,
  width: number,
  usual: number,
  measure: Measure = measureLabel,
): readonly Tick[] {
  const widest = (ticks: readonly Tick[]) => Math.max(0, ...ticks.map(({ label }) => measure(label)));
  for (const space of [usual, ...CLOSER]) {
    const ticks = ticksAlong(axis, range, width, space);
    if (ticks.length >= FEW && widest(ticks) + MIN_LABEL_GAP_PX <= space) {
      return ticks;
    }
  }
  return ticksAlong(axis, range, width, Math.max(usual, widest(ticksAlong(axis, range, width, usual)) + GAP));
}

/** CSS pixels that labels of a vertical axis need, with their ticks and a margin. */
export function widthOfLabels(ticks: readonly Tick[], measure: Measure = measureLabel): number {
  return Math.ceil(Math.max(0, ...ticks.map(({ label }) => measure(label))) + 12);
}

// Ticks of logarithmic and symmetric logarithmic axes: powers of ten, round values between them, or even steps.

interface ScaledTicks {
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
const MIN_SCALED_TICKS = 3;
const MIN_DECADE_SHARE = 0.1;
const MIN_SCALE_TICKS = 2;

/** Even steps that are tried in a range. */
const EVEN_STEPS = [8, 6, 5, 4, 3, 2, 1.5];

/** Rounding takes nothing from a distance that is just large enough. */
const SLACK = 1 - 1e-9;

/** Ticks within a range of places, at least `least` apart there; closer together where there would be but one. */
export function scaledTicks(scale: AxisScale, range: Range, least: number): ScaledTicks {
  const [leads] = LEADS.find(([, gap]) => least <= gap / SLACK) as (typeof LEADS)[number];
  let found = decades(scale, range, least, leads);
  if (found.values.length < MIN_SCALED_TICKS || least < MIN_DECADE_SHARE) {
    const other = even(scale, range, least);
    found = other.values.length > found.values.length ? other : found;
  }
  const closer = found.values.length < MIN_SCALE_TICKS && least > 1e-3 * (range[1] - range[0]);
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
  for (const count of EVEN_STEPS) {
    const spacing = roundUp((to - from) / count);
    const values = spacing > 0 && Number.isFinite(spacing) ? multiples(from, to, spacing) : [];
    const places = values.map((value) => scale.place(value));
    if (places.every((place, i) => i === 0 || place - (places[i - 1] as number) >= least * SLACK)) {
      return { values, apart: () => spacing };
    }
  }
  return { values: [], apart: () => 1 };
}
