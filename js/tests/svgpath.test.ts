import { expect, test } from "vitest";
import { piecesOf, squaredDistance } from "../src/figure";

const at = (d: string, x: number, y: number) => {
  const pieces = piecesOf(d);
  return pieces && squaredDistance(pieces, x, y);
};

test("the distance is measured to the nearest position on the line, also between its points", () => {
  expect(at("M0,0L10,0L10,10", 5, 3)).toBe(9);
  expect(at("M0,0L10,0L10,10", 12, 5)).toBe(4);
  expect(at("M0,0L10,0", -3, 4)).toBe(25);
});

test("a gap between two pieces is empty, and a single point is a piece", () => {
  expect(at("M0,0L10,0M30,0L40,0", 20, 0)).toBe(100);
  expect(at("M5,5Z", 5, 7)).toBe(4);
  expect(at("M1e2,-.5L1.5e2,-.5", 125, 1.5)).toBe(4);
  expect(at("", 0, 0)).toBe(Number.POSITIVE_INFINITY);
});

test("a path that is curved is not known", () => {
  expect(piecesOf("M0,0C1,1,2,2,3,3")).toBeNull();
  expect(piecesOf("m0,0l1,1")).toBeNull();
});
