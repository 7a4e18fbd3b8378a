// Columns of the list of runs as the traits name them. Twin of tbwidget/options/runs.py.

export const FIXED_COLUMNS = ["steps", "age", "duration"] as const;
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

export interface RunSort {
  readonly column: RunColumn;
  /** As the trait `run_columns` names it, or "name". */
  readonly key: string;
  /** From the greatest to the smallest. */
  readonly descending: boolean;
}

/** Null for what names no order. */
export function parseSort(text: string): RunSort | null {
  const descending = text.startsWith("-");
  const key = (descending ? text.slice(1) : text) || (descending ? "" : "name");
  const column: RunColumn | null = key === "name" ? { type: "name" } : parseColumn(key);
  return column && { column, key, descending };
}

/** What stands in a cell of a column, as it is sorted: numbers before texts, nothing and NaN last. */
export type CellValue = number | bigint | string | boolean | null;

function rankOf(value: CellValue): number {
  if (value === null || (typeof value === "number" && Number.isNaN(value))) {
    return 3;
  }
  return typeof value === "string" ? 2 : typeof value === "boolean" ? 1 : 0;
}

/**
 * The runs by the values of a column. Those without one come last in either direction; equal ones stay in the order in which
 * they came.
 */
export function sortRuns(
  runs: readonly string[],
  cellOf: (run: string) => CellValue,
  descending: boolean,
  compareTexts: (a: string, b: string) => number,
): string[] {
  const rows = runs.map((run) => {
    const value = cellOf(run);
    return { run, value, rank: rankOf(value) };
  });
  const sign = descending ? -1 : 1;
  rows.sort((a, b) => {
    if (a.rank !== b.rank) {
      // What has no value is last, whichever way the others go.
      return a.rank === 3 || b.rank === 3 ? a.rank - b.rank : sign * (a.rank - b.rank);
    }
    if (typeof a.value === "string" && typeof b.value === "string") {
      return sign * compareTexts(a.value, b.value);
    }
    return a.rank === 3 || a.value === b.value ? 0 : sign * ((a.value ?? 0) < (b.value ?? 0) ? -1 : 1);
  });
  return rows.map(({ run }) => run);
}

/** The runs with the smallest values, or the greatest, so many of them; those without a value are none of them. */
export function bestRuns(
  runs: readonly string[],
  cellOf: (run: string) => CellValue,
  count: number,
  greatest: boolean,
): string[] {
  const valued = runs.filter((run) => rankOf(cellOf(run)) === 0);
  return sortRuns(valued, cellOf, greatest, () => 0).slice(0, count);
}
