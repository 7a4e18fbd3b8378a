// What is shown beside the pointer: above all cards, but never outside of the dashboard.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { placeTooltip } from "./placement";
import { tooltipId, useView } from "./view";

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
    // What it is about has moved; if the pointer is still there, the chart shows it again.
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
