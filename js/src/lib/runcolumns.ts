// Columns of the list of runs as the traits name them. Twin of tbwidget/options/runs.py.

import { type CellValue, isNumeric, type Sort, sortRows } from "./sortrows";

export const FIXED_COLUMNS = ["steps", "age", "duration", "checkpoints"] as const;
export const STATISTICS = ["last", "min", "max", "mean"] as const;

export type FixedColumn = (typeof FIXED_COLUMNS)[number];
export type Statistic = (typeof STATISTICS)[number];

export type RunColumn =
  | { readonly type: "name" }
  | { readonly type: "fixed"; readonly what: FixedColumn }
  | { readonly type: "statistic"; readonly what: Statistic; readonly tag: string }
  | { readonly type: "hparam"; readonly name: string };

/** Before the name of a hyperparameter. */
export const HPARAM = "hparam:";

/** Null for what names no column. */
export function parseColumn(text: string): RunColumn | null {
  const fixed = FIXED_COLUMNS.find((one) => one === text);
  if (fixed !== undefined) {
    return { type: "fixed", what: fixed };
  }
  const colon = text.indexOf(":");
  const [kind, rest] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)];
  if (rest === "") {
    return null;
  }
  const statistic = STATISTICS.find((one) => one === kind);
  if (statistic !== undefined) {
    return { type: "statistic", what: statistic, tag: rest };
  }
  return kind === "hparam" ? { type: "hparam", name: rest } : null;
}

/** Its key is as the trait `run_columns` names it, or "name". */
export interface RunSort extends Sort {
  readonly column: RunColumn;
}

/** Null for what names no order. */
export function parseSort(text: string): RunSort | null {
  const descending = text.startsWith("-");
  const key = (descending ? text.slice(1) : text) || (descending ? "" : "name");
  const column: RunColumn | null = key === "name" ? { type: "name" } : parseColumn(key);
  return column && { column, key, descending };
}

/** The trait's value of an order; by name is the default, which it does not name. */
export function sortText(sort: Sort | null): string {
  const isPlain = sort === null || (sort.key === "name" && !sort.descending);
  return isPlain ? "" : `${sort.descending ? "-" : ""}${sort.key}`;
}

/** The `count` runs with the smallest or greatest values; runs without a value are left out. */
export function bestRuns(
  runs: readonly string[],
  cellOf: (run: string) => CellValue,
  count: number,
  greatest: boolean,
): string[] {
  const valued = runs.filter((run) => isNumeric(cellOf(run)));
  return sortRows(valued, cellOf, greatest).slice(0, count);
}
