// The selected steps on a chart: a range of steps, along whatever axis.

import type { Rect, Surface } from "../../../charts/geometry";
import { chartTheme } from "../../../charts/theme";
import type { Theme } from "../../../lib/colours";
import type { Range } from "../../../lib/range";
import { type AxisScale, placesOfSteps } from "../../../lib/scale";
import { timeAxis, type XAxisOption } from "../../../lib/xaxis";
import { stepAt, timeAxisOptions } from "../../../options/shared";
import type { View } from "../../../ui/view";
import { numbers } from "../../../wire/steps";
import { stepsDuring } from "../kind/duration";
import { compareOptions } from "../options";
import type { Line } from "../paint";
import { tagAlongX } from "./lines";

const SHADE = 0.13;

/** Where the selected steps are along x; null where they are nowhere. */
export function selectedAlong(
  steps: Range | null,
  lines: readonly Line[],
  axis: XAxisOption,
  scale: AxisScale,
): Range | null {
  if (steps === null || axis === "step" || axis === "tag") {
    return steps === null || axis === "tag" ? null : placesOfSteps(scale, steps);
  }
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { curve } of lines) {
    for (const [i, step] of numbers(curve.series.step).entries()) {
      if (step >= steps[0] && step <= steps[1]) {
        least = Math.min(least, curve.x[i] as number);
        most = Math.max(most, curve.x[i] as number);
      }
    }
  }
  return least <= most ? [least, most] : null;
}

export function paintSelected(
  { context, ratio }: Surface,
  area: Rect,
  selected: Range | null,
  x: Range,
  theme: Theme,
): void {
  if (selected === null || selected[1] < x[0] || selected[0] > x[1]) {
    return;
  }
  const at = (value: number) =>
    area.left + (area.width * (Math.max(x[0], Math.min(x[1], value)) - x[0])) / (x[1] - x[0]);
  const [from, to] = [at(selected[0]), at(selected[1])];
  context.save();
  context.fillStyle = chartTheme[theme].label;
  context.globalAlpha = SHADE;
  context.fillRect(from, area.top, Math.max(ratio, to - from), area.height);
  context.globalAlpha = 4 * SHADE;
  for (const edge of [selected[0], selected[1]].filter((end) => end >= x[0] && end <= x[1])) {
    context.fillRect(Math.round(at(edge) - ratio / 2), area.top, Math.max(1, Math.round(ratio)), area.height);
  }
  context.restore();
}

/** Selects the steps between two places along x; along another tag there are none. */
export function selectAlong(range: Range, lines: readonly Line[], view: View): void {
  const { options } = view;
  if (tagAlongX(view) !== null) {
    return;
  }
  const axis = options.of(timeAxisOptions).x_axis.peek();
  const { selected_steps } = options.of(compareOptions);
  if (timeAxis(axis) === "step") {
    const [first, last] = [stepAt(Math.ceil(range[0])), stepAt(Math.floor(range[1]))];
    // Between two steps there is none; then it is the nearest.
    const near = stepAt(Math.round((range[0] + range[1]) / 2));
    selected_steps.set(first <= last ? [first, last] : [near, near]);
    return;
  }
  const series = lines.map(({ curve }) => curve.series);
  const steps = stepsDuring(series, range, axis === "relative");
  if (steps !== null) {
    selected_steps.set([stepAt(steps[0]), stepAt(steps[1])]);
  }
}
