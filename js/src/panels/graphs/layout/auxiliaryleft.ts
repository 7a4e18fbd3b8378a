// Where the auxiliary area of a scope begins: to the right of what else is at the top.

import type { Placement, Sizes } from "./scope";

/** Between an auxiliary area and what is beside or below it. */
const GAP = 28;

/** The left of an area of this height at the top right of a scope. */
export function auxiliaryLeft(
  { x, v, height, traces: { start, points } }: Placement,
  { right, room }: Sizes,
  high: number,
): number {
  const floor = height - high - GAP;
  let reach = Number.NEGATIVE_INFINITY;
  for (let box = 0; box < x.length; box++) {
    if ((v[box] as number) + (room[box] as number) / 2 > floor) {
      reach = Math.max(reach, (x[box] as number) + (right[box] as number));
    }
  }
  for (let line = 0; line + 1 < start.length; line++) {
    for (let k = (start[line] as number) + 1; k < (start[line + 1] as number); k++) {
      if (Math.max(points[2 * k - 1] as number, points[2 * k + 1] as number) > floor) {
        reach = Math.max(reach, points[2 * k - 2] as number, points[2 * k] as number);
      }
    }
  }
  return reach > 0 ? reach + GAP : 0;
}
