import { expect, test } from "vitest";
import { PixelBudget } from "../../../src/panels/images/decoding";
import { WHOLE } from "../../../src/panels/images/zoom/camera";
import { inTile, pixelZoom } from "../../../src/panels/images/zoom/tilezoom";

const at = (zoom: number) => ({ x: 0.25, y: 0.75, zoom });

test("a tile shows the part that the camera shows, but never less than all of its room", () => {
  expect(inTile(at(3))).toEqual(at(3));
  expect(inTile(at(0.2))).toEqual(WHOLE);
});

test("pixels are decoded for the next power of two of the zoom", () => {
  expect([0.2, 1, 1.01, 2, 2.1, 40].map((zoom) => pixelZoom(at(zoom)))).toEqual([1, 1, 2, 2, 4, 64]);
});

test("each zoomed picture leaves memory for others", () => {
  const budget = new PixelBudget(4 * 2000 ** 2);
  const sides = Array.from({ length: 4 }, () => budget.take({ width: 4096, height: 4096 }, null, 0.25).width);
  expect(sides).toEqual([1000, 866, 750, 649]);
  expect(budget.take({ width: 200, height: 100 }, null, 0.25)).toEqual({ width: 200, height: 100 });
});

test("the viewer and the tiles share their memory", () => {
  const budget = new PixelBudget(4 * 1_000_000);
  expect(budget.takeAll(600_000)).toBe(true);
  expect(budget.takeAll(600_000)).toBe(false);
  // The next step of a visible image takes its memory.
  expect(budget.takeAll(700_000, 600_000)).toBe(true);
  budget.giveAll(600_000);
  expect(budget.held).toBe(4 * 700_000);
  expect(budget.take({ width: 1000, height: 1000 })).toEqual({ width: 547, height: 547 });
});
