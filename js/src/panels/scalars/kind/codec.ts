// The codec of scalars. Twin of tbwidget/panels/scalars.py.

import type { Key, SeriesCodec } from "../../../wire/codec";
import {
  type ColumnReader,
  count,
  integer,
  numberOrNull,
  ProtocolError,
  positive,
  type Row,
} from "../../../wire/columns";
import type { TagSeries } from "../../../wire/series";
import type { ColumnWriter } from "../../../wire/writer";
import { applyPart, coarsened } from "./apply";
import { finestWidth } from "./coarsen";
import { type DetailPart, withDetail } from "./detail";
import { stepsDuring } from "./duration";
import { bytesOf, pointCounts, type Rows, type Series, type SeriesPart } from "./series";
import { factsOf, statisticsOf } from "./statistics";

/** The scalars of one tag. */
export type TagScalars = TagSeries<Series>;

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
  bytesOf,
  bytesOfDetail: ({ rows }) => bytesOf(rows),
  encodedBytes: bytesOf,
  encode,
  stepsDuring,
  factsOf,
  statisticsOf,
};

function decode(entry: Row, key: Key, columns: ColumnReader): SeriesPart {
  const keep = count(entry.keep);
  const width = positive(entry.width);
  const total = count(entry.total);
  const startWall = numberOrNull(entry.start);
  const step = columns.steps(integer(entry.step));
  const wall = columns.floats(integer(entry.wall));
  const value = columns.floats(integer(entry.value));
  const times = { step, wall: startWall === null ? wall : wall.map((offset) => startWall + offset), value };
  let rows: Rows;
  if (width === 1) {
    rows = { ...times, first: step, min: value, max: value, count: pointCounts(value) };
  } else {
    const gaps = columns.floats(integer(entry.gaps));
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
    rows,
  };
}

/** A part that holds the whole series. */
function encode(held: Series, columns: ColumnWriter): Record<string, unknown> {
  const { revision, width, total, superseded, startWall, step, first, wall, value, min, max, count } = held;
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
  };
}
