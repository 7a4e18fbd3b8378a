// What the charts of scalars have in common, whatever tags they draw.

import { timeAxisChoices } from "../../../choices/shared";
import { LINEAR } from "../../../lib/scale";
import { isSmoothed } from "../../../lib/smoothing";
import { timeAxis } from "../../../lib/xaxis";
import type { ChartSource } from "../../../ui/mountchart";
import type { View } from "../../../ui/view";
import { smoothingOf, xScaleOf } from "../axes/chosen";
import { compareChoices, scalarsChoices } from "../choices";
import { freeCompared } from "../compare/baseline";
import { freeAggregates, tagAlongX } from "../compare/lines";
import { freeJoined } from "../compare/overtag";
import { freeCurve } from "../curve";
import type { TagScalars } from "./codec";

/** What stands along x, and how it is scaled: steps or times, or the values of a tag. */
export function alongX(view: View): Required<Pick<ChartSource<unknown>, "along" | "xScale">> {
  const { x_axis } = view.choices.of(timeAxisChoices);
  return {
    along: () => (tagAlongX(view) === null ? timeAxis(x_axis.value) : "tag"),
    xScale: () => (tagAlongX(view) === null ? xScaleOf(view) : LINEAR),
  };
}

/** Reads the choices that all lines depend on. */
export function watchLines({ choices }: View): void {
  const { split_restarts, raw_values } = choices.of(scalarsChoices);
  void [smoothingOf({ choices }), split_restarts.value, raw_values.value];
}

/** The choices that a tooltip depends on. */
export function tooltipOptions({ choices }: View) {
  const { tooltip_sort, tooltip_rows } = choices.of(compareChoices);
  return {
    xAxis: choices.of(timeAxisChoices).x_axis.peek(),
    smoothed: isSmoothed(smoothingOf({ choices })),
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
