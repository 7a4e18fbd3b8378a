import { expect, test } from "vitest";
import { neighbour, shownOf, undrawn, withData } from "../../src/dashboard/tabs";

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

test("arrow keys lead from tab to tab, round and round", () => {
  const [scalars, histograms, projector] = PANELS as [(typeof PANELS)[0], (typeof PANELS)[0], (typeof PANELS)[0]];
  expect(neighbour(PANELS, scalars, "ArrowRight")).toBe(histograms);
  expect(neighbour(PANELS, projector, "ArrowRight")).toBe(scalars);
  expect(neighbour(PANELS, scalars, "ArrowLeft")).toBe(projector);
  expect(neighbour(PANELS, histograms, "Home")).toBe(scalars);
  expect(neighbour(PANELS, histograms, "End")).toBe(projector);
  expect(neighbour(PANELS, histograms, "Tab")).toBe(undefined);
});
