import { describe, expect, test } from "vitest";
import { overlap, type Rect } from "../../src/panels/graphs/draw/camera";
import { Viewpoint } from "../../src/panels/graphs/draw/viewpoint";
import { BoxKind } from "../../src/panels/graphs/model/view";
import { sceneOf } from "./drawscene";

const STAGE = { width: 1000, height: 600 };
const CLOSED = sceneOf([
  { path: "a", at: [0, 0, 60, 22] },
  { path: "s", at: [100, 2000, 80, 40], kind: BoxKind.SCOPE },
]);
const OPENED = sceneOf([
  { path: "a", at: [300, 0, 60, 22] },
  { path: "s", at: [0, 2000, 500, 900], kind: BoxKind.SCOPE, open: true },
  { path: "s/b", at: [40, 2100, 60, 22], parent: 1 },
]);

function shown(reduced = true, card: Rect | null = null, left = 0, all: readonly Rect[] = []) {
  const viewpoint = new Viewpoint(
    () => reduced,
    () => ({ card, left, all }),
  );
  viewpoint.resize(STAGE);
  viewpoint.show(CLOSED, 0);
  return viewpoint;
}

const camera = (viewpoint: Viewpoint) => viewpoint.camera ?? { x: Number.NaN, y: Number.NaN, zoom: Number.NaN };

describe("the visible part", () => {
  test("is nothing without a size, and where one begins as soon as there is one", () => {
    const viewpoint = new Viewpoint(
      () => true,
      () => ({ card: null, left: 0, all: [] }),
    );
    viewpoint.show(CLOSED, 0);
    expect(viewpoint.camera).toBeNull();
    viewpoint.resize(STAGE);
    expect(viewpoint.camera).toEqual(shown().camera);
  });

  test("begins where there is something to see, be the place at which the data come in far from all else", () => {
    const far = Array.from({ length: 20 }, (_, i) => ({ path: `n${i}`, at: [9000, 100 * i, 60, 22] as const }));
    const scene = sceneOf(
      [{ path: "x", at: [0, 4000, 60, 22] }, ...far],
      far.map((_, i) => ({ from: i, to: i + 1 })),
    );
    const viewpoint = new Viewpoint(
      () => true,
      () => ({ card: null, left: 0, all: [] }),
    );
    viewpoint.resize(STAGE);
    viewpoint.show(scene, 0);
    const { x, zoom } = camera(viewpoint);
    expect(zoom).toBeGreaterThanOrEqual(0.6);
    expect(x + zoom * 9000).toBeGreaterThan(0);
    expect(x + zoom * 9060).toBeLessThan(STAGE.width);
  });

  test("the end of a bar stays where it is when its box is opened, and is there when it is closed again", () => {
    const viewpoint = shown();
    viewpoint.zoom(1.3, { x: 10, y: 10 });
    const before = viewpoint.barOf(1);
    const at = { x: before.x + before.w, y: before.y + before.h / 2 };
    for (const scene of [OPENED, CLOSED]) {
      viewpoint.keep("s", at, true);
      viewpoint.show(scene, 0);
      const { x, y, w, h } = viewpoint.barOf(1);
      expect(x + w).toBeCloseTo(at.x, 3);
      expect(y + h / 2).toBeCloseTo(at.y, 3);
    }
  });

  test("the point in the middle stays there when something else changes", () => {
    const viewpoint = shown();
    viewpoint.lookAt({ x: 110, y: 2010 });
    viewpoint.show(OPENED, 0);
    const { x, y, zoom } = camera(viewpoint);
    // An eighth of the box from its left side, a quarter from above.
    expect(x + zoom * (500 / 8)).toBeCloseTo(500, 3);
    expect(y + zoom * (2000 + 900 / 4)).toBeCloseTo(300, 3);
  });

  test("the point in the middle stays there when the stage is resized, also while the stage is hidden", () => {
    const viewpoint = shown();
    viewpoint.lookAt({ x: 110, y: 2010 });
    viewpoint.resize({ width: 0, height: 0 });
    viewpoint.resize({ width: 500, height: 400 });
    const { x, y, zoom } = camera(viewpoint);
    expect([x + zoom * 110, y + zoom * 2010]).toEqual([250, 200].map((each) => expect.closeTo(each, 3)));
    viewpoint.resize(STAGE);
    expect(camera(viewpoint).x + zoom * 110).toBeCloseTo(500, 3);
  });

  test("a fitted graph stays fitted when the stage is resized", () => {
    const NARROW = { width: 500, height: 400 };
    const [before, after] = [shown(), shown()];
    before.fit();
    before.resize(NARROW);
    after.resize(NARROW);
    expect(before.camera).not.toEqual(after.camera);
    after.fit();
    expect(before.camera).toEqual(after.camera);
  });

  test("is fitted again until the user moves it: the whole graph, or its first part", () => {
    const begun = shown();
    begun.show(OPENED, 0);
    const [fitted, moved] = [shown(), shown()];
    fitted.fit();
    fitted.show(OPENED, 0);
    begun.restart();
    const start = begun.camera;
    moved.show(OPENED, 0);
    expect(moved.camera).toEqual(start);
    moved.fit();
    expect(fitted.camera).toEqual(moved.camera);
    expect(fitted.camera).not.toEqual(start);
  });

  test("a missing box comes into the middle as soon as it exists", () => {
    const viewpoint = shown();
    viewpoint.center("s/b");
    const before = viewpoint.camera;
    viewpoint.show(CLOSED, 0);
    expect(viewpoint.camera).toEqual(before);
    viewpoint.show(OPENED, 0);
    const { x, y, zoom } = camera(viewpoint);
    expect([x + zoom * 70, y + zoom * 2111]).toEqual([500, 300].map((each) => expect.closeTo(each, 3)));
  });
});

