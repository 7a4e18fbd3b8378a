// The steps at which a panel has something, as its StepControl goes through them.

import type { FunctionComponent } from "preact";
import { bisectRight } from "../lib/search";
import type { StepRange } from "../options/shared";

/** The least step and the greatest. */
export type StepSpan = readonly [bigint, bigint];

/** Steps beside another one; null where there is none. */
export interface NearbySteps {
  /** The greatest below it, the greatest up to it, and the least above it. */
  readonly before: bigint | null;
  readonly upTo: bigint | null;
  readonly after: bigint | null;
}

/** Finds the steps beside `at` among those that it sees. */
export class StepSearch {
  readonly #at: bigint;
  #before: bigint | null = null;
  #upTo: bigint | null = null;
  #after: bigint | null = null;

  constructor(at: bigint) {
    this.#at = at;
  }

  see(step: bigint): void {
    if (step > this.#at) {
      this.#after = this.#after === null || step < this.#after ? step : this.#after;
      return;
    }
    this.#upTo = this.#upTo === null || step > this.#upTo ? step : this.#upTo;
    if (step < this.#at && (this.#before === null || step > this.#before)) {
      this.#before = step;
    }
  }

  get found(): NearbySteps {
    return { before: this.#before, upTo: this.#upTo, after: this.#after };
  }
}

/** The span of several spans; null without any. */
export function unionOfSpans(spans: Iterable<StepSpan | null>): StepSpan | null {
  let whole: StepSpan | null = null;
  for (const span of spans) {
    if (span !== null) {
      whole = whole === null ? span : [least(whole[0], span[0]), greatest(whole[1], span[1])];
    }
  }
  return whole;
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function greatest(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

export interface StepSource {
  /** Null without any. */
  readonly span: StepSpan | null;
  near(step: bigint): NearbySteps;
  /** Whether all of the present step is on the screen: playback waits for that, for a while. Without it, nothing is fetched. */
  isReady?(): boolean;
  /** Where charts stand along steps: what of them is visible is shown and chosen beside the step. */
  readonly along?: {
    /** Whether the strip with the visible steps is shown. */
    readonly strip: boolean;
    /** Steps that are selected; null for none. */
    readonly selected: StepRange | null;
  };
  /** Further buttons, at the end of the control. */
  readonly Tools?: FunctionComponent;
  /** Stands above the control, where one of these buttons opens it. */
  readonly Table?: FunctionComponent;
}

/** A source of steps that ascend, each once. */
export function stepList(steps: readonly bigint[], isReady?: () => boolean): StepSource {
  const [first, last] = [steps[0], steps.at(-1)];
  return {
    span: first === undefined || last === undefined ? null : [first, last],
    near: (step) => {
      const after = bisectRight(steps, step);
      const before = steps[after - 1] === step ? after - 2 : after - 1;
      return { before: steps[before] ?? null, upTo: steps[after - 1] ?? null, after: steps[after] ?? null };
    },
    ...(isReady && { isReady }),
  };
}

/** The step nearest to another one; null without any. */
export function nearest(source: Pick<StepSource, "near">, step: bigint): bigint | null {
  const { upTo, after } = source.near(step);
  return upTo !== null && (after === null || step - upTo <= after - step) ? upTo : after;
}
