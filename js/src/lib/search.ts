// Searches in sorted and unsorted columns, ranges of numbers, and sorting by distance.

/** The first index from `from` up to `to` for which `isBefore` is false, by bisection: it is true for every index before. */
export function bisect(from: number, to: number, isBefore: (index: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** The first index of an ascending list whose number is not below `value`. */
export function bisectLeft<N extends number | bigint>(ascending: ArrayLike<N>, value: N): number {
  return bisect(0, ascending.length, (i) => (ascending[i] as N) < value);
}

/** The first index of an ascending list whose number is above `value`. */
export function bisectRight<N extends number | bigint>(ascending: ArrayLike<N>, value: N): number {
  return bisect(0, ascending.length, (i) => (ascending[i] as N) <= value);
}

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
