// A series as it is drawn: positions along both axes, where the line breaks, and which of its rows are buckets or gaps.

import type { LineData } from "../charts/extent";
import { type AxisScale, LINEAR } from "../lib/scale";
import { isSmoothed, type RowCounts, type Smoothing, smoothPieces } from "../lib/smoothing";
import type { XAxisMode } from "../lib/xaxis";
import { exactStep, numbers } from "../wire/steps";
import type { RawValues } from "./options";
import { hasOnlyFinite, isSmoothable, pointsAt, type Series } from "./series";

export interface CurveOptions {
  readonly xAxis: XAxisMode;
  readonly xScale: AxisScale;
  readonly yScale: AxisScale;
  readonly smoothing: Smoothing;
  /** Where steps go back, a line ends and another one begins. */
  readonly split: boolean;
  /** The line that is drawn behind a smoothed one. */
  readonly behind: RawValues;
  /** The series inside a margin decides whether the edges of the margin are smoothed. */
  readonly inside?: Series | undefined;
}

/** The columns that are drawn, a row for each row of the series. */
export interface Curve extends LineData {
  readonly series: Series;
  /** Smoothed values, in the units in which they were written; the same array as the values where nothing is smoothed. */
  readonly smoothed: Float64Array;
  /** Rows with which a piece of the line begins, but for the first. */
  readonly breaks: ArrayLike<number>;
}

type Places = Pick<Curve, "raw" | "low" | "high">;

interface Cached {
  x?: { readonly key: string; readonly column: Float64Array; readonly ascending: boolean };
  smoothed?: { readonly key: string; readonly column: Float64Array };
  breaks?: ArrayLike<number>;
  places?: { readonly key: string } & Places;
  curve?: { readonly key: string; readonly curve: Curve };
}

const WHOLE: ArrayLike<number> = [];

const cache = new WeakMap<Series, Cached>();

/** The curve of a series. Series are immutable, so a cached curve is valid for the life of its series. */
export function curveOf(series: Series, curveOptions: CurveOptions): Curve {
  let known = cache.get(series);
  if (known === undefined) {
    known = {};
    cache.set(series, known);
  }
  const { inside } = curveOptions;
  const key = `${keyOf(curveOptions)} ${inside === undefined || isSmoothable(inside)}`;
  if (known.curve?.key !== key) {
    known.curve = { key, curve: compute(series, curveOptions, known) };
  }
  return known.curve.curve;
}

/** The values of a series as they are, on linear axes. */
export const AS_WRITTEN: CurveOptions = {
  xAxis: "step",
  xScale: LINEAR,
  yScale: LINEAR,
  smoothing: { kind: "none", amount: 0 },
  split: false,
  behind: "line",
};

/** The curve of a series along anything but steps and times: `x` has a place for each row. */
export function curveAlong(series: Series, x: Float64Array, curveOptions: CurveOptions = AS_WRITTEN): Curve {
  const curve = curveOf(series, { ...curveOptions, xAxis: "step", xScale: LINEAR });
  return { ...curve, x, ascending: false, start: undefined };
}

function keyOf({ xAxis, xScale, yScale, smoothing, split, behind }: CurveOptions): string {
  return `${xAxis} ${xScale.key} ${yScale.key} ${smoothing.kind} ${smoothing.amount} ${split} ${behind === "hidden"}`;
}

/** Drops the cached curves of a series that is off the screen. */
export function freeCurve(series: Series): void {
  cache.delete(series);
  arrays.delete(series.value.buffer);
}

/** Arrays for smoothed values, by the buffer of the values: all versions of a series that grows use one. */
const arrays = new WeakMap<ArrayBufferLike, Float64Array>();

function arrayFor({ value }: Series): Float64Array {
  let array = arrays.get(value.buffer);
  if (array === undefined || array.length < value.length) {
    array = new Float64Array(Math.max(value.length, value.buffer.byteLength / value.BYTES_PER_ELEMENT));
    arrays.set(value.buffer, array);
  }
  return array.subarray(0, value.length);
}

