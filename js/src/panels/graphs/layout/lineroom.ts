// How much room lines have beside each other where they leave and reach boxes.

import type { Lines } from "./types";

/** Places are compared in these parts of a unit; rows and columns stand side by side in a double. */
const PARTS = 8;
const COLUMNS = 2 ** 25;
/** Units: ends that are nearer to each other are one place, where lines come together. */
const APART = 1;

/** Units of the layout from the ends of each line to the next ends beside them; Infinity where there are none. */
export function roomsOf({ count, start, points }: Pick<Lines, "count" | "start" | "points">): Float32Array {
  const rooms = new Float32Array(count).fill(Infinity);
  for (const endOf of [(line: number) => start[line] as number, (line: number) => (start[line + 1] as number) - 1]) {
    const keys = new Float64Array(count);
    for (let line = 0; line < count; line++) {
      const at = 2 * endOf(line);
      const [column, row] = [(points[at] as number) * PARTS, (points[at + 1] as number) * PARTS];
      keys[line] = Math.round(row) * COLUMNS + Math.round(column) + COLUMNS / 2;
    }
    const ordered = keys.slice().sort();
    for (let line = 0; line < count; line++) {
      const key = keys[line] as number;
      const row = Math.floor(key / COLUMNS);
      const before = ordered[firstAbove(ordered, key - APART * PARTS) - 1] ?? Number.NaN;
      const behind = ordered[firstAbove(ordered, key + APART * PARTS)] ?? Number.NaN;
      for (const other of [before, behind]) {
        if (Math.floor(other / COLUMNS) === row) {
          rooms[line] = Math.min(rooms[line] as number, Math.abs(other - key) / PARTS);
        }
      }
    }
  }
  return rooms;
}

/** The first place of an ascending list with more than a value. */
function firstAbove(list: Float64Array, value: number): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((list[middle] as number) > value) {
      to = middle;
    } else {
      from = middle + 1;
    }
  }
  return from;
}
