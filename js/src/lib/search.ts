// Ranges of numbers, searches in unsorted columns, and sorting by distance.

/**
 * The index of the largest number up to `most`, the last of equal ones; else of the first number; -1 without numbers. Whole
 * numbers of 64 bits are compared with all their digits.
 */
export function lastUpTo(column: ArrayLike<number> | BigInt64Array, most: number | bigint): number {
  let found = -1;
  let first = -1;
  for (let i = 0; i < column.length; i += 1) {
    const here = column[i] as number | bigint;
    if (typeof here === "number" && !Number.isFinite(here)) {
      continue;
    }
    first = first < 0 ? i : first;
    if (here <= most && (found < 0 || here >= (column[found] as number | bigint))) {
      found = i;
    }
  }
  return found < 0 ? first : found;
}

/** Sorted by distance, nearest first; a distance of NaN comes last. */
export function byDistance<R>(rows: readonly R[], distance: (row: R) => number): R[] {
  return rows
    .map((row) => ({ row, at: distance(row) }))
    .sort((a, b) => (Number.isNaN(a.at) ? 1 : Number.isNaN(b.at) ? -1 : a.at - b.at))
    .map(({ row }) => row);
}

/** From, to. */
export type Range = readonly [number, number];

/** The smallest range that covers all of these; null without any. */
export function union(ranges: readonly Range[]): Range | null {
  if (ranges.length === 0) {
    return null;
  }
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  // One by one: a call takes no hundred thousands of arguments.
  for (const [from, to] of ranges) {
    [least, most] = [Math.min(least, from), Math.max(most, to)];
  }
  return [least, most];
}
