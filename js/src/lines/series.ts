// One series of scalars as the page holds it: points, or buckets of them; how parts of messages continue it, and how it becomes coarser.

import { type Key, nextVersion } from "../wire/codec";
import { appended, appendedSteps, exactSteps, numbers, type StepColumn } from "../wire/steps";

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
  /** Whether smoothing helps it, as judged by all of its points where these are not held. */
  readonly smoothable?: boolean | undefined;
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
  readonly smoothable?: boolean | undefined;
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

/** Shorter series are not smoothed. */
export const MIN_SMOOTHED_POINTS = 30;

/** Nor are series in which at least this share of the values equals the one before. */
const STEP_LIKE_SHARE = 0.8;

const smoothable = new WeakMap<Series, boolean>();

/**
 * Whether smoothing helps a series. It does not help short series, nor series that only rise or fall, nor series that
 * rarely change, such as a learning rate: an average would only lag behind them. Twin of `is_smoothable` in
 * tbwidget/panels/scalar_options.py, whose verdict comes with long series. Other buckets are judged by their min and max.
 */
export function isSmoothable(series: Series): boolean {
  let known = smoothable.get(series);
  if (known === undefined) {
    known = series.total >= MIN_SMOOTHED_POINTS && (series.smoothable ?? !(isMonotone(series) || isStepLike(series)));
    smoothable.set(series, known);
  }
  return known;
}

function isMonotone({ min, max }: Series): boolean {
  let [rises, falls] = [true, true];
  let [low, high] = [Number.NaN, Number.NaN];
  for (let i = 0; i < min.length && (rises || falls); i += 1) {
    const [least, most] = [min[i] as number, max[i] as number];
    if (least - most <= 0) {
      rises &&= !(least < high);
      falls &&= !(most > low);
      [low, high] = [least, most];
    }
  }
  return rises || falls;
}

/** Judges the first 2^k points only, so that the verdict on a growing series changes at most when it has doubled. */
function isStepLike(series: Series): boolean {
  const { min, max, total } = series;
  const judged = 2 ** Math.floor(Math.log2(total));
  const others = (1 - STEP_LIKE_SHARE) * (judged - 1);
  let different = 0;
  for (let i = 0, points = 0; points < judged && i < min.length && different <= others; i += 1) {
    const held = pointsAt(series, i);
    points += held;
    // A bucket with different values may change at each of its points.
    different += min[i] === max[i] ? 0 : held - 1;
    different += i === 0 || (min[i] === max[i] && max[i] === min[i - 1] && max[i] === max[i - 1]) ? 0 : 1;
  }
  return different <= others;
}

