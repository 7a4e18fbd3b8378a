import { describe, expect, test, vi } from "vitest";
import { type Box, type Placing, place, pointBox, visibleBox } from "../../src/lib/place";

const BOUNDARY = { left: 0, top: 0, right: 600, bottom: 400 };
const SIZE = { width: 200, height: 100 };
const TOOLTIP = { side: "right", gap: 14, margin: 4, shift: 14, size: SIZE, boundary: BOUNDARY } as const;
const LIST = { side: "below", gap: 3, margin: 6, size: SIZE, boundary: BOUNDARY } as const;

/** Expects the result inside the boundary; returns whether it covers its anchor. */
function covers(placing: Placing): boolean {
  const { anchor, boundary, margin, size } = placing;
  const { left, top, maxHeight } = place(placing);
  const right = left + size.width;
  const bottom = top + Math.min(size.height, maxHeight);
  expect(left).toBeGreaterThanOrEqual(boundary.left + margin);
  expect(top).toBeGreaterThanOrEqual(boundary.top + margin);
  expect(right).toBeLessThanOrEqual(boundary.right - margin);
  expect(bottom).toBeLessThanOrEqual(boundary.bottom - margin);
  return anchor.left <= right && anchor.right >= left && anchor.top <= bottom && anchor.bottom >= top;
}

/** Anchors of a size at positions all over the boundary. */
function* anchors(width: number, height: number): Generator<Box> {
  for (let left = 5; left + width < 595; left += 17) {
    for (let top = 5; top + height < 395; top += 13) {
      yield { left, top, right: left + width, bottom: top + height };
    }
  }
}

describe("at the right", () => {
  test("it is at the left where only that has room", () => {
    expect(place({ ...TOOLTIP, anchor: pointBox(100, 100) })).toMatchObject({ left: 114, top: 114, side: "right" });
    expect(place({ ...TOOLTIP, anchor: pointBox(500, 100) })).toMatchObject({ left: 286, top: 114, side: "left" });
  });

  test("it moves up as far as it has to", () => {
    expect(place({ ...TOOLTIP, anchor: pointBox(100, 390) })).toMatchObject({ left: 114, top: 296 });
  });

  test("one that is wider than both sides is centered below or above", () => {
    const size = { width: 500, height: 100 };
    expect(place({ ...TOOLTIP, size, anchor: pointBox(290, 100) })).toMatchObject({
      left: 40,
      top: 114,
      side: "below",
    });
    expect(place({ ...TOOLTIP, size, anchor: pointBox(290, 350) })).toMatchObject({
      left: 40,
      top: 236,
      side: "above",
    });
  });

  test("it stays inside, and never covers its anchor where a side has room", () => {
    for (const anchor of anchors(0, 0)) {
      expect(covers({ ...TOOLTIP, anchor })).toBe(false);
      expect(covers({ ...TOOLTIP, size: { width: 560, height: 150 }, anchor })).toBe(false);
    }
  });
});

describe("below", () => {
  test("it is above where it does not fit below and above has more room", () => {
    const at = (top: number) => ({ left: 20, top, right: 60, bottom: top + 24 });
    expect(place({ ...LIST, anchor: at(50) })).toEqual({ left: 20, top: 77, side: "below", maxHeight: 317 });
    expect(place({ ...LIST, anchor: at(350) })).toEqual({ left: 20, top: 247, side: "above", maxHeight: 341 });
  });

  test("one that fits nowhere is cut to the side with more room", () => {
    const size = { width: 200, height: 390 };
    expect(place({ ...LIST, size, anchor: pointBox(20, 100) })).toMatchObject({ top: 103, maxHeight: 291 });
    expect(place({ ...LIST, size, anchor: pointBox(20, 300) })).toMatchObject({ top: 6, maxHeight: 291 });
  });

  test("it moves along its anchor, and its beginning stays in a boundary that is too narrow", () => {
    expect(place({ ...LIST, anchor: pointBox(550, 10) }).left).toBe(394);
    expect(place({ ...LIST, anchor: pointBox(-50, 10) }).left).toBe(6);
    expect(place({ ...LIST, shift: 12, anchor: pointBox(100, 10) }).left).toBe(112);
    expect(place({ ...LIST, size: { width: 700, height: 10 }, anchor: pointBox(300, 10) }).left).toBe(6);
  });

  test("a list of any height stays inside and covers no anchor", () => {
    for (const anchor of anchors(60, 24)) {
      expect(covers({ ...LIST, anchor })).toBe(false);
      expect(covers({ ...LIST, size: { width: 340, height: 700 }, anchor })).toBe(false);
    }
  });

  test("only differences count, not the origin", () => {
    const moved = ({ left, top, right, bottom }: Box): Box => ({
      ...{ left: left + 70, top: top - 30 },
      ...{ right: right + 70, bottom: bottom - 30 },
    });
    for (const anchor of anchors(60, 24)) {
      const here = place({ ...LIST, anchor });
      const there = place({ ...LIST, anchor: moved(anchor), boundary: moved(BOUNDARY) });
      expect(there).toEqual({ ...here, left: here.left + 70, top: here.top - 30 });
    }
  });
});

describe("the visible part of an element", () => {
  const body = { parentElement: null };
  const ownerDocument = { documentElement: { clientWidth: 1000, clientHeight: 700 }, body };
  const inside = (parentElement: object, box: Box, overflowX: string, position = "static") => ({
    ...{ ownerDocument, parentElement, overflowX, position, getBoundingClientRect: () => box },
  });
  const panel = inside(body, { left: 30, top: 80, right: 990, bottom: 650 }, "auto");
  const cell = inside(panel, { left: 100, top: 600, right: 900, bottom: 620 }, "visible");
  const dashboard = { left: 100, top: 20, right: 900, bottom: 1200 };
  const seen = (element: object) => {
    vi.stubGlobal("getComputedStyle", (each: object) => each);
    return visibleBox(element as Element);
  };

  test("it ends at the notebook and at the element, not at what cuts nothing off", () => {
    expect(seen(inside(cell, dashboard, "clip"))).toEqual({ left: 100, top: 80, right: 900, bottom: 650 });
    expect(seen(cell)).toEqual({ left: 30, top: 80, right: 990, bottom: 650 });
  });

  test("the notebook does not cut off an element over the whole window", () => {
    const whole = { left: 0, top: 0, right: 1000, bottom: 700 };
    expect(seen(inside(cell, whole, "hidden", "fixed"))).toEqual(whole);
  });

  test("a tooltip moves up where the end of the dashboard is out of sight", () => {
    const boundary = seen(inside(cell, dashboard, "clip"));
    expect(place({ ...TOOLTIP, boundary, anchor: pointBox(300, 640) })).toMatchObject({ left: 314, top: 546 });
  });

  test("an element in a shadow tree is cut off by ancestors of its host", () => {
    const root = { ...inside(panel, dashboard, "visible"), parentElement: null, getRootNode: () => ({ host: panel }) };
    expect(seen(root)).toEqual({ left: 30, top: 80, right: 990, bottom: 650 });
  });
});
