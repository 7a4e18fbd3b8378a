// Options set on a dashboard that another one of this page replaces, before they could be sent: the other one takes them
// over. Whoever replaces the one by the other tells that by an event on its element, which is all that is known of it.

import { isRow, type Row } from "./columns";

/** The type of the event that asks a page for what it shows. */
export const LAST_VIEW_REQUEST = "tbwidget-last-view";

/** The type of the event that asks a page for what it shows. */
const TAKE_OVER = "tbwidget-take-over";

/** Hands options, by the names of their traits, to the dashboard whose root this is. */
export function handOver(root: Element | null, options: Row): void {
  root?.dispatchEvent(new CustomEvent(TAKE_OVER, { bubbles: true, detail: options }));
}

/** Calls `take` with what is handed to the dashboard in `el`, until the signal. */
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
