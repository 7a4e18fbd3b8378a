// One series as the browser holds it: points as they were written, or buckets of them. Never changed, only replaced.

import type { Key } from "../wire/codec";
import { appended, appendedSteps, numbers, type StepColumn } from "../wire/steps";

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

/** How a series goes on that this page holds in wider buckets than came. */
export interface Reduced {
  /** Rows that it was reduced to, at most. */
  readonly rows: number;
  /** Points a row of what comes. */
  readonly width: number;
  /** Points behind which the next part begins: what came behind them will be replaced. */
  readonly settled: number;
  /** The bucket that these points leave open: one row, or none. */
  readonly open: Rows;
}

/** The points of one run under one tag. */
export interface Series extends Rows {
  /** 1: rows are points. Above: rows are buckets of `width` points, the last of them of up to `width`. */
  readonly width: number;
  /** Where rows are narrower than `width`, if anywhere. */
  readonly stretch?: Stretch;
  /** This page has put the rows together, for want of memory. */
  readonly reduced?: Reduced;
  /** The newest value, as it was written; null without points. */
  readonly last: number | null;
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
  /** The newest value, as it was written; null without points. */
  readonly last: number | null;
  readonly rows: Rows;
}

let ones = new Uint32Array(0);
/** All buffers of `ones` so far. */
const onesOnly = new WeakSet<ArrayBufferLike>();

/** Counts of finite values for rows that are points. */
export function pointCounts(value: Float64Array): Uint32Array {
  if (!value.every((v) => v - v === 0)) {
    return Uint32Array.from(value, (v) => (v - v === 0 ? 1 : 0));
  }
  return onesOf(value.length);
}

/** Mostly all values are finite: those series share one array. */
function onesOf(rows: number): Uint32Array {
  if (ones.length < rows) {
    ones = new Uint32Array(Math.max(4096, 2 * rows)).fill(1);
    onesOnly.add(ones.buffer);
  }
  return ones.subarray(0, rows);
}

/** Whether all values of points are known to be finite. */
export function hasOnlyFinite({ count }: Rows): boolean {
  return onesOnly.has(count.buffer);
}

function appendedCounts(held: Uint32Array, keep: number, added: Uint32Array): Uint32Array {
  return onesOnly.has(held.buffer) && onesOnly.has(added.buffer)
    ? onesOf(keep + added.length)
    : appended(held, keep, added);
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

/** The first `keep` rows of `held`, then `added`. The cost grows with `added` only. */
export function joinRows(held: Rows, keep: number, added: Rows): Rows {
  const step = appendedSteps(held.step, keep, added.step);
  // Tags that are written together have the same times.
  const wall = appended(held.wall, keep, added.wall, true);
  const value = appended(held.value, keep, added.value);
  const count = appendedCounts(held.count, keep, added.count);
  if (held.min === held.value && added.min === added.value) {
    return { step, first: step, wall, value, min: value, max: value, count };
  }
  return {
    step,
    first: appendedSteps(held.first, keep, added.first),
    wall,
    value,
    min: appended(held.min, keep, added.min),
    max: appended(held.max, keep, added.max),
    count,
  };
}

export type Summary = Pick<Series, "ascending" | "lastStep" | "stepExtent">;

const NO_ROWS: Summary = { ascending: true, lastStep: null, stepExtent: null };

/** Facts about the steps, so that nothing has to look at each of them again. */
export function summary(rows: Rows): Summary {
  return summaryFrom(rows, 0, NO_ROWS);
}

/** The summary of rows that begin with the first `keep` rows of `held`. */
export function joinedSummary(rows: Rows, keep: number, held: Series): Summary {
  const { step, stepExtent, ascending } = held;
  if (keep === step.length) {
    return summaryFrom(rows, keep, held);
  }
  // A row that was replaced may have been the largest, or one that goes back.
  if (!ascending || stepExtent === null || keep === 0 || step instanceof BigInt64Array) {
    return summary(rows);
  }
  const max = step[keep - 1] as number;
  return summaryFrom(rows, keep, { ascending, lastStep: BigInt(max), stepExtent: { min: stepExtent.min, max } });
}

/** `known` is the summary of the first `from` rows. */
function summaryFrom({ step, first }: Rows, from: number, known: Summary): Summary {
  const [begins, ends] = [numbers(first), numbers(step)];
  if (ends.length === 0) {
    return NO_ROWS;
  }
  let { ascending } = known;
  let { min, max } = known.stepExtent ?? { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
  let previous = from === 0 ? Number.NEGATIVE_INFINITY : (ends[from - 1] as number);
  for (let i = from; i < ends.length; i += 1) {
    const [begin, end] = [begins[i] as number, ends[i] as number];
    ascending &&= begin >= previous && end >= begin;
    previous = end;
    min = Math.min(min, begin, end);
    max = Math.max(max, begin, end);
  }
  return { ascending, lastStep: largest(step, from, max, known.lastStep), stepExtent: { min, max } };
}

function largest(steps: StepColumn, from: number, max: number, known: bigint | null): bigint {
  if (steps instanceof Float64Array) {
    return BigInt(max);
  }
  let most = known ?? (steps[0] as bigint);
  for (const step of steps.subarray(from)) {
    most = step > most ? step : most;
  }
  return most;
}

/** The buffers of rows, each once. Exact steps are also held as numbers, to draw with; `ones` belongs to no series. */
export function buffersOf(rows: Rows): ArrayBufferLike[] {
  const { step, first, wall, value, min, max, count } = rows;
  const buffers = [step.buffer, wall.buffer, value.buffer];
  if (first !== step) {
    buffers.push(first.buffer);
  }
  if (min !== value) {
    buffers.push(min.buffer, max.buffer);
  }
  for (const steps of first === step ? [step] : [step, first]) {
    if (steps instanceof BigInt64Array) {
      buffers.push(numbers(steps).buffer);
    }
  }
  if (!hasOnlyFinite(rows)) {
    buffers.push(count.buffer);
  }
  return buffers;
}

/** Bytes of rows in a message: an array that they use twice counts once, one that they share with other rows every time. */
export function bytesOf({ step, first, wall, value, min, max, count }: Rows): number {
  const columns = new Set<{ readonly byteLength: number }>([step, first, wall, value, min, max]);
  return [...columns].reduce((bytes, column) => bytes + column.byteLength, min === value ? 0 : count.byteLength);
}
