import { expect, test } from "vitest";
import { labelsBelow } from "../../src/charts/linkedstep";

const at = (x: number, step = BigInt(x)) => ({ x, step });

/** Labels below a plot of so many pixels, 10 from the left, whose edges are 0 and `last`; 6 pixels a character. */
function below(linked: readonly { x: number; step: bigint }[], last: number, width: number) {
  const area = { left: 10, top: 0, width, height: 100 };
  return labelsBelow(
    linked,
    area,
    (x) => x / last,
    (text) => 6 * text.length,
  );
}

test("each line says its true step, which need not be the linked one", () => {
  const labels = below([at(1000), at(200), at(1000)], 2000, 600);
  expect(labels.map(({ text }) => text)).toEqual(["step 1\u202f000", "step 200"]);
  for (const [i, x] of [300, 60].entries()) {
    const { left, width } = labels[i] as { left: number; width: number };
    expect(left + width / 2).toBeCloseTo(10 + x, 9);
  }
});

test("of labels that would cover each other there is that of the most runs, or else of the last", () => {
  expect(below([at(100), at(100), at(110)], 1000, 300).map(({ text }) => text)).toEqual(["step 100"]);
  expect(below([at(100), at(110)], 1000, 300).map(({ text }) => text)).toEqual(["step 110"]);
});

test("labels stay below the plot, and are not of what is out of sight", () => {
  const labels = below([at(0), at(1000), at(5000)], 1000, 300);
  expect(labels).toHaveLength(2);
  for (const { left, width, top } of labels) {
    expect(left).toBeGreaterThanOrEqual(10);
    expect(left + width).toBeLessThanOrEqual(310);
    expect(top).toBeGreaterThanOrEqual(100);
  }
});

test("on an axis of times it is the step all the same", () => {
  expect(below([at(12.5, 2n ** 62n)], 100, 300)[0]?.text).toBe(
    "step 4\u202f611\u202f686\u202f018\u202f427\u202f387\u202f904",
  );
});
