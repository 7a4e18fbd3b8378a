import { expect, test } from "vitest";
import { ridgeTicks } from "../../../src/panels/histograms/axes";

/** Labels beside ridges at these steps; the last ridge is `height` pixels below the first. */
function labels(steps: readonly number[], height: number, labeled: readonly number[] = []): string[] {
  const [first, last] = [Math.min(...steps), Math.max(...steps)];
  const down = (step: number) => ((step - first) / (last - first)) * height;
  const ridges = steps.map((at) => ({ at }));
  return ridgeTicks("whole", [first, last], ridges, height, down, labeled).map(({ label }) => label);
}

test("ridges are labeled with their own steps", () => {
  expect(labels([0, 40, 80, 120, 160], 100)).toEqual(["160", "120", "80", "40", "0"]);
});

test("the newest of too many ridges has a label, and each one with space", () => {
  expect(labels([0, 40, 80, 120, 160], 32)).toEqual(["160", "80", "0"]);
  expect(labels([0, 7, 7, 9, 100], 100)).toEqual(["100", "9"]);
});

test("the label of a linked step takes the place of its own", () => {
  expect(labels([0, 40, 80, 120, 160], 100, [80])).toEqual(["160", "120", "40", "0"]);
});
