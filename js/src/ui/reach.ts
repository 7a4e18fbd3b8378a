// Controls of the page that actions press, or give the focus.

import type { Command } from "./actions";
import { closeLayer, LAYER } from "./layers";
import type { View } from "./view";

/** Return the part that covers all others, such as a card that fills the window; without one, the dashboard. */
export function topLayer({ root }: View): ParentNode {
  return [...root.querySelectorAll(`${LAYER}:not(.tbwidget-sheet)`)].at(-1) ?? root;
}

/** The first such control that can be reached now; null: none. */
export function reachable(view: View, selector: string): HTMLElement | null {
  return topLayer(view).querySelector(selector);
}

/** Closes what covers the dashboard, such as a card that fills the window. */
export function uncover({ root }: View): void {
  for (const layer of root.querySelectorAll<HTMLElement>(`${LAYER}:not(.tbwidget-board)`)) {
    closeLayer(layer);
  }
}

type Base = Omit<Command, "kind" | "applies" | "run" | "pressesControl">;

/** Does the same as a press on a control, or gives it the focus; offered while it can be reached. */
export function commandOn(selector: string, act: "click" | "focus", base: Base): Command {
  return {
    ...base,
    kind: "command",
    pressesControl: true,
    applies: (view) => reachable(view, selector) !== null,
    run: (view) => reachable(view, selector)?.[act](),
  };
}

/** Frames that a control is waited for: a part that was opened is drawn in the next one, a long list in some more. */
const MAX_FRAMES = 30;

/** Presses a control, or gives it the focus, as soon as it exists. */
export function pressSoon(find: () => HTMLElement | null, act: "click" | "focus", frames = MAX_FRAMES): void {
  trySoon(() => {
    const control = find();
    control?.[act]();
    return control !== null;
  }, frames);
}

/** Tries it in each frame until it has worked; `left` tells how many frames are left. */
export function trySoon(attempt: (left: number) => boolean, frames: number): void {
  if (!attempt(frames) && frames > 0) {
    requestAnimationFrame(() => trySoon(attempt, frames - 1));
  }
}

/** The same on a control in a menu, which it opens. */
export function commandIn(menu: string, selector: string, act: "click" | "focus", base: Base): Command {
  return {
    ...commandOn(menu, "click", base),
    run: (view) => {
      reachable(view, `${menu}[aria-expanded=false]`)?.click();
      pressSoon(() => reachable(view, selector), act);
    },
  };
}

/** Presses the control whose `data-action` is `id`. */
export function pressing(id: string, name: () => string): Command {
  return commandOn(`[data-action="${id}"]`, "click", { id, name });
}
