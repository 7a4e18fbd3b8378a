import { expect, test } from "vitest";
import { buttonPlaces } from "../../src/panels/graphs/draw/overlay";

const SIDE = 24;
const STAGE_WIDTH = 500;

interface Place {
  readonly x: number;
  readonly y: number;
}

function overlap(a: Place, b: Place): boolean {
  return Math.abs(a.x - b.x) < SIDE && Math.abs(a.y - b.y) < SIDE;
}

test.each([
  ["a small box", { x: 100, y: 100, w: 50, h: 10 }],
  ["a large box", { x: 100, y: 100, w: 200, h: 60 }],
  ["a box at the upper edge", { x: 100, y: 2, w: 80, h: 18 }],
  ["a box that begins above it", { x: 100, y: -30, w: 80, h: 60 }],
  ["a box that ends beyond the right edge", { x: 400, y: 40, w: 300, h: 20 }],
])("the buttons on %s are on the stage and do not overlap", (_, box) => {
  const { toggle, menu } = buttonPlaces(box, STAGE_WIDTH, true);
  expect(overlap(toggle, menu)).toBe(false);
  expect(menu.y).toBeGreaterThanOrEqual(0);
  expect(Math.max(menu.x, toggle.x) + SIDE).toBeLessThanOrEqual(STAGE_WIDTH);
});

test("the menu's button covers nothing of a selected box, and the pointer gets to it without leaving the box", () => {
  expect(buttonPlaces({ x: 100, y: 100, w: 50, h: 20 }, STAGE_WIDTH, false).menu).toEqual({ x: 126, y: 76 });
});
