import { expect, test } from "vitest";
import { neighbor } from "../../src/dashboard/tabs";

const PANELS = [{ name: "scalars" }, { name: "histograms" }, { name: "projector" }];

test("arrow keys lead from tab to tab, round and round", () => {
  const [scalars, histograms, projector] = PANELS as [(typeof PANELS)[0], (typeof PANELS)[0], (typeof PANELS)[0]];
  expect(neighbor(PANELS, scalars, "ArrowRight")).toBe(histograms);
  expect(neighbor(PANELS, projector, "ArrowRight")).toBe(scalars);
  expect(neighbor(PANELS, scalars, "ArrowLeft")).toBe(projector);
  expect(neighbor(PANELS, histograms, "Home")).toBe(scalars);
  expect(neighbor(PANELS, histograms, "End")).toBe(projector);
  expect(neighbor(PANELS, histograms, "Tab")).toBe(undefined);
});
