// The way to the card of a tag, which may be in another panel.

import { effect } from "@preact/signals";
import type { View } from "./view";

/** By view: ends the way to a card that has not come yet. */
const journeys = new WeakMap<View, () => void>();

/**
 * Go to the card of a tag, in this panel. Nothing of it needs a kernel. A card that has not come yet is waited for, until another
 * card or panel is gone to, or the view ends.
 */
export function goToCard(panel: string, tag: string, view: View): void {
  const { options } = view;
  if (options.onlyPanel === null) {
    options.board.panel.set(panel);
  }
  const before = journeys.get(view);
  before?.();
  let isOver = false;
  const dispose = effect(() => {
    // Once it is over, it reads no signal and thus does not run again.
    if (isOver || (options.onlyPanel === null && options.board.panel.value !== panel)) {
      isOver = true;
      return;
    }
    const grid = view.grid.value;
    if (view.panel.value?.name === panel && grid?.tags.value.includes(tag)) {
      isOver = true;
      // The grid is asked once it has been drawn.
      queueMicrotask(() => grid.go(tag));
    }
  });
  journeys.set(view, () => {
    isOver = true;
    dispose();
  });
  if (before === undefined) {
    view.until.addEventListener("abort", () => journeys.get(view)?.(), { once: true });
  }
}
