// All cards show the same range of steps: the card under the pointer moves at once, the others when it pauses.

import type { Range } from "../lib/range";
import { timeAxis } from "../lib/xaxis";
import type { OptionsOf } from "../options/declare";
import type { Options } from "../options/options";
import { isSameRange, type StepRange, stepAt, timeAxisOptions } from "../options/shared";

/** Milliseconds without movement that count as a pause. */
const SHARE_PAUSE_MS = 180;

/** Sets the shared range of steps to the range of one card. */
export class StepRangeSync {
  readonly #axis: OptionsOf<typeof timeAxisOptions>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: Options) {
    this.#axis = options.of(timeAxisOptions);
  }

  /** The card shows this range; null for all steps. */
  move(range: Range | null): void {
    clearTimeout(this.#timer);
    if (timeAxis(this.#axis.x_axis.peek()) !== "step") {
      return;
    }
    if (range === null) {
      this.#set(null);
    } else {
      this.#timer = setTimeout(() => this.#set(range), SHARE_PAUSE_MS);
    }
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #set(range: Range | null): void {
    const steps: StepRange | null = range && [stepAt(Math.floor(range[0])), stepAt(Math.ceil(range[1]))];
    if (!isSameRange(steps, this.#axis.step_range.peek())) {
      this.#axis.step_range.set(steps);
    }
  }
}
