import { expect, test, vi } from "vitest";
import type { Options } from "../../src/options/options";
import { StepRangeSync } from "../../src/ui/mountchart";

test("steps are told after a pause, whole and with all their digits", () => {
  vi.useFakeTimers();
  const told: unknown[] = [];
  const options = {
    of: () => ({
      x_axis: { peek: () => "step" },
      step_range: { peek: () => null, set: (range: unknown) => told.push(range) },
    }),
  };
  const sync = new StepRangeSync(options as unknown as Options);
  sync.move([0.5, 9.5]);
  expect(told).toEqual([]);
  vi.runAllTimers();
  sync.move([-1e300, 2 ** 60]);
  vi.runAllTimers();
  expect(told).toEqual([
    [0, 10],
    [-(2n ** 63n), 2n ** 60n],
  ]);
  vi.useRealTimers();
});
