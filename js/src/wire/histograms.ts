// The histograms, as a kind of series: how they are held, and how a message continues them. Twin of tbwidget/panels/histograms.py.

import { type Bins, bytesOf, type Counts, type Cut, edgesOf, isOfPowers, POWERS } from "./bins";
import { type ColumnReader, integer, numberOrNull, ProtocolError, type Row } from "./columns";
import type { Kind, Named, Versioned } from "./kind";
import { exactStep, nextVersion } from "./series";
import type { ColumnWriter } from "./writer";

/** Histograms of the coarse version at most, beside the newest. Keep in step with COARSE_STEPS in tbwidget/panels/histograms.py. */
export const COARSE_STEPS = 8;

/** Bytes of a histogram beside its bins: its objects, as V8 holds them; and in a message. */
const HELD = 540;
const WRITTEN = 160;

export interface Histogram extends Bins {
  /** Its place in the series. */
  readonly place: number;
  readonly step: bigint;
  /** Seconds since the epoch. */
  readonly wall: number;
  /** As the writer says them; NaN where it says nothing. */
  readonly mean: number;
  readonly deviation: number;
}

/** The histograms of one run under one tag: those at multiples of `stride`, and the newest. Never changed, only replaced. */
export interface HistogramSeries extends Versioned {
  /** Histograms in the logs. */
  readonly total: number;
  /** Between places of which every one is held, for all that the kernel sends unasked. */
  readonly stride: number;
  /** There are as many as the kernel sends. */
  readonly fine: boolean;
  readonly superseded: number;
  /** Wall time of the very first one; NaN if it is no time. */
  readonly startWall: number;
  /** In the order of their places. */
  readonly rows: readonly Histogram[];
}

/** What a message says of a series: the first `keep` of those at multiples of the new stride stay; these follow. */
export interface HistogramPart extends Named, Omit<HistogramSeries, "version"> {
  readonly keep: number;
}

/** Those at places `from` to `from + total`, `stride` apart. */
export interface HistogramStretch extends HistogramPart {
  readonly from: number;
}

export interface HistogramDetail extends HistogramStretch {
  /** They are about the linked step; else in sight. */
  readonly linked: boolean;
  /** The last of the other sort. */
  readonly beside: HistogramDetail | null;
}

export const histograms: Kind<HistogramSeries, HistogramPart, HistogramDetail> = {
  decode: (entry, names, columns) => {
    const [keep, stride, total] = [integer(entry.keep), integer(entry.stride), integer(entry.total)];
    return decode(entry, names, columns, (i) => Math.min((keep + i) * stride, total - 1));
  },
  decodeDetail: (entry, names, columns) => {
    const [from, stride] = [integer(entry.from), integer(entry.stride)];
    const linked = entry.linked === true;
    return { ...decode(entry, names, columns, (i) => from + i * stride), from, linked, beside: null };
  },
  apply: applyHistograms,
  joined: (held, next) => {
    const other = held !== null && held.linked === next.linked ? held.beside : held;
    return { ...next, beside: other?.revision === next.revision ? { ...other, beside: null } : null };
  },
  withDetail: (base, detail) => withStretch(detail.beside === null ? base : withStretch(base, detail.beside), detail),
  coarsened: (series) => thinnedTo(series, COARSE_STEPS),
  isCoarse: ({ fine, stride }) => !fine && stride > 1,
  bytesOf: ({ rows }) => bytesOfRows(rows, HELD),
  bytesOfDetail: ({ rows, beside }) => bytesOfRows(rows, HELD) + bytesOfRows(beside?.rows ?? [], HELD),
  bytesWritten: ({ rows }) => bytesOfRows(rows, WRITTEN),
  encode,
};

/** The series after `part`: the same as before where it holds more already; null if it continues what is not held. */
export function applyHistograms(held: HistogramSeries | undefined, part: HistogramPart): HistogramSeries | null {
  const same = held !== undefined && held.revision === part.revision ? held : undefined;
  if (part.keep === 0) {
    // A keyframe says everything coarsely first: what is held in more detail, and is as long, stays.
    const more = same !== undefined && same.stride <= part.stride && (same.fine || !part.fine);
    return more && same.total >= part.total ? same : made(part, []);
  }
  if (same === undefined || part.stride % same.stride !== 0) {
    return null;
  }
  const kept = at(same, part.stride).slice(0, part.keep);
  return kept.length === part.keep ? made(part, kept) : null;
}

/** The series with fewer histograms: `most` at most, and the newest. */
export function thinnedTo(series: HistogramSeries, most: number): HistogramSeries {
  let { stride } = series;
  while (Math.ceil(series.total / stride) > most) {
    stride *= 2;
  }
  if (stride === series.stride) {
    return series;
  }
  const rows = series.rows.filter(({ place }) => place % stride === 0 || place === series.total - 1);
  return { ...series, stride, fine: false, rows: rows.map(released), version: nextVersion() };
}

/** The same in arrays of its own: those of the message hold what is left out too. */
function released(row: Histogram): Histogram {
  const { counts, cut } = row;
  if ("left" in cut) {
    return { ...row, counts: own(counts), cut: { left: own(cut.left), right: own(cut.right) } };
  }
  const joints = cut.joints === null || isOfPowers(cut.joints) ? cut.joints : own(cut.joints);
  return { ...row, counts: own(counts), cut: { ...cut, joints } };
}

