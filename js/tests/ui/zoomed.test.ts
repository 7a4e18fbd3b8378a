import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import type { View } from "../../src/ui/view";
import { isZoomed, noteZoom, zoomLimits } from "../../src/ui/zoomed";

test("the limits of all zoomed cards of the shown panel are kept until they show all again", () => {
  const panel = signal({ name: "scalars" });
  const view = { panel } as unknown as View;
  noteZoom(view, "scalars", "loss", new Map([["loss", [0, 1] as const]]));
  noteZoom(view, "scalars", "lr", new Map());
  noteZoom(view, "custom_scalars", "loss", new Map([["val", [2, 3] as const]]));
  expect([isZoomed(view, "loss"), isZoomed(view, "lr"), isZoomed(view, "val")]).toEqual([true, true, false]);
  expect([...zoomLimits(view)]).toEqual([["loss", [0, 1]]]);
  panel.value = { name: "custom_scalars" };
  expect([...zoomLimits(view)]).toEqual([["val", [2, 3]]]);
  noteZoom(view, "custom_scalars", "loss", null);
  expect([...zoomLimits(view)]).toEqual([]);
});
