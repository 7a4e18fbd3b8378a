import { expect, test } from "vitest";
import { shownOf, undrawn, withData } from "../../src/dashboard/tabs";

const PANELS = [
  { name: "scalars", title: "Scalars", kinds: ["scalars"] },
  { name: "histograms", title: "Histograms", kinds: ["histograms"] },
  { name: "projector", title: "Projector", kinds: ["embeddings", "tensors"] },
];

function names(kinds: readonly string[], only: string | null = null): string[] {
  return withData(PANELS, kinds, only).map(({ name }) => name);
}

test("a panel has a tab while there are data of one of its kinds", () => {
  expect(names([])).toEqual([]);
  expect(names(["tensors", "scalars", "images"])).toEqual(["scalars", "projector"]);
  expect(names(["tensors", "scalars"], "projector")).toEqual(["projector"]);
  expect(names(["scalars"], "projector")).toEqual([]);
});

test("the chosen panel is shown if it has data, else the first that has", () => {
  expect(shownOf(PANELS, "histograms")?.name).toBe("histograms");
  expect(shownOf(PANELS, null)?.name).toBe("scalars");
  expect(shownOf(PANELS.slice(0, 1), "histograms")?.name).toBe("scalars");
  expect(shownOf([], "histograms")).toBeUndefined();
});

test("what no panel draws is named", () => {
  expect(undrawn(PANELS, ["scalars", "images", "embeddings", "audio"])).toEqual(["images", "audio"]);
});
