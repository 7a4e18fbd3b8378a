// What the dashboard is doing, in one word.

import { HEARTBEAT } from "../wire/protocol";

export type State = "reading" | "live" | "idle" | "busy" | "waiting" | "error";

/** Milliseconds after the last news for which the dashboard counts as live. */
const FRESH = 15_000;

/** Milliseconds that a question may stay unanswered before the kernel counts as busy. */
const PATIENCE = 2000;

/** Milliseconds of silence after which the kernel may be gone: two heartbeats and a half. */
const SILENCE = HEARTBEAT * 2500;

export interface Situation {
  readonly now: number;
  readonly failed: boolean;
  /** Null before the first message; else whether the first pass has ended. */
  readonly ready: boolean | null;
  readonly hasData: boolean;
  readonly askedAt: number | null;
  /** When the last message came. */
  readonly heardAt: number | null;
  /** Since when charts in sight are coarser than they could be. */
  readonly coarseAt: number | null;
  readonly changedAt: number | null;
}

/** A kernel that died gives no other sign; one that is busy goes on sending its heartbeats. */
export function isSilent(now: number, heardAt: number | null): boolean {
  return heardAt !== null && now - heardAt > SILENCE;
}

export function stateOf({ now, failed, ready, hasData, askedAt, heardAt, coarseAt, changedAt }: Situation): State {
  if (failed) {
    return "error";
  }
  const silent = isSilent(now, heardAt);
  if (!silent && askedAt !== null && now - askedAt > PATIENCE) {
    return "busy";
  }
  if (ready !== true) {
    return "reading";
  }
  if (!hasData) {
    return "waiting";
  }
  if (!silent && coarseAt !== null && now - coarseAt > PATIENCE) {
    return "busy";
  }
  return changedAt !== null && now - changedAt < FRESH ? "live" : "idle";
}
