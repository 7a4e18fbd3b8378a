import { expect, test, vi } from "vitest";
import { LinkedSteps } from "../../src/charts/linked";
import type { Choices } from "../../src/dashboard/choices";

test("steps are told after a pause, whole and no larger than a message carries", () => {
  vi.useFakeTimers();
  const told: unknown[] = [];
  const choices = {
    xAxis: { peek: () => "step" },
    stepRange: { peek: () => null },
    showSteps: (range: unknown) => told.push(range),
  };
  const linked = new LinkedSteps(choices as unknown as Choices);
  linked.move([0.5, 9.5]);
  expect(told).toEqual([]);
  vi.runAllTimers();
  linked.move([-1e300, 2 ** 60]);
  vi.runAllTimers();
  expect(told).toEqual([
    [0, 10],
    [-(2 ** 53), 2 ** 53],
  ]);
  vi.useRealTimers();
});
