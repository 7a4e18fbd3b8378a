import { describe, expect, test } from "vitest";
import { type PlaneCamera, toContent, toStage } from "../../src/charts/planecamera";
import {
  between,
  bounded,
  centerOn,
  intoSight,
  keepBelow,
  type Rect,
  start,
  whole,
  zoomAt,
} from "../../src/panels/graphs/draw/camera";

const STAGE = { width: 1000, height: 600 };
const CAMERA: PlaneCamera = { x: 30, y: -40, zoom: 0.8 };

const onStage = (camera: PlaneCamera, x: number, y: number) => toStage(camera, { x, y });

describe("the visible part", () => {
  test("all of a graph is, in the middle", () => {
    const camera = whole({ width: 4000, height: 1000 }, STAGE);
    expect(onStage(camera, 2000, 500)).toEqual({ x: 500, y: 300 });
    expect(onStage(camera, 0, 0).x).toBeCloseTo(20);
    expect(onStage(camera, 4000, 0).x).toBeCloseTo(980);
  });

  test("a small graph is hardly enlarged, an empty one is no matter", () => {
    expect(whole({ width: 10, height: 10 }, STAGE).zoom).toBe(1.25);
    expect(Object.values(whole({ width: 0, height: 0 }, STAGE)).every(Number.isFinite)).toBe(true);
    expect(Object.values(start({ width: 0, height: 0 }, null, STAGE)).every(Number.isFinite)).toBe(true);
  });

  test("one begins with all of it where labels can be read", () => {
    const content = { width: 1200, height: 700 };
    expect(start(content, { x: 0, y: 660, w: 60, h: 22 }, STAGE)).toEqual(whole(content, STAGE));
  });

  test("else with the lower end, at which labels can be read", () => {
    const camera = start({ width: 600, height: 20_000 }, { x: 280, y: 19_970, w: 60, h: 22 }, STAGE);
    expect(camera.zoom).toBeGreaterThanOrEqual(0.6);
    const lower = onStage(camera, 300, 20_000);
    expect(lower.x).toBeCloseTo(500);
    expect(lower.y).toBeGreaterThan(300);
    expect(lower.y).toBeLessThanOrEqual(600);
  });

  test("or with a part of its width, and as much of its height as fits", () => {
    const content = { width: 20_000, height: 800 };
    const camera = start(content, { x: 19_900, y: 770, w: 60, h: 22 }, STAGE);
    expect(camera.zoom).toBeCloseTo(0.7);
    expect(onStage(camera, 0, 400).y).toBeCloseTo(300);
    expect(onStage(camera, 20_000, 0).x).toBeCloseTo(980);
    expect(onStage(start(content, { x: 0, y: 770, w: 60, h: 22 }, STAGE), 0, 0).x).toBeCloseTo(20);
  });

  test("the largest component comes first if the whole graph would hardly be readable", () => {
    const content = { width: 4000, height: 900 };
    const main = { x: 2000, y: 100, w: 1200, h: 700 };
    const begin = { x: 2100, y: 770, w: 60, h: 22 };
    const camera = start(content, begin, STAGE, main);
    expect(camera.zoom).toBeCloseTo(0.8);
    expect(onStage(camera, 2600, 450)).toEqual({ x: 500, y: 300 });
    // Where only a part of the drawing is readable, nothing beyond the drawing is shown either.
    const long = start({ width: 9000, height: 900 }, begin, STAGE, { ...main, w: 6000 });
    expect(onStage(long, 2000, 0).x).toBeCloseTo(20);
    // The readable part is hardly smaller than the drawing, so that all of it is shown.
    expect(start({ width: 2000, height: 700 }, begin, STAGE, { x: 0, y: 0, w: 1900, h: 700 }).zoom).toBeCloseTo(0.48);
  });

  test("a part of the graph stays there", () => {
    const camera = bounded({ x: 1e6, y: -1e6, zoom: 1 }, { width: 300, height: 300 }, STAGE);
    expect(camera.x).toBeLessThan(STAGE.width);
    expect(camera.y + 300).toBeGreaterThan(0);
  });
});

describe("zooming", () => {
  test("the point below the pointer stays in place", () => {
    const at = { x: 400, y: 250 };
    const [before, after] = [CAMERA, zoomAt(CAMERA, 1.7, at, { width: 3000, height: 2000 }, STAGE)];
    expect(after.zoom).toBeCloseTo(0.8 * 1.7);
    expect(toContent(after, at).x).toBeCloseTo(toContent(before, at).x);
    expect(toContent(after, at).y).toBeCloseTo(toContent(before, at).y);
  });

  test("it ends at both ends", () => {
    const content = { width: 3000, height: 2000 };
    const [far, near] = [1e-6, 1e6].map((factor) => zoomAt(CAMERA, factor, { x: 0, y: 0 }, content, STAGE).zoom);
    expect(far).toBeGreaterThan(0.05);
    expect(near).toBe(4);
  });

  test("on the way to another zoom one place stays where it is", () => {
    const to = { x: -300, y: 90, zoom: 2.4 };
    const fixed = (to.x - CAMERA.x) / (CAMERA.zoom - to.zoom);
    for (const share of [0, 0.3, 0.7, 1]) {
      expect(onStage(between(CAMERA, to, share), fixed, 0).x).toBeCloseTo(onStage(CAMERA, fixed, 0).x);
    }
    expect(between(CAMERA, { ...CAMERA, x: 130 }, 0.5).x).toBeCloseTo(80);
  });
});

describe("boxes", () => {
  const box: Rect = { x: 1000, y: 800, w: 100, h: 30 };

  test("one comes into the middle, where it can be read", () => {
    const camera = centerOn({ x: 0, y: 0, zoom: 0.05 }, box, STAGE);
    expect(camera.zoom).toBe(0.8);
    expect(onStage(camera, 1050, 815)).toEqual({ x: 500, y: 300 });
  });

  test("the upper end of a large box is shown", () => {
    const camera = centerOn(CAMERA, { x: 0, y: 500, w: 400, h: 9000 }, STAGE);
    expect(onStage(camera, 0, 500).y).toBeCloseTo(20);
  });

  test("a visible box is not moved, and another as little as needed", () => {
    const seen = { x: 200, y: 200, w: 100, h: 30 };
    expect(intoSight(CAMERA, seen, STAGE)).toEqual(CAMERA);
    const moved = intoSight(CAMERA, { x: 2000, y: 200, w: 100, h: 30 }, STAGE);
    expect(onStage(moved, 2100, 0).x).toBeCloseTo(980);
    expect(moved.y).toBe(CAMERA.y);
  });

  test("the point of a box below the pointer stays there when the box grows and moves", () => {
    const after: Rect = { x: 400, y: 100, w: 700, h: 900 };
    const at = onStage(CAMERA, box.x + 0.9 * box.w, box.y + 0.25 * box.h);
    const camera = keepBelow(CAMERA, at, box, after);
    expect(onStage(camera, after.x + 0.9 * after.w, after.y + 0.25 * after.h).x).toBeCloseTo(at.x);
    expect(onStage(camera, after.x + 0.9 * after.w, after.y + 0.25 * after.h).y).toBeCloseTo(at.y);
    expect(camera.zoom).toBe(CAMERA.zoom);
  });
});
