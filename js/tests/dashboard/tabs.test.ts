import { expect, test } from "vitest";
import { neighbour } from "../../src/dashboard/tabs";

const PANELS = [{ name: "scalars" }, { name: "histograms" }, { name: "projector" }];

test("arrow keys lead from tab to tab, round and round", () => {
  const [scalars, histograms, projector] = PANELS as [(typeof PANELS)[0], (typeof PANELS)[0], (typeof PANELS)[0]];
  expect(neighbour(PANELS, scalars, "ArrowRight")).toBe(histograms);
  expect(neighbour(PANELS, projector, "ArrowRight")).toBe(scalars);
  expect(neighbour(PANELS, scalars, "ArrowLeft")).toBe(projector);
  expect(neighbour(PANELS, histograms, "Home")).toBe(scalars);
  expect(neighbour(PANELS, histograms, "End")).toBe(projector);
  expect(neighbour(PANELS, histograms, "Tab")).toBe(undefined);
});
