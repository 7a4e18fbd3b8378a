// The columns of the table of values, and its rows.

import type { CellValue } from "../lib/sortrows";
import type { ValueFacts, ValueThere } from "./values";

const WITHIN = ["n", "start", "end", "change", "percent", "min", "max", "mean", "minStep", "maxStep"] as const;
const THERE = ["value", "step"] as const;
const WHOLE: ReadonlySet<string> = new Set(["n", "minStep", "maxStep", "step"]);
/** Exact also where rows are buckets, but for those at the ends of a range. */
const EXACT: ReadonlySet<string> = new Set(["n"]);

type ColumnName = "run" | "tag" | (typeof WITHIN)[number] | (typeof THERE)[number];

export interface ValueRow {
  readonly run: string;
  readonly tag: string;
  readonly color: string;
  /** By the names of the columns; empty where there is no such step. */
  readonly facts: { readonly approximate: boolean; readonly cells: ReadonlyMap<ColumnName, CellValue> };
}

export interface Column {
  readonly name: ColumnName;
  readonly isText: boolean;
  readonly isWhole: boolean;
  /** Only about right where rows are buckets. */
  readonly isRounded: boolean;
  cellOf(row: ValueRow): CellValue;
}

function columnsOf(names: readonly ColumnName[]): Column[] {
  return (["run", "tag", ...names] as const).map((name) => ({
    name,
    isText: name === "run" || name === "tag",
    isWhole: WHOLE.has(name),
    isRounded: !EXACT.has(name),
    cellOf: (row) => (name === "run" ? row.run : name === "tag" ? row.tag : (row.facts.cells.get(name) ?? null)),
  }));
}

export const RANGE_COLUMNS = columnsOf(WITHIN);
export const STEP_COLUMNS = columnsOf(THERE);

export function rowsWithin(facts: ValueFacts | null): ValueRow["facts"] | null {
  return (
    facts && {
      approximate: facts.approximate,
      cells: new Map<ColumnName, CellValue>(WITHIN.map((name) => [name, facts[name]])),
    }
  );
}

export function rowThere(there: ValueThere | null): ValueRow["facts"] | null {
  return (
    there && {
      approximate: there.approximate,
      cells: new Map<ColumnName, CellValue>(THERE.map((name) => [name, there[name]])),
    }
  );
}
