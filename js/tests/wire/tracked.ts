// The state of a promise, which a test can read at any time.

import type { Answer } from "../../src/wire/requests";

export interface Tracked {
  state: "waits" | "answered" | "refused";
  answer: Answer | null;
  reason: string | null;
}

export function tracked(promise: Promise<Answer>): Tracked {
  const found: Tracked = { state: "waits", answer: null, reason: null };
  promise.then(
    (answer) => Object.assign(found, { state: "answered", answer }),
    (error: Error) => Object.assign(found, { state: "refused", reason: error.message }),
  );
  return found;
}

/** Runs everything that follows from settled promises, without a timer. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 30; i += 1) {
    await Promise.resolve();
  }
}
