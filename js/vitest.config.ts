import { defineConfig } from "vitest/config";

// However much else the machine does, no test fails for being slow.
export default defineConfig({ test: { include: ["tests/**/*.test.ts"], environment: "node", testTimeout: 60_000 } });
