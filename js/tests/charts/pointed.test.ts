import { expect, test } from "vitest";
import { Axis } from "../../src/charts/axis";
import { labelsOf } from "../../src/charts/pointed";

function along(from: number, to: number): Axis {
  const axis = new Axis("whole");
  axis.range = [from, to];
  return axis;
}

const at = (x: number, step = BigInt(x)) => ({ x, y: 0, colour: "#000000", step });

test("each rule says its true step, which need not be the linked one", () => {
  const labels = labelsOf([at(1000), at(200), at(1000)], along(0, 2000), 600);
  expect(labels.map(({ text }) => text)).toEqual(["step 1\u202f000", "step 200"]);
  for (const [i, x] of [300, 60].entries()) {
    const { left, width } = labels[i] as { left: number; width: number };
    expect(left + width / 2).toBeCloseTo(x, 9);
  }
});

test("of labels that would cover each other there is that of the most runs, or else of the last", () => {
  expect(labelsOf([at(100), at(100), at(110)], along(0, 1000), 300).map(({ text }) => text)).toEqual(["step 100"]);
  expect(labelsOf([at(100), at(110)], along(0, 1000), 300).map(({ text }) => text)).toEqual(["step 110"]);
});

test("labels stay within the plot, and are not of what is out of sight", () => {
  const labels = labelsOf([at(0), at(1000), at(5000)], along(0, 1000), 300);
  expect(labels).toHaveLength(2);
  for (const { left, width } of labels) {
    expect(left).toBeGreaterThanOrEqual(0);
    expect(left + width).toBeLessThanOrEqual(300);
  }
});

test("on an axis of times it is the step all the same", () => {
  expect(labelsOf([at(12.5, 2n ** 62n)], along(0, 100), 300)[0]?.text).toBe(
    "step 4\u202f611\u202f686\u202f018\u202f427\u202f387\u202f904",
  );
});
