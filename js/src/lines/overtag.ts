// One tag along another: loss over accuracy. Rows of a run are joined by step: with the value of the other tag at the
// same step, or else the last one before; rows before its first value are left out, and the order is that of the rows.

import type { Range } from "../lib/range";
import { numbers } from "../wire/steps";
import { firstFrom, picked, writtenOf } from "./columns";
import type { Series } from "./series";

/** Rows of a series, and where they stand along the other tag. */
export interface Joined {
  readonly series: Series;
  readonly x: Float64Array;
}

interface Known {
  readonly over: Series;
  readonly range: string;
  readonly joined: Joined;
}

const cache = new WeakMap<Series, Known>();

/** Larger ones are placed here: spans of what lies beyond do not fit into a double. */
const LARGEST = 5e307;

/** Of the steps in a range only, if there is one. */
export function joinedOver(series: Series, over: Series, range: Range | null): Joined {
  const known = cache.get(series);
  const name = String(range);
  if (known !== undefined && known.over === over && known.range === name) {
    return known.joined;
  }
  const joined = compute(series, over, range);
  cache.set(series, { over, range: name, joined });
  return joined;
}

export function freeJoined(series: Series): void {
  cache.delete(series);
}

function compute(series: Series, over: Series, range: Range | null): Joined {
  const { step, value } = writtenOf(over);
  const rows: number[] = [];
  const x: number[] = [];
  for (const [row, at] of numbers(series.step).entries()) {
    const from = firstFrom(step, at);
    const found = step[from] === at ? from : from - 1;
    if (found >= 0 && (range === null || (at >= range[0] && at <= range[1]))) {
      rows.push(row);
      x.push(Math.max(-LARGEST, Math.min(LARGEST, value[found] as number)));
    }
  }
  return { series: picked(series, rows), x: Float64Array.from(x) };
}
