// Where things stand along the axis of steps or times.

import type { Along } from "../dashboard/traits";
import type { HistogramSeries } from "../wire/histograms";
import type { AxisKind } from "./axis";

export type { Along };

/** What stands along such an axis. */
export const KINDS: Readonly<Record<Along, AxisKind>> = { step: "whole", relative: "duration", wall: "clock" };

const positions = new WeakMap<HistogramSeries, { along: Along; column: Float64Array }>();

/** Where the histograms stand. */
export function positionsOf(series: HistogramSeries, along: Along): Float64Array {
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
