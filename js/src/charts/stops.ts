// The steps at which there are histograms: those that are held, and between them those that the kernel has.

import type { HistogramSeries } from "../wire/histograms";
import type { Range } from "./axis";

/** Steps beside another one; null where there is none. */
export interface Beside {
  /** The greatest below it, the greatest up to it, and the least above it. */
  readonly before: number | null;
  readonly upTo: number | null;
  readonly after: number | null;
}

/** Of the way from one step to the next, what may be lost in rounding. */
const ROUNDING = 1e-9;

/** The steps beside `at`, of all these series. */
export function stopsBeside(all: Iterable<HistogramSeries>, at: number): Beside {
  let before = Number.NEGATIVE_INFINITY;
  let upTo = Number.NEGATIVE_INFINITY;
  let after = Number.POSITIVE_INFINITY;
  const stop = (step: number) => {
    if (step < at) {
      before = Math.max(before, step);
    }
    if (step <= at) {
      upTo = Math.max(upTo, step);
    } else {
      after = Math.min(after, step);
    }
  };
  for (const { rows } of all) {
    for (const [i, { step, place }] of rows.entries()) {
      const from = Number(step);
      stop(from);
      const next = rows[i + 1];
      if (next !== undefined && at >= from && at <= Number(next.step)) {
        // Of those that are not held the places are known; their steps are taken to be evenly apart, as nearly all are.
        const between = next.place - place;
        const apart = (Number(next.step) - from) / between;
        const near = Math.floor((at - from) / apart + ROUNDING);
        for (const one of [near - 1, near, near + 1]) {
          if (one > 0 && one < between) {
            stop(Math.round(from + one * apart));
          }
        }
      }
    }
  }
  const found = (step: number) => (Number.isFinite(step) ? step : null);
  return { before: found(before), upTo: found(upTo), after: found(after) };
}

const spans = new WeakMap<HistogramSeries, Range | null>();

/** The least step of a series and the greatest; null without any. */
function spanOf(series: HistogramSeries): Range | null {
  let span = spans.get(series);
  if (span === undefined) {
    const steps = series.rows.map(({ step }) => Number(step));
    span = steps.length === 0 ? null : [steps.reduce((a, b) => Math.min(a, b)), steps.reduce((a, b) => Math.max(a, b))];
    spans.set(series, span);
  }
  return span;
}

/** The least step of all series and the greatest; null without any. */
export function stopsSpan(all: Iterable<HistogramSeries>): Range | null {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const series of all) {
    const span = spanOf(series);
    if (span !== null) {
      least = Math.min(least, span[0]);
      most = Math.max(most, span[1]);
    }
  }
  return least <= most ? [least, most] : null;
}
