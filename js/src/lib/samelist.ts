// Whether two lists hold the same: what is derived from one is kept as long as they do.

/** Whether both have the same items in the same order; NaN equals itself. */
export function isSameList<T>(one: ArrayLike<T>, other: ArrayLike<T>): boolean {
  for (let i = 0; i < one.length; i += 1) {
    if (!Object.is(one[i], other[i])) {
      return false;
    }
  }
  return one.length === other.length;
}
