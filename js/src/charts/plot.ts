// One plot of a chart: where it is, and which values its edges stand for.

import type { Range } from "../lib/search";
import type { Rect } from "./geometry";

/** How the values of one axis of the camera are spread over the width or the height of a plot. */
export interface PlotScale {
  /** Axis of the camera: x for steps or times, y for values, whichever way they run on the screen. */
  readonly axis: "x" | "y";
  /** The visible range. */
  readonly range: Range;
  /** Where the ends of the range are, as shares from the left or from above. */
  readonly ends: readonly [number, number];
  /** Its places are steps: between two of them there is nothing. */
  readonly isOfSteps?: boolean;
  /** The range of all data, which gestures do not leave. */
  bounds(): Range;
}

export interface PlotTitle {
  readonly run: string;
  /** As much of the name as there is room for. */
  readonly text: string;
  readonly color: string;
}

export interface Plot {
  /** The area between the axes, in CSS pixels from the upper left corner of the chart. */
  readonly area: Rect;
  readonly horizontal: PlotScale;
  /** Null where gestures do not move anything up or down. */
  readonly vertical: PlotScale | null;
  readonly title: PlotTitle | null;
}

/** Position of a value as a share of the plot; between 0 and 1 if it is visible. */
export function shareOf(
  { range: [min, max], ends: [from, to] }: Pick<PlotScale, "range" | "ends">,
  value: number,
): number {
  return from + ((value - min) / (max - min)) * (to - from);
}

/** The value at a share of the plot. */
export function valueAt(
  { range: [min, max], ends: [from, to] }: Pick<PlotScale, "range" | "ends">,
  share: number,
): number {
  return min + ((share - from) / (to - from)) * (max - min);
}
