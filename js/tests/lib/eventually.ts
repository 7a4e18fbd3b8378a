// Waits for results of other threads or later tasks, long enough for a busy machine.

import { vi } from "vitest";

const PATIENCE = 30_000;

/** Waits until `check` no longer throws; fails with its last error. */
export async function eventually(check: () => void): Promise<void> {
  await vi.waitFor(check, { timeout: PATIENCE, interval: 10 });
}
