// A stretch of a long series in narrower rows than the rest: what the user has zoomed into.

import { nextVersion } from "../wire/codec";
import { numbers } from "../wire/steps";
import { concatRows, sliceRows } from "./coarsen";
import { type Series, type SeriesPart, summary } from "./series";

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

/** Whether what is held of these steps, null for all, are points, none of them in a bucket. */
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
