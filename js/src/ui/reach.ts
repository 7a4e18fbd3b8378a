// Controls of the page that actions press, or give the focus.

import type { Command } from "./actions";
import type { View } from "./view";

/** The first such control that can be reached now; null: none. A card that fills the window covers all others. */
export function reachable({ root }: View, selector: string): HTMLElement | null {
  const over = [...root.querySelectorAll("dialog:modal:not(.tbwidget-sheet)")].at(-1) ?? root;
  return over.querySelector(selector);
}

/** Does the same as a press on a control, or gives it the focus; offered while it can be reached. */
export function commandOn(
  selector: string,
  act: "click" | "focus",
  base: Omit<Command, "kind" | "applies" | "run">,
): Command {
  return {
    ...base,
    kind: "command",
    applies: (view) => reachable(view, selector) !== null,
    run: (view) => reachable(view, selector)?.[act](),
  };
}
