import { beforeEach, expect, test, vi } from "vitest";
import type { Groups } from "../../../src/panels/projector/coloring";
import { DotRaster, dotRadius } from "../../../src/panels/projector/dots";
import { chooseComponent, shownComponents } from "../../../src/panels/projector/projecting";
import { clustersOf, extentOf, layersOf, placeLabels, spritePlaces } from "../../../src/panels/projector/scene";
import { boxOf, pointsWithin } from "../../../src/panels/projector/stage";

let drawn: { readonly data: Uint8ClampedArray };

beforeEach(() => {
  vi.stubGlobal(
    "ImageData",
    class {
      readonly data: Uint8ClampedArray;
      constructor(width: number, height: number) {
        this.data = new Uint8ClampedArray(4 * width * height);
      }
    },
  );
});

/** Draws points at these positions in red, green … and returns the color at a pixel. */
function draw(places: readonly number[], layers: readonly number[], colors: readonly number[], hasDepth = true) {
  const raster = new DotRaster(20, 20);
  const count = raster.draw({
    places: Float32Array.from(places),
    layers: Uint8Array.from(layers),
    colors: Int32Array.from(colors),
    ...{ radius: 2, hasDepth, background: 0xffffffff | 0 },
  });
  raster.put({
    putImageData: (data: ImageData) => {
      drawn = data;
    },
  } as unknown as CanvasRenderingContext2D);
  return { raster, count };
}

function pixel(x: number, y: number): number[] {
  return [...drawn.data.subarray(4 * (20 * y + x), 4 * (20 * y + x) + 3)];
}

const [RED, GREEN] = [0xff0000ff | 0, 0xff00ff00 | 0];

test("the nearer of two points is in front, and is found there", () => {
  const { raster, count } = draw([10, 11, 10, 10, 5, -5], [2, 2], [RED, GREEN]);
  expect(count).toBe(2);
  expect(raster.pointNear(11, 10, 3)).toBe(1);
  const [red = 0, green = 0] = pixel(11, 10);
  expect(green).toBeGreaterThan(red);
  expect(pixel(1, 1)).toEqual([255, 255, 255]);
});

test("highlighted points are in front of nearer ones; hidden ones are missing", () => {
  const { raster } = draw([10, 11, 3, 10, 10, 3, 5, -5, 0], [3, 1, 0], [RED, GREEN, RED]);
  expect(raster.pointNear(10, 10, 1)).toBe(0);
  expect(raster.pointNear(3, 3, 4)).toBeNull();
});

test("points outside, and without a place, draw nothing", () => {
  const { count } = draw([-50, Number.NaN, 5, 5, 0, 0], [2, 2], [RED, GREEN]);
  expect(count).toBe(0);
});

test("very many points are shaded by how many there are at a pixel", () => {
  const count = 200_000;
  const places = new Array(3 * count).fill(5.5);
  places[0] = 15.5;
  const { raster } = draw(places, new Array(count).fill(2), new Array(count).fill(RED), false);
  const [sparse = 0, dense = 0] = [pixel(15, 5)[1], pixel(5, 5)[1]];
  expect(dense).toBeLessThan(4);
  expect(sparse).toBeGreaterThan(100);
  expect(sparse).toBeLessThan(200);
  expect(raster.pointNear(15.5, 5.5, 1)).toBe(0);
});

test("dots are smaller the more there are, and larger where one zooms in", () => {
  expect(dotRadius(100, 700_000, 1)).toBe(4.5);
  expect(dotRadius(100_000, 700_000, 1)).toBeLessThan(dotRadius(10_000, 700_000, 1));
  expect(dotRadius(100_000, 700_000, 10)).toBeGreaterThan(dotRadius(100_000, 700_000, 1));
});

test("a lasso finds the shown points within it, also where it crosses itself or is concave", () => {
  const places = Float32Array.of(1, 5, 9, 5, 1, 1, 1, 5, 0, 0, 0, 0);
  const shown = Uint8Array.of(1, 2, 3, 2);
  expect(pointsWithin(boxOf([6, 6], [0, 0]), places, shown)).toEqual([0, 1, 3]);
  expect(pointsWithin(boxOf([6, 6], [0, 0]), places, Uint8Array.of(1, 0, 1, 2))).toEqual([0, 3]);
  const notch = [
    [0, 0],
    [10, 0],
    [10, 10],
    [5, 2],
    [0, 10],
  ] as const;
  expect(pointsWithin(notch, places, shown)).toEqual([0, 1, 2]);
  expect(pointsWithin([], places, shown)).toEqual([]);
});

test("a filter hides, others become faint beside highlighted points; points without coordinates are not drawn", () => {
  const planes = [Float32Array.of(1, 2, Number.NaN, 4), Float32Array.of(1, 2, 3, 4)];
  const choice = { passing: Uint8Array.of(1, 1, 1, 0), isolated: null, lit: new Set([1]) };
  expect(layersOf(planes, choice)).toEqual({ layers: Uint8Array.of(1, 3, 0, 0), drawn: 2 });
  expect(layersOf(planes, { passing: null, isolated: new Set([3]), lit: null })).toEqual({
    layers: Uint8Array.of(0, 0, 0, 2),
    drawn: 1,
  });
});

