// The histograms on the wire, and their table. Twin of tbwidget/panels/histograms.py.

import { type Range, union } from "../lib/range";
import type { SeriesRows } from "../lib/seriestext";
import { type TableKind, tableOfSeries } from "../ui/save/tablekind";
import { saveTexts } from "../ui/save/texts";
import { type Key, nextVersion, type SeriesCodec, type Versioned } from "../wire/codec";
import { type ColumnReader, count, integer, numberOrNull, ProtocolError, positive, type Row } from "../wire/columns";
import type { RunFacts } from "../wire/runfacts";
import type { TagSeries } from "../wire/series";
import { type Counts, compactSteps, exactStep } from "../wire/steps";
import type { ColumnWriter } from "../wire/writer";
import { type BinLayout, type Bins, bytesOf, edgesOf, isOfPowers, POWERS } from "./bins";

/** Histograms that a coarse series has at most, beside the newest. Keep in step with COARSE_STEPS in tbwidget/panels/histograms.py. */
const COARSE_STEPS = 8;

/** Bytes of a histogram beside its bins: of its objects in V8, and in a message. */
const HELD_BYTES = 540;
const ENCODED_BYTES = 160;

export interface Histogram extends Bins {
  /** Its place in the series. */
  readonly place: number;
  readonly step: bigint;
  /** Seconds since the epoch. */
  readonly wall: number;
  /** From the number, sum and sum of squares that the writer recorded; NaN where it did not. */
  readonly mean: number;
  readonly deviation: number;
}

/** The histograms of one run under one tag: those at multiples of `stride`, and the newest. Never changed, only replaced. */
export interface HistogramSeries extends Versioned {
  /** Histograms in the logs. */
  readonly total: number;
  /** Places from one held histogram to the next, but for the newest and for details. A power of two. */
  readonly stride: number;
  /** The kernel sends no more than these unasked. */
  readonly fine: boolean;
  readonly superseded: number;
  /** Wall time of the very first one; NaN if it is no time. */
  readonly startWall: number;
  /** In the order of their places. */
  readonly rows: readonly Histogram[];
}

/** Continues a series: of the histograms held at multiples of the new stride, the first `keep` stay; these follow. */
export interface HistogramPart extends Key, Omit<HistogramSeries, "version"> {
  readonly keep: number;
}

/** The histograms at the places from `from` to `from + total`, `stride` apart. */
interface HistogramStretch extends HistogramPart {
  readonly from: number;
}

export interface HistogramDetail extends HistogramStretch {
  /** They are the neighbors of the linked step; else what is in sight. */
  readonly linked: boolean;
  /** The last detail of the other sort. */
  readonly beside: HistogramDetail | null;
}

/** The histograms of one tag. */
export type TagHistograms = TagSeries<HistogramSeries>;

export const histograms: SeriesCodec<HistogramSeries, HistogramPart, HistogramDetail> = {
  sort: "series",
  kind: "histograms",
  decodePart: (entry, key, columns) => {
    const [keep, stride, total] = [count(entry.keep), positive(entry.stride), count(entry.total)];
    return decode(entry, key, columns, (i) => Math.min((keep + i) * stride, total - 1));
  },
  decodeDetail: (entry, key, columns) => {
    const [from, stride] = [count(entry.from), positive(entry.stride)];
    const linked = entry.linked === true;
    return { ...decode(entry, key, columns, (i) => from + i * stride), from, linked, beside: null };
  },
  append: applyHistograms,
  mergeDetails: (held, next) => {
    const other = held !== null && held.linked === next.linked ? held.beside : held;
    return { ...next, beside: other?.revision === next.revision ? { ...other, beside: null } : null };
  },
  withDetail: (base, detail) => withStretch(detail.beside === null ? base : withStretch(base, detail.beside), detail),
  coarsen: (series, rows = COARSE_STEPS) => thinnedTo(series, rows),
  isCoarse: ({ fine, stride }) => !fine && stride > 1,
  bytesOf: ({ rows }) => bytesOfRows(rows, HELD_BYTES),
  widthOf: ({ stride }) => stride,
  bytesInFull: ({ rows, stride }) => stride * bytesOfRows(rows, HELD_BYTES),
  bytesOfDetail: ({ rows, beside }) => bytesOfRows(rows, HELD_BYTES) + bytesOfRows(beside?.rows ?? [], HELD_BYTES),
  encodedBytes: ({ rows }) => bytesOfRows(rows, ENCODED_BYTES),
  encode,
  stepsDuring,
  factsOf,
};

