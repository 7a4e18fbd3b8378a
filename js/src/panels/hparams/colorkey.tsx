// The key of the colors of lines and points, which show the goal metric from its worst to its best value.

import { packed } from "../../charts/raster";
import { rgbOf } from "../../charts/theme";
import { scaleColor } from "../../lib/colors";
import { formatValue } from "../../lib/format";
import type { Theme } from "../../lib/tokens";
import { Elided } from "../../ui/elided";
import type { LegendEntry } from "../../ui/mountchart";
import { useView } from "../../ui/view";
import { parallelTexts } from "./parallel/texts";
import { type HParamsState, useHParams } from "./sessions";

const STOPS = [0, 0.25, 0.5, 0.75, 1];

/** The ends of the scale, the worst first; marked where numbers beyond have the same color. Null while the goal has no number. */
export function endsOf({ goalBest, colorRange }: HParamsState): readonly [worst: string, best: string] | null {
  if (colorRange.value === null) {
    return null;
  }
  const [least, most] = colorRange.value.ends.map(formatValue) as [string, string];
  const [isLow, isHigh] = colorRange.value.isClipped;
  const ends = [isLow ? parallelTexts().atMost(least) : least, isHigh ? parallelTexts().atLeast(most) : most] as const;
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
      <b>
        <Elided text={goal?.title ?? ""} />
      </b>
      {ends[0]}
      <i style={{ background: `linear-gradient(to right, ${stops.join(", ")})` }} />
      {ends[1]}
    </span>
  );
}

/** The colors of rows as rasters take them. Most rows share theirs with others. */
export function packedColors(count: number, colorOf: (row: number) => string): Int32Array {
  const known = new Map<string, number>();
  return Int32Array.from({ length: count }, (_, row) => {
    const text = colorOf(row);
    const color = known.get(text) ?? packed(rgbOf(text));
    known.set(text, color);
    return color;
  });
}

/** The key in the legend of a picture. */
export function colorLegend(state: HParamsState, theme: Theme): LegendEntry[] {
  const ends = endsOf(state);
  return ends === null
    ? []
    : [
        { text: state.goal.value?.title ?? "", color: null },
        ...ends.map((text, at) => ({ text, color: scaleColor(at, theme) })),
      ];
}
