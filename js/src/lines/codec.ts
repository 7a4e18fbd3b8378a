// The scalars on the wire, their statistics, and their table. Twin of tbwidget/panels/scalars.py.

import type { Range } from "../lib/range";
import type { SeriesRows } from "../lib/seriestext";
import { type TableKind, tableOfSeries } from "../ui/save/tablekind";
import { saveTexts } from "../ui/save/texts";
import type { Key, SeriesCodec } from "../wire/codec";
import {
  type ColumnReader,
  count,
  integer,
  number,
  numberOrNull,
  ProtocolError,
  positive,
  type Row,
} from "../wire/columns";
import type { Outline, RunFacts, Statistics } from "../wire/runfacts";
import type { TagSeries } from "../wire/series";
import { numbers } from "../wire/steps";
import type { ColumnWriter } from "../wire/writer";
import {
  applyPart,
  buffersOf,
  bytesOf,
  coarsened,
  type DetailPart,
  finestWidth,
  pointCounts,
  pointsAt,
  type Rows,
  type Series,
  type SeriesPart,
  withDetail,
} from "./series";

/** The scalars of one tag. */
export type TagScalars = TagSeries<Series>;

/** Memory of a point, and of a bucket: its columns, and the columns that a chart computes from them. */
const POINT_BYTES = 5 * 8;
const BUCKET_BYTES = 10 * 8;

export const scalars: SeriesCodec<Series, SeriesPart, DetailPart> = {
  sort: "series",
  kind: "scalars",
  decodePart: decode,
  decodeDetail: (entry, key, columns) => ({ ...decode(entry, key, columns), from: count(entry.from) }),
  append: applyPart,
  mergeDetails: (_held, next) => next,
  withDetail,
  coarsen: coarsened,
  isCoarse: ({ width, total }) => width > finestWidth(total),
  // A series holds nothing but columns.
  bytesOf: () => 0,
  buffersOf: (series) =>
    series.reduced === undefined ? buffersOf(series) : [...buffersOf(series), ...buffersOf(series.reduced.open)],
  widthOf: ({ width }) => width,
  bytesInFull: ({ total }) => {
    const width = finestWidth(total);
    return Math.ceil(total / width) * (width === 1 ? POINT_BYTES : BUCKET_BYTES);
  },
  bytesOfDetail: ({ rows }) => bytesOf(rows),
  encodedBytes: bytesOf,
  encode,
  stepsDuring,
  factsOf,
  statisticsOf,
  outlineOf,
};

function decode(entry: Row, key: Key, columns: ColumnReader): SeriesPart {
  const keep = count(entry.keep);
  const width = positive(entry.width);
  const total = count(entry.total);
  const startWall = numberOrNull(entry.start);
  const step = columns.steps(integer(entry.step));
  const wall = columns.floats(integer(entry.wall));
  const value = columns.floats(integer(entry.value));
  const times = { step, wall: startWall === null ? wall : timesOf(wall, startWall), value };
  let rows: Rows;
  let last: number | null;
  if (width === 1) {
    rows = { ...times, first: step, min: value, max: value, count: pointCounts(value) };
    last = value.at(-1) ?? null;
  } else {
    const gaps = columns.floats(integer(entry.gaps));
    // Details carry none, nor did pages that were saved before it was sent.
    last = entry.last === undefined ? null : writtenNumber(entry.last);
    rows = {
      ...times,
      first: columns.steps(integer(entry.first)),
      min: columns.floats(integer(entry.min)),
      max: columns.floats(integer(entry.max)),
      // Every bucket is full but the last.
      count: Uint32Array.from(gaps, (gap, i) => Math.min(width, total - (keep + i) * width) - gap),
    };
  }
  if (Object.values(rows).some((column) => column.length !== step.length)) {
    throw new ProtocolError("columns of different lengths");
  }
  return {
    ...key,
    revision: integer(entry.revision),
    width,
    keep,
    startWall: startWall ?? Number.NaN,
    total,
    superseded: integer(entry.superseded),
    last,
    smoothable: typeof entry.smoothable === "boolean" ? entry.smoothable : undefined,
    rows,
  };
}

/** JSON has no name for numbers that are not finite. */
const NOT_FINITE: ReadonlyMap<unknown, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
]);

function writtenNumber(value: unknown): number {
  return NOT_FINITE.get(value) ?? number(value);
}

function numberToWrite(value: number): unknown {
  return [...NOT_FINITE].find(([, one]) => Object.is(one, value))?.[0] ?? value;
}

/** By offsets and start: tags that are written together share their times. */
const knownTimes = new WeakMap<Float64Array, Map<number, Float64Array>>();

