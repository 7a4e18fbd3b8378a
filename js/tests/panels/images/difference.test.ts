import { expect, test } from "vitest";
import { meanOf, NONE, subtract } from "../../../src/panels/images/viewer/differencecanvas";

const pixels = (...values: number[]) => Uint8ClampedArray.from(values);

test("differences are absolute, whichever is greater", () => {
  const out = new Uint8ClampedArray(8);
  const a = pixels(10, 200, 0, 255, 1, 2, 3, 255);
  const b = pixels(30, 150, 0, 255, 1, 2, 3, 255);
  const found = subtract(a, b, out, NONE);
  expect(found).toEqual({ most: 50, sum: 70, count: 6, pixels: 1 });
  expect(meanOf(found)).toBeCloseTo(70 / 6, 12);
  expect([...out]).toEqual([20, 50, 0, 255, 0, 0, 0, 255]);
  expect(subtract(b, a, out, NONE)).toEqual(found);
});

test("transparency counts where there is any, and is seen", () => {
  const out = new Uint8ClampedArray(4);
  expect(subtract(pixels(9, 9, 9, 255), pixels(9, 9, 9, 155), out, NONE)).toEqual({
    most: 100,
    sum: 100,
    count: 4,
    pixels: 1,
  });
  expect([...out]).toEqual([100, 100, 100, 255]);
});

test("rows add up", () => {
  const a = pixels(0, 0, 0, 255, 255, 255, 255, 255);
  const b = pixels(1, 1, 1, 255, 0, 255, 255, 255);
  const out = new Uint8ClampedArray(8);
  const whole = subtract(a, b, out, NONE);
  const first = subtract(a.subarray(0, 4), b.subarray(0, 4), out.subarray(0, 4), NONE);
  expect(subtract(a.subarray(4), b.subarray(4), out.subarray(4), first)).toEqual(whole);
});

test("without pixels, the mean is 0", () => {
  expect(meanOf(NONE)).toBe(0);
});
