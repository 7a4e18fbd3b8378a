// Fewer, wider buckets out of the rows that are held.

import { exactSteps, numbers, type StepColumn } from "../wire/steps";
import type { Rows } from "./series";

/** Rows that stand for points of a series. */
export interface Wide extends Rows {
  /** Points a row, but for the last. */
  readonly width: number;
}

export interface Bucketed extends Wide {
  /** Points of all rows. */
  readonly total: number;
}

/** Rows of the coarse version of a series at most. Keep in step with COARSE_ROWS in tbwidget/panels/scalars.py. */
export const COARSE_ROWS = 64;

/** Buckets of a long series at most, at its finest. Keep in step with FINE_ROWS in tbwidget/panels/scalars.py. */
export const FINE_ROWS = 2048;

/** A series of up to this many points travels whole. Keep in step with WHOLE_SERIES in tbwidget/panels/scalars.py. */
export const WHOLE_SERIES = 4096;

/** Points a bucket so that `total` points give at most `rows`: a power of two. */
export function bucketWidth(total: number, rows: number): number {
  let width = 1;
  while (Math.ceil(total / width) > rows) {
    width *= 2;
  }
  return width;
}

/** Points a row of the finest version that the kernel sends. */
export function finestWidth(total: number): number {
  return total <= WHOLE_SERIES ? 1 : bucketWidth(total, FINE_ROWS);
}

/** The same points in buckets of `width`, a multiple of the width they have. */
export function coarsen(held: Wide, width: number): Rows {
  const group = width / held.width;
  const rows = Math.ceil(held.step.length / group);
  const ends = Array.from({ length: rows }, (_, i) => Math.min((i + 1) * group, held.step.length) - 1);
  const value = new Float64Array(rows).fill(Number.NaN);
  const min = new Float64Array(rows).fill(Number.NaN);
  const max = new Float64Array(rows).fill(Number.NaN);
  const count = new Uint32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    let mean = 0;
    let finite = 0;
    for (let i = row * group; i <= (ends[row] ?? 0); i += 1) {
      const more = held.count[i] ?? 0;
      if (more > 0) {
        finite += more;
        // Weighted by the counts so far: sums of the largest doubles would overflow.
        mean += ((held.value[i] ?? 0) / finite - mean / finite) * more;
        low = Math.min(low, held.min[i] ?? 0);
        high = Math.max(high, held.max[i] ?? 0);
      }
    }
    if (finite > 0) {
      value[row] = mean;
      min[row] = low;
      max[row] = high;
      count[row] = finite;
    }
  }
  const wall = Float64Array.from(ends, (end) => held.wall[end] ?? Number.NaN);
  const begins = ends.map((_, row) => row * group);
  return { step: pick(held.step, ends), first: pick(held.first, begins), wall, value, min, max, count };
}

/**
 * Puts narrower rows into buckets of `width` points. `open` is the bucket that they continue: a row that stands for
 * `points` points, or no row. The first rows complete it; the others make buckets of their own.
 */
export function regrouped(open: Rows, points: number, more: Wide, width: number): Rows {
  const end = more.step.length;
  const room = points === 0 ? 0 : Math.min((width - points) / more.width, end);
  const completed = concatRows([open, sliceRows(more, 0, room)]);
  const rows = completed.step.length;
  const first = rows > 0 ? coarsen({ ...completed, width: 1 }, rows) : completed;
  return concatRows([first, coarsen({ ...sliceRows(more, room, end), width: more.width }, width)]);
}

/** Rows `from` to `to`, the latter not included. */
export function sliceRows(rows: Rows, from: number, to: number): Rows {
  return {
    step: rows.step.subarray(from, to),
    first: rows.first.subarray(from, to),
    wall: rows.wall.subarray(from, to),
    value: rows.value.subarray(from, to),
    min: rows.min.subarray(from, to),
    max: rows.max.subarray(from, to),
    count: rows.count.subarray(from, to),
  };
}

/** All rows of all parts. */
export function concatRows(parts: readonly Rows[]): Rows {
  const length = parts.reduce((sum, { step }) => sum + step.length, 0);
  const floats = (name: "wall" | "value" | "min" | "max") =>
    fill(new Float64Array(length), parts, (part) => part[name]);
  const steps = (name: "step" | "first"): StepColumn =>
    parts.every((part) => part[name] instanceof Float64Array)
      ? fill(new Float64Array(length), parts, (part) => numbers(part[name]))
      : fill(new BigInt64Array(length), parts, (part) => exactSteps(part[name]));
  return {
    step: steps("step"),
    first: steps("first"),
    wall: floats("wall"),
    value: floats("value"),
    min: floats("min"),
    max: floats("max"),
    count: fill(new Uint32Array(length), parts, (part) => part.count),
  };
}

interface Target<T> {
  set(column: T, at: number): void;
}

function fill<T extends { readonly length: number }, U extends Target<T>>(
  target: U,
  parts: readonly Rows[],
  column: (part: Rows) => T,
): U {
  let at = 0;
  for (const part of parts) {
    const more = column(part);
    target.set(more, at);
    at += more.length;
  }
  return target;
}

function pick(steps: StepColumn, rows: readonly number[]): StepColumn {
  return steps instanceof Float64Array
    ? Float64Array.from(rows, (row) => steps[row] ?? 0)
    : BigInt64Array.from(rows, (row) => steps[row] ?? 0n);
}
