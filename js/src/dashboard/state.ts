// The state of the dashboard in one word.

export type State = "reading" | "live" | "idle" | "busy" | "waiting" | "disconnected" | "error";

/** Milliseconds after the last news for which the dashboard counts as live. */
export const LIVE_MS = 15_000;

/** Milliseconds that a question may stay unanswered before the kernel counts as busy. */
const WAITING_AFTER_MS = 2000;

export interface Situation {
  readonly now: number;
  /** The kernel has another version of the protocol. */
  readonly incompatible: boolean;
  readonly connected: boolean;
  /** Null before the first message; else whether the first pass has ended. */
  readonly ready: boolean | null;
  /** The first pass was stopped. */
  readonly stopped: boolean;
  readonly hasData: boolean;
  readonly askedAt: number | null;
  /** Since when visible charts are coarser than they could be. */
  readonly coarseAt: number | null;
  /** When something new was read last; null if nothing was since the first pass. */
  readonly changedAt: number | null;
  /** Whether the newest data were written shortly before, by their wall times. */
  readonly fresh: boolean;
}

export function stateOf(situation: Situation): State {
  const { now, incompatible, connected, ready, stopped, hasData, askedAt, coarseAt, changedAt, fresh } = situation;
  if (incompatible) {
    return "error";
  }
  if (!connected) {
    return "disconnected";
  }
  if (askedAt !== null && now - askedAt > WAITING_AFTER_MS) {
    return "busy";
  }
  if (ready !== true && !stopped) {
    return "reading";
  }
  if (!hasData) {
    return "waiting";
  }
  if (coarseAt !== null && now - coarseAt > WAITING_AFTER_MS) {
    return "busy";
  }
  return fresh && changedAt !== null && now - changedAt < LIVE_MS ? "live" : "idle";
}
