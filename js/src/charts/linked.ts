// Steps in sight are those of all cards: the card under the pointer moves at once, the others when it pauses.

import type { Choices } from "../dashboard/choices";
import type { Range } from "./axis";

/** Milliseconds without movement that count as a pause. */
const PAUSE = 180;

/** Steps beyond are not told: as numbers they would not come through the message whole. */
const LARGEST = 2 ** 53;

export class LinkedSteps {
  readonly #choices: Choices;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(choices: Choices) {
    this.#choices = choices;
  }

  /** One card went there; null for all steps. */
  move(range: Range | null): void {
    clearTimeout(this.#timer);
    if (this.#choices.xAxis.peek() !== "step") {
      return;
    }
    if (range === null) {
      this.#tell(null);
    } else {
      this.#timer = setTimeout(() => this.#tell(range), PAUSE);
    }
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #tell(range: Range | null): void {
    const steps: Range | null = range === null ? null : [clamped(Math.floor(range[0])), clamped(Math.ceil(range[1]))];
    const now = this.#choices.stepRange.peek();
    if (steps?.[0] !== now?.[0] || steps?.[1] !== now?.[1]) {
      this.#choices.showSteps(steps);
    }
  }
}

function clamped(step: number): number {
  return Math.min(LARGEST, Math.max(-LARGEST, step));
}
