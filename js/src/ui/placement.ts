// Where the tooltip is, so that it does not cover the place that it is about.

import type { Size } from "../charts/geometry";

/** Pixels between the place and the tooltip, and between the tooltip and the edge of the dashboard. */
const GAP = 14;
const EDGE = 4;

interface Place {
  readonly left: number;
  readonly top: number;
}

/** Beside the place if there is room on one side, else below or above it; all in CSS pixels of the dashboard. */
export function placeTooltip(at: Place, tooltip: Size, dashboard: Size): Place {
  const right = at.left + GAP;
  const left = at.left - GAP - tooltip.width;
  const lowest = dashboard.height - tooltip.height - EDGE;
  if (right + tooltip.width <= dashboard.width - EDGE || left >= EDGE) {
    const fitsRight = right + tooltip.width <= dashboard.width - EDGE;
    return { left: fitsRight ? right : left, top: Math.max(EDGE, Math.min(at.top + GAP, lowest)) };
  }
  const fitsBelow = at.top + GAP <= lowest;
  const centered = Math.min(at.left - tooltip.width / 2, dashboard.width - EDGE - tooltip.width);
  return {
    left: Math.max(EDGE, centered),
    top: fitsBelow ? at.top + GAP : Math.max(EDGE, at.top - GAP - tooltip.height),
  };
}
