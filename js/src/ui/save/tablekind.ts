// A panel's declaration of its series' columns, so that they can be saved as a table.

import type { SeriesRows } from "../../lib/seriestext";
import type { Key, Revised, SeriesCodec, Versioned } from "../../wire/codec";
import { runsOf } from "../runs";
import type { View } from "../view";

/** A series, and what the browser has of it. */
export interface HeldSeries {
  readonly run: string;
  readonly tag: string;
  /** Rows in the logs, and rows that the browser has. */
  readonly total: number;
  readonly count: number;
  /** Of those: steps are exact, and wall times as exact as they are shown. */
  rows(): SeriesRows;
}

export interface TableKind {
  /** The request that the kernel answers with all rows, and its columns beside steps and wall times. */
  readonly request: string;
  readonly columns: readonly string[];
  /** A count of rows in words; `n` is the count as it is written. */
  counted(count: number, n: string): string;
  /** Rows have several cells in each column. */
  readonly nested: boolean;
  /** Columns of rows that stand for several of the logs; what has only the first columns has one row for each. */
  readonly summaryColumns: readonly string[];
  /** The same rows with those columns. */
  summarized(rows: SeriesRows): SeriesRows;
  /** Tags in natural order. */
  tags(view: View): readonly string[];
  /** The runs of a tag that are shown. */
  held(tag: string, view: View): readonly HeldSeries[];
}

/** The part of a table's declaration that is the same for all kinds of series; `rowsOf` describes one of them. */
export function tableOfSeries<S extends Versioned, P extends Key, D extends Revised>(
  codec: SeriesCodec<S, P, D>,
  rowsOf: (series: S) => Pick<HeldSeries, "total" | "count" | "rows">,
): Pick<TableKind, "tags" | "held"> {
  return {
    tags: ({ channel }) => channel.store.series(codec).tags.value,
    held: (tag, view) => {
      const data = view.channel.store.series(codec).tag(tag);
      return (data === undefined ? [] : runsOf(data, view)).map(({ run, series }) => ({ run, tag, ...rowsOf(series) }));
    },
  };
}
