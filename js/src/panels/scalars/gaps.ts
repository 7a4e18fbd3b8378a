// Which rows hold values that are no finite numbers.

import { pointsAt, type Series } from "../../wire/series";

/** What in a row is no finite number: ±∞, NaN, or 0 if all of it is one. Of a bucket only that, not which, is known: NaN. */
export function gapAt(series: Series, i: number): number {
  const what = series.value[i] as number;
  if (what - what !== 0) {
    return what;
  }
  return series.width > 1 && (series.count[i] as number) < pointsAt(series, i) ? Number.NaN : 0;
}
