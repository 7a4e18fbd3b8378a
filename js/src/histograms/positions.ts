// Where histograms stand along the axis of steps or times.

import type { XAxisMode } from "../lib/xaxis";
import type { HistogramSeries } from "./codec";

const positions = new WeakMap<HistogramSeries, { along: XAxisMode; column: Float64Array }>();

/** Where the histograms stand. */
export function positionsOf(series: HistogramSeries, along: XAxisMode): Float64Array {
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
