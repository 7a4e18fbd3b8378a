import { expect, test } from "vitest";
import { type Camera, isDrawable, pan, pinch, WHOLE, zoom, zoomToBox, zoomToRange } from "../../src/charts/camera";
import { type Plot, type PlotScale, shareOf, valueAt } from "../../src/charts/plot";
import type { Range } from "../../src/lib/search";

const AREA = { left: 0, top: 0, width: 100, height: 100 };

/** A plot of steps 0 to 1000 and values -1 to 1, as a camera shows it. */
function plot(camera: Camera, steps: Range = [0, 1000], values: Range = [-1, 1]): Plot {
  return {
    area: AREA,
    title: null,
    horizontal: { axis: "x", range: camera.x ?? steps, ends: [0, 1], bounds: () => steps },
    vertical: { axis: "y", range: camera.y ?? values, ends: [1, 0], bounds: () => values },
  };
}

const zoomed: Camera = { x: [100, 200], y: null };

test("shares and values are each other's inverse, upside down too", () => {
  for (const ends of [
    [0, 1],
    [1, 0],
    [0.4, 1],
  ] as const) {
    const scale = { range: [-3, 5], ends } as const;
    expect([valueAt(scale, ends[0]), valueAt(scale, ends[1])]).toEqual([-3, 5]);
    expect(shareOf(scale, valueAt(scale, 0.3))).toBeCloseTo(0.3, 12);
  }
});

test("the dragged point follows the pointer", () => {
  expect(pan(zoomed, plot(zoomed), 0.25, 0)).toEqual({ x: [75, 175], y: null });
  const both: Camera = { x: [100, 200], y: [0, 0.5] };
  expect(pan(both, plot(both), -0.1, 0.2)).toEqual({ x: [110, 210], y: [0.1, 0.6] });
});

test("a sideways drag keeps the values fitted to the visible part", () => {
  expect(pan(zoomed, plot(zoomed), 0.25, 0).y).toBeNull();
});

test("nothing leads out of the data, nor farther out of it than one was", () => {
  expect(pan(zoomed, plot(zoomed), 5, 0).x).toEqual([0, 100]);
  expect(pan(zoomed, plot(zoomed), -50, 0).x).toEqual([900, 1000]);
  expect(pan(WHOLE, plot(WHOLE), 0.5, 0.5)).toBe(WHOLE);
  const beyond: Camera = { x: [900, 1400], y: null };
  expect(pan(beyond, plot(beyond), -0.5, 0).x).toEqual([900, 1400]);
  expect(pan(beyond, plot(beyond), 0.5, 0).x).toEqual([650, 1150]);
});

test("zooming keeps the point below the pointer in place", () => {
  const { horizontal } = plot(zoomed);
  expect(zoom(zoomed, horizontal, 0.5, 0.25).x).toEqual([112.5, 162.5]);
  expect(zoom(zoomed, horizontal, 2, 0.5).x).toEqual([50, 250]);
});

test("zooming out ends with all of the data", () => {
  let camera: Camera = { x: [400, 401], y: null };
  for (let i = 0; i < 100; i += 1) {
    camera = zoom(camera, plot(camera).horizontal, 1.5, 0.9);
    const [from, to] = camera.x ?? [0, 1000];
    expect(from >= 0 && to <= 1000).toBe(true);
  }
  expect(camera).toEqual(WHOLE);
  expect(zoom(WHOLE, plot(WHOLE).horizontal, 3, 0.2)).toBe(WHOLE);
});

test("zooming to either limit can be undone", () => {
  for (const factor of [0.7, 1 / 0.7]) {
    let camera: Camera = { x: [1.75e9, 1.75e9 + 60], y: null };
    for (let i = 0; i < 5000; i += 1) {
      camera = zoom(camera, plot(camera, [1.7e9, 1.8e9]).horizontal, factor, 0.5);
    }
    const [from, to] = camera.x ?? [1.7e9, 1.8e9];
    expect(isDrawable([from, to])).toBe(true);
    expect(zoom(camera, plot(camera, [1.7e9, 1.8e9]).horizontal, 1 / factor, 0.5)).not.toBe(camera);
  }
});

test("ranges that no axis can have are told", () => {
  const ranges: Range[] = [
    [5, 5],
    [2, 1],
    [Number.NaN, 1],
    [-1e308, 1e308],
    [1, 1 + 1e-15],
  ];
  expect(ranges.map(isDrawable)).not.toContain(true);
  expect(isDrawable([0, 1e-280])).toBe(true);
});

test("a box becomes the visible part; an axis that it covers entirely does not change", () => {
  expect(zoomToBox(WHOLE, plot(WHOLE), [0.2, 0.3], null)).toEqual({ x: [200, 300], y: null });
  expect(zoomToBox(zoomed, plot(zoomed), null, [0, 0.25])).toEqual({ x: [100, 200], y: [0.5, 1] });
  expect(zoomToBox(zoomed, { ...plot(zoomed), vertical: null }, null, [0, 0.25])).toBe(zoomed);
});

test("a range is shown alone, and all again the second time", () => {
  const { horizontal } = plot(WHOLE);
  const there = zoomToRange({ x: null, y: [0, 0.5] }, horizontal, [200, 300]);
  expect(there).toEqual({ x: [200, 300], y: [0, 0.5] });
  expect(zoomToRange(there, horizontal, [200, 300])).toEqual({ x: null, y: [0, 0.5] });
});

test("around a single place there is room, and around a step at least one more, but nothing zooms out", () => {
  const along = (bounds: Range, isOfSteps: boolean) => ({ ...plot(WHOLE, bounds).horizontal, isOfSteps });
  const around = (place: number, scale: PlotScale) => zoomToRange(WHOLE, scale, [place, place]).x;
  expect(around(4, along([0, 1000], true))).toEqual([-46, 54]);
  expect(around(4, along([0, 10], true))).toEqual([3, 5]);
  // Seconds, or powers of ten.
  expect(around(0.5, along([0, 1], false))).toEqual([0.45, 0.55]);
  expect(around(7, along([7, 7], false))).toBeNull();
});

test("ridges, whose steps run downwards from below the upper end, are chosen by a box as they are drawn", () => {
  const steps: PlotScale = { axis: "x", range: [0, 100], ends: [0.4, 1], bounds: () => [0, 100] };
  const ridges: Plot = { ...plot(WHOLE), vertical: steps };
  const { x } = zoomToBox(WHOLE, ridges, null, [0.7, 0.85]);
  expect(x?.[0]).toBeCloseTo(50, 9);
  expect(x?.[1]).toBeCloseTo(75, 9);
});

test("two fingers keep the points below them, along each axis on which they are apart", () => {
  const least = { x: 0.1, y: 0.1 };
  const began = [
    { x: 0.25, y: 0.5 },
    { x: 0.75, y: 0.5 },
  ] as const;
  const now = [
    { x: 0, y: 0.5 },
    { x: 1, y: 0.5 },
  ] as const;
  const after = pinch(WHOLE, plot(WHOLE), began, now, least);
  expect(after).toEqual({ x: [250, 750], y: null });
  const moved = now.map(({ x, y }) => ({ x, y: y + 0.2 })) as unknown as typeof now;
  const raised: Camera = { x: [100, 200], y: [0, 0.5] };
  const both = pinch(raised, plot(raised), began, moved, least);
  expect(both.x).toEqual([125, 175]);
  expect(both.y?.[0]).toBeCloseTo(0.1, 12);
  expect(both.y?.[1]).toBeCloseTo(0.6, 12);
});
