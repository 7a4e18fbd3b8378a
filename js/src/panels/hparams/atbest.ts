// The values of metrics at the step at which one of them was best: the kernel has the points to look them up in.

import { type ReadonlySignal, signal } from "@preact/signals";
import type { ValuesAt } from "./metrics";

export class AtBest {
  /** Null: not asked for, or not there yet. */
  readonly values: ReadonlySignal<ValuesAt | null> = signal(null);
  readonly waits: ReadonlySignal<boolean> = signal(false);
  /** Why there are none, for people. */
  readonly reason: ReadonlySignal<string | null> = signal(null);
}
