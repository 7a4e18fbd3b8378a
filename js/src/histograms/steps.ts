// Where histograms stand along steps or times, and the steps at which there are some: those that are held, and between them
// those that the kernel has.

import { bisect, type Range } from "../lib/search";
import type { XAxisMode } from "../lib/xaxis";
import type { NearbySteps, StepSource } from "../ui/stepslider";
import type { HistogramSeries } from "./codec";

/** Rounding error, as a share of the distance from one step to the next. */
const ROUNDING = 1e-9;

/** The steps beside `at`, of all these series. */
export function stopsBeside(all: Iterable<HistogramSeries>, at: number): NearbySteps {
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
  for (const series of all) {
    const { rows } = series;
    for (const i of rowsAround(series, at)) {
      const { step, place } = rows[i] as HistogramSeries["rows"][number];
      const from = Number(step);
      stop(from);
      const next = rows[i + 1];
      if (next !== undefined && at >= from && at <= Number(next.step)) {
        // Missing histograms have known positions; their steps are taken to be evenly spaced, as nearly all are.
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

interface Extent {
  /** The least step and the greatest; null without any. */
  readonly span: Range | null;
  /** No step is below the one before it. */
  readonly ordered: boolean;
}

const extents = new WeakMap<HistogramSeries, Extent>();

function extentOf(series: HistogramSeries): Extent {
  let extent = extents.get(series);
  if (extent === undefined) {
    const steps = series.rows.map(({ step }) => Number(step));
    const span: Range | null =
      steps.length === 0 ? null : [steps.reduce((a, b) => Math.min(a, b)), steps.reduce((a, b) => Math.max(a, b))];
    extent = { span, ordered: steps.every((step, i) => i === 0 || step >= (steps[i - 1] as number)) };
    extents.set(series, extent);
  }
  return extent;
}

/** The rows that may be beside `at`: a few where steps are in order, as nearly always; else all of them. */
function rowsAround(series: HistogramSeries, at: number): Iterable<number> {
  const { rows } = series;
  if (!extentOf(series).ordered) {
    return rows.keys();
  }
  const stepAt = (i: number) => Number((rows[i] as HistogramSeries["rows"][number]).step);
  const first = bisect(0, rows.length, (i) => stepAt(i) < at);
  const behind = bisect(first, rows.length, (i) => stepAt(i) <= at);
  const around = new Set([first - 1, first, behind - 1, behind]);
  return [...around].filter((i) => i >= 0 && i < rows.length);
}

/** The least step of all series and the greatest; null without any. */
export function stopsSpan(all: Iterable<HistogramSeries>): Range | null {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const series of all) {
    const { span } = extentOf(series);
    if (span !== null) {
      least = Math.min(least, span[0]);
      most = Math.max(most, span[1]);
    }
  }
  return least <= most ? [least, most] : null;
}

/** The steps of all these series, for the slider. */
export function histogramSteps(all: readonly HistogramSeries[]): StepSource {
  return { span: () => stopsSpan(all), near: (step) => stopsBeside(all, step) };
}

const positions = new WeakMap<HistogramSeries, { along: XAxisMode; column: Float64Array }>();

/** Where the histograms stand. */
export function positionsOf(series: HistogramSeries, along: XAxisMode): Float64Array {
  const known = positions.get(series);
  if (known?.along === along) {
    return known.column;
  }
  const { rows, startWall } = series;
  const column = Float64Array.from(rows, ({ step, wall }) =>
    along === "step" ? Number(step) : along === "wall" ? wall : wall - startWall,
  );
  positions.set(series, { along, column });
  return column;
}
