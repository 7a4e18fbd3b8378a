// The order of a table's rows, by the values in one of its columns.

import { compareNatural } from "./natural";

/** The value of a cell. Numbers sort before texts, null and NaN last. */
export type CellValue = number | bigint | string | boolean | null;

/** The order of a table's rows. */
export interface Sort {
  /** Key of a column. */
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

/** Sort rows by the values of a column. Rows without a value come last in either direction; the sort is stable. */
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

/** The order after a click on a column title: one direction, then the other, then none. */
export function nextSort(sort: Sort | null, key: string, descendingFirst = false): Sort | null {
  if (sort?.key !== key) {
    return { key, descending: descendingFirst };
  }
  return sort.descending === descendingFirst ? { key, descending: !descendingFirst } : null;
}
