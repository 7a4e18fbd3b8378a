// A stretch of a long series in narrower rows than the rest: what the user has zoomed into.

import { concatRows, sliceRows } from "./coarsen";
import { nextVersion, type Series, type SeriesPart, summary } from "./series";

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
  const merged = concatRows([
    sliceRows(base, 0, from / width),
    sliceRows(rows, 0, Math.ceil((end - from) / detail.width)),
    sliceRows(base, Math.ceil(end / width), base.step.length),
  ]);
  return { ...base, ...merged, version: nextVersion(), ...summary(merged) };
}
