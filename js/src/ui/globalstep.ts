// The step that all cards show or mark: the linked step, or the newest where none is linked.

import { batch, type Signal, signal } from "@preact/signals";
import { timeAxisOptions, toExactStep } from "../options/shared";
import type { View } from "./view";

/** Shows each run's value at its last step up to this one; "newest" follows new values. */
export type AtStep = bigint | "newest";

/** A step that is chosen. */
export interface StepOption {
  /** Reading it within a component or an effect subscribes to it. */
  readonly at: AtStep;
  set(at: AtStep): void;
}

const moves = new WeakMap<View, Signal<number>>();

/** How often the step of all cards was chosen by its control, also where that changed nothing. */
export function stepMoves(view: View): Signal<number> {
  const count = moves.get(view) ?? signal(0);
  moves.set(view, count);
  return count;
}

export function globalStep(view: View): StepOption {
  const { linked_step } = view.options.of(timeAxisOptions);
  const count = stepMoves(view);
  return {
    get at(): AtStep {
      const linked = linked_step.value;
      return linked === null ? "newest" : BigInt(linked);
    },
    set: (at) =>
      batch(() => {
        count.value = count.peek() + 1;
        linked_step.set(at === "newest" ? null : toExactStep(at));
      }),
  };
}
