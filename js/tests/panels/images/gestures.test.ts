import { beforeEach, expect, test } from "vitest";
import type { Point } from "../../../src/charts/geometry";
import { type Camera, panBy, place, WHOLE, zoomAt } from "../../../src/panels/images/zoom/camera";
import { listen } from "../../../src/panels/images/zoom/gestures";
import { FakeElement } from "../../charts/element";

class FakeStage extends FakeElement {
  dragged = false;

  override toggleAttribute(_name: string, on: boolean): void {
    this.dragged = on;
  }
}

const IMAGE = { width: 400, height: 200 };
const STAGE = { width: 200, height: 100 };

let stage: FakeStage;
let camera: Camera;
let hovered: unknown[];
let end: () => void;

function begin(isZoomed?: () => boolean) {
  stage = new FakeStage();
  camera = WHOLE;
  hovered = [];
  const events = {
    zoomed: (factor: number, at: Point) => {
      camera = zoomAt(camera, factor, at, IMAGE, STAGE);
    },
    moved: (by: Point) => {
      camera = panBy(camera, by, IMAGE, STAGE);
    },
    hovered: (at: Point | null) => hovered.push(at),
    reset: () => {
      camera = WHOLE;
    },
  };
  end = listen(stage.element, events, isZoomed);
}

beforeEach(() => begin());

/** The pixel of the image at a position of the stage. */
function pixel([x, y]: readonly [number, number]): readonly [number, number] {
  const { left, top, scale } = place(camera, IMAGE, STAGE);
  return [(x - left) / scale, (y - top) / scale];
}

const finger = (pointerId: number) => ({ pointerId, pointerType: "touch" });

test("the wheel zooms at the pointer and never scrolls the page", () => {
  const before = pixel([150, 30]);
  expect(stage.fire("wheel", [150, 30], { deltaY: -200 })).toBe(false);
  expect(camera.zoom).toBeCloseTo(Math.exp(0.4), 12);
  expect(pixel([150, 30])).toEqual(before.map((share) => expect.closeTo(share, 9)));
  stage.fire("wheel", [20, 20], { deltaY: 1e6 });
  stage.fire("wheel", [20, 20], { deltaY: 1e6 });
  expect(camera).toEqual(WHOLE);
});

test("a drag moves the image with the pointer, which is captured", () => {
  stage.fire("wheel", [100, 50], { deltaY: -300 });
  const grabbed = pixel([100, 50]);
  stage.fire("pointerdown", [100, 50]);
  expect([stage.captured, stage.dragged]).toEqual([[1], true]);
  stage.fire("pointermove", [110, 45]);
  expect(pixel([110, 45])).toEqual(grabbed.map((share) => expect.closeTo(share, 9)));
  stage.fire("pointerup", [110, 45]);
  const rest = camera;
  stage.fire("pointermove", [10, 45]);
  expect([camera, stage.dragged]).toEqual([rest, false]);
  stage.fire("dblclick", [10, 45]);
  expect(camera).toEqual(WHOLE);
});

test("two fingers keep the points below them", () => {
  stage.fire("wheel", [100, 50], { deltaY: -300 });
  const [one, two] = [pixel([90, 50]), pixel([120, 50])];
  stage.fire("pointerdown", [90, 50], finger(1));
  stage.fire("pointerdown", [120, 50], finger(2));
  stage.fire("pointermove", [80, 50], finger(1));
  stage.fire("pointermove", [130, 50], finger(2));
  expect(pixel([80, 50])).toEqual(one.map((share) => expect.closeTo(share, 9)));
  expect(pixel([130, 50])).toEqual(two.map((share) => expect.closeTo(share, 9)));
  // Both to the right.
  stage.fire("pointermove", [135, 50], finger(2));
  stage.fire("pointermove", [85, 50], finger(1));
  expect(pixel([85, 50])).toEqual(one.map((share) => expect.closeTo(share, 9)));
  stage.fire("pointerup", [85, 50], finger(1));
  stage.fire("pointercancel", [135, 50], finger(2));
  expect([stage.dragged, hovered.at(-1)]).toEqual([false, null]);
});

test("a secondary button does nothing, and nothing listens in the end", () => {
  stage.fire("pointerdown", [100, 50], { button: 2 });
  expect(stage.dragged).toBe(false);
  end();
  stage.fire("wheel", [100, 50], { deltaY: -300 });
  expect(camera).toEqual(WHOLE);
});

test("in a page that scrolls, the wheel zooms with a key, and a drag moves a zoomed image", () => {
  begin(() => camera.zoom > 1);
  expect(stage.fire("wheel", [100, 50], { deltaY: -300 })).toBe(true);
  stage.fire("pointerdown", [100, 50]);
  stage.fire("pointermove", [140, 50]);
  stage.fire("pointerup", [140, 50]);
  expect([camera, stage.captured]).toEqual([WHOLE, []]);
  for (const key of ["ctrlKey", "metaKey", "altKey"]) {
    const before = camera.zoom;
    expect(stage.fire("wheel", [100, 50], { deltaY: -100, [key]: true })).toBe(false);
    expect(camera.zoom).toBeCloseTo(before * Math.exp(0.2), 12);
  }
  const grabbed = pixel([100, 50]);
  stage.fire("pointerdown", [100, 50]);
  stage.fire("pointermove", [110, 45]);
  expect(pixel([110, 45])).toEqual(grabbed.map((share) => expect.closeTo(share, 9)));
});

test("two fingers zoom in a page that scrolls, and it does not scroll then", () => {
  begin(() => camera.zoom > 1);
  stage.fire("pointerdown", [90, 50], finger(1));
  expect(stage.fire("touchmove", [90, 50], { touches: [1] })).toBe(true);
  stage.fire("pointermove", [95, 50], finger(1));
  expect(camera).toEqual(WHOLE);
  stage.fire("pointerdown", [115, 50], finger(2));
  expect(stage.fire("touchmove", [115, 50], { touches: [1, 2] })).toBe(false);
  stage.fire("pointermove", [135, 50], finger(2));
  expect(camera.zoom).toBeCloseTo(2, 12);
});

test("the end of a drag is no click", () => {
  const clicks: Event[] = [];
  begin();
  stage.addEventListener("click", (event) => clicks.push(event));
  const clickAt = (x: number): boolean => {
    stage.fire("pointerdown", [100, 50]);
    stage.fire("pointermove", [x, 50]);
    stage.fire("pointerup", [x, 50]);
    stage.fire("click", [x, 50]);
    return clicks.at(-1)?.cancelBubble === false;
  };
  expect(clickAt(102)).toBe(true);
  expect(clickAt(140)).toBe(false);
  expect(clickAt(100)).toBe(true);
});

test("a click after a drag is one, also on an image that is whole again", () => {
  const clicks: Event[] = [];
  begin(() => camera.zoom > 1);
  stage.addEventListener("click", (event) => clicks.push(event));
  stage.fire("wheel", [100, 50], { deltaY: -300, altKey: true });
  for (const [type, x] of [
    ["pointerdown", 100],
    ["pointermove", 140],
    ["pointerup", 140],
    ["click", 140],
  ] as const) {
    stage.fire(type, [x, 50]);
  }
  camera = WHOLE;
  stage.fire("pointerdown", [100, 50]);
  stage.fire("click", [100, 50]);
  expect(clicks.map(({ cancelBubble }) => cancelBubble)).toEqual([true, false]);
});