function timesOf(offsets: Float64Array, start: number): Float64Array {
  const byStart = knownTimes.get(offsets) ?? new Map<number, Float64Array>();
  knownTimes.set(offsets, byStart);
  const times = byStart.get(start) ?? offsets.map((offset) => start + offset);
  byStart.set(start, times);
  return times;
}

/** A part that holds the whole series. */
function encode(held: Series, columns: ColumnWriter): Record<string, unknown> {
  const { revision, width, total, superseded, startWall, last, step, first, wall, value, min, max, count } = held;
  const { smoothable } = held;
  const start = Number.isNaN(startWall) ? null : startWall;
  const entry = {
    keep: 0,
    revision,
    width,
    total,
    superseded,
    start,
    step: columns.add(step),
    // Times are shown by the second: of these, float32 leaves no more than that uncertain.
    wall: start === null ? columns.add(wall) : columns.addNarrow(wall.map((time) => time - start)),
    value: columns.add(value),
    ...(smoothable === undefined ? {} : { smoothable }),
  };
  if (width === 1) {
    return entry;
  }
  const gaps = Float64Array.from(count, (finite, i) => Math.min(width, total - i * width) - finite);
  return {
    ...entry,
    first: columns.add(first),
    min: columns.add(min),
    max: columns.add(max),
    gaps: columns.add(gaps),
    ...(last === null ? {} : { last: numberToWrite(last) }),
  };
}

export function factsOf({ startWall, wall, lastStep }: Series): RunFacts | null {
  const ended = wall.at(-1);
  return ended === undefined
    ? null
    : { began: Number.isNaN(startWall) ? (wall[0] ?? ended) : startWall, ended, step: lastStep };
}

/** By series, which never change. */
const known = new WeakMap<Series, Statistics>();

/** Exact, though the series may be held in buckets. */
export function statisticsOf(series: Series): Statistics {
  let found = known.get(series);
  if (found === undefined) {
    found = computed(series);
    known.set(series, found);
  }
  return found;
}

function computed(series: Series): Statistics {
  const { value, min, max, count, last } = series;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let mean = 0;
  let finite = 0;
  for (let i = 0; i < value.length; i += 1) {
    const more = count[i] as number;
    if (more > 0) {
      finite += more;
      // Weighted by the counts so far: sums of the largest doubles would overflow.
      mean += ((value[i] as number) / finite - mean / finite) * more;
      least = Math.min(least, min[i] as number);
      most = Math.max(most, max[i] as number);
    }
  }
  return {
    last,
    min: finite > 0 ? least : null,
    max: finite > 0 ? most : null,
    mean: finite > 0 ? Math.min(most, Math.max(least, mean)) : null,
  };
}

const outlines = new WeakMap<Series, Outline>();

export function outlineOf(series: Series): Outline {
  let found = outlines.get(series);
  if (found === undefined) {
    found = { step: numbers(series.step), value: series.value, total: series.total };
    outlines.set(series, found);
  }
  return found;
}

/** The least and the greatest step of the rows that reach into these times; null if none does. */
export function stepsDuring(series: readonly Series[], [from, to]: Range, relative: boolean): Range | null {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const { first, step, wall, startWall } of series) {
    const [begins, ends] = [numbers(first), numbers(step)];
    const origin = relative ? startWall : 0;
    // A bucket holds what was written since the one before it.
    let before = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < ends.length; i += 1) {
      const time = (wall[i] as number) - origin;
      if (before <= to && time >= from) {
        least = Math.min(least, begins[i] as number, ends[i] as number);
        most = Math.max(most, begins[i] as number, ends[i] as number);
      }
      before = time;
    }
  }
  return least <= most ? [least, most] : null;
}

/** The table of the scalars that a panel draws. */
export function scalarsTable(panel: string): TableKind {
  return {
    request: `${panel}.table`,
    columns: ["value"],
    counted: (count, n) => saveTexts().points(count, n),
    nested: false,
    summaryColumns: ["value", "min", "max", "points"],
    summarized: (rows) => {
      const [value = new Float64Array(0), ...others] = rows.columns;
      return others.length > 0
        ? rows
        : { ...rows, columns: [value, value, value, new Float64Array(value.length).fill(1)] };
    },
    ...tableOfSeries(scalars, (series) => ({
      total: series.total,
      count: series.step.length,
      rows: () => rowsOf(series),
    })),
  };
}

function rowsOf(series: Series): SeriesRows {
  const { step, wall, value, min, max, width } = series;
  const columns =
    width === 1 ? [value] : [value, min, max, Float64Array.from(numbers(step), (_, i) => pointsAt(series, i))];
  return { step, wall, lengths: null, columns };
}