/** Bytes that were computed for a series. */
export function curveBytes(series: Series): number {
  const { x, smoothed, places, curve } = cache.get(series) ?? {};
  const own = new Set<unknown>(Object.values(series));
  const columns = [x?.column, smoothed?.column, places?.raw, places?.low, places?.high, curve?.curve.y];
  let bytes = 0;
  for (const column of new Set(columns)) {
    bytes += own.has(column) ? 0 : (column?.byteLength ?? 0);
  }
  return bytes;
}

function compute(series: Series, curveOptions: CurveOptions, known: Cached): Curve {
  const { xAxis, xScale, yScale, smoothing, split, behind, inside = series } = curveOptions;
  const xKey = `${xAxis} ${xScale.key}`;
  if (known.x?.key !== xKey) {
    const column = placesAlong(xColumn(series, xAxis), xScale);
    known.x = { key: xKey, column, ascending: xAxis === "step" ? series.ascending : isAscending(column) };
  }
  if (split) {
    known.breaks ??= stepsBack(series);
  }
  const breaks = split ? (known.breaks ?? WHOLE) : WHOLE;
  const { value } = series;
  let smoothed = value;
  if (isSmoothed(smoothing) && isSmoothable(inside)) {
    const key = `${smoothing.kind} ${smoothing.amount} ${breaks.length > 0}`;
    if (known.smoothed?.key !== key) {
      // The array of the previous smoothing is used again: nothing else uses it.
      known.smoothed = { key, column: smoothPieces(value, smoothing, countsOf(series), breaks, arrayFor(series)) };
    }
    smoothed = known.smoothed.column;
  }
  if (known.places?.key !== yScale.key) {
    known.places = { key: yScale.key, ...placesOf(series, yScale) };
  }
  const { raw, low, high } = known.places;
  const y = smoothed === value ? raw : columnOf(smoothed, yScale);
  const { column: x, ascending } = known.x;
  const isHidden = behind === "hidden" && y !== raw;
  const shown = isHidden ? { raw: y, low: null, high: null } : { raw, low, high };
  const newest = series.width > 1 && series.last !== null && !isHidden ? { newest: yScale.place(series.last) } : {};
  // Where a logarithm begins, a bucket would leave half of the plot free.
  const start = series.width === 1 || xScale.name !== "linear" ? {} : { start: startAlong(series, xAxis) };
  return { series, x, ascending, y, smoothed, breaks, ...shown, ...newest, ...start };
}

/** Where the first point of a series of buckets stands. */
function startAlong({ stepExtent, startWall }: Series, axis: XAxisMode): number {
  return axis === "step" ? (stepExtent?.min ?? Number.NaN) : axis === "relative" ? 0 : startWall;
}

function placesOf({ value, min, max, width }: Series, scale: AxisScale): Places {
  const raw = columnOf(value, scale);
  if (width === 1) {
    return { raw, low: null, high: null };
  }
  return {
    raw,
    low: scale.name === "log" ? lowerPlaces(min, max, scale) : columnOf(min, scale),
    high: columnOf(max, scale),
  };
}

/** The places of values; they themselves on a linear axis. */
function columnOf(values: Float64Array, scale: AxisScale): Float64Array {
  return scale.name === "linear" ? values : values.map((value) => scale.place(value));
}

/** −∞ where a bucket reaches down to values that have no place on the axis. */
function lowerPlaces(min: Float64Array, max: Float64Array, scale: AxisScale): Float64Array {
  return min.map((least, i) =>
    least > 0 ? scale.place(least) : (max[i] as number) > 0 ? Number.NEGATIVE_INFINITY : Number.NaN,
  );
}

/** Rows that have no place on the axis are before its beginning. */
function placesAlong(column: Float64Array, scale: AxisScale): Float64Array {
  return scale.name === "log"
    ? column.map((x) => (x > 0 ? scale.place(x) : Number.NEGATIVE_INFINITY))
    : columnOf(column, scale);
}

function countsOf(series: Series): RowCounts | null {
  if (series.width === 1) {
    return null;
  }
  return { finite: series.count, points: Uint32Array.from(series.count, (_, i) => pointsAt(series, i)) };
}

function xColumn({ step, wall, startWall }: Series, axis: XAxisMode): Float64Array {
  if (axis === "step") {
    return numbers(step);
  }
  return axis === "wall" ? wall : wall.map((time) => time - startWall);
}

