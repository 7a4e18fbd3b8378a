// Where the rows of a column are along an axis of a scatter plot: numbers by their scale, other values as strips.

import { type Tick, ticksAlong } from "../../charts/axis";
import { formatValue } from "../../lib/format";
import type { Range } from "../../lib/range";
import { type AxisScale, LINEAR, LOG } from "../../lib/scale";
import type { Brush, Column, HParamsState, Value } from "./sessions";

/** Shares of an axis from its lower end, from 0 to 1. */
export interface Placement {
  readonly column: Column;
  /** One a row; NaN for a row that has no place. */
  readonly places: Float64Array;
  /** The same without jitter. */
  readonly exact: Float64Array;
  /** Strips or bars side by side that fill the axis. */
  readonly bars: number;
  /** Whether the axis has strips of categories. */
  readonly isCategorical: boolean;
  ticks(length: number, space: number): Tick[];
  /** What a part of the axis selects; null for nothing. */
  brushOf(part: Range): Brush | null;
  /** The parts that a brush selects. */
  partsOf(brush: Brush): Range[];
}

/** Of an axis of numbers beyond the least and the greatest, as a share of the axis. */
const MARGIN = 0.06;
/** Bars of a histogram of numbers. */
const BARS = 24;
/** Points leave the middle of their strip by up to this share of it. */
const STRIP_JITTER = 0.32;
/** So do points of numbers of which there are only a few, by a share of the axis. */
const MAX_REPEATED_NUMBERS = 12;
const NUMBER_JITTER = 0.012;

/** The fraction of a row's multiple: evenly spread, however many rows there are. The two axes need different ones. */
const SPREADS = { x: 0.7548776662466927, y: 0.5698402909980532 } as const;

function jitter(row: number, axis: keyof typeof SPREADS): number {
  return 2 * (((row + 1) * SPREADS[axis]) % 1) - 1;
}

export function placementOf(column: Column, axis: "x" | "y", state: HParamsState): Placement {
  return column.type === "number" ? ofNumbers(column, axis, state) : ofCategories(column, axis);
}

interface NumberScale {
  /** Ascends; NaN where a number has no place. */
  place(value: number): number;
  value(place: number): number;
  ticks(range: Range, length: number, space: number): Tick[];
}

function ofNumbers(column: Column, axis: "x" | "y", state: HParamsState): Placement {
  const name = state.scaleOf(column);
  const scale = name === "quantile" ? quantiles(column.values) : even(name === "log" ? LOG : LINEAR);
  const finite = column.values
    .flatMap((value) => (typeof value === "number" ? scale.place(value) : []))
    .filter(Number.isFinite);
  const [least, most] = finite.reduce<[number, number]>(
    ([low, high], place) => [Math.min(low, place), Math.max(high, place)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const room = most > least ? ((most - least) * MARGIN) / (1 - 2 * MARGIN) : 0.5;
  const range: Range = [least - room, most + room];
  const width = range[1] - range[0];
  const share = (value: number) => (scale.place(value) - range[0]) / width;
  const valueAt = (at: number) => scale.value(range[0] + at * width);
  const exact = Float64Array.from(column.values, (value) => {
    const at = typeof value === "number" ? share(value) : Number.NaN;
    return Number.isFinite(at) ? at : Number.NaN;
  });
  const distinct = [...new Set(finite)];
  const spread = distinct.length <= MAX_REPEATED_NUMBERS && distinct.length < finite.length ? NUMBER_JITTER : 0;
  return {
    ...{ column, exact, bars: BARS, isCategorical: false },
    places: spread === 0 ? exact : exact.map((at, row) => at + spread * jitter(row, axis)),
    ticks: (length, space) =>
      Number.isFinite(width) && width > 0
        ? scale.ticks(range, length, space).map(({ value, label }) => ({ value: (value - range[0]) / width, label }))
        : [],
    brushOf: ([from, to]) => {
      const selected: Range = [valueAt(from), valueAt(to)];
      return selected[0] <= selected[1] ? { range: selected } : null;
    },
    partsOf: (brush) => {
      if ("values" in brush) {
        return [];
      }
      // The end of a range may be infinite, or have no logarithm.
      const [from, to] = brush.range.map(share) as [number, number];
      return [
        [Number.isNaN(from) || from < 0 ? 0 : Math.min(1, from), Number.isNaN(to) || to > 1 ? 1 : Math.max(0, to)],
      ];
    },
  };
}

function even(scale: AxisScale): NumberScale {
  return {
    place: scale.place,
    value: scale.value,
    ticks: (range, length, space) => ticksAlong({ kind: "number", scale }, range, length, space),
  };
}

/** By the rank of a value among all; equal values share the middle of their ranks. */
function quantiles(values: readonly (Value | undefined)[]): NumberScale {
  const sorted = Float64Array.from(
    values.filter((value) => typeof value === "number" && Number.isFinite(value)) as number[],
  ).sort();
  const last = Math.max(1, sorted.length - 1);
  const value = (place: number) => {
    const at = Math.max(0, Math.min(1, place)) * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN];
    return low + (high - low) * (at - Math.floor(at));
  };
  return {
    place: (one) => {
      const [first, end] = [countBelow(sorted, one, false), countBelow(sorted, one, true)];
      return Number.isFinite(one) ? (end > first ? (first + end - 1) / 2 : first - 0.5) / last : Number.NaN;
    },
    value,
    ticks: () => [0, 0.5, 1].map((place) => ({ value: place, label: formatValue(value(place)) })),
  };
}

/** Sorted numbers below a value, or up to it. */
function countBelow(sorted: Float64Array, value: number, inclusive: boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const one = sorted[middle] as number;
    if (one < value || (inclusive && one === value)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

function ofCategories(column: Column, axis: "x" | "y"): Placement {
  const categories = [...new Set(column.values.filter((value) => value !== undefined))].sort(compareValues);
  const count = Math.max(1, categories.length);
  const placeOf = new Map<Value, number>(categories.map((value, i) => [value, i]));
  const middle = (i: number) => (i + 0.5) / count;
  const exact = Float64Array.from(column.values, (value) => {
    const i = value === undefined ? undefined : placeOf.get(value);
    return i === undefined ? Number.NaN : middle(i);
  });
  return {
    ...{ column, exact, bars: count, isCategorical: true },
    places: exact.map((at, row) => at + (STRIP_JITTER / count) * jitter(row, axis)),
    ticks: (length, space) => {
      const stride = Math.max(1, Math.ceil((space * count) / Math.max(1, length)));
      return categories.flatMap((value, i) => (i % stride === 0 ? [{ value: middle(i), label: textOf(value) }] : []));
    },
    brushOf: ([from, to]) => {
      const within = categories.filter((_, i) => i + 1 > from * count && i < to * count);
      return within.length > 0 ? { values: new Set(within) } : null;
    },
    partsOf: (brush) =>
      "values" in brush
        ? categories.flatMap((value, i): Range[] => (brush.values.has(value) ? [[i / count, (i + 1) / count]] : []))
        : [],
  };
}

/** Numbers by size, false before true, then texts. */
function compareValues(a: Value, b: Value): number {
  if (typeof a === "string" || typeof b === "string") {
    return typeof a === typeof b ? (a < b ? -1 : 1) : typeof a === "string" ? 1 : -1;
  }
  return Number(a) - Number(b) || (typeof a === "number" ? -1 : 1);
}

export function textOf(value: Value | undefined): string {
  return value === undefined ? "–" : typeof value === "number" ? formatValue(value) : String(value);
}
