// Places in columns of numbers, in whatever order these are.

/** The row of the largest number up to `most`, the last of equal ones; of none the first; -1 without any number. */
export function lastUpTo(column: ArrayLike<number>, most: number): number {
  let found = -1;
  let first = -1;
  for (let i = 0; i < column.length; i += 1) {
    const here = column[i] as number;
    if (here - here !== 0) {
      continue;
    }
    first = first < 0 ? i : first;
    if (here <= most && (found < 0 || here >= (column[found] as number))) {
      found = i;
    }
  }
  return found < 0 ? first : found;
}
