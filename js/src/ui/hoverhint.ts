// One line at the top of the first chart that the pointer rests on: what it can be used for there. Once for each browser.

import { isNoted, note } from "../options/noted";
import { uiTexts } from "./texts";
import type { View } from "./view";
import "./hoverhint.css";

const NAME = "hover";

/** Milliseconds that the pointer rests on a chart before the hint, and that the hint stays. */
const REST_MS = 400;
const STAY_MS = 6000;

/** Ends the hint that waits or is shown. */
let endHint: (() => void) | null = null;

/** The pointer is on a chart now. */
export function hintAt(chart: HTMLElement, view: View): void {
  if (endHint !== null || isNoted(NAME)) {
    return;
  }
  const ended = new AbortController();
  const { signal } = ended;
  const line = chart.ownerDocument.createElement("p");
  const end = () => {
    clearTimeout(timer);
    ended.abort();
    line.remove();
    endHint = null;
  };
  let timer = setTimeout(() => {
    // No event tells that a chart was removed below a pointer that rests.
    if (!chart.isConnected) {
      end();
      return;
    }
    note(NAME);
    line.className = "tbwidget-hover-hint";
    line.textContent = uiTexts().hoverHint;
    // The keyboard has no pointer to be told about.
    line.ariaHidden = "true";
    chart.append(line);
    // Above the tooltip.
    line.popover = "manual";
    line.showPopover?.();
    const { left, top } = chart.getBoundingClientRect();
    Object.assign(line.style, { left: `${left + (chart.clientWidth - line.offsetWidth) / 2}px`, top: `${top}px` });
    timer = setTimeout(end, STAY_MS);
  }, REST_MS);
  endHint = end;
  for (const type of ["pointerleave", "pointerdown"]) {
    chart.addEventListener(type, end, { signal });
  }
  chart.ownerDocument.addEventListener("scroll", end, { signal, capture: true });
  view.until.addEventListener("abort", end, { signal });
}
