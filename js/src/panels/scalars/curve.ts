// A series as it is drawn: positions along both axes, computed once for each way of looking at it.

import type { Along } from "../../charts/along";
import type { Drawn } from "../../charts/extent";
import { smooth } from "../../lib/smoothing";
import { numbers, type Series } from "../../wire/series";

export interface Look {
  readonly xAxis: Along;
  readonly smoothing: number;
  readonly log: boolean;
}

/** The columns that are drawn, a row for each row of the series. */
export interface Curve extends Drawn {
  readonly series: Series;
}

interface Kept {
  x?: { readonly axis: Along; readonly column: Float64Array; readonly ascending: boolean };
  smoothed?: { readonly weight: number; readonly column: Float64Array };
  logs?: Pick<Curve, "raw" | "low" | "high">;
  curve?: { readonly look: Look; readonly curve: Curve };
}

const kept = new WeakMap<Series, Kept>();

/** The curve of a series. Series are never changed, so what was computed for one holds as long as it lives. */
export function curveOf(series: Series, look: Look): Curve {
  let known = kept.get(series);
  if (known === undefined) {
    known = {};
    kept.set(series, known);
  }
  const { curve } = known;
  if (
    curve !== undefined &&
    curve.look.xAxis === look.xAxis &&
    curve.look.smoothing === look.smoothing &&
    curve.look.log === look.log
  ) {
    return curve.curve;
  }
  const made = compute(series, look, known);
  known.curve = { look, curve: made };
  return made;
}

/** What was computed for a series is let go: it is off the screen. */
export function forgetCurve(series: Series): void {
  kept.delete(series);
}

/** Bytes of what was computed for a series. */
export function bytesBeside(series: Series): number {
  const { x, smoothed, logs, curve } = kept.get(series) ?? {};
  const own = new Set<Float64Array | null | undefined>(Object.values(series));
  const columns = [x?.column, smoothed?.column, logs?.raw, logs?.low, logs?.high, curve?.curve.y];
  let bytes = 0;
  for (const column of new Set(columns)) {
    bytes += own.has(column) ? 0 : (column?.byteLength ?? 0);
  }
  return bytes;
}

/** Smoothed values of a series, in the units in which they were written. */
export function smoothedOf(series: Series, weight: number): Float64Array {
  const known = kept.get(series)?.smoothed;
  return known?.weight === weight ? known.column : smooth(series.value, weight, countsOf(series));
}

function compute(series: Series, { xAxis, smoothing, log }: Look, known: Kept): Curve {
  if (known.x?.axis !== xAxis) {
    const column = xColumn(series, xAxis);
    known.x = { axis: xAxis, column, ascending: xAxis === "step" ? series.ascending : isAscending(column) };
  }
  if (smoothing > 0 && known.smoothed?.weight !== smoothing) {
    // The array of the smoothing before is used again: nothing else is held of its curve.
    const column = smooth(series.value, smoothing, countsOf(series), known.smoothed?.column);
    known.smoothed = { weight: smoothing, column };
  }
  const { value, min, max, width } = series;
  const line = smoothing > 0 && known.smoothed !== undefined ? known.smoothed.column : value;
  const { column: x, ascending } = known.x;
  const buckets = width > 1;
  if (!log) {
    return { series, x, ascending, y: line, raw: value, low: buckets ? min : null, high: buckets ? max : null };
  }
  known.logs ??= { raw: log10(value), low: buckets ? lowerLog10(min, max) : null, high: buckets ? log10(max) : null };
  return { series, x, ascending, y: line === value ? known.logs.raw : log10(line), ...known.logs };
}

function countsOf({ width, count }: Series): Uint32Array | null {
  return width > 1 ? count : null;
}

function xColumn({ step, wall, startWall }: Series, axis: Along): Float64Array {
  if (axis === "step") {
    return numbers(step);
  }
  return axis === "wall" ? wall : wall.map((time) => time - startWall);
}

/** Only what is positive has a place on a logarithmic axis. */
function log10(values: Float64Array): Float64Array {
  return values.map((value) => (value > 0 ? Math.log10(value) : Number.NaN));
}

/** −∞ where a bucket reaches down to what has no place on the axis. */
function lowerLog10(min: Float64Array, max: Float64Array): Float64Array {
  return min.map((least, i) =>
    least > 0 ? Math.log10(least) : (max[i] as number) > 0 ? Number.NEGATIVE_INFINITY : Number.NaN,
  );
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
