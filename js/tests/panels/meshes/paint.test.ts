import { signal } from "@preact/signals";
import { describe, expect, test, vi } from "vitest";
import { DepthRaster } from "../../../src/charts/depth";
import type { Bounds } from "../../../src/charts/orbit";
import { type Orbit, rotate, UPRIGHT } from "../../../src/charts/orbit";
import { packed } from "../../../src/charts/raster";
import { cameraNow, include } from "../../../src/panels/meshes/camera";
import type { Sample, Scene, Shade } from "../../../src/panels/meshes/codec";
import { type Look, paintMesh, shadeOf } from "../../../src/panels/meshes/paint";
import { SQUARE, sampleOf } from "./made";

const SIDE = 40;
const FRONT: Orbit = { rotation: UPRIGHT, center: [0, 0, 0], scale: 0.25, eye: null };
const LOOK: Look = { shade: null, coloring: "written", color: "#ff8000", background: [255, 255, 255], theme: "light" };
const PAPER = packed([255, 255, 255]);

function painted(sample: Sample, look: Partial<Look> = {}, scene: Scene = {}, camera = FRONT): Int32Array {
  return paintMesh(sample, scene, camera, SIDE, SIDE, { ...LOOK, ...look }).pixels.slice();
}

function covered(pixels: Int32Array): number {
  return pixels.filter((pixel) => pixel !== PAPER).length;
}

function middle(pixels: Int32Array): number {
  return pixels[(SIDE / 2) * SIDE + SIDE / 2 + 3] as number;
}

describe("a mesh", () => {
  test("covers its visible part, in the color of its run", () => {
    const pixels = painted(SQUARE, { shade: "plain" });
    expect(covered(pixels)).toBe(20 * 20);
    expect(middle(pixels)).toBe(packed([255, 128, 0]));
  });

  test("has the colors that were written, mixed between corners", () => {
    const colored = { ...SQUARE, colors: Uint8Array.of(0, 0, 0, 200, 0, 0, 200, 200, 0, 0, 200, 0) };
    const pixels = painted(colored, { shade: "plain" });
    const red = middle(pixels) & 255;
    expect(red).toBeGreaterThan(100);
    expect(red).toBeLessThan(160);
    const scene = painted(SQUARE, { shade: "plain" }, { color: 0x0000ff });
    expect(middle(scene)).toBe(packed([0, 0, 255]));
  });

  test("is darker where light falls on it at an angle, whichever side it turns", () => {
    const brightness = (shade: Shade, turn: number) => {
      return (
        middle(painted(SQUARE, { shade, color: "#ffffff", background: [0, 0, 0] }, {}, rotate(FRONT, turn, 0))) & 255
      );
    };
    for (const shade of ["lit", "flat"] as const) {
      expect(brightness(shade, -1)).toBeLessThan(brightness(shade, 0));
      expect(brightness(shade, 0)).toBeLessThan(255);
      expect(brightness(shade, Math.PI)).toBeGreaterThan(100);
    }
    expect(brightness("plain", -1)).toBe(255);
  });

  test("as wire draws an edge of two faces once", () => {
    const line = vi.spyOn(DepthRaster.prototype, "line");
    painted(SQUARE, { shade: "wire" });
    expect(line).toHaveBeenCalledTimes(5);
    line.mockRestore();
  });

  test("as wire shows edges only, and as points vertices only", () => {
    const [filled, wire, points] = (["flat", "wire", "points"] as const).map((shade) =>
      covered(painted(SQUARE, { shade })),
    );
    expect(wire).toBeLessThan((filled as number) / 3);
    expect(wire).toBeGreaterThan(60);
    // A disc at each of four corners.
    expect(points).toBeGreaterThan(4 * 40);
    expect(points).toBeLessThan(4 * 60);
  });

  test("shows near faces before distant ones, in any order", () => {
    const corners = (z: number): [number, number, number][] => [
      [-1, -1, z],
      [1, -1, z],
      [0, 1, z],
    ];
    const [red, blue] = [Array(3).fill([255, 0, 0]), Array(3).fill([0, 0, 255])];
    const faces = [[0, 1, 2] as const, [3, 4, 5] as const];
    for (const [near, colors] of [
      [1, [...red, ...blue]],
      [-1, [...blue, ...red]],
    ] as const) {
      const sample = sampleOf([...corners(near), ...corners(0)], faces, colors);
      expect(middle(painted(sample, { shade: "plain" }))).toBe(packed([255, 0, 0]));
    }
  });

  test("without places or vertices leaves the picture empty", () => {
    const { NaN: none } = Number;
    for (const sample of [
      sampleOf([], []),
      sampleOf([], null),
      sampleOf(
        [
          [none, none, none],
          [1, 1, 1],
          [0, 1, 0],
        ],
        [[0, 1, 2]],
      ),
    ]) {
      for (const shade of ["lit", "flat", "wire"] as const) {
        for (const coloring of ["written", "depth", "normal"] as const) {
          const pixels = painted(sample, { shade, coloring });
          expect(covered(pixels)).toBeLessThanOrEqual(shade === "wire" ? 12 : 0);
        }
      }
    }
  });

  test("by depth and by normal has other colors than written", () => {
    const tilted = rotate(FRONT, 0.9, 0);
    const depth = painted(SQUARE, { coloring: "depth" }, {}, tilted);
    const row = Array.from(depth.slice(20 * SIDE, 21 * SIDE)).filter((pixel) => pixel !== PAPER);
    expect(new Set(row).size).toBeGreaterThan(4);
    expect(middle(painted(SQUARE, { coloring: "normal" }))).toBe(packed([128, 128, 255]));
  });
});