/** The series after `part`: the same as before where it holds more already; null if it continues what is not held. */
export function applyHistograms(held: HistogramSeries | undefined, part: HistogramPart): HistogramSeries | null {
  const same = held !== undefined && held.revision === part.revision ? held : undefined;
  if (part.keep === 0) {
    // Keyframes send each series coarsely first: one that is held in more detail, and up to its end, stays.
    const more = same !== undefined && same.stride <= part.stride && (same.fine || !part.fine);
    return more && same.total >= part.total ? same : seriesOf(part, []);
  }
  if (same !== undefined && same.stride > part.stride) {
    return thinnedPart(same, part);
  }
  if (same === undefined || part.stride % same.stride !== 0) {
    return null;
  }
  const kept = at(same, part.stride).slice(0, part.keep);
  return kept.length === part.keep ? seriesOf(part, kept) : null;
}

/** Continues a series of which this page left out histograms: takes those at its own stride, and the newest. */
function thinnedPart(held: HistogramSeries, part: HistogramPart): HistogramSeries | null {
  const { stride } = held;
  if (stride % part.stride !== 0 || held.total <= (part.keep - 1) * part.stride) {
    return null;
  }
  const begin = part.keep * part.stride;
  const kept = at(held, stride).filter(({ place }) => place < begin);
  const added = part.rows.filter(({ place }) => place % stride === 0 || place === part.total - 1);
  return { ...seriesOf({ ...part, rows: added.map(copied) }, kept), stride, fine: false };
}

/** The series with at most `most` histograms, and the newest. */
export function thinnedTo(series: HistogramSeries, most: number): HistogramSeries {
  let { stride } = series;
  while (Math.ceil(series.total / stride) > most) {
    stride *= 2;
  }
  if (stride === series.stride) {
    return series;
  }
  const rows = series.rows.filter(({ place }) => place % stride === 0 || place === series.total - 1);
  return { ...series, stride, fine: false, rows: rows.map(copied), version: nextVersion() };
}

/** The histogram in arrays of its own: those of the message would keep in memory what is left out, too. */
function copied(row: Histogram): Histogram {
  const { counts, layout } = row;
  if ("left" in layout) {
    return { ...row, counts: own(counts), layout: { left: own(layout.left), right: own(layout.right) } };
  }
  const innerEdges =
    layout.innerEdges === null || isOfPowers(layout.innerEdges) ? layout.innerEdges : own(layout.innerEdges);
  return { ...row, counts: own(counts), layout: { ...layout, innerEdges } };
}

/** Share of its buffer below which an array is copied; edges that many histograms share stay shared. */
const SMALL_SHARE = 1 / 4;

function own<T extends Counts>(part: T): T {
  return part.byteLength < part.buffer.byteLength * SMALL_SHARE ? (part.slice() as T) : part;
}

/** The series with the histograms of the stretch among its own; the same object where they do not fit or add nothing. */
export function withStretch(base: HistogramSeries, detail: HistogramStretch): HistogramSeries {
  const { from, total, stride, revision, rows } = detail;
  const end = from + total;
  if (revision !== base.revision || stride >= base.stride || end > base.total) {
    return base;
  }
  const before = base.rows.filter(({ place }) => place < from);
  const held = new Set(rows.map(({ place }) => place));
  const behind = base.rows.filter(({ place }) => place >= from && !held.has(place));
  const merged = [...before, ...rows, ...behind].sort((a, b) => a.place - b.place);
  return { ...base, rows: merged, version: nextVersion() };
}

/** The histograms at multiples of a stride. */
function at({ rows }: HistogramSeries, stride: number): Histogram[] {
  return rows.filter(({ place }) => place % stride === 0);
}

