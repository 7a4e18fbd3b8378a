import { expect, test } from "vitest";
import { writtenLabels } from "../../src/panels/graphs/model/layoutinput";

/** The drawn labels of siblings with these names, in a box with the label `around` if given. */
function written(labels: readonly string[], around?: string): string[] {
  const label = around === undefined ? labels : [around, ...labels];
  const parent = Int32Array.from(label, (_, box) => (around === undefined || box === 0 ? -1 : 0));
  return writtenLabels({ count: label.length, parent, label }).slice(label.length - labels.length);
}

test("leaves out the words that all siblings begin with", () => {
  const labels = ["conv4_block15_1_conv", "conv4_block15_1_bn", "conv4_block15_out"];
  expect(written(labels)).toEqual(["…_1_conv", "…_1_bn", "…_out"]);
});

test("leaves out the label of the box around it", () => {
  expect(written(["conv4_block15_1_conv", "add"], "conv4_block15")).toEqual(["…_1_conv", "add"]);
});

test.each([
  [["dense_1", "dense_2"]],
  [["convolution", "convert"]],
  [["attention", "attention_probs"]],
  [["one"]],
  [["a_x", "a_y"]],
  [["same", "same"]],
  [["", "x"]],
  [[""]],
])("keeps %j, which would say nothing without their beginning", (labels) => {
  expect(written(labels)).toEqual(labels);
});

test("numbers are words of their own, and are never cut", () => {
  expect(written(["block15conv", "block15bn"])).toEqual(["…conv", "…bn"]);
  expect(written(["tower_12x", "tower_13x"])).toEqual(["…_12x", "…_13x"]);
});

test("a label is never empty, and distinguishes siblings as their names do", () => {
  const words = ["conv", "bn", "1", "22", "_", ".", "-", "層", ""];
  let state = 1;
  const chance = (below: number) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  for (let round = 0; round < 300; round += 1) {
    const word = () => words[chance(words.length)] as string;
    const start = word() + word() + word() + word();
    const labels = Array.from({ length: 1 + chance(4) }, () => start + word() + word() + word());
    const found = written(labels, chance(2) ? start : undefined);
    for (const [i, text] of found.entries()) {
      expect(text.length > 0 || labels[i] === "").toBe(true);
      for (const [k, other] of found.entries()) {
        expect(text === other).toBe(labels[i] === labels[k]);
      }
    }
  }
});
