import { expect, test } from "vitest";
import { type Situation, stateOf } from "../../src/dashboard/state";

const CALM: Situation = {
  now: 100_000,
  failed: false,
  ready: true,
  hasData: true,
  askedAt: null,
  heardAt: 99_000,
  coarseAt: null,
  changedAt: null,
};

test.each([
  ["idle", {}],
  ["live", { changedAt: 99_000 }],
  ["idle", { changedAt: 50_000 }],
  ["waiting", { hasData: false }],
  ["reading", { ready: false }],
  ["reading", { ready: null, hasData: false, askedAt: 99_500 }],
  ["busy", { ready: null, hasData: false, askedAt: 90_000 }],
  ["idle", { coarseAt: 99_500 }],
  ["busy", { coarseAt: 90_000, changedAt: 99_000 }],
  ["error", { failed: true }],
  // A dead kernel answers nothing, but is not busy.
  ["idle", { now: 1_000_000, askedAt: 90_000 }],
  ["idle", { now: 1_000_000, coarseAt: 90_000, changedAt: 99_000 }],
  ["busy", { now: 160_000, askedAt: 90_000 }],
] as const)("%s: %o", (state, situation) => {
  expect(stateOf({ ...CALM, ...situation })).toBe(state);
});