describe("a fitted graph", () => {
  const NARROW = { width: 500, height: 400 };
  const BUTTONS = { x: 10, y: 364, w: 82, h: 26 };
  const CARD = { x: 300, y: 8, w: 192, h: 384 };
  /** Three boxes below each other, one at their lower left and one at their right. */
  const scene = sceneOf([
    ...[0, 1, 2].map((row) => ({ path: `${row}`, at: [200, 20 + 200 * row, 60, 22] as const })),
    { path: "low", at: [20, 456, 60, 22] },
    { path: "right", at: [530, 20, 50, 22] },
  ]);
  const fitted = (all: readonly Rect[], size = NARROW) => {
    const viewpoint = shown(true, null, 0, all);
    viewpoint.show(scene, 0);
    viewpoint.fit();
    viewpoint.resize(size);
    return { zoom: camera(viewpoint).zoom, bars: scene.view.path.map((_, box) => viewpoint.barOf(box)) };
  };
  const covers = (cover: Rect, bars: readonly Rect[]) => bars.some((bar) => overlap(bar, cover));

  test("has no box below what lies over the stage", () => {
    const free = fitted([]);
    expect(covers(BUTTONS, free.bars)).toBe(true);
    expect(covers(CARD, free.bars)).toBe(true);
    for (const all of [[BUTTONS], [CARD], [BUTTONS, CARD], [CARD, BUTTONS]]) {
      const { zoom, bars } = fitted(all);
      expect(all.map((cover) => covers(cover, bars))).toEqual(all.map(() => false));
      expect(zoom).toBeLessThan(free.zoom);
      for (const { x, y, w, h } of bars) {
        expect([x >= 0, y >= 0, x + w <= NARROW.width, y + h <= NARROW.height]).toEqual([true, true, true, true]);
      }
    }
    expect(fitted([BUTTONS]).zoom).toBeGreaterThan(0.9 * free.zoom);
  });

  test("is as large as without it where that covers no box, or nearly all", () => {
    expect(fitted([{ ...BUTTONS, y: 200 }])).toEqual(fitted([]));
    expect(fitted([{ x: 20, y: 20, w: 460, h: 360 }])).toEqual(fitted([]));
  });
});

