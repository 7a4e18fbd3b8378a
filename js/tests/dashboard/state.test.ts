import { expect, test } from "vitest";
import { type Situation, stateOf } from "../../src/dashboard/state";

const CALM: Situation = {
  now: 100_000,
  incompatible: false,
  connected: true,
  settled: true,
  stopped: false,
  hasData: true,
  askedAt: null,
  coarseAt: null,
  cellAt: null,
  changedAt: null,
  fresh: true,
};

test.each([
  ["idle", {}],
  ["live", { changedAt: 99_000 }],
  ["idle", { changedAt: 50_000 }],
  ["waiting", { hasData: false }],
  // Either not everything is read, or more data are on their way: the page is not up to date.
  ["reading", { settled: false }],
  ["reading", { settled: false, cellAt: 90_000, changedAt: 99_000 }],
  ["reading", { settled: false, hasData: false, askedAt: 99_500 }],
  ["busy", { settled: false, hasData: false, askedAt: 90_000 }],
  ["idle", { settled: false, stopped: true }],
  ["waiting", { settled: false, stopped: true, hasData: false }],
  ["busy", { settled: false, stopped: true, askedAt: 90_000 }],
  // A short cell is not worth a word, a long one is; data that keep arriving are more important.
  ["idle", { cellAt: 99_500 }],
  ["busy", { cellAt: 90_000 }],
  ["live", { cellAt: 90_000, changedAt: 99_000 }],
  ["waiting", { cellAt: 90_000, hasData: false }],
  ["idle", { coarseAt: 99_500 }],
  ["busy", { coarseAt: 90_000, changedAt: 99_000 }],
  // The data were read just now, but written long ago: the page is not live.
  ["idle", { changedAt: 99_000, fresh: false }],
  ["error", { incompatible: true, connected: false }],
  // A kernel that is gone does not answer, but is not busy.
  ["disconnected", { connected: false, askedAt: 90_000 }],
  ["disconnected", { connected: false, settled: false, hasData: false }],
  ["disconnected", { connected: false, changedAt: 99_000 }],
] as const)("%s: %o", (state, situation) => {
  expect(stateOf({ ...CALM, ...situation })).toBe(state);
});
