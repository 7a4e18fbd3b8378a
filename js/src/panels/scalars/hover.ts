// What the pointer is near, run by run.

import type { Near } from "../../charts/chart";
import { nearestIndex } from "../../charts/extent";
import { lastUpTo } from "../../lib/search";
import { exactStep, numbers, pointsAt } from "../../wire/series";
import { smoothedOf } from "./curve";
import type { Line } from "./paint";

export interface HoverRow {
  readonly run: string;
  readonly colour: string;
  /** As written; the mean of a bucket. */
  readonly value: number;
  readonly smoothed: number;
  readonly step: bigint;
  /** Seconds since the epoch, and since the first point. */
  readonly wall: number;
  readonly relative: number;
  /** The value is the mean of several points. */
  readonly bucket: boolean;
  /** Where the row is drawn, along both axes. */
  readonly x: number;
  readonly y: number;
}

/** The row of every line that is nearest to `x`; lines that end more than `reach` away have none. */
export function rowsNear(lines: readonly Line[], x: number, reach: number, smoothing: number): HoverRow[] {
  const rows: HoverRow[] = [];
  for (const { run, colour, curve, faded } of lines) {
    const i = faded ? -1 : nearestIndex(curve, x);
    if (i < 0 || !reaches(curve.x, i, x, reach)) {
      continue;
    }
    const { series } = curve;
    rows.push({
      run,
      colour,
      value: series.value[i] as number,
      smoothed: (smoothing > 0 ? smoothedOf(series, smoothing) : series.value)[i] as number,
      step: exactStep(series.step, i),
      wall: series.wall[i] as number,
      relative: (series.wall[i] as number) - series.startWall,
      bucket: pointsAt(series, i) > 1,
      x: curve.x[i] as number,
      y: curve.y[i] as number,
    });
  }
  return rows;
}

/** Of every line the last row at or before the linked step, else its first; null links none. */
export function rowsLinked(lines: readonly Line[], linked: number | null): Near[] {
  return lines.flatMap(({ curve, colour, faded }) => {
    const { series, x, y } = curve;
    const i = linked === null || faded ? -1 : lastUpTo(numbers(series.step), linked);
    return i < 0 ? [] : [{ x: x[i] as number, y: y[i] as number, colour, step: exactStep(series.step, i) }];
  });
}

/** The largest step of all lines; null without any. */
export function largestStep(lines: readonly Line[]): bigint | null {
  let last: bigint | null = null;
  for (const { series } of lines.map((line) => line.curve)) {
    if (series.lastStep !== null && (last === null || series.lastStep > last)) {
      last = series.lastStep;
    }
  }
  return last;
}

/** Between its ends a line is everywhere, however far apart its points are. */
function reaches(column: Float64Array, nearest: number, x: number, reach: number): boolean {
  const inside = nearest > 0 && nearest < column.length - 1;
  const at = column[nearest] as number;
  const neighbour = at < x ? column[nearest + 1] : column[nearest - 1];
  return inside || Math.abs(at - x) <= reach || (neighbour !== undefined && (at < x ? neighbour >= x : neighbour <= x));
}
