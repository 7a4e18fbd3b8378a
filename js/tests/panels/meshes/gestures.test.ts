import { beforeEach, expect, test } from "vitest";
import { type Orbit, pan, rotate, UPRIGHT, zoomAt } from "../../../src/charts/orbit";
import { listen } from "../../../src/panels/meshes/canvas";
import { FakeElement } from "../../charts/element";

const VIEW = { width: 200, height: 100 };
const FITTED: Orbit = { rotation: UPRIGHT, center: [0, 0, 0], scale: 0.5, eye: null };

let stage: FakeElement;
let camera: Orbit;
let end: () => void;

const stageOf = () => ({
  view: VIEW,
  camera: () => camera,
  look: (next: Orbit | null) => {
    camera = next ?? FITTED;
  },
});

beforeEach(() => {
  stage = new FakeElement();
  camera = FITTED;
  end = listen(stage.element, stageOf, stage.element);
});

const finger = (pointerId: number) => ({ pointerId, pointerType: "touch", buttons: 1 });

test("a drag turns, one with Shift or the middle button moves, until the button is released", () => {
  stage.fire("pointermove", [90, 50], { buttons: 0 });
  expect(camera).toBe(FITTED);
  stage.fire("pointerdown", [90, 50]);
  stage.fire("pointermove", [100, 45], { buttons: 1 });
  expect(camera).toEqual(rotate(FITTED, 0.08, -0.04, true));
  const turned = camera;
  stage.fire("pointermove", [110, 45], { buttons: 1, shiftKey: true });
  expect(camera).toEqual(pan(turned, VIEW, 10, 0));
  stage.fire("pointerup", [110, 45], { buttons: 0 });
  const rest = camera;
  stage.fire("pointermove", [10, 45], { buttons: 0 });
  expect(camera).toBe(rest);
  stage.fire("pointerdown", [10, 45], { button: 1 });
  stage.fire("pointermove", [10, 50], { buttons: 4 });
  expect(camera).toEqual(pan(rest, VIEW, 0, 5));
  stage.fire("dblclick", [10, 45]);
  expect(camera).toBe(FITTED);
});

test("two fingers zoom and move, and do not turn", () => {
  stage.fire("pointerdown", [90, 50], finger(1));
  stage.fire("pointerdown", [110, 50], finger(2));
  stage.fire("pointermove", [80, 50], finger(1));
  expect(camera).toEqual(zoomAt(FITTED, VIEW, 1.5, 110, 50));
  stage.fire("pointermove", [120, 50], finger(2));
  expect(camera.rotation).toEqual(UPRIGHT);
  expect(camera.scale).toBeCloseTo(2 * FITTED.scale, 9);
  // A third finger does not take part.
  const before = camera;
  stage.fire("pointerdown", [10, 50], finger(3));
  stage.fire("pointermove", [20, 50], finger(3));
  expect(camera).toBe(before);
  stage.fire("pointerup", [80, 50], finger(1));
  stage.fire("pointermove", [130, 50], finger(2));
  expect(camera).toEqual(rotate(before, 0.08, 0, true));
  end();
  stage.fire("pointermove", [140, 50], finger(2));
  expect(camera).toEqual(rotate(before, 0.08, 0, true));
});

test("in a dialog, arrows turn with Shift only, and the wheel zooms without Alt", () => {
  end();
  const dialog = new FakeElement();
  end = listen(stage.element, stageOf, dialog.element);
  dialog.fire("keydown", [0, 0], { key: "ArrowLeft" });
  stage.fire("keydown", [0, 0], { key: "ArrowLeft", shiftKey: true });
  expect(camera).toBe(FITTED);
  dialog.fire("keydown", [0, 0], { key: "ArrowLeft", shiftKey: true });
  expect(camera).toEqual(rotate(FITTED, -0.15, 0, true));
  stage.fire("pointerenter", [50, 50]);
  expect(stage.fire("wheel", [50, 50], { deltaY: -100 })).toBe(false);
  expect(camera.scale).toBeGreaterThan(FITTED.scale);
});
