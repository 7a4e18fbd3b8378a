// The table of values: what a series does within a range of steps, or what it is at one step.

import { lastUpTo } from "../lib/search";
import type { ExactStep, StepRange } from "../options/shared";
import { exactStep } from "../wire/steps";
import { pointsAt, type Series } from "./series";

/** Statistics of the values as written. */
export interface ValueFacts {
  /** Points, those whose values are not finite among them. */
  readonly n: number;
  /** The first and the last value, whatever they are, and how much the one is more than the other. */
  readonly start: number;
  readonly end: number;
  readonly change: number;
  /** The change in per cent of the start's size. */
  readonly percent: number;
  /** Statistics of the finite values; NaN without any. */
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly firstStep: bigint;
  readonly lastStep: bigint;
  readonly minStep: bigint | null;
  readonly maxStep: bigint | null;
  /** Some rows are buckets: start and end may be means of them, and those at the ends may reach out of the range. */
  readonly approximate: boolean;
}

/** Statistics of the rows at steps in the range, null for all; null where there are none. */
export function valuesWithin(series: Series, range: StepRange | null): ValueFacts | null {
  // With all digits, as the range is.
  const { value, min, max, count, step, first: begin } = series;
  let [first, last, lowRow, highRow] = [-1, -1, -1, -1];
  let [n, finite, mean] = [0, 0, 0];
  let approximate = false;
  for (let i = 0; i < step.length; i += 1) {
    const inside = range === null || ((step[i] as ExactStep) >= range[0] && (begin[i] as ExactStep) <= range[1]);
    if (!inside) {
      continue;
    }
    const points = pointsAt(series, i);
    first = first < 0 ? i : first;
    last = i;
    n += points;
    approximate ||= points > 1;
    const more = count[i] as number;
    if (more > 0) {
      finite += more;
      mean += ((value[i] as number) / finite - mean / finite) * more;
      lowRow = lowRow < 0 || (min[i] as number) < (min[lowRow] as number) ? i : lowRow;
      highRow = highRow < 0 || (max[i] as number) > (max[highRow] as number) ? i : highRow;
    }
  }
  if (first < 0) {
    return null;
  }
  const [start, end] = [value[first] as number, valueIn(series, last)];
  return {
    ...{ n, start, end, approximate, change: end - start, percent: (100 * (end - start)) / Math.abs(start) },
    min: lowRow < 0 ? Number.NaN : (min[lowRow] as number),
    max: highRow < 0 ? Number.NaN : (max[highRow] as number),
    mean: finite === 0 ? Number.NaN : mean,
    firstStep: exactStep(step, first),
    lastStep: exactStep(step, last),
    minStep: lowRow < 0 ? null : exactStep(step, lowRow),
    maxStep: highRow < 0 ? null : exactStep(step, highRow),
  };
}

export interface ValueThere {
  readonly value: number;
  readonly step: bigint;
  readonly approximate: boolean;
}

/** The last value at or before a step, else the first, as the linked step is drawn; null without rows. */
export function valueThere(series: Series, step: ExactStep): ValueThere | null {
  const row = lastUpTo(series.step, step);
  return row < 0
    ? null
    : {
        value: valueIn(series, row),
        step: exactStep(series.step, row),
        approximate: !isWritten(series, row),
      };
}

/** Whether the value at the last step of a row is known as written. Buckets other than the newest hold only their mean. */
export function isWritten(series: Series, row: number): boolean {
  return pointsAt(series, row) === 1 || (row === series.step.length - 1 && series.last !== null);
}

/** The value at the last step of a row; of a bucket other than the newest, the mean. */
export function valueIn({ value, last }: Series, row: number): number {
  return row === value.length - 1 && last !== null ? last : (value[row] as number);
}
