import { expect, test } from "vitest";
import { OPAQUE, packed, Raster } from "../../src/charts/raster";
import { rgbOf } from "../../src/charts/theme";

const WHITE = packed([255, 255, 255]);
const BLACK = packed([0, 0, 0]);

function raster(width: number, height: number): Raster {
  const made = new Raster(width, height, true);
  made.clear(WHITE);
  return made;
}

/** How dark each pixel is, from 0 to 9, row by row. */
function darkness({ pixels, width, height }: Raster): string[] {
  const row = (y: number) => Array.from(pixels.slice(y * width, (y + 1) * width));
  return Array.from({ length: height }, (_, y) =>
    row(y)
      .map((pixel) => Math.floor(((255 - (pixel & 255)) / 256) * 10))
      .join(""),
  );
}

function total({ pixels }: Raster): number {
  return pixels.reduce((sum, pixel) => sum + (255 - (pixel & 255)) / 255, 0);
}

test("a color has its bytes in the order of ImageData", () => {
  const bytes = new Uint8Array(new Int32Array([packed(rgbOf("#102030"))]).buffer);
  expect([...bytes]).toEqual([0x10, 0x20, 0x30, 0xff]);
});

test("a level line of one pixel fills a row, and between two rows a half of each", () => {
  const [own, between] = [raster(4, 3), raster(4, 4)];
  own.line(0, 1.5, 4, 1.5, 1, BLACK, OPAQUE);
  expect(darkness(own)).toEqual(["0000", "9999", "0000"]);
  between.line(0, 2, 4, 2, 1, BLACK, OPAQUE);
  expect(darkness(between)).toEqual(["0000", "5555", "5555", "0000"]);
});

test("a line is as dark whichever way it runs", () => {
  const ends: [number, number, number, number][] = [
    [2, 3, 28, 3],
    [2, 3, 28, 20],
    [2, 2, 24, 24],
    [3, 2, 9, 28],
    [5, 2, 5, 28],
  ];
  for (const [x0, y0, x1, y1] of ends) {
    const [there, back] = [raster(30, 30), raster(30, 30)];
    there.line(x0, y0, x1, y1, 1.5, BLACK, OPAQUE);
    back.line(x1, y1, x0, y0, 1.5, BLACK, OPAQUE);
    expect(darkness(back)).toEqual(darkness(there));
    expect(total(there)).toBeGreaterThan(1.5 * Math.hypot(x1 - x0, y1 - y0) * 0.93);
    expect(total(there)).toBeLessThan(1.5 * Math.hypot(x1 - x0, y1 - y0) * 1.07);
  }
});

test("hairlines take one pixel of each column, or of each row where they are steep", () => {
  const one = raster(6, 6);
  one.hairline(0, 0, 6, 3, BLACK, OPAQUE);
  expect(darkness(one)).toEqual(["990000", "009900", "000099", "000000", "000000", "000000"]);
  const steep = raster(3, 6);
  steep.hairline(0, 6, 3, 0, BLACK, OPAQUE);
  expect(darkness(steep)).toEqual(["009", "009", "090", "090", "900", "900"]);
});

test("alpha mixes with what lies below, in each color alone", () => {
  const one = raster(1, 1);
  one.line(0, 0.5, 1, 0.5, 1, packed([255, 0, 128]), OPAQUE / 2);
  const bytes = new Uint8Array(one.pixels.buffer);
  expect([...bytes].map((byte, i) => Math.abs(byte - ([255, 127, 191, 255][i] as number)) <= 1)).not.toContain(false);
});

test.each([
  [-50, 2.5, 50, 2.5],
  [2.5, -50, 2.5, 50],
  [-1e7, -1e7, 1e7, 1e7],
  [-3, 9, 40, -30],
])("what is beyond the raster is cut: %d %d to %d %d", (x0, y0, x1, y1) => {
  for (const draw of ["line", "hairline"] as const) {
    const one = raster(5, 5);
    if (draw === "line") {
      one.line(x0, y0, x1, y1, 1, BLACK, OPAQUE);
    } else {
      one.hairline(x0, y0, x1, y1, BLACK, OPAQUE);
    }
    expect(total(one)).toBeGreaterThan(1);
    expect(total(one)).toBeLessThan(9);
  }
});

test.each([
  [-5, -2, 10, -2],
  [10, 0, 20, 5],
  [0, 30, 5, 7],
  [Number.NaN, 0, 5, 5],
  [0, 0, Number.POSITIVE_INFINITY, 5],
])("nothing is drawn of what is elsewhere, or nowhere: %d %d to %d %d", (x0, y0, x1, y1) => {
  const one = raster(5, 5);
  one.line(x0, y0, x1, y1, 1, BLACK, OPAQUE);
  one.hairline(x0, y0, x1, y1, BLACK, OPAQUE);
  one.disc(x0, y0 - 9, 2, BLACK, OPAQUE, 0);
  expect(total(one)).toBe(0);
});

test("a disc is round, as large as it should be, and cut at the edges", () => {
  const whole = raster(9, 9);
  whole.disc(4.5, 4.5, 3, BLACK, OPAQUE, 7);
  expect(total(whole)).toBeGreaterThan(Math.PI * 9 * 0.95);
  expect(total(whole)).toBeLessThan(Math.PI * 9 * 1.05);
  const rows = darkness(whole);
  expect(rows.map((row) => [...row].reverse().join(""))).toEqual(rows);
  expect([...rows].reverse()).toEqual(rows);
  const corner = raster(9, 9);
  corner.disc(0, 9, 4, BLACK, OPAQUE, 0);
  expect(total(corner)).toBeGreaterThan((Math.PI * 16 * 0.93) / 4);
});

test("ids tell the mark on top, and the nearest one", () => {
  const one = raster(20, 10);
  one.disc(5, 5, 3, BLACK, OPAQUE, 0);
  one.disc(7, 5, 3, BLACK, OPAQUE, 4);
  expect(one.idNear(3.5, 5.5, 0)).toBe(0);
  expect(one.idNear(6.5, 5.5, 0)).toBe(4);
  expect(one.idNear(14, 5, 3)).toBeNull();
  expect(one.idNear(12, 5, 3)).toBe(4);
  expect(one.idNear(1, 5, 4)).toBe(0);
  one.clear(WHITE);
  expect(one.idNear(6.5, 5.5, 5)).toBeNull();
});

test("a raster begins with the pixels of another", () => {
  const [below, above] = [raster(4, 4), raster(4, 4)];
  below.line(0, 0.5, 4, 0.5, 1, BLACK, OPAQUE);
  above.line(0, 2.5, 4, 2.5, 1, BLACK, OPAQUE);
  above.clearTo(below);
  expect(darkness(above)).toEqual(["9999", "0000", "0000", "0000"]);
});
