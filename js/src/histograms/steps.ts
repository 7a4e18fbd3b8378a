// Where histograms stand along steps or times, and the steps at which there are some: those that are held, and between them
// those that the kernel has.

import { bisect } from "../lib/search";
import type { XAxisMode } from "../lib/xaxis";
import type { RowsAlong } from "../lines/rangesalong";
import { stepOverviewOptions } from "../options/shared";
import { shownUnderTags } from "../ui/runs";
import { type NearbySteps, StepSearch, type StepSource, type StepSpan, unionOfSpans } from "../ui/stepsource";
import { useStepSpan } from "../ui/stepspan";
import { useOptions, useView } from "../ui/view";
import { type HistogramSeries, histograms as histogramsCodec } from "./codec";

/** Rounding error, as a share of the distance from one step to the next. */
const ROUNDING = 1e-9;

/** The steps beside `at`, of all these series. */
export function stopsBeside(all: Iterable<HistogramSeries>, at: bigint): NearbySteps {
  const search = new StepSearch(at);
  for (const series of all) {
    const { rows } = series;
    for (const i of rowsAround(series, at)) {
      const { step: from, place } = rows[i] as HistogramSeries["rows"][number];
      search.see(from);
      const next = rows[i + 1];
      if (next !== undefined && at >= from && at <= next.step) {
        // Missing histograms have known positions; their steps are taken to be evenly spaced, as nearly all are.
        const between = next.place - place;
        const apart = Number(next.step - from) / between;
        const near = Math.floor(Number(at - from) / apart + ROUNDING);
        for (const one of [near - 1, near, near + 1]) {
          if (one > 0 && one < between) {
            search.see(from + BigInt(Math.round(one * apart)));
          }
        }
      }
    }
  }
  return search.found;
}

interface Extent {
  /** The least step and the greatest; null without any. */
  readonly span: StepSpan | null;
  /** No step is below the one before it. */
  readonly ordered: boolean;
}

const extents = new WeakMap<HistogramSeries, Extent>();

function extentOf(series: HistogramSeries): Extent {
  let extent = extents.get(series);
  if (extent === undefined) {
    const steps = series.rows.map(({ step }) => step);
    const span = unionOfSpans(steps.map((step) => [step, step]));
    extent = { span, ordered: steps.every((step, i) => i === 0 || step >= (steps[i - 1] as bigint)) };
    extents.set(series, extent);
  }
  return extent;
}

/** The rows that may be beside `at`: a few where steps are in order, as nearly always; else all of them. */
function rowsAround(series: HistogramSeries, at: bigint): Iterable<number> {
  const { rows } = series;
  if (!extentOf(series).ordered) {
    return rows.keys();
  }
  const stepAt = (i: number) => (rows[i] as HistogramSeries["rows"][number]).step;
  const first = bisect(0, rows.length, (i) => stepAt(i) < at);
  const behind = bisect(first, rows.length, (i) => stepAt(i) <= at);
  const around = new Set([first - 1, first, behind - 1, behind]);
  return [...around].filter((i) => i >= 0 && i < rows.length);
}

/** The least step of all series and the greatest; null without any. */
export function stopsSpan(all: readonly HistogramSeries[]): StepSpan | null {
  return unionOfSpans(all.map((series) => extentOf(series).span));
}

/** The steps of all histograms that are shown. */
export function useHistogramSteps(): StepSource {
  const view = useView();
  const of = view.channel.store.series(histogramsCodec);
  return {
    span: useStepSpan(of, stopsSpan),
    near: (step) => stopsBeside(shownUnderTags(of, view), step),
    along: { strip: useOptions(stepOverviewOptions).step_overview.value, selected: null },
  };
}

const positions = new WeakMap<HistogramSeries, Map<XAxisMode, Float64Array>>();

/** Where the histograms stand. */
export function positionsOf(series: HistogramSeries, along: XAxisMode): Float64Array {
  const known = positions.get(series) ?? new Map<XAxisMode, Float64Array>();
  positions.set(series, known);
  let column = known.get(along);
  if (column === undefined) {
    const { rows, startWall } = series;
    column = Float64Array.from(rows, ({ step, wall }) =>
      along === "step" ? Number(step) : along === "wall" ? wall : wall - startWall,
    );
    known.set(along, column);
  }
  return column;
}

/** The steps of the histograms, and where they stand. */
export function rowsAlong(series: HistogramSeries, along: XAxisMode): RowsAlong {
  const x = positionsOf(series, along);
  const ascending = extentOf(series).ordered && x.every((at, i) => i === 0 || at >= (x[i - 1] as number));
  return { steps: positionsOf(series, "step"), x, ascending };
}
