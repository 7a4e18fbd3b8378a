import { expect, test } from "vitest";
import { type Situation, stateOf } from "../../src/dashboard/state";

const CALM: Situation = {
  now: 100_000,
  failed: false,
  ready: true,
  hasData: true,
  askedAt: null,
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
] as const)("%s: %o", (state, situation) => {
  expect(stateOf({ ...CALM, ...situation })).toBe(state);
});
