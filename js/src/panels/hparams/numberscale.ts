// How the numbers of a column are spread along an axis: evenly, by their logarithms, or by rank; and over the scale of colors.

import { type Axis, horizontalTicks, ticksAlong } from "../../charts/axis";
import { measureLabel } from "../../charts/text";
import { formatExact } from "../../lib/format";
import { quantile } from "../../lib/quantiles";
import { LINEAR, LOG, symlog } from "../../lib/scale";
import { bisectLeft, type Range } from "../../lib/search";
import type { Value } from "./columns";
import type { Scale } from "./options";

/** CSS pixels between the ticks of an axis of numbers: as a rule, and at least. */
const TICK_SPACE_PX = 30;
export const MIN_TICK_SPACE_PX = 14;

/** The same between labels side by side: from middle to middle as a rule, and from label to label at least. */
const LABEL_SPACE_PX = 60;
export const LABEL_GAP_PX = 5;

/** Numbers have ticks of their own if there are no more, and each has few digits or no fraction. */
const MAX_DISTINCT = 12;
const MAX_TICK_DIGITS = 3;

const QUANTILES = [0, 0.25, 0.5, 0.75, 1];

/** Smallest size on a symmetric logarithmic scale, as a share of the largest. */
const SYMLOG_SHARE = 1e-6;

/** Smallest ratio of the ends for which an axis is logarithmic unless the user chooses otherwise. */
const MIN_LOG_RATIO = 10;

/** Logarithms must deviate less than this share of the numbers' own deviation: a near tie stays linear while values come. */
const MAX_LOG_DEVIATION = 0.8;

/** From values to places from 0 to 1, and back. */
export interface NumberScale {
  place(value: number): number;
  value(place: number): number;
  /** Ticks within an axis of `length` CSS pixels. `isAcross`: their labels stand side by side. */
  ticks(length: number, isAcross: boolean): readonly { readonly place: number; readonly label: string }[];
}

/** The finite numbers among some values, the least first. */
export function sortedNumbers(values: readonly (Value | undefined)[]): Float64Array {
  return Float64Array.from(
    values.filter((value): value is number => typeof value === "number" && Number.isFinite(value)),
  ).sort();
}

/** Whether positive numbers are spread more evenly by their logarithms: a learning rate is, a dropout with small values is not. */
export function suitsLog(sorted: Float64Array): boolean {
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  if (!(least > 0 && most / least >= MIN_LOG_RATIO)) {
    return false;
  }
  const distinct = sorted.filter((value, i) => value !== sorted[i - 1]);
  return deviation(distinct.map(Math.log)) < MAX_LOG_DEVIATION * deviation(distinct);
}

/** The farthest that a sorted number is from where it would be if all were evenly spread, as a share of their range. */
function deviation(sorted: Float64Array): number {
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  return sorted.reduce(
    (found, value, i) => Math.max(found, Math.abs((value - least) / (most - least) - i / (sorted.length - 1))),
    0,
  );
}

export function numberScale(sorted: Float64Array, name: Scale): NumberScale {
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  const distinct = distinctNumbers(sorted, MAX_DISTINCT);
  const even = name === "quantile" ? quantileScale(sorted) : axisScale(sorted, name, [least, most]);
  return {
    ...even,
    ticks: (length, isAcross) => {
      const ends = distinct ?? [least, most];
      const own = ends.map((value) => ({ place: even.place(value), label: formatExact(rounded(value)) }));
      const halfOf = (label: string) => (isAcross ? measureLabel(label) + LABEL_GAP_PX : MIN_TICK_SPACE_PX) / 2;
      const isRoomy = own.every(({ place, label }, i) => {
        const before = own[i - 1];
        return before === undefined || (place - before.place) * length >= halfOf(before.label) + halfOf(label);
      });
      if (distinct !== null && isRoomy && (distinct.length <= 1 || distinct.every(isRound))) {
        return own;
      }
      const round = even.ticks(length, isAcross);
      // A range without round numbers has its ends.
      return round.length > 0 ? round : own.filter((_, i) => i === 0 || i === own.length - 1);
    },
  };
}

/** The different numbers of a sorted list; null for more than `most`. */
function distinctNumbers(sorted: Float64Array, most: number): number[] | null {
  const found: number[] = [];
  for (const value of sorted) {
    if (value !== found.at(-1)) {
      found.push(value);
      if (found.length > most) {
        return null;
      }
    }
  }
  return found;
}

