// What was computed of a histogram for a range of values, which is the same from one picture to the next mostly.

import type { Range } from "../lib/range";
import type { Bins } from "./bins";

/** Remembers of each histogram what was computed last. */
export function remembered<T>(compute: (bins: Bins, range: Range, count: number) => T) {
  const last = new WeakMap<Bins, { min: number; max: number; count: number; found: T }>();
  return (bins: Bins, range: Range, count = 1): T => {
    const [min, max] = range;
    let known = last.get(bins);
    if (known?.min !== min || known.max !== max || known.count !== count) {
      known = { min, max, count, found: compute(bins, range, count) };
      last.set(bins, known);
    }
    return known.found;
  };
}
