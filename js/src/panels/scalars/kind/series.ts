// One series as the browser holds it: points as they were written, or buckets of them. Never changed, only replaced.

import type { Key } from "../../../wire/codec";
import { exactSteps, numbers, type StepColumn } from "../../../wire/steps";

/** Columns of one length; a row is a point, or a bucket of consecutive points. */
export interface Rows {
  /** Step of the point; of a bucket, of its last point. */
  readonly step: StepColumn;
  /** Step of the bucket's first point; the same array as `step` for points. */
  readonly first: StepColumn;
  /** Wall time of the point, of the bucket's last point: seconds since the epoch. */
  readonly wall: Float64Array;
  /** Value of the point; mean over the bucket's finite values, NaN without any. */
  readonly value: Float64Array;
  /** Over the finite values of the bucket; the same array as `value` for points. */
  readonly min: Float64Array;
  readonly max: Float64Array;
  /** Finite values in the row: 0 or 1 for points. */
  readonly count: Uint32Array;
}

export interface Extent {
  readonly min: number;
  readonly max: number;
}

/** Rows in which a series holds fewer points than in its others. */
export interface Stretch {
  /** Rows: the first, and the first behind. */
  readonly from: number;
  readonly to: number;
  /** Points a row, but for the last. */
  readonly width: number;
  /** Points of all of them. */
  readonly points: number;
}

/** The points of one run under one tag. */
export interface Series extends Rows {
  /** 1: rows are points. Above: rows are buckets of `width` points, the last of them of up to `width`. */
  readonly width: number;
  /** Where rows are narrower than `width`, if anywhere. */
  readonly stretch?: Stretch;
  /** Wall time of the very first point, for times relative to it; NaN if it is no time. */
  readonly startWall: number;
  /** Points in the logs. */
  readonly total: number;
  readonly superseded: number;
  /** While it stays the same, points were only appended. */
  readonly revision: number;
  /** Another one whenever anything changed. */
  readonly version: number;
  /** Steps never go back. */
  readonly ascending: boolean;
  /** Largest step; null without points. */
  readonly lastStep: bigint | null;
  readonly stepExtent: Extent | null;
}

/** A part of a series, as a message brings it: the first `keep` rows of those held stay, these follow. */
export interface SeriesPart extends Key {
  readonly revision: number;
  readonly width: number;
  readonly keep: number;
  readonly startWall: number;
  readonly total: number;
  readonly superseded: number;
  readonly rows: Rows;
}

let ones = new Uint32Array(0);

/** Counts of finite values for rows that are points. */
export function pointCounts(value: Float64Array): Uint32Array {
  if (!value.every((v) => v - v === 0)) {
    return Uint32Array.from(value, (v) => (v - v === 0 ? 1 : 0));
  }
  // Mostly all are finite: those series share one array.
  if (ones.length < value.length) {
    ones = new Uint32Array(Math.max(4096, 2 * value.length)).fill(1);
  }
  return ones.subarray(0, value.length);
}

/** Points that the first `rows` rows stand for. */
export function pointsIn({ width, total }: { readonly width: number; readonly total: number }, rows: number): number {
  return Math.min(total, rows * width);
}

/** Points that row `i` stands for. */
export function pointsAt({ width, total, stretch }: Pick<Series, "width" | "total" | "stretch">, i: number): number {
  if (stretch === undefined || i < stretch.from) {
    return Math.min(width, total - i * width);
  }
  if (i < stretch.to) {
    return Math.min(stretch.width, stretch.points - (i - stretch.from) * stretch.width);
  }
  const bucket = Math.ceil((stretch.from * width + stretch.points) / width) + i - stretch.to;
  return Math.min(width, total - bucket * width);
}

/** The rows of `part` behind the first of those held. */
export function joinRows(held: Rows, keep: number, part: SeriesPart): Rows {
  const { rows, width } = part;
  const step = joinSteps(held.step, keep, rows.step);
  const wall = joinFloats(held.wall, keep, rows.wall);
  const value = joinFloats(held.value, keep, rows.value);
  if (width === 1) {
    return { step, first: step, wall, value, min: value, max: value, count: pointCounts(value) };
  }
  const count = new Uint32Array(keep + rows.count.length);
  count.set(held.count.subarray(0, keep));
  count.set(rows.count, keep);
  return {
    step,
    first: joinSteps(held.first, keep, rows.first),
    wall,
    value,
    min: joinFloats(held.min, keep, rows.min),
    max: joinFloats(held.max, keep, rows.max),
    count,
  };
}

/** By what was appended, then by what it was appended to: series that shared their steps go on sharing them. */
const joined = new WeakMap<StepColumn, WeakMap<StepColumn, { keep: number; column: StepColumn }>>();

function joinSteps(held: StepColumn, keep: number, added: StepColumn): StepColumn {
  let byHeld = joined.get(added);
  if (byHeld === undefined) {
    byHeld = new WeakMap();
    joined.set(added, byHeld);
  }
  const known = byHeld.get(held);
  if (known !== undefined && known.keep === keep) {
    return known.column;
  }
  const column =
    held instanceof Float64Array && added instanceof Float64Array
      ? joinFloats(held, keep, added)
      : joinExact(held, keep, added);
  byHeld.set(held, { keep, column });
  return column;
}

function joinExact(held: StepColumn, keep: number, added: StepColumn): BigInt64Array {
  const column = new BigInt64Array(keep + added.length);
  column.set(exactSteps(held).subarray(0, keep));
  column.set(exactSteps(added), keep);
  return column;
}

function joinFloats(held: Float64Array, keep: number, added: Float64Array): Float64Array {
  const column = new Float64Array(keep + added.length);
  column.set(held.subarray(0, keep));
  column.set(added, keep);
  return column;
}

/** What is known of steps without looking at each of them again. */
export function summary({ step, first }: Rows): Pick<Series, "ascending" | "lastStep" | "stepExtent"> {
  const last = numbers(step);
  const begin = numbers(first);
  if (last.length === 0) {
    return { ascending: true, lastStep: null, stepExtent: null };
  }
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let previous = Number.NEGATIVE_INFINITY;
  let ascending = true;
  for (let i = 0; i < last.length; i += 1) {
    const from = begin[i] ?? 0;
    const to = last[i] ?? 0;
    ascending &&= from >= previous && to >= from;
    previous = to;
    min = Math.min(min, from, to);
    max = Math.max(max, from, to);
  }
  return { ascending, lastStep: largest(step, max), stepExtent: { min, max } };
}

function largest(steps: StepColumn, max: number): bigint {
  if (steps instanceof Float64Array) {
    return BigInt(max);
  }
  let most = steps[0] ?? 0n;
  for (const step of steps) {
    if (step > most) {
      most = step;
    }
  }
  return most;
}

/** Bytes of rows; an array that they use twice counts once, one that they share with other rows every time. */
export function bytesOf({ step, first, wall, value, min, max, count }: Rows): number {
  let bytes = 0;
  for (const column of new Set<{ readonly byteLength: number }>([step, first, wall, value, min, max])) {
    // Exact steps are kept as numbers too, to draw with.
    bytes += column instanceof BigInt64Array ? 2 * column.byteLength : column.byteLength;
  }
  // Series of points share their counts.
  return bytes + (min === value ? 0 : count.byteLength);
}