function seriesOf(part: HistogramPart, kept: readonly Histogram[]): HistogramSeries {
  const { revision, total, stride, fine, superseded, startWall, rows } = part;
  return { revision, total, stride, fine, superseded, startWall, rows: [...kept, ...rows], version: nextVersion() };
}

function bytesOfRows(rows: readonly Histogram[], each: number): number {
  return rows.reduce((sum, row) => sum + bytesOf(row) + each, 0);
}

function decode(entry: Row, key: Key, columns: ColumnReader, placeOf: (row: number) => number): HistogramPart {
  const startWall = numberOrNull(entry.start);
  const steps = columns.steps(integer(entry.step));
  const walls = columns.floats(integer(entry.wall));
  const lengths = columns.floats(integer(entry.bins));
  const counts = columns.counts(integer(entry.count));
  const layoutOf = layoutsOf(entry, columns, lengths);
  const [means, deviations] = [optional(entry.mean, columns), optional(entry.deviation, columns)];
  if (walls.length !== steps.length || lengths.length !== steps.length) {
    throw new ProtocolError("columns of different lengths");
  }
  let begin = 0;
  const rows = Array.from(lengths, (length, i) => {
    const own: Counts = counts.subarray(begin, begin + length);
    begin += length;
    if (own.length !== length) {
      throw new ProtocolError("counts are missing");
    }
    return {
      place: placeOf(i),
      step: exactStep(steps, i),
      wall: (startWall ?? 0) + (walls[i] as number),
      counts: own,
      layout: layoutOf(i),
      mean: means?.[i] ?? Number.NaN,
      deviation: deviations?.[i] ?? Number.NaN,
    };
  });
  return {
    ...key,
    revision: integer(entry.revision),
    keep: count(entry.keep),
    stride: positive(entry.stride),
    total: count(entry.total),
    fine: entry.fine === true,
    superseded: integer(entry.superseded),
    startWall: startWall ?? Number.NaN,
    rows,
  };
}

/** Returns where the bins of a row are; to be called for one row after the other. */
function layoutsOf(entry: Row, columns: ColumnReader, lengths: Float64Array): (row: number) => BinLayout {
  let begin = 0;
  const next = (count: number) => {
    begin += count;
    return [begin - count, begin] as const;
  };
  if (entry.left !== undefined) {
    const [left, right] = [columns.floats(integer(entry.left)), columns.floats(integer(entry.right))];
    return (i) => {
      const span = next(lengths[i] as number);
      return { left: sliceOf(left, ...span), right: sliceOf(right, ...span) };
    };
  }
  const [low, high] = [columns.floats(integer(entry.low)), columns.floats(integer(entry.high))];
  const ends = (i: number) => ({ low: low[i] as number, high: high[i] as number });
  const innerEdges = (i: number) => Math.max(0, (lengths[i] as number) - 1);
  if (entry.at !== undefined) {
    const places = columns.floats(integer(entry.at));
    const grid = entry.grid === undefined ? POWERS : columns.floats(integer(entry.grid));
    return (i) => ({
      ...ends(i),
      innerEdges: sliceOf(grid, places[i] as number, (places[i] as number) + innerEdges(i)),
    });
  }
  if (entry.edge !== undefined) {
    const edges = columns.floats(integer(entry.edge));
    return (i) => ({ ...ends(i), innerEdges: sliceOf(edges, ...next(innerEdges(i))) });
  }
  return (i) => ({ ...ends(i), innerEdges: null });
}

function sliceOf(column: Float64Array, from: number, to: number): Float64Array {
  const part = column.subarray(from, to);
  if (part.length !== to - from) {
    throw new ProtocolError("edges are missing");
  }
  return part;
}

function optional(index: unknown, columns: ColumnReader): Float64Array | null {
  return index === undefined ? null : columns.floats(integer(index));
}

