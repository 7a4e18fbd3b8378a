// What the charts of scalars have in common, whatever tags they draw.

import { LINEAR } from "../../../lib/scale";
import { isSmoothed } from "../../../lib/smoothing";
import { timeAxis } from "../../../lib/xaxis";
import { timeAxisOptions } from "../../../options/shared";
import type { ChartSource } from "../../../ui/mountchart";
import type { View } from "../../../ui/view";
import { smoothingOf, xScaleOf } from "../axes/chosen";
import { freeCompared } from "../compare/baseline";
import { freeAggregates, tagAlongX } from "../compare/lines";
import { freeJoined } from "../compare/overtag";
import { freeCurve } from "../curve";
import { compareOptions, scalarsOptions } from "../options";
import type { TagScalars } from "./codec";

/** What stands along x, and how it is scaled: steps or times, or the values of a tag. */
export function alongX(view: View): Required<Pick<ChartSource<unknown>, "along" | "xScale">> {
  const { x_axis } = view.options.of(timeAxisOptions);
  return {
    along: () => (tagAlongX(view) === null ? timeAxis(x_axis.value) : "tag"),
    xScale: () => (tagAlongX(view) === null ? xScaleOf(view) : LINEAR),
  };
}

/** Reads the options that all lines depend on. */
export function watchLines({ options }: View): void {
  const { split_restarts, raw_values } = options.of(scalarsOptions);
  void [smoothingOf({ options }), split_restarts.value, raw_values.value];
}

/** The options that a tooltip depends on. */
export function tooltipOptions({ options }: View) {
  const { tooltip_sort, tooltip_rows } = options.of(compareOptions);
  return {
    xAxis: options.of(timeAxisOptions).x_axis.peek(),
    smoothed: isSmoothed(smoothingOf({ options })),
    sort: tooltip_sort.peek(),
    most: tooltip_rows.peek(),
  };
}

/** Frees what was computed for the series of a tag. */
export function freeSeries({ byRun }: TagScalars): void {
  for (const { series } of byRun.values()) {
    freeCurve(series);
    freeCompared(series);
    freeJoined(series);
  }
}

/** Frees what was computed for the series of a tag, and for their groups. */
export function freeTag(data: TagScalars): void {
  freeSeries(data);
  freeAggregates(data);
}
