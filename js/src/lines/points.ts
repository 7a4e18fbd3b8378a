// Which points are near the pointer or at a step, run by run.

import { nearestIndex } from "../charts/extent";
import type { DataPoint } from "../charts/geometry";
import { bisectLeft, lastUpTo } from "../lib/search";
import type { ExactStep } from "../options/shared";
import { exactStep, numbers } from "../wire/steps";
import { isCrowded, type Line } from "./paint";
import { pointsAt, type Series } from "./series";

/** A point of a run's line, or of the line of several runs. */
export interface RunPoint extends DataPoint {
  readonly run: string;
  /** As written; the mean of a bucket. */
  readonly value: number;
  readonly smoothed: number;
  /** The line shows something else than the values: their average. */
  readonly isSmoothed: boolean;
  /** Seconds since the epoch, and since the first point. */
  readonly wall: number;
  readonly relative: number;
  /** The value is the mean of several points. */
  readonly bucket: boolean;
  /** Runs that count here, of an aggregate. */
  readonly n?: number;
  /** Runs of the aggregate. */
  readonly members?: number;
  /** The values around it: from where to where the runs lie, or a margin as it was written; null for none. */
  readonly band: readonly [low: number, high: number] | null;
}

export interface LinePoint extends RunPoint {
  readonly tag: string;
}

/**
 * The row of every line that is nearest to `x`; lines that end more than `reach` away have none. Where x does not tell a
 * point from the others, it is the nearest one on the screen by `distance`.
 */
export function pointsNear(
  lines: readonly Line[],
  x: number,
  reach: number,
  distance: ((x: number, y: number) => number) | null = null,
): RunPoint[] {
  const rows: RunPoint[] = [];
  for (const { run, color, curve, faded, aggregation } of lines) {
    const i = faded ? -1 : distance === null ? nearestIndex(curve, x) : nearestRow(curve, distance);
    if (i < 0 || (distance === null && !reaches(curve.x, i, x, reach))) {
      continue;
    }
    const { series } = curve;
    const facts =
      aggregation === undefined
        ? { smoothed: curve.smoothed[i] as number, isSmoothed: curve.smoothed !== series.value, band: null }
        : {
            smoothed: series.value[i] as number,
            isSmoothed: false,
            n: aggregation.n[i] as number,
            members: aggregation.members,
            band:
              aggregation.low === null || aggregation.high === null
                ? null
                : ([aggregation.low[i] as number, aggregation.high[i] as number] as const),
          };
    rows.push({
      run,
      color,
      value: series.value[i] as number,
      ...facts,
      line: curve,
      step: exactStep(series.step, i),
      wall: series.wall[i] as number,
      relative: (series.wall[i] as number) - series.startWall,
      bucket: aggregation?.approximate ?? pointsAt(series, i) > 1,
      x: curve.x[i] as number,
      y: curve.y[i] as number,
    });
  }
  return rows;
}

/**
 * Of every line the value of the last row at or before the linked step, else of its first; null links none. It is the value
 * as written, as in headers and tables, also where the line is smoothed; but where values as written are not drawn, the one
 * on the line.
 */
export function pointsLinked(lines: readonly Line[], linked: ExactStep | null): DataPoint[] {
  const crowded = isCrowded(lines.length);
  return lines.flatMap(({ curve, color, faded }) => {
    const { series, x, newest } = curve;
    const drawn = crowded ? curve.y : curve.raw;
    const i = linked === null || faded ? -1 : lastUpTo(series.step, linked);
    const y = drawn === curve.raw && i === drawn.length - 1 ? (newest ?? drawn[i]) : drawn[i];
    return i < 0 || !Number.isFinite(x[i])
      ? []
      : [{ x: x[i] as number, y: y as number, color, step: exactStep(series.step, i), isLone: x.length === 1 }];
  });
}

/** The first row at a step; -1 if there is none. */
export function rowAt({ step, ascending }: Pick<Series, "step" | "ascending">, at: bigint): number {
  const [steps, wanted] = [numbers(step), Number(at)];
  const row = ascending ? bisectLeft(steps, wanted) : steps.indexOf(wanted);
  return steps[row] === wanted ? row : -1;
}

/** The largest step of all series; null without any. */
export function largestStep(held: readonly Pick<Series, "lastStep">[]): bigint | null {
  let last: bigint | null = null;
  for (const { lastStep } of held) {
    if (lastStep !== null && (last === null || lastStep > last)) {
      last = lastStep;
    }
  }
  return last;
}

function nearestRow({ x, y }: Line["curve"], distance: (x: number, y: number) => number): number {
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  for (let i = 0; i < x.length; i += 1) {
    const away = distance(x[i] as number, y[i] as number);
    if (away < least) {
      [best, least] = [i, away];
    }
  }
  return best;
}

/** Between its ends a line counts as near, however far apart its points are. */
function reaches(column: Float64Array, nearest: number, x: number, reach: number): boolean {
  const inside = nearest > 0 && nearest < column.length - 1;
  const at = column[nearest] as number;
  const neighbor = at < x ? column[nearest + 1] : column[nearest - 1];
  return inside || Math.abs(at - x) <= reach || (neighbor !== undefined && (at < x ? neighbor >= x : neighbor <= x));
}
