// The state of a panel's viewer. Each view of a dashboard keeps it while the viewer is closed.

import { type Signal, signal } from "@preact/signals";
import { actionAmong, type Key, type KeyMap } from "../../charts/keyboard";
import type { View } from "../../ui/view";
import type { ItemPlace } from "../kind";
import type { SampledRow } from "../shown";

/** One item, the items of all runs, or two to compare. A panel offers some of these. */
export type Mode = "single" | "runs" | "sides" | "swipe" | "blend" | "difference";

/** An item at which the viewer is opened. */
export interface OpenedAt<R extends SampledRow> extends ItemPlace<R> {
  /** Where a row has several samples behind it. */
  readonly sample?: number;
  /** It begins with the items of all runs. */
  readonly allRuns?: boolean;
}

export interface ViewerState {
  /** Null while it is closed. */
  readonly at: Signal<OpenedAt<SampledRow> | null>;
  /** How two items were compared last. */
  readonly mode: Signal<Mode>;
  /** Which side the steps and the keys are about. */
  readonly active: Signal<"a" | "b">;
}

const ofViews = new WeakMap<View, Map<string, ViewerState>>();

/** The state of a panel's viewer. */
export function viewerState(view: View, panel: string): ViewerState {
  const states = ofViews.get(view) ?? new Map<string, ViewerState>();
  ofViews.set(view, states);
  const state = states.get(panel) ?? { at: signal(null), mode: signal("sides"), active: signal("a") };
  states.set(panel, state);
  return state;
}

export type StepAction =
  | { readonly does: "step" | "run"; readonly by: number }
  | { readonly does: "first" | "last" | "swap" };

/** Steps that a page key goes. */
const PAGE = 10;

const stepBy = (by: number): StepAction => ({ does: "step", by });

/** The keys of a viewer. */
export const VIEWER_KEYS = {
  step: { ArrowLeft: stepBy(-1), ArrowRight: stepBy(1) },
  page: { PageUp: stepBy(PAGE), PageDown: stepBy(-PAGE) },
  run: { ArrowUp: { does: "run", by: -1 }, ArrowDown: { does: "run", by: 1 } },
  end: { Home: { does: "first" }, End: { does: "last" } },
  swap: { x: { does: "swap" } },
} as const satisfies KeyMap<StepAction>;

/** Undefined for other keys. With Shift, arrows move the item instead. */
export function stepActionOf(key: Key): StepAction | undefined {
  return key.shiftKey && key.key.startsWith("Arrow") ? undefined : actionAmong<StepAction>(key, VIEWER_KEYS);
}
