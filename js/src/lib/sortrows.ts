// The order of a table's rows, by the values in one of its columns.

import { compareNatural } from "./natural";

/** What stands in a cell, as it is sorted: numbers before texts, nothing and NaN last. */
export type CellValue = number | bigint | string | boolean | null;

/** What a table is sorted by; null where a table has one: as its rows came. */
export interface Sort {
  /** Of a column. */
  readonly key: string;
  /** From the greatest to the smallest. */
  readonly descending: boolean;
}

const NOTHING = 3;

function rankOf(value: CellValue): number {
  if (value === null || (typeof value === "number" && Number.isNaN(value))) {
    return NOTHING;
  }
  return typeof value === "string" ? 2 : typeof value === "boolean" ? 1 : 0;
}

/** Whether a cell holds a number. */
export function isNumeric(value: CellValue): boolean {
  return rankOf(value) === 0;
}

/** The rows by the values of a column. Those without one come last in either direction; equal ones stay as they came. */
export function sortRows<R>(
  rows: readonly R[],
  cellOf: (row: R) => CellValue,
  descending: boolean,
  compareTexts: (a: string, b: string) => number = compareNatural,
): R[] {
  const cells = rows.map((row) => {
    const value = cellOf(row);
    return { row, value, rank: rankOf(value) };
  });
  const sign = descending ? -1 : 1;
  cells.sort((a, b) => {
    if (a.rank !== b.rank) {
      return a.rank === NOTHING || b.rank === NOTHING ? a.rank - b.rank : sign * (a.rank - b.rank);
    }
    if (typeof a.value === "string" && typeof b.value === "string") {
      return sign * compareTexts(a.value, b.value);
    }
    return a.rank === NOTHING || a.value === b.value ? 0 : sign * ((a.value ?? 0) < (b.value ?? 0) ? -1 : 1);
  });
  return cells.map(({ row }) => row);
}

/** What a click on the title of a column sorts by: the column one way, then the other, then nothing. */
export function nextSort(sort: Sort | null, key: string, descendingFirst = false): Sort | null {
  if (sort?.key !== key) {
    return { key, descending: descendingFirst };
  }
  return sort.descending === descendingFirst ? { key, descending: !descendingFirst } : null;
}
