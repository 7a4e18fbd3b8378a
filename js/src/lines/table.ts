// Scalars as a table: a line a point; where only buckets are here, a line a bucket.

import type { SeriesRows } from "../lib/seriestext";
import { strings } from "../lib/strings";
import { type TableKind, tableOfSeries } from "../ui/save/tablekind";
import { numbers } from "../wire/steps";
import { scalars } from "./codec";
import { pointsAt, type Series } from "./series";

/** The table of the scalars that a panel draws. */
export function scalarsTable(panel: string): TableKind {
  return {
    request: `${panel}.table`,
    columns: ["value"],
    counted: strings.save.points,
    nested: false,
    summaryColumns: ["value", "min", "max", "points"],
    summarised: (rows) => {
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