test("the name of a cluster is at the median of its points", () => {
  const groups: Groups = {
    sort: "categories",
    column: { name: "c", sort: "text", values: ["a"], codes: Uint32Array.of(0, 0, 0) },
    ...{ others: 0, categories: [{ text: "a", count: 3 }], groups: Uint8Array.of(0, 0, 0) },
  };
  const planes = [Float32Array.of(1, 2, 100), Float32Array.of(0, 1, 2)];
  expect(clustersOf(groups, planes, Uint8Array.of(2, 2, 2))).toEqual([{ text: "a", count: 3, at: [2, 1] }]);
  expect(clustersOf(groups, planes, Uint8Array.of(0, 0, 0))).toEqual([]);
});

test("a class that is spread as far as all points has no name", () => {
  const count = 300;
  const planes = [0, 1].map((axis) =>
    Float32Array.from({ length: count }, (_, i) => {
      const noise = Math.sin(12.9898 * (i + 1) + 78.233 * axis) * 43758.5453;
      const even = noise - Math.floor(noise);
      return i % 3 === 0 ? 0.5 + even / 10 : even;
    }),
  );
  const groups: Groups = {
    sort: "categories",
    column: { name: "c", sort: "text", values: ["dense", "spread"], codes: new Uint32Array(count) },
    ...{ others: 0, groups: Uint8Array.from({ length: count }, (_, i) => (i % 3 === 0 ? 0 : 1)) },
    categories: [
      { text: "dense", count: 100 },
      { text: "spread", count: 200 },
    ],
  };
  const names = clustersOf(groups, planes, new Uint8Array(count).fill(2)).map(({ text }) => text);
  expect(names).toEqual(["dense"]);
});

test("points that are written class by class in turn are all within the extent, but for a far one", () => {
  // One class at 0, four at 10: a sample of every fiftieth point would contain only the first class.
  const plane = Float32Array.from({ length: 1_000_000 }, (_, i) => (i % 5 === 0 ? 0 : 10) + Math.sin(i));
  plane[17] = 1e6;
  const { least, largest, outside } = extentOf([plane, plane], null);
  expect(outside).toBe(1);
  expect(least[0]).toBeCloseTo(-1, 2);
  expect(largest[0]).toBeGreaterThanOrEqual(11);
  expect(largest[0]).toBeLessThan(15);
});

test("a single far point is outside; a range with all points is asked for", () => {
  const plane = Float32Array.from({ length: 100 }, (_, i) => (i === 7 ? 5_000 : i));
  const other = Float32Array.from({ length: 100 }, (_, i) => i);
  const near = extentOf([plane, other], null);
  expect(near.outside).toBe(1);
  expect(near.largest[0]).toBeLessThan(130);
  expect(near.largest[1]).toBe(99);
  expect(extentOf([plane, other], null, true)).toMatchObject({ outside: 0, largest: [5_000, 99, 0] });
  const shown = Uint8Array.from({ length: 100 }, (_, i) => (i >= 10 && i < 20 ? 1 : 0));
  expect(extentOf([plane, other], shown)).toMatchObject({ least: [10, 10, 0], largest: [19, 19, 0], outside: 0 });
});

test("pictures have one size, and none overlaps another; points that stand out come first", () => {
  const places = Float32Array.of(100, 130, 300, 350, 100, 100, 300, 300, 0, 0, 0, 0);
  const found = spritePlaces(places, Uint8Array.of(2, 3, 2, 2), { width: 400, height: 400 }, 24, 44);
  expect(found).toEqual([
    { point: 1, x: 130, y: 100, side: 44 },
    { point: 2, x: 300, y: 300, side: 44 },
    { point: 3, x: 350, y: 300, side: 44 },
  ]);
  expect(spritePlaces(places, Uint8Array.of(1, 0, 1, 1), { width: 400, height: 400 }, 24, 44)).toEqual([]);
});

test("labels do not overlap: a later one goes to its next place, or is left out", () => {
  const one = { text: "a", width: 20, tries: [[10, 10]] as const };
  const other = {
    text: "b",
    width: 20,
    tries: [
      [15, 10],
      [15, 30],
    ] as const,
  };
  expect(placeLabels([one, other, { ...one, text: "c" }], 10, [])).toEqual([
    { text: "a", left: 0, top: 5 },
    { text: "b", left: 5, top: 25 },
  ]);
  expect(placeLabels([one, other], 10, [[0, 0, 100, 20]])).toEqual([{ text: "b", left: 5, top: 25 }]);
});

test("components are those chosen, as many as there are dimensions", () => {
  expect(shownComponents([1, 2, 3], 2, 10)).toEqual([1, 2]);
  expect(shownComponents([4, 2], 3, 10)).toEqual([4, 2, 1]);
  expect(shownComponents([4, 2], 3, 2)).toEqual([2, 1]);
  expect(chooseComponent([1, 2], 5)).toEqual([2, 5]);
  expect(chooseComponent([1, 2], 2)).toEqual([1, 2]);
});
