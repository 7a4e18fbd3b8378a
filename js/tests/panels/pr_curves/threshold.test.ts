import { signal } from "@preact/signals";
import { h } from "preact";
import { expect, test } from "vitest";
import { Threshold } from "../../../src/panels/pr_curves/panel";
import { rendered } from "../../ui/rendering";

const laterTask = () => new Promise((resolve) => setTimeout(resolve, 20));

test.each([
  ["2", false],
  ["-0.1", false],
  ["", true],
])("a field that holds %s while it is no number: %s", async (value, badInput) => {
  const held = signal<number | null>(0.25);
  const option = {
    get value() {
      return held.value;
    },
    set: (typed: number | null) => {
      held.value = typed;
    },
  };
  const page = rendered(h(Threshold, { option }));
  const field = page.root.all("input")[0];
  const type = async (text: string, validity = { badInput: false }) => {
    field?.happen("change", { currentTarget: { value: text, validity } });
    await laterTask();
  };
  await type(value, { badInput });
  expect(page.text()).toContain("A threshold is between 0 and 1");
  expect(held.value).toBe(0.25);

  // A click on a curve removes the message, and so does a valid threshold.
  held.value = 0.5;
  await laterTask();
  expect(page.text()).toBe("Threshold");
  await type(value, { badInput });
  await type("0.75");
  expect([page.text(), held.value]).toEqual(["Threshold", 0.75]);
  await type("");
  expect([page.text(), held.value]).toEqual(["Threshold", null]);
  page.end();
});
