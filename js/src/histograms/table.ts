// Histograms as a table: a line a bin.

import type { SeriesRows } from "../lib/seriestext";
import { strings } from "../lib/strings";
import { type TableKind, tableOfSeries } from "../ui/save/tablekind";
import { compactSteps } from "../wire/steps";
import { edgesOf } from "./bins";
import { type Histogram, histograms } from "./codec";

const COLUMNS = ["left", "right", "count"];

/** The table of the histograms that a panel draws. */
export function histogramsTable(panel: string): TableKind {
  return {
    request: `${panel}.table`,
    columns: COLUMNS,
    counted: strings.save.histograms,
    nested: true,
    summaryColumns: COLUMNS,
    summarised: (rows) => rows,
    ...tableOfSeries(histograms, ({ rows, total }) => ({ total, count: rows.length, rows: () => rowsOf(rows) })),
  };
}

function rowsOf(rows: readonly Histogram[]): SeriesRows {
  const edges = rows.map(edgesOf);
  const lengths = rows.map(({ counts }) => counts.length);
  return {
    step: compactSteps(BigInt64Array.from(rows, ({ step }) => step)),
    wall: Float64Array.from(rows, ({ wall }) => wall),
    lengths,
    columns: [
      joined(edges.map(({ left }) => left)),
      joined(edges.map(({ right }) => right)),
      joined(rows.map(({ counts }) => counts)),
    ],
  };
}

function joined(parts: readonly ArrayLike<number>[]): Float64Array {
  const whole = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
