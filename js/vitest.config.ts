import { defineConfig } from "vitest/config";

// However much else the machine does, no test fails for being slow.
const patience = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  // Without isolation: to load each module anew for each file costs more than all tests. No module keeps what a test would see.
  test: { include: ["tests/**/*.test.ts"], environment: "node", isolate: false, unstubGlobals: true, ...patience },
});
