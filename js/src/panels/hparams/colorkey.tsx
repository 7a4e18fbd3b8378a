// The key of the colors of lines and points, which show the goal metric from its worst to its best value.

import { scaleColor, type Theme } from "../../lib/colors";
import { formatValue } from "../../lib/format";
import type { LegendEntry } from "../../ui/mountchart";
import { useView } from "../../ui/view";
import { type HParamsState, useHParams } from "./sessions";

const STOPS = [0, 0.25, 0.5, 0.75, 1];

/** The ends of the scale, the worst first; null while the goal has no number. */
function endsOf({ goal, goalBest, numbersOf }: HParamsState): readonly [worst: string, best: string] | null {
  const numbers = goal.value === null ? [] : numbersOf(goal.value);
  const [least, most] = [numbers[0], numbers.at(-1)];
  if (least === undefined || most === undefined) {
    return null;
  }
  const ends = [formatValue(least), formatValue(most)] as const;
  return goalBest.value === "max" ? ends : [ends[1], ends[0]];
}

export function ColorKey() {
  const { theme } = useView();
  const state = useHParams();
  const goal = state.goal.value;
  const ends = endsOf(state);
  const stops = STOPS.map((at) => scaleColor(at, theme.value));
  return ends === null ? null : (
    <span class="tbwidget-color-key" title={goal?.hint}>
      <b>{goal?.title}</b>
      {ends[0]}
      <i style={{ background: `linear-gradient(to right, ${stops.join(", ")})` }} />
      {ends[1]}
    </span>
  );
}

/** The same in the legend of a picture. */
export function colorLegend(state: HParamsState, theme: Theme): LegendEntry[] {
  const ends = endsOf(state);
  return ends === null
    ? []
    : [
        { text: state.goal.value?.title ?? "", color: null },
        ...ends.map((text, at) => ({ text, color: scaleColor(at, theme) })),
      ];
}
