import { expect, test } from "vitest";
import { LABEL_HEIGHT, labelsInside } from "../../src/charts/linkedstep";

const at = (x: number, step = BigInt(x)) => ({ x, step });

/** Labels in a plot of `width` pixels, 10 from the left, whose edges are 0 and `last`; 6 pixels a character. */
function inside(linked: readonly { x: number; step: bigint }[], last: number, width: number) {
  const area = { left: 10, top: 0, width, height: 100 };
  return labelsInside(
    linked,
    area,
    (x) => x / last,
    (text) => 6 * text.length,
  );
}

test("each line says its true step, which need not be the linked one", () => {
  const labels = inside([at(1000), at(200), at(1000)], 2000, 600);
  expect(labels.map(({ text }) => text)).toEqual(["step 200", "step 1\u202f000"]);
  for (const [i, x] of [60, 300].entries()) {
    const { left, width } = labels[i] as { left: number; width: number };
    expect(left + width / 2).toBeCloseTo(10 + x, 9);
  }
});

test("labels that would cover each other are one, of all their steps", () => {
  const texts = (labels: readonly { text: string }[]) => labels.map(({ text }) => text);
  expect(texts(inside([at(100), at(100), at(110)], 1000, 300))).toEqual(["steps 100 – 110"]);
  expect(texts(inside([at(600), at(100), at(110), at(120)], 1000, 300))).toEqual(["steps 100 – 120", "step 600"]);
  // A wider label may meet the one before it.
  expect(texts(inside([at(100), at(290), at(310)], 1000, 300))).toEqual(["steps 100 – 310"]);
  // Along times, runs reach one step at different times.
  expect(texts(inside([at(10, 7n), at(11, 7n)], 1000, 300))).toEqual(["step 7"]);
});

test("labels stay within the plot, above the ticks' labels, and skip invisible steps", () => {
  const labels = inside([at(0), at(1000), at(5000)], 1000, 300);
  expect(labels).toHaveLength(2);
  for (const { left, width, top } of labels) {
    expect(left).toBeGreaterThanOrEqual(10);
    expect(left + width).toBeLessThanOrEqual(310);
    expect([top >= 0, top + LABEL_HEIGHT < 100]).toEqual([true, true]);
  }
});

test("on an axis of times it is the step all the same", () => {
  expect(inside([at(12.5, 2n ** 62n)], 100, 300)[0]?.text).toBe(
    "step 4\u202f611\u202f686\u202f018\u202f427\u202f387\u202f904",
  );
});

test("all labels stand at the top", () => {
  expect(inside([at(0, 0n), at(500, 5n), at(1000, 9n)], 1000, 600).map(({ top }) => top)).toEqual([2, 2, 2]);
});
