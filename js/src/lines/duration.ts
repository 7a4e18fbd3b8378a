// Which steps of scalars were written in a range of time.

import type { Range } from "../lib/range";
import { numbers } from "../wire/steps";
import type { Series } from "./series";

/** The least and the greatest step of the rows that reach into these times; null if none does. */
export function stepsDuring(series: readonly Series[], [from, to]: Range, relative: boolean): Range | null {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const { first, step, wall, startWall } of series) {
    const [begins, ends] = [numbers(first), numbers(step)];
    const origin = relative ? startWall : 0;
    // A bucket holds what was written since the one before it.
    let before = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < ends.length; i += 1) {
      const time = (wall[i] as number) - origin;
      if (before <= to && time >= from) {
        least = Math.min(least, begins[i] as number, ends[i] as number);
        most = Math.max(most, begins[i] as number, ends[i] as number);
      }
      before = time;
    }
  }
  return least <= most ? [least, most] : null;
}
