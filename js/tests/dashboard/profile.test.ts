import { expect, test } from "vitest";
import { savedOutcome } from "../../src/dashboard/profile";

test("a saved profile that is too large for something says so", () => {
  expect(savedOutcome(1_000_000)).toEqual([]);
  expect(savedOutcome(1_000_001).join()).toContain("too large for the log directory");
  expect(savedOutcome(10_000_000).join()).toContain("too large for the log directory");
  expect(savedOutcome(10_000_001).join()).toContain("too large to be loaded");
});
