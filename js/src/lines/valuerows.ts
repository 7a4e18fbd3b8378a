// The columns of the table of values, and the order of its rows.

import { compareNatural } from "../lib/natural";
import type { ValueFacts, ValueThere } from "./values";

type Cell = string | number | bigint;

const WITHIN = ["n", "start", "end", "change", "percent", "min", "max", "mean", "minStep", "maxStep"] as const;
const THERE = ["value", "step"] as const;
const WHOLE: ReadonlySet<string> = new Set(["n", "minStep", "maxStep", "step"]);
/** Exact also where rows are buckets, but for those at the ends of a range. */
const EXACT: ReadonlySet<string> = new Set(["n"]);

export type ColumnName = "run" | "tag" | (typeof WITHIN)[number] | (typeof THERE)[number];

export interface ValueRow {
  readonly run: string;
  readonly tag: string;
  readonly colour: string;
  /** By the names of the columns; empty where there is no such step. */
  readonly facts: { readonly approximate: boolean; readonly cells: ReadonlyMap<ColumnName, Cell> };
}

export interface Column {
  readonly name: ColumnName;
  readonly isText: boolean;
  readonly isWhole: boolean;
  /** Only about right where rows are buckets. */
  readonly isRounded: boolean;
  cellOf(row: ValueRow): Cell;
}

function columnsOf(names: readonly ColumnName[]): Column[] {
  return (["run", "tag", ...names] as const).map((name) => ({
    name,
    isText: name === "run" || name === "tag",
    isWhole: WHOLE.has(name),
    isRounded: !EXACT.has(name),
    cellOf: (row) => (name === "run" ? row.run : name === "tag" ? row.tag : (row.facts.cells.get(name) ?? "")),
  }));
}

export const RANGE_COLUMNS = columnsOf(WITHIN);
export const STEP_COLUMNS = columnsOf(THERE);

export function rowsWithin(facts: ValueFacts | null): ValueRow["facts"] | null {
  return (
    facts && {
      approximate: facts.approximate,
      cells: new Map<ColumnName, Cell>(WITHIN.map((name) => [name, facts[name] ?? ""])),
    }
  );
}

export function rowThere(there: ValueThere | null): ValueRow["facts"] | null {
  return (
    there && {
      approximate: there.approximate,
      cells: new Map<ColumnName, Cell>(THERE.map((name) => [name, there[name]])),
    }
  );
}

/** Sorted by a column; numbers that are none come last either way. Equal ones stay as they were. */
export function sortedBy(
  rows: readonly ValueRow[],
  by: { readonly column: string; readonly down: boolean } | null,
  columns: readonly Column[],
): readonly ValueRow[] {
  const column = columns.find(({ name }) => name === by?.column);
  if (by === null || column === undefined) {
    return rows;
  }
  const sign = by.down ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [a, b] = [column.cellOf(one), column.cellOf(other)];
    if (column.isText) {
      return sign * compareNatural(String(a), String(b));
    }
    const [first, second] = [isNumber(a), isNumber(b)];
    return first && second ? sign * (a < b ? -1 : a > b ? 1 : 0) : first ? -1 : second ? 1 : 0;
  });
}

function isNumber(cell: Cell): boolean {
  return typeof cell !== "string" && !Number.isNaN(cell);
}
