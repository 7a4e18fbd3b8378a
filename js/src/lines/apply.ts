// How a part of a message continues the series that is held.

import { nextVersion } from "../wire/codec";
import { type Bucketed, bucketWidth, COARSE_ROWS, coarsen, concatRows, regrouped, sliceRows } from "./coarsen";
import {
  joinedSummary,
  joinRows,
  type Reduced,
  type Rows,
  type Series,
  type SeriesPart,
  type Summary,
  summary,
} from "./series";

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
    version: nextVersion(),
    ascending: known.ascending,
    lastStep: known.lastStep,
    stepExtent: known.stepExtent,
  };
}
