// The tooltip at the pointer: above all cards, but never outside the dashboard.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Size } from "../charts/geometry";
import { tooltipId, useView } from "./view";
import "./tooltip.css";

export function Tooltip() {
  const view = useView();
  const tooltip = view.tooltip.value;
  const element = useRef<HTMLDivElement>(null);
  const shown = tooltip !== null;
  useLayoutEffect(() => {
    const own = element.current;
    const dashboard = own?.offsetParent?.getBoundingClientRect();
    if (tooltip === null || own === null || dashboard === undefined) {
      return;
    }
    const at = { left: tooltip.left - dashboard.left, top: tooltip.top - dashboard.top };
    const { left, top } = placeTooltip(at, { width: own.offsetWidth, height: own.offsetHeight }, dashboard);
    own.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  });
  useEffect(() => {
    const dashboard = element.current?.offsetParent;
    if (!shown || !dashboard) {
      return;
    }
    // The chart has moved below the tooltip; if the pointer is still there, the chart shows it again.
    const hide = () => {
      view.tooltip.value = null;
    };
    dashboard.addEventListener("scroll", hide, { capture: true, passive: true });
    return () => dashboard.removeEventListener("scroll", hide, { capture: true });
  }, [shown, view]);
  return (
    <>
      {tooltip && (
        <div ref={element} id={tooltipId(view)} class="tbwidget-tooltip" role="tooltip">
          {tooltip.content}
        </div>
      )}
      <p class="tbwidget-spoken" aria-live="polite">
        {tooltip?.spoken ?? ""}
      </p>
    </>
  );
}

/** Pixels between the place and the tooltip, and between the tooltip and the edge of the dashboard. */
const GAP = 14;
const EDGE = 4;

interface Place {
  readonly left: number;
  readonly top: number;
}

/** Place the tooltip beside `at` if one side has room, else below or above; all in CSS pixels of the dashboard. */
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
