import { expect, test } from "vitest";
import { type Situation, stateOf } from "../../src/dashboard/state";

const CALM: Situation = {
  now: 100_000,
  incompatible: false,
  connected: true,
  ready: true,
  stopped: false,
  hasData: true,
  askedAt: null,
  coarseAt: null,
  changedAt: null,
  fresh: true,
};

test.each([
  ["idle", {}],
  ["live", { changedAt: 99_000 }],
  ["idle", { changedAt: 50_000 }],
  ["waiting", { hasData: false }],
  ["reading", { ready: false }],
  ["reading", { ready: null, hasData: false, askedAt: 99_500 }],
  ["busy", { ready: null, hasData: false, askedAt: 90_000 }],
  ["idle", { ready: false, stopped: true }],
  ["waiting", { ready: false, stopped: true, hasData: false }],
  ["busy", { ready: false, stopped: true, askedAt: 90_000 }],
  ["idle", { coarseAt: 99_500 }],
  ["busy", { coarseAt: 90_000, changedAt: 99_000 }],
  // What was read had been written long ago: that is not live.
  ["idle", { changedAt: 99_000, fresh: false }],
  ["error", { incompatible: true, connected: false }],
  // A kernel that is gone answers nothing, but is not busy.
  ["disconnected", { connected: false, askedAt: 90_000 }],
  ["disconnected", { connected: false, ready: null, hasData: false }],
  ["disconnected", { connected: false, changedAt: 99_000 }],
] as const)("%s: %o", (state, situation) => {
  expect(stateOf({ ...CALM, ...situation })).toBe(state);
});
