// What another thread or a later task brings about is waited for as long as a busy machine may take.

import { vi } from "vitest";

const PATIENCE = 30_000;

/** Waits until `check` throws no more; fails with what it threw last. */
export async function eventually(check: () => void): Promise<void> {
  await vi.waitFor(check, { timeout: PATIENCE, interval: 10 });
}
