// Lists: their order by a column's values, and comparison by their elements.

import { computed, type ReadonlySignal } from "@preact/signals";
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

/** An order of rows: by the values of a column, in one direction. */
export interface SortBy<R> {
  cellOf(row: R): CellValue;
  readonly descending: boolean;
}

/** Sort rows by the values of a column. Rows without a value come last in either direction; the sort is stable. */
export function sortRows<R>(
  rows: readonly R[],
  cellOf: (row: R) => CellValue,
  descending: boolean,
  compareTexts: (a: string, b: string) => number = compareNatural,
): R[] {
  return sortRowsBy(rows, [{ cellOf, descending }], compareTexts);
}

/** Sort rows by several columns: rows that are equal in one are ordered by the next. */
export function sortRowsBy<R>(
  rows: readonly R[],
  sorts: readonly SortBy<R>[],
  compareTexts: (a: string, b: string) => number = compareNatural,
): R[] {
  const keys = sorts.map(({ cellOf, descending }) => {
    const cells = rows.map(cellOf);
    const texts = new Set(cells.filter((cell) => typeof cell === "string"));
    // Comparing names takes long: each is compared once, however often the rows are.
    const places = new Map([...texts].sort(compareTexts).map((text, place) => [text, place]));
    return {
      sign: descending ? -1 : 1,
      ranks: cells.map(rankOf),
      values: cells.map((cell) => (typeof cell === "string" ? (places.get(cell) ?? 0) : cell)),
    };
  });
  const compare = (a: number, b: number) => {
    for (const { sign, ranks, values } of keys) {
      const [rankA, rankB] = [ranks[a] as number, ranks[b] as number];
      if (rankA !== rankB) {
        return rankA === NOTHING || rankB === NOTHING ? rankA - rankB : sign * (rankA - rankB);
      }
      const [valueA, valueB] = [values[a] ?? 0, values[b] ?? 0];
      if (rankA !== NOTHING && valueA !== valueB) {
        return sign * (valueA < valueB ? -1 : 1);
      }
    }
    return a - b;
  };
  return rows
    .map((_, i) => i)
    .sort(compare)
    .map((i) => rows[i] as R);
}

/** The order after a click on a column title: one direction, then the other, then none. */
export function nextSort(sort: Sort | null, key: string, descendingFirst = false): Sort | null {
  if (sort?.key !== key) {
    return { key, descending: descendingFirst };
  }
  return sort.descending === descendingFirst ? { key, descending: !descendingFirst } : null;
}

/** The orders after a click on a column title; `adds`: with Shift, the other orders stay. */
export function nextSorts(sorts: readonly Sort[], key: string, descendingFirst: boolean, adds: boolean): Sort[] {
  const place = sorts.findIndex((sort) => sort.key === key);
  const next = nextSort(sorts[place] ?? null, key, descendingFirst);
  const own = next === null ? [] : [next];
  if (!adds) {
    return own;
  }
  return place < 0 ? [...sorts, ...own] : [...sorts.slice(0, place), ...own, ...sorts.slice(place + 1)];
}

/** Whether both have the same items in the same order; NaN equals itself. */
export function isSameList<T>(one: ArrayLike<T>, other: ArrayLike<T>): boolean {
  for (let i = 0; i < one.length; i += 1) {
    if (!Object.is(one[i], other[i])) {
      return false;
    }
  }
  return one.length === other.length;
}

/** A computed list that stays the same object as long as its items do. */
export function computedList<T>(compute: () => readonly T[]): ReadonlySignal<readonly T[]> {
  let last: readonly T[] = [];
  return computed(() => {
    const next = compute();
    last = isSameList(last, next) ? last : next;
    return last;
  });
}
