// State of one view of the scalars that outlives its cards and controls.

import { type Signal, signal } from "@preact/signals";
import type { Sort } from "../../../lib/sortrows";
import type { View } from "../../../ui/view";

export interface CompareState {
  /** Drags select steps instead of zooming. */
  readonly selecting: Signal<boolean>;
  /** The table of values is open. */
  readonly open: Signal<boolean>;
  /** How the table of values is sorted; null: as the cards stand. */
  readonly sorted: Signal<Sort | null>;
}

const states = new WeakMap<View, CompareState>();

export function compareState(view: View): CompareState {
  let state = states.get(view);
  if (state === undefined) {
    state = { selecting: signal(false), open: signal(false), sorted: signal(null) };
    states.set(view, state);
  }
  return state;
}
