// What the colors of lines and points stand for: the goal metric, from its worst to its best value.

import { scaleColor } from "../../lib/colors";
import { formatValue } from "../../lib/format";
import { useView } from "../../ui/view";
import { useHParams } from "./sessions";

const STOPS = [0, 0.25, 0.5, 0.75, 1];

export function ColorKey() {
  const { theme } = useView();
  const state = useHParams();
  const goal = state.goal.value;
  const numbers = goal === null ? [] : state.numbersOf(goal);
  const [least, most] = [numbers[0], numbers.at(-1)];
  if (goal === null || least === undefined || most === undefined) {
    return null;
  }
  const [worst, best] = state.goalBest.value === "max" ? [least, most] : [most, least];
  const stops = STOPS.map((at) => scaleColor(at, theme.value));
  return (
    <span class="tbwidget-color-key" title={goal.hint}>
      <b>{goal.title}</b>
      {formatValue(worst)}
      <i style={{ background: `linear-gradient(to right, ${stops.join(", ")})` }} />
      {formatValue(best)}
    </span>
  );
}
