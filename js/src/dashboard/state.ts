// What the dashboard is doing, in one word.

export type State = "reading" | "live" | "idle" | "busy" | "waiting" | "error";

/** Milliseconds after the last news for which the dashboard counts as live. */
const FRESH = 15_000;

/** Milliseconds that a question may stay unanswered before the kernel counts as busy. */
const PATIENCE = 2000;

export interface Situation {
  readonly now: number;
  readonly failed: boolean;
  /** Null before the first message; else whether the first pass has ended. */
  readonly ready: boolean | null;
  readonly hasData: boolean;
  readonly askedAt: number | null;
  /** Since when charts in sight are coarser than they could be. */
  readonly coarseAt: number | null;
  readonly changedAt: number | null;
}

export function stateOf({ now, failed, ready, hasData, askedAt, coarseAt, changedAt }: Situation): State {
  if (failed) {
    return "error";
  }
  if (askedAt !== null && now - askedAt > PATIENCE) {
    return "busy";
  }
  if (ready !== true) {
    return "reading";
  }
  if (!hasData) {
    return "waiting";
  }
  if (coarseAt !== null && now - coarseAt > PATIENCE) {
    return "busy";
  }
  return changedAt !== null && now - changedAt < FRESH ? "live" : "idle";
}
