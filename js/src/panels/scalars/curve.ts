// A series as it is drawn: positions along both axes, computed once for each series and set of curveOptions.

import type { LineData } from "../../charts/extent";
import type { AxisScale } from "../../lib/scale";
import { isSmoothed, type RowCounts, type Smoothing, smoothPieces } from "../../lib/smoothing";
import type { XAxisMode } from "../../lib/xaxis";
import { numbers } from "../../wire/steps";
import { pointsAt, type Series } from "./kind/series";
import type { RawValues } from "./options";
import { stepsBack } from "./pieces";

export interface CurveOptions {
  readonly xAxis: XAxisMode;
  readonly xScale: AxisScale;
  readonly yScale: AxisScale;
  readonly smoothing: Smoothing;
  /** Where steps go back, a line ends and another one begins. */
  readonly split: boolean;
  /** What is drawn behind a smoothed line. */
  readonly behind: RawValues;
}

/** The columns that are drawn, a row for each row of the series. */
export interface Curve extends LineData {
  readonly series: Series;
  /** Smoothed values, in the units in which they were written; the values themselves without smoothing. */
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

/** The curve of a series. Series are immutable, so what was computed for one stays valid as long as it lives. */
export function curveOf(series: Series, curveOptions: CurveOptions): Curve {
  let known = cache.get(series);
  if (known === undefined) {
    known = {};
    cache.set(series, known);
  }
  const key = keyOf(curveOptions);
  if (known.curve?.key !== key) {
    known.curve = { key, curve: compute(series, curveOptions, known) };
  }
  return known.curve.curve;
}

function keyOf({ xAxis, xScale, yScale, smoothing, split, behind }: CurveOptions): string {
  return `${xAxis} ${xScale.key} ${yScale.key} ${smoothing.kind} ${smoothing.amount} ${split} ${behind === "hidden"}`;
}

/** Drops what was computed for a series that is off the screen. */
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
  const { xAxis, xScale, yScale, smoothing, split, behind } = curveOptions;
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
  if (isSmoothed(smoothing)) {
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
  const shown = behind === "hidden" && y !== raw ? { raw: y, low: null, high: null } : { raw, low, high };
  return { series, x, ascending, y, smoothed, breaks, ...shown };
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