/** Share of an array below which a part of it is copied; edges that many histograms share stay shared. */
const SMALL_PART = 1 / 4;

function own<T extends Counts>(part: T): T {
  return part.byteLength < part.buffer.byteLength * SMALL_PART ? (part.slice() as T) : part;
}

/** The series with more of its histograms, as far as the stretch goes. */
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

function made(part: HistogramPart, kept: readonly Histogram[]): HistogramSeries {
  const { revision, total, stride, fine, superseded, startWall, rows } = part;
  return { revision, total, stride, fine, superseded, startWall, rows: [...kept, ...rows], version: nextVersion() };
}

function bytesOfRows(rows: readonly Histogram[], each: number): number {
  return rows.reduce((sum, row) => sum + bytesOf(row) + each, 0);
}

function decode(entry: Row, names: Named, columns: ColumnReader, placeOf: (row: number) => number): HistogramPart {
  const startWall = numberOrNull(entry.start);
  const steps = columns.steps(integer(entry.step));
  const walls = columns.floats(integer(entry.wall));
  const lengths = columns.floats(integer(entry.bins));
  const counts = columns.counts(integer(entry.count));
  const cuts = cutsOf(entry, columns, lengths);
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
      cut: cuts(i),
      mean: means?.[i] ?? Number.NaN,
      deviation: deviations?.[i] ?? Number.NaN,
    };
  });
  return {
    ...names,
    revision: integer(entry.revision),
    keep: integer(entry.keep),
    stride: integer(entry.stride),
    total: integer(entry.total),
    fine: entry.fine === true,
    superseded: integer(entry.superseded),
    startWall: startWall ?? Number.NaN,
    rows,
  };
}

/** Where the bins of each histogram are; to be asked for one after the other. */
function cutsOf(entry: Row, columns: ColumnReader, lengths: Float64Array): (row: number) => Cut {
  let begin = 0;
  const next = (count: number) => {
    begin += count;
    return [begin - count, begin] as const;
  };
  if (entry.left !== undefined) {
    const [left, right] = [columns.floats(integer(entry.left)), columns.floats(integer(entry.right))];
    return (i) => {
      const span = next(lengths[i] as number);
      return { left: whole(left, ...span), right: whole(right, ...span) };
    };
  }
  const [low, high] = [columns.floats(integer(entry.low)), columns.floats(integer(entry.high))];
  const ends = (i: number) => ({ low: low[i] as number, high: high[i] as number });
  const joints = (i: number) => Math.max(0, (lengths[i] as number) - 1);
  if (entry.at !== undefined) {
    const places = columns.floats(integer(entry.at));
    const grid = entry.grid === undefined ? POWERS : columns.floats(integer(entry.grid));
    return (i) => ({ ...ends(i), joints: whole(grid, places[i] as number, (places[i] as number) + joints(i)) });
  }
  if (entry.edge !== undefined) {
    const edges = columns.floats(integer(entry.edge));
    return (i) => ({ ...ends(i), joints: whole(edges, ...next(joints(i))) });
  }
  return (i) => ({ ...ends(i), joints: null });
}

function whole(column: Float64Array, from: number, to: number): Float64Array {
  const part = column.subarray(from, to);
  if (part.length !== to - from) {
    throw new ProtocolError("edges are missing");
  }
  return part;
}

function optional(index: unknown, columns: ColumnReader): Float64Array | null {
  return index === undefined ? null : columns.floats(integer(index));
}

/** A part that says the whole series, edge by edge. */
function encode(held: HistogramSeries, columns: ColumnWriter): Row {
  const { revision, stride, total, fine, superseded, startWall, rows } = held;
  const start = Number.isNaN(startWall) ? null : startWall;
  const floats = (values: readonly number[]) => columns.add(Float64Array.from(values));
  const said = rows.some(({ mean }) => !Number.isNaN(mean));
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
    ...(said
      ? { mean: floats(rows.map(({ mean }) => mean)), deviation: floats(rows.map(({ deviation }) => deviation)) }
      : {}),
  };
  const ends = (name: "low" | "high") => floats(rows.map(({ cut }) => ("low" in cut ? cut[name] : Number.NaN)));
  const follow = (joints: (of: Float64Array | null, bins: number) => boolean) =>
    rows.every(({ cut, counts }) => "low" in cut && joints(cut.joints, counts.length));
  if (follow((joints) => joints === null)) {
    return { ...entry, low: ends("low"), high: ends("high") };
  }
  if (follow((joints, bins) => (joints === null ? bins < 2 : isOfPowers(joints)))) {
    const at = floats(rows.map(({ cut }) => ("low" in cut ? (cut.joints?.byteOffset ?? 0) / 8 : 0)));
    return { ...entry, low: ends("low"), high: ends("high"), at };
  }
  const edges = rows.map(edgesOf);
  return {
    ...entry,
    left: floats(edges.flatMap(({ left }) => [...left])),
    right: floats(edges.flatMap(({ right }) => [...right])),
  };
}
