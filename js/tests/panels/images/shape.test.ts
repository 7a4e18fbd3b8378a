import { expect, test } from "vitest";
import { sharperThan } from "../../../src/panels/images/codec";
import { decodedSize, PixelBudget } from "../../../src/panels/images/decoding";
import { boxOf, cardColumns, fitted, grown, linesOf, roomIn, spanOf } from "../../../src/panels/images/shape";

test("the box of a tag holds all of its images, whose longer side is the size", () => {
  const wide = grown(null, { width: 200, height: 100 });
  expect(boxOf(wide, 160, false, 1)).toEqual({ width: 160, height: 80 });
  expect(boxOf(grown(null, { width: 100, height: 200 }), 160, false, 1)).toEqual({ width: 80, height: 160 });
  const both = grown(wide, { width: 100, height: 200 });
  expect(boxOf(both, 160, false, 1)).toEqual({ width: 160, height: 160 });
  expect(grown(both, { width: 20, height: 20 })).toBe(both);
  expect(boxOf(both, 160, true, 2)).toEqual({ width: 100, height: 100 });
  expect(boxOf(null, 160, true, 2)).toEqual({ width: 160, height: 160 });
});

test("a picture keeps its aspect", () => {
  expect(fitted({ width: 28, height: 14 }, { width: 160, height: 160 }, false, 1)).toEqual({ width: 160, height: 80 });
  expect(fitted({ width: 28, height: 14 }, { width: 160, height: 160 }, true, 2)).toEqual({ width: 14, height: 7 });
});

test("lines never leave their card, and keep the samples of a run together", () => {
  const box = { width: 160, height: 160 };
  for (const width of [300, 700, 1400]) {
    const columns = cardColumns(width, 160);
    for (const tiles of [1, 2, 3, 12, 200]) {
      const span = spanOf(tiles, box, columns);
      const room = roomIn(span, columns);
      const lines = linesOf(tiles, 1, room, box, false);
      expect(lines.columns * (lines.width + 8) - 8).toBeLessThanOrEqual(room + 1e-6);
      expect([span <= columns.columns, lines.columns <= tiles]).toEqual([true, true]);
      expect(lines.width / 160).toBeGreaterThan(0.85);
    }
  }
  expect(linesOf(12, 3, 1000, box, false).columns).toBe(6);
});

test("a picture has no more pixels than exist, nor more than the memory allows", () => {
  const picture = { width: 1000, height: 500, scaled: { width: 320, height: 160 } };
  expect(decodedSize(picture, { width: 160, height: 80 })).toEqual({ width: 160, height: 80 });
  expect(decodedSize(picture, { width: 2000, height: 1000 })).toEqual({ width: 320, height: 160 });
  const budget = new PixelBudget(4e6);
  const [large, larger] = [
    { width: 1000, height: 500 },
    { width: 2000, height: 1000 },
  ];
  expect([budget.take(large), budget.take(larger)]).toEqual([large, large]);
  // A replaced image frees memory for its successor, and none becomes smaller than a thumbnail.
  expect(budget.take(larger, large)).toEqual(large);
  budget.give(large);
  expect(budget.take({ width: 4000, height: 2000 })).toEqual({ width: 320, height: 160 });
  expect(budget.take({ width: 20, height: 10 })).toEqual({ width: 20, height: 10 });
  expect(budget.held).toBe(4 * (2 * 500_000 + 320 * 160 + 200));
  budget.give(large);
  expect(budget.held).toBe(4 * (500_000 + 320 * 160 + 200));
});

test("a sharper picture is requested if the tile has more pixels than the loaded one", () => {
  const held = { width: 4000, height: 2000, scaled: { width: 320, height: 160 } };
  const all = Number.POSITIVE_INFINITY;
  expect([160, 320, 321, 640, 700, 3000, all].map((pixels) => sharperThan(held, pixels))).toEqual([
    null,
    null,
    640,
    640,
    1280,
    all,
    all,
  ]);
  expect(sharperThan({ width: 4000, height: 2000, scaled: null }, all)).toBe(null);
  expect(sharperThan({ width: 100, height: 400, scaled: { width: 80, height: 320 } }, 5000)).toBe(all);
});
