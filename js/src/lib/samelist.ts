// Compares lists by their elements, so that derived data are kept while a list holds the same.

import { computed, type ReadonlySignal } from "@preact/signals";

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