function isRound(value: number): boolean {
  const own = rounded(value);
  return Number.isInteger(own) || own === Number(own.toPrecision(MAX_TICK_DIGITS));
}

/** Without the noise of binary fractions: 0.30000000000000004 is 0.3. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}

function axisScale(sorted: Float64Array, name: "linear" | "log", [least, most]: Range): NumberScale {
  const scale = name === "linear" ? LINEAR : least > 0 ? LOG : symlog(smallest(sorted, Math.max(-least, most)));
  const [from, to] = [scale.place(least), scale.place(most)];
  return {
    place: (value) => (to > from ? (scale.place(value) - from) / (to - from) : 0.5),
    // The ends exactly: rounding must not leave out the values there.
    value: (place) => (place <= 0 ? least : place >= 1 ? most : scale.value(from + place * (to - from))),
    ticks: (length, isAcross) => {
      const axis: Axis = scale === LINEAR ? "number" : { kind: "number", scale };
      const along = isAcross ? horizontalTicks : ticksAlong;
      const ticks = to > from ? along(axis, [from, to], length, isAcross ? LABEL_SPACE_PX : TICK_SPACE_PX) : [];
      return ticks.map(({ value, label }) => ({ place: (value - from) / (to - from), label }));
    },
  };
}

/** The smallest size that is not 0, within bounds. */
function smallest(sorted: Float64Array, most: number): number {
  let least = most || 1;
  for (const value of sorted) {
    if (value !== 0) {
      least = Math.min(least, Math.abs(value));
    }
  }
  return Math.max(least, most * SYMLOG_SHARE);
}

/** By rank: equal values share the middle one of theirs. */
function quantileScale(sorted: Float64Array): NumberScale {
  const values: number[] = [];
  const ranks: number[] = [];
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1;
    while (sorted[to] === sorted[from]) {
      to += 1;
    }
    values.push(sorted[from] ?? 0);
    ranks.push((from + to - 1) / 2);
    from = to;
  }
  const [first = 0, last = 0] = [ranks[0], ranks.at(-1)];
  const places = ranks.map((rank) => (last > first ? (rank - first) / (last - first) : 0.5));
  const value = (place: number) => interpolated(places, values, place);
  return {
    place: (of) => interpolated(values, places, of),
    value,
    ticks: () => QUANTILES.map((place) => ({ place, label: formatExact(Number(value(place).toPrecision(4))) })),
  };
}

/** The value of `to` at `at` in the ascending `from`; between two of them, that on the line between them. */
function interpolated(from: readonly number[], to: readonly number[], at: number): number {
  const low = bisectLeft(from, at);
  const [before, after] = [from[low - 1], from[low]];
  if (after === undefined || before === undefined || after === at) {
    return to[Math.min(low, to.length - 1)] ?? 0.5;
  }
  const share = (at - before) / (after - before);
  return (to[low - 1] as number) * (1 - share) + (to[low] as number) * share;
}

/** Quantiles that replace the ends of the scale of colors, where an end is farther outside than MAX_OUTSIDE times their distance. */
const COLOR_QUANTILES = [0.05, 0.95] as const;
const MAX_OUTSIDE = 1.5;

export interface ColorRange {
  readonly ends: Range;
  /** Numbers beyond the lower and the upper end have its color. */
  readonly isClipped: readonly [low: boolean, high: boolean];
}

/** The range of sorted numbers without outliers, which are far outside the sorted numbers of `finished` sessions. */
export function colorRange(sorted: Float64Array, finished: Float64Array, scale: Scale): ColorRange | null {
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined) {
    return null;
  }
  const isLog = scale === "log" && least > 0;
  const placeOf = (value: number) => (isLog ? Math.log(value) : value);
  const [low, high] = COLOR_QUANTILES.map((share) => quantile(finished, share)) as [number, number];
  const far = MAX_OUTSIDE * (placeOf(high) - placeOf(low));
  // Ranks have no outliers.
  const mayClip = far > 0 && scale !== "quantile";
  const isLow = mayClip && placeOf(low) - placeOf(least) > far;
  const isHigh = mayClip && placeOf(most) - placeOf(high) > far;
  return { ends: [isLow ? low : least, isHigh ? high : most], isClipped: [isLow, isHigh] };
}