test("points grow where there are few, and follow the size that a scene says", () => {
  const cloud = (count: number) => {
    return sampleOf(
      Array.from({ length: count }, (_, i): [number, number, number] => [Math.cos(i), Math.sin(i), 0]),
      null,
    );
  };
  expect(covered(painted(cloud(5))) / 5).toBeGreaterThan(20);
  expect(covered(painted(cloud(5000)))).toBeLessThan(1000);
  expect(covered(painted(cloud(1), {}, { size: 1 }))).toBeGreaterThan(60);
  expect(covered(painted(cloud(1), {}, { size: 1e-6 }))).toBeGreaterThanOrEqual(1);
});

test("the shade is the user's, else the scene's; without faces there are points", () => {
  expect(shadeOf(SQUARE, {}, null)).toBe("lit");
  expect(shadeOf(SQUARE, { shade: "wire" }, null)).toBe("wire");
  expect(shadeOf(SQUARE, { shade: "wire" }, "flat")).toBe("flat");
  expect(shadeOf(sampleOf([[0, 0, 0]], null), {}, "flat")).toBe("points");
  // All faces were left out, so that the vertices are drawn.
  expect(shadeOf(sampleOf([[0, 0, 0]], []), { shade: "wire" }, "lit")).toBe("points");
});

test("a cloud of one color fades with the distance, as far as it has a depth", () => {
  const colorsOf = (depth: number, colors: [number, number, number][] | null = null) => {
    const cloud = sampleOf(
      [
        [-1, 0, 0],
        [1, 0, -depth],
      ],
      null,
      colors,
    );
    const pixels = painted(cloud, { color: "#000000" });
    return [...new Set(pixels)].filter((pixel) => pixel !== PAPER).map((pixel) => pixel & 255);
  };
  expect(colorsOf(0)).toEqual([0]);
  const [near, far] = colorsOf(4) as [number, number];
  expect(near).toBe(0);
  expect(far).toBeGreaterThan(150);
  expect(far).toBeLessThan(220);
  const [, little] = colorsOf(0.1) as [number, number];
  expect(little).toBeGreaterThan(0);
  expect(little).toBeLessThan(far / 2);
  const written = colorsOf(4, [
    [9, 9, 9],
    [9, 9, 9],
  ]);
  expect(written).toEqual([9]);
});

describe("the camera", () => {
  const view = { width: 200, height: 100 };
  const cameras = () => ({
    camera: signal<Orbit | null>(null),
    bounds: signal<Bounds | null>(null),
    drawn: signal([]),
  });

  test("shows all meshes that were seen", () => {
    const own = cameras();
    expect(cameraNow(own, {}, view)).toBe(null);
    include(own, SQUARE);
    const first = own.bounds.value;
    include(own, sampleOf([[0.5, 0.5, 0]], null));
    include(own, sampleOf([[Number.NaN, 9, 9]], null));
    expect(own.bounds.value).toBe(first);
    include(own, sampleOf([[5, 0, -2]], null));
    expect(own.bounds.value).toEqual([
      [-1, -1, -2],
      [5, 1, 0],
    ]);
    expect(cameraNow(own, {}, view)?.center).toEqual([2, 0, -1]);
  });

  test("is where the scene puts it", () => {
    const own = cameras();
    include(own, SQUARE);
    const right = cameraNow(own, { position: [4, 0, 0], fov: 90 }, view) as Orbit;
    // From a distance of 4 units, 90 degrees show 8 units.
    expect(right.scale).toBeCloseTo(1 / 8);
    expect(right.center).toEqual([0, 0, 0]);
    const [x, , z] = [right.rotation[0], 0, right.rotation[1]];
    expect([x, z]).toEqual([0, expect.closeTo(-Math.SQRT1_2, 6)]);
    expect(cameraNow(own, { fov: 0 }, view)?.eye).toBe(null);
    own.camera.value = FRONT;
    expect(cameraNow(own, { fov: 0 }, view)).toBe(FRONT);
  });
});