/** A part that holds the whole series, edge by edge. */
function encode(held: HistogramSeries, columns: ColumnWriter): Row {
  const { revision, stride, total, fine, superseded, startWall, rows } = held;
  const start = Number.isNaN(startWall) ? null : startWall;
  const floats = (values: readonly number[]) => columns.add(Float64Array.from(values));
  const hasMoments = rows.some(({ mean }) => !Number.isNaN(mean));
  const entry = {
    keep: 0,
    revision,
    stride,
    total,
    fine,
    superseded,
    start,
    step: columns.add(BigInt64Array.from(rows, ({ step }) => step)),
    wall: floats(rows.map(({ wall }) => wall - (start ?? 0))),
    bins: floats(rows.map(({ counts }) => counts.length)),
    count: columns.addCounts(rows.map(({ counts }) => counts)),
    ...(hasMoments
      ? { mean: floats(rows.map(({ mean }) => mean)), deviation: floats(rows.map(({ deviation }) => deviation)) }
      : {}),
  };
  const ends = (name: "low" | "high") =>
    floats(rows.map(({ layout }) => ("low" in layout ? layout[name] : Number.NaN)));
  const follow = (innerEdges: (of: Float64Array | null, bins: number) => boolean) =>
    rows.every(({ layout, counts }) => "low" in layout && innerEdges(layout.innerEdges, counts.length));
  if (follow((innerEdges) => innerEdges === null)) {
    return { ...entry, low: ends("low"), high: ends("high") };
  }
  if (follow((innerEdges, bins) => (innerEdges === null ? bins < 2 : isOfPowers(innerEdges)))) {
    const at = floats(rows.map(({ layout }) => ("low" in layout ? (layout.innerEdges?.byteOffset ?? 0) / 8 : 0)));
    return { ...entry, low: ends("low"), high: ends("high"), at };
  }
  const edges = rows.map(edgesOf);
  return {
    ...entry,
    left: floats(edges.flatMap(({ left }) => [...left])),
    right: floats(edges.flatMap(({ right }) => [...right])),
  };
}

/** What has to be known of a series for that. */
interface Timed {
  /** NaN if it is no time. */
  readonly startWall: number;
  readonly rows: readonly { readonly step: bigint; readonly wall: number }[];
}

export function factsOf({ startWall, rows }: Timed): RunFacts | null {
  const last = rows.at(-1);
  return last === undefined
    ? null
    : { began: Number.isNaN(startWall) ? last.wall : startWall, ended: last.wall, step: last.step };
}

/** The least and the greatest step; of those that are not held the steps lie between their neighbors', which count too. */
export function stepsDuring(series: readonly Timed[], [from, to]: Range, relative: boolean): Range | null {
  const ranges = series.flatMap(({ rows, startWall }): Range[] => {
    const origin = relative ? startWall : 0;
    const times = rows.map(({ wall }) => wall - origin);
    const first = times.findIndex((time) => time >= from);
    const behind = times.findIndex((time) => time > to);
    if (first < 0 || (behind === 0 && first === 0)) {
      return [];
    }
    const last = behind < 0 ? rows.length - 1 : behind;
    const steps = rows.slice(Math.max(0, first - 1), last + 1).map(({ step }) => Number(step));
    return [[Math.min(...steps), Math.max(...steps)]];
  });
  return union(ranges);
}

const COLUMNS = ["left", "right", "count"];

/** The table of the histograms that a panel draws. */
export function histogramsTable(panel: string): TableKind {
  return {
    request: `${panel}.table`,
    columns: COLUMNS,
    counted: (count, n) => saveTexts().histograms(count, n),
    nested: true,
    summaryColumns: COLUMNS,
    summarized: (rows) => rows,
    ...tableOfSeries(histograms, ({ rows, total }) => ({ total, count: rows.length, rows: () => rowsOf(rows) })),
  };
}

function rowsOf(rows: readonly Histogram[]): SeriesRows {
  const edges = rows.map(edgesOf);
  const lengths = rows.map(({ counts }) => counts.length);
  return {
    step: compactSteps(BigInt64Array.from(rows, ({ step }) => step)),
    wall: Float64Array.from(rows, ({ wall }) => wall),
    lengths,
    columns: [
      joined(edges.map(({ left }) => left)),
      joined(edges.map(({ right }) => right)),
      joined(rows.map(({ counts }) => counts)),
    ],
  };
}

function joined(parts: readonly ArrayLike<number>[]): Float64Array {
  const whole = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
