// The scalars, as a kind of series. Twin of tbwidget/panels/scalars.py.

import { applyPart, coarsened } from "./apply";
import { finestWidth } from "./coarsen";
import { type ColumnReader, integer, numberOrNull, ProtocolError, type Row } from "./columns";
import { type DetailPart, withDetail } from "./detail";
import type { Kind, Named } from "./kind";
import { bytesOf } from "./memory";
import { pointCounts, type Rows, type Series, type SeriesPart } from "./series";
import type { ColumnWriter } from "./writer";

export const scalars: Kind<Series, SeriesPart, DetailPart> = {
  decode,
  decodeDetail: (entry, names, columns) => ({ ...decode(entry, names, columns), from: integer(entry.from) }),
  apply: applyPart,
  joined: (_held, next) => next,
  withDetail,
  coarsened,
  isCoarse: ({ width, total }) => width > finestWidth(total),
  bytesOf,
  bytesOfDetail: ({ rows }) => bytesOf(rows),
  bytesWritten: bytesOf,
  encode,
};

function decode(entry: Row, names: Named, columns: ColumnReader): SeriesPart {
  const keep = integer(entry.keep);
  const width = integer(entry.width);
  const total = integer(entry.total);
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
    ...names,
    revision: integer(entry.revision),
    width,
    keep,
    startWall: startWall ?? Number.NaN,
    total,
    superseded: integer(entry.superseded),
    rows,
  };
}

/** A part that says the whole series. */
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
