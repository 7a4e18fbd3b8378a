// How the viewer compares images. Each view of a dashboard keeps it while the viewer is closed.

import { type Signal, signal } from "@preact/signals";
import type { Size } from "../../../charts/geometry";
import type { View } from "../../../ui/view";

export interface StageState {
  /** How much of the width shows the first image, when swiping; of the second one, when blending. */
  readonly swipe: Signal<number>;
  readonly blend: Signal<number>;
  /** How many times as large differences are shown. */
  readonly gain: Signal<number>;
  /** Size of a stage, in CSS pixels. */
  readonly stage: Signal<Size>;
}

const states = new WeakMap<View, StageState>();

export function stageState(view: View): StageState {
  const state = states.get(view) ?? {
    swipe: signal(0.5),
    blend: signal(0.5),
    gain: signal(1),
    stage: signal({ width: 0, height: 0 }),
  };
  states.set(view, state);
  return state;
}
