// The way to the card of a tag, which may be in another panel.

import { effect } from "@preact/signals";
import { toggled } from "../options/selection";
import type { View } from "./view";

/** Milliseconds for which a card is waited for: later, the user looks at something else. */
export const MAX_WAIT_MS = 8000;

/** By view: ends the way to a card that has not come yet. */
const journeys = new WeakMap<View, () => void>();

/** Shows a run, whatever kept it away: the selection, a filter, a preview, or that it is archived. */
export function showRun(run: string, { options, channel }: View): void {
  if (options.leftOut.peek().has(run)) {
    options.runTable.show_archived.set(true);
  }
  if (!options.runFilter.matches.peek()(run)) {
    options.runFilter.set("", "typed");
  }
  if (!options.shows(run)) {
    options.runs.preview.peek()?.end();
  }
  if (!options.shows(run)) {
    options.select(toggled(options.runs.selection.peek(), [run], true, channel.store.runs.peek()));
  }
}

/**
 * Go to the card of a tag, in this panel. Nothing of it needs a kernel. A card that has not come yet is waited for some seconds,
 * or until another card or panel is gone to, or the view ends.
 */
export function goToCard(panel: string, tag: string, view: View): void {
  const { options } = view;
  if (options.onlyPanel === null) {
    options.board.panel.set(panel);
  }
  const before = journeys.get(view);
  before?.();
  let isOver = false;
  const timer = setTimeout(() => journeys.get(view)?.(), MAX_WAIT_MS);
  const end = () => {
    isOver = true;
    clearTimeout(timer);
  };
  const dispose = effect(() => {
    // Once it is over, it reads no signal and thus does not run again.
    if (isOver || (options.onlyPanel === null && options.board.panel.value !== panel)) {
      end();
      return;
    }
    const grid = view.grid.value;
    // Until the other panel is drawn, the grid is that of the former one.
    if (grid?.panel === panel && grid.tags.value.includes(tag)) {
      end();
      // The grid is asked once it has been drawn.
      queueMicrotask(() => grid.go(tag, true));
    }
  });
  journeys.set(view, () => {
    end();
    dispose();
  });
  if (before === undefined) {
    view.until.addEventListener("abort", () => journeys.get(view)?.(), { once: true });
  }
}
