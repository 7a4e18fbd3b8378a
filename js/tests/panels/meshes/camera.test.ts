import { beforeEach, expect, test } from "vitest";
import type { Orbit } from "../../../src/charts/orbit";
import { type Cameras, cameraNow, camerasOf, canFit, include, look } from "../../../src/panels/meshes/camera";
import type { View } from "../../../src/ui/view";
import { sampleOf } from "./made";

const PIXELS = { width: 300, height: 200 };

/** A mesh that extends this far from the origin. */
const meshOf = (reach: number) =>
  sampleOf(
    [
      [-reach, -reach, -reach],
      [reach, reach, reach],
    ],
    null,
  );

let cameras: Cameras;

beforeEach(() => {
  cameras = camerasOf({} as View, "tag", "");
});

const now = () => cameraNow(cameras, {}, PIXELS) as Orbit;

test("another step does not move the camera, and a larger one moves it away", () => {
  const leave = include(cameras, meshOf(1));
  const { scale } = now();
  include(cameras, meshOf(2));
  expect(now().scale).toBeCloseTo(scale / 2, 6);
  leave();
  expect(now().scale).toBeCloseTo(scale / 2, 6);
});

test("fitting shows the meshes on the page, not one that exploded before", () => {
  include(cameras, meshOf(1));
  const { scale } = now();
  expect(canFit(cameras)).toBe(false);
  const leave = include(cameras, meshOf(1e6));
  expect(canFit(cameras)).toBe(false);
  leave();
  expect(now().scale).toBeCloseTo(scale / 1e6, 12);
  expect(canFit(cameras)).toBe(true);
  look(cameras, null);
  expect(now().scale).toBeCloseTo(scale, 6);
  expect(canFit(cameras)).toBe(false);
});

test("a mesh that two tiles show stays on the page until both are gone", () => {
  const mesh = meshOf(1);
  include(cameras, meshOf(0.1));
  const { scale } = now();
  const leave = [include(cameras, mesh), include(cameras, mesh)];
  leave[0]?.();
  look(cameras, null);
  expect(now().scale).toBeCloseTo(scale / 10, 6);
  leave[1]?.();
  look(cameras, null);
  expect(now().scale).toBeCloseTo(scale, 6);
});

test("a camera that the user has moved is fitted again, also where nothing is on the page", () => {
  const leave = include(cameras, meshOf(1));
  const fitted = now();
  look(cameras, { ...fitted, scale: 9 });
  expect([now().scale, canFit(cameras)]).toEqual([9, true]);
  look(cameras, null);
  expect(now()).toEqual(fitted);
  leave();
  look(cameras, null);
  expect(now()).toBeNull();
  include(cameras, meshOf(2));
  expect(now().scale).toBeCloseTo(fitted.scale / 2, 6);
});
