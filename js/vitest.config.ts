import { defineConfig } from "vitest/config";

// However much else the machine does, no test fails for being slow; what fails once is tried once more, as in the Makefile.
const patience = { testTimeout: 60_000, hookTimeout: 60_000, retry: 1 };

export default defineConfig({ test: { include: ["tests/**/*.test.ts"], environment: "node", ...patience } });
