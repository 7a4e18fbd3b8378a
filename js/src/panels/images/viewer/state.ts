// What the viewer shows and how: one image, or two to compare. Kept by each view of a dashboard while it is closed.

import { type Signal, signal } from "@preact/signals";
import type { View } from "../../../ui/view";
import type { Size } from "../picture";

export const MODES = ["single", "runs", "sides", "swipe", "blend", "difference"] as const;
export type Mode = (typeof MODES)[number];

export interface ViewerState {
  readonly mode: Signal<Mode>;
  /** Which side the film strip and the keys are about. */
  readonly active: Signal<"a" | "b">;
  /** How much of the width shows the first image, when swiping; of the second one, when blending. */
  readonly swipe: Signal<number>;
  readonly blend: Signal<number>;
  /** How many times as large differences are shown. */
  readonly gain: Signal<number>;
  /** Of a stage, in CSS pixels. */
  readonly stage: Signal<Size>;
}

const states = new WeakMap<View, ViewerState>();

export function viewerState(view: View): ViewerState {
  let state = states.get(view);
  if (state === undefined) {
    state = {
      mode: signal("single"),
      active: signal("a"),
      swipe: signal(0.5),
      blend: signal(0.5),
      gain: signal(1),
      stage: signal({ width: 0, height: 0 }),
    };
    states.set(view, state);
  }
  return state;
}
