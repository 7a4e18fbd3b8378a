import { expect, test } from "vitest";
import { actualSize, type Camera, panBy, pixelAt, place, WHOLE, zoomAt } from "../../../src/panels/images/zoom/camera";

const STAGE = { width: 400, height: 300 };
const WIDE = { width: 200, height: 50 };

test("all of an image fits into the stage, in its middle, large or small", () => {
  expect(place(WHOLE, WIDE, STAGE)).toEqual({ left: 0, top: 100, width: 400, height: 100, scale: 2 });
  expect(place(WHOLE, { width: 8000, height: 12000 }, STAGE)).toMatchObject({ left: 100, top: 0, width: 200 });
});

test("a point stays in place when the image is zoomed in and out", () => {
  const at = { x: 310, y: 120 };
  const share = (camera: Camera) => {
    const { left, top, width, height } = place(camera, WIDE, STAGE);
    return [(at.x - left) / width, (at.y - top) / height];
  };
  // Tall enough to fill the stage, so that nothing is centered.
  const near = zoomAt(WHOLE, 4, at, WIDE, STAGE);
  const nearer = zoomAt(near, 3, at, WIDE, STAGE);
  expect(nearer.zoom).toBe(12);
  expect(share(nearer)[0]).toBeCloseTo(share(WHOLE)[0] ?? 0, 12);
  expect(share(nearer)[1]).toBeCloseTo(share(near)[1] ?? 0, 12);
  expect(zoomAt(nearer, 1 / 12, at, WIDE, STAGE)).toEqual(WHOLE);
});

test("zoom ends where a pixel is huge, and where all of the image is smaller than itself", () => {
  expect(place(zoomAt(WHOLE, 1e9, { x: 1, y: 1 }, WIDE, STAGE), WIDE, STAGE).scale).toBe(64);
  expect(place(zoomAt(WHOLE, 1e-9, { x: 1, y: 1 }, WIDE, STAGE), WIDE, STAGE).scale).toBe(1);
  expect(zoomAt(WHOLE, 1e-9, { x: 1, y: 1 }, { width: 4000, height: 4000 }, STAGE).zoom).toBe(1);
  // A single pixel fills the stage, though that is more than 64 wide.
  expect(zoomAt(WHOLE, 2, { x: 1, y: 1 }, { width: 1, height: 1 }, STAGE).zoom).toBe(1);
});

test("an image is dragged up to its edges, and not where it fits", () => {
  const near = zoomAt(WHOLE, 2, { x: 200, y: 150 }, WIDE, STAGE);
  expect(place(panBy(near, { x: 50, y: 50 }, WIDE, STAGE), WIDE, STAGE)).toMatchObject({ left: -150, top: 50 });
  const end = panBy(near, { x: 5000, y: 0 }, WIDE, STAGE);
  expect(place(end, WIDE, STAGE).left).toBe(0);
  // It reverses at once: no distance of the former direction was left over.
  expect(place(panBy(end, { x: -30, y: 0 }, WIDE, STAGE), WIDE, STAGE).left).toBeCloseTo(-30, 12);
});

test("a camera shows the same part of a larger image of the same shape", () => {
  const near = zoomAt(WHOLE, 5, { x: 90, y: 170 }, WIDE, STAGE);
  const [small, large] = [WIDE, { width: 2000, height: 500 }].map((image) => place(near, image, STAGE));
  expect([large?.left, large?.top, large?.width]).toEqual([small?.left, small?.top, small?.width]);
});

test("actual size is one pixel of the screen a pixel", () => {
  expect(place(actualSize(WHOLE, WIDE, STAGE, 2), WIDE, STAGE).scale).toBe(0.5);
  const large = { width: 4000, height: 3000 };
  expect(place(actualSize(WHOLE, large, STAGE, 2), large, STAGE).scale).toBe(0.5);
});

test("the pixel below the pointer belongs to the image, and is missing beside it", () => {
  const placed = place(WHOLE, WIDE, STAGE);
  expect(pixelAt({ x: 0, y: 100 }, placed, WIDE)).toEqual({ x: 0, y: 0 });
  expect(pixelAt({ x: 399.9, y: 199.9 }, placed, WIDE)).toEqual({ x: 199, y: 49 });
  expect(pixelAt({ x: 10, y: 99 }, placed, WIDE)).toBeNull();
  expect(pixelAt({ x: 400, y: 150 }, placed, WIDE)).toBeNull();
});

test("an image that is long and thin is at least a pixel thin", () => {
  for (const image of [
    { width: 5001, height: 1 },
    { width: 1, height: 5001 },
  ]) {
    const placed = place(WHOLE, image, STAGE);
    expect([placed.width, placed.height].sort((a, b) => a - b)).toEqual([1, Math.max(placed.width, placed.height)]);
    const middle = { x: STAGE.width / 2, y: STAGE.height / 2 };
    expect(pixelAt(middle, placed, image)).toEqual({ x: image.width >> 1, y: image.height >> 1 });
    // After zooming in, the line is as thick as the image's pixels.
    const near = place(zoomAt(WHOLE, 1e9, middle, image, STAGE), image, STAGE);
    expect(Math.min(near.width, near.height)).toBeCloseTo(64, 9);
  }
});
