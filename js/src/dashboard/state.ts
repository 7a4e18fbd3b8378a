// The state of the dashboard in one word.

export type State = "reading" | "live" | "idle" | "busy" | "waiting" | "disconnected" | "error";

/** Milliseconds after the last news for which the dashboard counts as live. */
export const LIVE_MS = 15_000;

/** Milliseconds that a question may stay unanswered, or a cell may run, before the kernel counts as busy. */
const WAITING_AFTER_MS = 2000;

export interface Situation {
  readonly now: number;
  /** The kernel has another version of the protocol. */
  readonly incompatible: boolean;
  readonly connected: boolean;
  /** The first pass has ended, and the page knows everything that it found. */
  readonly settled: boolean;
  /** The first pass was stopped. */
  readonly stopped: boolean;
  readonly hasData: boolean;
  readonly askedAt: number | null;
  /** Since when visible charts are coarser than they could be. */
  readonly coarseAt: number | null;
  /** Since when a cell of the kernel runs; null: none does, or that is unknown. */
  readonly cellAt: number | null;
  /** When something new was read last; null if nothing was since the first pass. */
  readonly changedAt: number | null;
  /** Whether the newest data were written shortly before, by their wall times. */
  readonly fresh: boolean;
}

export function stateOf(situation: Situation): State {
  const { now, incompatible, connected, settled, stopped, hasData, askedAt, coarseAt, cellAt, changedAt, fresh } =
    situation;
  const isLong = (since: number | null) => since !== null && now - since > WAITING_AFTER_MS;
  if (incompatible) {
    return "error";
  }
  if (!connected) {
    return "disconnected";
  }
  if (isLong(askedAt)) {
    return "busy";
  }
  if (!settled && !stopped) {
    return "reading";
  }
  if (!hasData) {
    return "waiting";
  }
  if (isLong(coarseAt)) {
    return "busy";
  }
  if (fresh && changedAt !== null && now - changedAt < LIVE_MS) {
    return "live";
  }
  return isLong(cellAt) ? "busy" : "idle";
}
