// The tooltip at the pointer: above all cards, but never outside what is in sight of the dashboard.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { place, pointBox, visibleBox } from "../lib/place";
import { tooltipId, useView } from "./view";
import "./tooltip.css";

/** CSS pixels between the pointer and the tooltip, and between the tooltip and the edge of what is in sight. */
const GAP_PX = 14;
const MARGIN_PX = 4;

export function Tooltip() {
  const view = useView();
  const tooltip = view.tooltip.value;
  const element = useRef<HTMLDivElement>(null);
  const shown = tooltip !== null;
  useLayoutEffect(() => {
    const own = element.current;
    const around = own?.offsetParent;
    if (tooltip === null || own === null || !around) {
      return;
    }
    const origin = around.getBoundingClientRect();
    const { left, top } = place({
      anchor: pointBox(tooltip.left, tooltip.top),
      size: { width: own.offsetWidth, height: own.offsetHeight },
      ...{ boundary: visibleBox(around), side: "right", gap: GAP_PX, shift: GAP_PX, margin: MARGIN_PX },
    });
    own.style.transform = `translate(${Math.round(left - origin.left)}px, ${Math.round(top - origin.top)}px)`;
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
