// How a part of a message continues the series that is held.

import { nextVersion } from "../../../wire/codec";
import { appendPoints, type Bucketed, bucketWidth, COARSE_ROWS, coarsen } from "./coarsen";
import { joinRows, type Rows, type Series, type SeriesPart, summary } from "./series";

/** Rows that a coarse series may grow to before its buckets double. */
const MOST_COARSE = 2 * COARSE_ROWS;

/** The series after `part`: the same as before where it holds more already; null if it continues what is not held. */
export function applyPart(held: Series | undefined, part: SeriesPart): Series | null {
  const same = held !== undefined && held.revision === part.revision ? held : undefined;
  if (part.keep === 0) {
    // Keyframes send each series coarsely first: one that is held in more detail, and up to its end, stays.
    return same !== undefined && same.width < part.width && same.total >= part.total ? same : seriesOf(part, part.rows);
  }
  if (same === undefined) {
    return null;
  }
  if (same.width === part.width && same.total >= part.keep * part.width) {
    return seriesOf(part, joinRows(same, part.keep, part));
  }
  if (part.width === 1 && part.keep === same.total) {
    return appendedInBuckets(same, part);
  }
  return null;
}

/** The series in buckets of fewer rows; the same if it is as coarse already. */
export function coarsened(series: Series): Series {
  const width = bucketWidth(series.total, COARSE_ROWS);
  if (width <= series.width) {
    return series;
  }
  const rows = coarsen(series, width);
  return { ...series, ...rows, width, version: nextVersion(), ...summary(rows) };
}

/** Points for a series that is held in buckets: the browser made it coarse, without the kernel. */
function appendedInBuckets(held: Series, part: SeriesPart): Series {
  let rows: Bucketed = { ...appendPoints(held, part.rows), width: held.width, total: part.total };
  if (rows.step.length > MOST_COARSE) {
    const width = bucketWidth(part.total, COARSE_ROWS);
    rows = { ...coarsen(rows, width), width, total: part.total };
  }
  return { ...seriesOf(part, rows), width: rows.width };
}

function seriesOf(part: SeriesPart, rows: Rows): Series {
  const { step, first, wall, value, min, max, count } = rows;
  const { width, startWall, total, superseded, revision } = part;
  const version = nextVersion();
  const columns = { step, first, wall, value, min, max, count };
  return { ...columns, width, startWall, total, superseded, revision, version, ...summary(columns) };
}
