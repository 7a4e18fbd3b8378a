// A short message above everything in the dashboard, for a moment.

import { type Signal, signal } from "@preact/signals";
import { useView, type View } from "./view";
import "./message.css";

/** Milliseconds for which a message stays. */
const STAY_MS = 2500;

/** An object for each message: the same text may be shown twice in a row. */
const messages = new WeakMap<View, Signal<{ readonly text: string } | null>>();

function messageIn(view: View): Signal<{ readonly text: string } | null> {
  const held = messages.get(view) ?? signal(null);
  messages.set(view, held);
  return held;
}

export function showMessage(text: string, view: View): void {
  const held = messageIn(view);
  const message = { text };
  held.value = message;
  setTimeout(() => {
    if (held.peek() === message) {
      held.value = null;
    }
  }, STAY_MS);
}

/** Stands in the dashboard and in each modal dialog, which covers all outside of it and hides it from assistive technology. */
export function Message() {
  const message = messageIn(useView()).value;
  return (
    message && (
      <p class="tbwidget-message" role="status">
        {message.text}
      </p>
    )
  );
}
