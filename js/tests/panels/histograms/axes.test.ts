import { expect, test } from "vitest";
import { ticksAcross } from "../../../src/panels/histograms/axes";

const labels = (range: readonly [number, number], width: number) =>
  ticksAcross("number", [range[0], range[1]], width).map(({ label }) => label);

test("a narrow plot has three ticks where their labels have room", () => {
  expect(labels([-1.2, 1.2], 102)).toEqual(["\u22121", "0", "1"]);
  expect(labels([-1.2, 1.2], 400).length).toBeGreaterThan(3);
});

test("labels that are long stand apart", () => {
  const found = labels([1000.001, 1000.009], 200);
  expect(found.length).toBeLessThanOrEqual(200 / (7 * 6.5));
});
