// How the curves of a card are drawn: what was chosen, as far as it fits to what is compared.

import { LINEAR } from "../../../lib/scale";
import { timeAxis } from "../../../lib/xaxis";
import { timeAxisOptions } from "../../../options/shared";
import type { View } from "../../../ui/view";
import { smoothingOf, valueScaleOf, xScaleOf } from "../axes/chosen";
import type { CurveOptions } from "../curve";
import type { TagScalars } from "../kind/codec";
import type { Series } from "../kind/series";
import { compareOptions, scalarsOptions } from "../options";

type Held = Pick<TagScalars, "byRun">;

/** The series that runs are compared with; undefined if there is none, or not of this tag. */
export function baselineOf(data: Held, baseline: string | null): Series | undefined {
  return baseline === null ? undefined : data.byRun.get(baseline)?.series;
}

export function isCompared(data: Held, { options }: View): boolean {
  return baselineOf(data, options.of(compareOptions).baseline.value) !== undefined;
}

/** Whether values are drawn as differences, which may be negative. */
export function isDifference(data: Held, view: View): boolean {
  return view.options.of(compareOptions).compare_as.value === "difference" && isCompared(data, view);
}

export function optionsOf(tag: string, data: Held, view: View): CurveOptions {
  const { options } = view;
  const { split_restarts, raw_values } = options.of(scalarsOptions);
  const yScale = valueScaleOf(view, tag);
  return {
    xAxis: timeAxis(options.of(timeAxisOptions).x_axis.value),
    xScale: xScaleOf(view),
    yScale: yScale.name === "log" && isDifference(data, view) ? LINEAR : yScale,
    smoothing: smoothingOf(view),
    split: split_restarts.value,
    behind: raw_values.value,
  };
}
