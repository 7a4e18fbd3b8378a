// How PR curves are saved as a table: a row for each step, with a cell for each threshold.

import { untracked } from "@preact/signals";
import { itemSource } from "../../items/source";
import type { SeriesRows } from "../../lib/seriestext";
import type { TableKind } from "../../ui/save/tablekind";
import { integersOf, numbersOf } from "../../wire/steps";
import { type CurveRow, curveItems, curves, type PRCurve } from "./codec";
import { thresholdOf } from "./measures";
import { prCurveTexts } from "./texts";

const COUNTS = ["tp", "fp", "tn", "fn", "precision", "recall"] as const;
const COLUMNS = ["threshold", ...COUNTS];

export const curvesTable: TableKind = {
  request: "pr_curves.table",
  columns: COLUMNS,
  counted: (count, n) => prCurveTexts().counted(count, n),
  nested: true,
  summaryColumns: COLUMNS,
  summarized: (rows) => rows,
  tags: ({ channel }) => channel.store.items(curves).tags.value,
  held: (tag, view) => {
    const data = view.channel.store.items(curves).tag(tag);
    const source = itemSource(view.channel, curveItems);
    return [...(data?.byRun ?? [])]
      .filter(([run]) => view.options.shows(run))
      .map(([run, { rows, total }]) => {
        const found = rows.flatMap((row) => {
          const item = untracked(() => source.item({ tag, run, row }));
          return item.state === "held" ? [{ row, curve: item.value }] : [];
        });
        return { run, tag, total, count: found.length, rows: () => rowsOf(found) };
      });
  },
};

interface Found {
  readonly row: CurveRow;
  readonly curve: PRCurve;
}

function rowsOf(found: readonly Found[]): SeriesRows {
  const column = (cellsOf: (curve: PRCurve) => Iterable<number>) =>
    Float64Array.from(found.flatMap(({ curve }) => [...cellsOf(curve)]));
  return {
    step: integersOf(found, ({ row }) => row.step),
    wall: numbersOf(found, ({ row }) => row.wall),
    lengths: found.map(({ curve }) => curve.tp.length),
    columns: [
      column((curve) => Float64Array.from(curve.tp, (_, i) => thresholdOf(curve, i))),
      ...COUNTS.map((name) => column((curve) => curve[name])),
    ],
  };
}