describe("a box below a card", () => {
  const CARD = { x: 700, y: 8, w: 292, h: 300 };
  const SHEET = { x: 0, y: 360, w: 1000, h: 240 };
  /** A viewpoint with the upper left corner of a box there. */
  const placed = (covered: Rect, box: number, x: number, y: number) => {
    const viewpoint = shown(true, covered);
    const is = viewpoint.barOf(box);
    viewpoint.pan({ x: x - is.x, y: y - is.y });
    expect(viewpoint.barOf(box)).toMatchObject({ x: expect.closeTo(x, 3), y: expect.closeTo(y, 3) });
    viewpoint.uncover(box);
    return viewpoint.barOf(box);
  };

  test("comes out beside a card, and above one that is as wide as the stage", () => {
    const beside = placed(CARD, 1, 800, 100);
    expect(beside.x + beside.w).toBeCloseTo(CARD.x - 20, 3);
    expect(beside.y).toBeCloseTo(100, 3);
    const above = placed(SHEET, 1, 500, 450);
    expect(above.y + above.h).toBeCloseTo(SHEET.y - 20, 3);
    expect(above.x).toBeCloseTo(500, 3);
  });

  test("stays where the card is not", () => {
    expect(placed(CARD, 1, 800, 400)).toMatchObject({ x: expect.closeTo(800, 3), y: expect.closeTo(400, 3) });
    expect(placed(CARD, 1, 100, 40)).toMatchObject({ x: expect.closeTo(100, 3), y: expect.closeTo(40, 3) });
  });

  test("comes into the middle of the area that neither the card nor the hits cover", () => {
    const viewpoint = shown(true, SHEET, 300);
    viewpoint.center("s");
    const { x, y, w, h } = viewpoint.barOf(1);
    expect(x + w / 2).toBeCloseTo((300 + STAGE.width) / 2, 3);
    expect(y + h / 2).toBeCloseTo(SHEET.y / 2, 3);
  });

  test("an opened one too wide for the stage shows its title", () => {
    const viewpoint = shown(true, CARD);
    viewpoint.show(OPENED, 0);
    viewpoint.zoom(4, { x: 0, y: 0 });
    const is = viewpoint.barOf(1);
    expect(is.w).toBeGreaterThan(CARD.x);
    viewpoint.pan({ x: 750 - is.x, y: 20 - is.y });
    viewpoint.uncover(1);
    expect(viewpoint.barOf(1).x + 160).toBeCloseTo(CARD.x - 20, 3);
    viewpoint.pan({ x: -300, y: 0 });
    const { x } = viewpoint.barOf(1);
    viewpoint.uncover(1);
    expect(viewpoint.barOf(1).x).toBe(x);
  });
});

describe("ways", () => {
  test("an opened box stays below the pointer while the boxes move", () => {
    const viewpoint = shown(false);
    const bar = viewpoint.barOf(1);
    const at = { x: bar.x + bar.w / 2, y: bar.y + bar.h / 2 };
    viewpoint.keep("s", at, false);
    viewpoint.show(OPENED, 1000);
    for (const now of [1000, 1040, 1100, 1219, 1300]) {
      const sight = viewpoint.at(now);
      const { x, y, zoom } = sight?.camera ?? camera(viewpoint);
      const { x: left, y: top, w, h } = sight?.places ?? OPENED.layout;
      expect(x + zoom * ((left[1] as number) + (w[1] as number) / 2)).toBeCloseTo(at.x, 2);
      expect(y + zoom * ((top[1] as number) + (h[1] as number) / 2)).toBeCloseTo(at.y, 2);
      expect(sight?.isMoving).toBe(now < 1220);
    }
  });

  test("are disabled for users who want no motion", () => {
    const viewpoint = shown(true);
    viewpoint.show(OPENED, 1000);
    expect(viewpoint.at(1000)?.places).toBe(OPENED.layout);
  });
});