function isAscending(column: Float64Array): boolean {
  let previous = Number.NEGATIVE_INFINITY;
  for (const x of column) {
    if (!(x >= previous)) {
      return false;
    }
    previous = x;
  }
  return true;
}

const NONE: ArrayLike<number> = [];

/** Rows that begin before the row above them ends, or hold steps that go back: the first of each piece but one. */
export function stepsBack({ step, first, ascending }: Pick<Series, "step" | "first" | "ascending">): ArrayLike<number> {
  if (ascending) {
    return NONE;
  }
  const [begins, ends] = [numbers(first), numbers(step)];
  const rows: number[] = [];
  for (let i = 1; i < ends.length; i += 1) {
    const before = ends[i - 1] as number;
    if ((begins[i] as number) < before || (ends[i] as number) < before) {
      rows.push(i);
    }
  }
  return rows;
}

type Span = [from: number, to: number];

export interface Parts {
  readonly points: Span;
  /** Before the points and behind them. */
  readonly buckets: readonly Span[];
}

/** The rows [from, to), points and buckets apart. */
export function partsOf({ width, stretch }: Pick<Series, "width" | "stretch">, from: number, to: number): Parts {
  if (width === 1) {
    return { points: [from, to], buckets: [] };
  }
  if (stretch === undefined || stretch.width > 1) {
    return { points: [to, to], buckets: [[from, to]] };
  }
  const within = (row: number) => Math.min(to, Math.max(from, row));
  const points: Span = [within(stretch.from), within(stretch.to)];
  return {
    points,
    buckets: [
      [from, points[0]],
      [points[1], to],
    ],
  };
}

/** The non-finite value in a row: ±∞ or NaN; 0 if there is none. A bucket does not hold which it was: NaN. */
export function gapAt(series: Series, i: number): number {
  const what = series.value[i] as number;
  if (what - what !== 0) {
    return what;
  }
  return series.width > 1 && (series.count[i] as number) < pointsAt(series, i) ? Number.NaN : 0;
}

/** How many values of a series are not finite, and the steps of the first and the last row with one. */
export interface Gaps {
  readonly nan: number;
  readonly up: number;
  readonly down: number;
  /** In buckets, which do not hold what they were. */
  readonly other: number;
  readonly first: bigint;
  readonly last: bigint;
}

const knownGaps = new WeakMap<Series, Gaps | null>();

/** Null where all values are finite. */
export function gapsOf(series: Series): Gaps | null {
  let gaps = knownGaps.get(series);
  if (gaps === undefined) {
    gaps = countGaps(series);
    knownGaps.set(series, gaps);
  }
  return gaps;
}

interface NotPositive {
  readonly count: number;
  readonly isAtLeast: boolean;
}

const knownNotPositive = new WeakMap<Series, NotPositive>();

/** The values at or below 0, which have no logarithm. A bucket that has others, too, counts as one: more is not known. */
export function notPositiveOf(series: Series): NotPositive {
  let found = knownNotPositive.get(series);
  if (found === undefined) {
    found = countNotPositive(series);
    knownNotPositive.set(series, found);
  }
  return found;
}

function countNotPositive({ min, max, count }: Series): NotPositive {
  let [found, isAtLeast] = [0, false];
  for (let i = 0; i < min.length; i += 1) {
    const isPart = (max[i] as number) > 0;
    if (Number.isFinite(min[i]) && (min[i] as number) <= 0) {
      found += isPart ? 1 : (count[i] as number);
      isAtLeast ||= isPart;
    }
  }
  return { count: found, isAtLeast };
}

function countGaps(series: Series): Gaps | null {
  if (hasOnlyFinite(series)) {
    return null;
  }
  const found = { nan: 0, up: 0, down: 0, other: 0 };
  let [from, to] = [-1, -1];
  for (let i = 0; i < series.value.length; i += 1) {
    const what = gapAt(series, i);
    if (what !== 0) {
      const points = pointsAt(series, i);
      const kind = points > 1 ? "other" : what > 0 ? "up" : what < 0 ? "down" : "nan";
      found[kind] += points > 1 ? points - (series.count[i] as number) : 1;
      from = from < 0 ? i : from;
      to = i;
    }
  }
  return from < 0 ? null : { ...found, first: exactStep(series.first, from), last: exactStep(series.step, to) };
}
