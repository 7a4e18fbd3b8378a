// Events between a dashboard and the extension of JupyterLab, which is another bundle and shares only the dashboard's element
// with it: a request for the last view, and options that one dashboard hands over to the one that replaces it.

import { isRow, type Row } from "./columns";

/** Type of the event that asks a dashboard for its last view. */
export const LAST_VIEW_REQUEST = "tbwidget-last-view";

/** Type of the event that hands options over. */
const TAKE_OVER = "tbwidget-take-over";

/** Hands options, by the names of their traits, to the dashboard whose root this is. */
export function handOver(root: Element | null, options: Row): void {
  root?.dispatchEvent(new CustomEvent(TAKE_OVER, { bubbles: true, detail: options }));
}

/** Calls `take` with the options handed to the dashboard in `el`, until the signal. */
export function onHandedOver(el: EventTarget, take: (options: Row) => void, until: AbortSignal): void {
  const taken = (event: Event) => {
    event.stopPropagation();
    const { detail } = event as CustomEvent<unknown>;
    if (isRow(detail)) {
      take(detail);
    }
  };
  el.addEventListener(TAKE_OVER, taken, { signal: until });
}
