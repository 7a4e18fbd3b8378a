// Clicks on charts link a step. The second click of a double click, which resets the zoom, undoes the first.

import type { Option } from "./declare";
import { type ExactStep, toExactStep } from "./shared";

export class StepClicks {
  readonly #linkedStep: Option<ExactStep | null>;
  /** The step that was linked before the last single click. */
  #before: ExactStep | null = null;

  constructor(linkedStep: Option<ExactStep | null>) {
    this.#linkedStep = linkedStep;
  }

  /** A single click links the step, or unlinks it if it is linked; `times` counts clicks in quick succession. */
  click(step: bigint, times: number): void {
    if (times < 2) {
      this.#before = this.#linkedStep.peek();
      // Steps beyond 2^53 may share a place on the axis: a click there is on the linked one of them.
      const isLinked = this.#before !== null && Number(this.#before) === Number(step);
      this.#linkedStep.set(isLinked ? null : toExactStep(step));
    } else if (times === 2) {
      this.#linkedStep.set(this.#before);
    }
  }
}