/** The first `keep` rows of `held`, then `added`. The cost grows with `added` only. */
function joinRows(held: Rows, keep: number, added: Rows): Rows {
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
function joinedSummary(rows: Rows, keep: number, held: Series): Summary {
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

/** Rows that stand for points of a series. */
interface Wide extends Rows {
  /** Points a row, but for the last. */
  readonly width: number;
}

interface Bucketed extends Wide {
  /** Points of all rows. */
  readonly total: number;
}

/** Rows of the coarse version of a series at most. Keep in step with COARSE_ROWS in tbwidget/panels/scalars.py. */
export const COARSE_ROWS = 64;

/** Buckets of a long series at most, at its finest. Keep in step with FINE_ROWS in tbwidget/panels/scalars.py. */
const FINE_ROWS = 2048;

/** A series of up to this many points travels whole. Keep in step with WHOLE_SERIES in tbwidget/panels/scalars.py. */
const WHOLE_SERIES = 4096;

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
function regrouped(open: Rows, points: number, more: Wide, width: number): Rows {
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
function concatRows(parts: readonly Rows[]): Rows {
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

/** How many times the rows that a series was reduced to it may have before its buckets double. */
const MAX_GROWTH = 2;

/** The series after `part`: the same as before where it holds more already; null if it continues what is not held. */
export function applyPart(held: Series | undefined, part: SeriesPart): Series | null {
  const same = held !== undefined && held.revision === part.revision ? held : undefined;
  if (part.keep === 0) {
    // Keyframes send each series coarsely first: one that is held in more detail, and up to its end, stays.
    return same !== undefined && same.width < part.width && same.total >= part.total
      ? same
      : seriesOf(part, part.rows, summary(part.rows));
  }
  if (same === undefined) {
    return null;
  }
  if (same.reduced === undefined && same.width === part.width) {
    if (same.total < part.keep * part.width) {
      return null;
    }
    const rows = joinRows(same, part.keep, part.rows);
    return seriesOf(part, rows, joinedSummary(rows, part.keep, same), same.last);
  }
  return joinedInBuckets(same, part);
}

/**
 * Whether smoothing helps a series, judged by its points before they are in buckets. Undefined while it is short or only
 * rises or falls: that may end, and buckets show it as well.
 */
function verdictOn(series: Series): boolean | undefined {
  const mayChange = series.total < MIN_SMOOTHED_POINTS || (isMonotone(series) && !isStepLike(series));
  return series.smoothable ?? (mayChange ? undefined : isSmoothable(series));
}

/** The series in buckets, at most `rows` of them; the same if it is as coarse already. */
export function coarsened(series: Series, rows: number = COARSE_ROWS): Series {
  const width = bucketWidth(series.total, rows);
  if (width <= series.width) {
    return series;
  }
  const columns = coarsen(series, width);
  const settled = settledOf(series);
  const { stretch: _, ...facts } = series;
  return {
    ...facts,
    ...columns,
    width,
    smoothable: verdictOn(series),
    reduced: {
      rows,
      width: series.reduced?.width ?? series.width,
      settled: settled.total,
      open: openBucket(settled, width),
    },
    version: nextVersion(),
    ...summary(columns),
  };
}

/** The rows that the next part does not replace. */
function settledOf({ reduced, ...series }: Series): Bucketed {
  const { width } = series;
  const full = Math.floor((reduced?.settled ?? series.total) / width);
  const closed = sliceRows(series, 0, full);
  return reduced === undefined
    ? { ...closed, width, total: full * width }
    : { ...concatRows([closed, reduced.open]), width, total: reduced.settled };
}

/** The last bucket of `width` points, if it is not full: a row, or none. */
function openBucket(held: Bucketed, width: number): Rows {
  const from = Math.floor(held.total / width) * (width / held.width);
  return coarsen({ ...held, ...sliceRows(held, from, held.step.length) }, width);
}

/** Narrower rows, or points, for a series that is held in buckets: this page made it coarse, or the kernel said it coarsely. */
function joinedInBuckets(held: Series, part: SeriesPart): Series | null {
  const { width } = held;
  const { rows: most, ...before }: Reduced = held.reduced ?? {
    rows: COARSE_ROWS,
    width: part.width,
    settled: held.total,
    open: openBucket(held, width),
  };
  if (part.width >= width || part.width !== before.width || part.keep * part.width !== before.settled) {
    return null;
  }
  const full = Math.floor(before.settled / width);
  const inOpen = before.settled - full * width;
  const tail = (rows: Rows) => regrouped(before.open, inOpen, { ...rows, width: part.width }, width);
  const rows = joinRows(held, full, tail(part.rows));
  const closed = Math.min(part.rows.step.length, Math.floor(part.total / part.width) - part.keep);
  const settled = before.settled + closed * part.width;
  const kept = tail(sliceRows(part.rows, 0, closed));
  const end = kept.step.length;
  // A copy: the whole would stay in memory with a part of it.
  const open = concatRows([sliceRows(kept, settled % width === 0 ? end : end - 1, end)]);
  const series: Series = {
    ...seriesOf(part, rows, joinedSummary(rows, full, held), held.last),
    width,
    smoothable: part.smoothable ?? held.smoothable,
    reduced: { rows: most, width: part.width, settled, open },
  };
  return rows.step.length > MAX_GROWTH * most ? coarsened(series, most) : series;
}

function seriesOf(part: SeriesPart, rows: Rows, known: Summary, lastBefore: number | null = null): Series {
  // Field by field: spreading costs more than all else that is done for a few points.
  return {
    step: rows.step,
    first: rows.first,
    wall: rows.wall,
    value: rows.value,
    min: rows.min,
    max: rows.max,
    count: rows.count,
    width: part.width,
    startWall: part.startWall,
    total: part.total,
    superseded: part.superseded,
    revision: part.revision,
    last: part.last ?? lastBefore,
    smoothable: part.smoothable,
    version: nextVersion(),
    ascending: known.ascending,
    lastStep: known.lastStep,
    stepExtent: known.stepExtent,
  };
}

/** Rows from point `from` on; `total` are the points of the stretch itself. */
export interface DetailPart extends SeriesPart {
  readonly from: number;
}

/** The series with the stretch in place of the buckets that it covers whole; the same where it does not fit. */
export function withDetail(base: Series, detail: DetailPart): Series {
  const { width } = base;
  const { from, total, rows } = detail;
  if (detail.revision !== base.revision || detail.width >= width || from % width !== 0 || from + total > base.total) {
    return base;
  }
  // A bucket that has got more points since is drawn as a bucket.
  const end = from + total === base.total ? base.total : from + Math.floor(total / width) * width;
  const narrow = sliceRows(rows, 0, Math.ceil((end - from) / detail.width));
  const merged = concatRows([
    sliceRows(base, 0, from / width),
    narrow,
    sliceRows(base, Math.ceil(end / width), base.step.length),
  ]);
  const first = from / width;
  const stretch = { from: first, to: first + narrow.step.length, width: detail.width, points: end - from };
  return { ...base, ...merged, stretch, version: nextVersion(), ...summary(merged) };
}

/** Whether the rows of these steps (null: all) are points rather than buckets. */
export function isWhole({ width, stretch, first, step }: Series, range: readonly [number, number] | null): boolean {
  if (width === 1 || range === null) {
    return width === 1;
  }
  if (stretch === undefined || stretch.width > 1 || stretch.from === stretch.to) {
    return false;
  }
  const { from, to } = stretch;
  // Before the first row and behind the last there is nothing that could be in a bucket.
  const begins = from === 0 || range[0] >= (numbers(first)[from] as number);
  return begins && (to === step.length || range[1] <= (numbers(step)[to - 1] as number));
}
