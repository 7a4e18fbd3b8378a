import { expect, test } from "vitest";
import { rangeAfter } from "../../src/panels/scalars/gestures";

test("keys move and zoom, about the middle", () => {
  expect(rangeAfter("ArrowLeft", [100, 200])).toEqual([85, 185]);
  expect(rangeAfter("ArrowRight", [100, 200])).toEqual([115, 215]);
  const near = rangeAfter("+", [100, 200]);
  expect(near).toEqual([115, 185]);
  const [from, to] = rangeAfter("-", near as [number, number]) as [number, number];
  expect(from).toBeCloseTo(100, 9);
  expect(to).toBeCloseTo(200, 9);
  expect([rangeAfter("0", [1, 2]), rangeAfter("Home", [1, 2])]).toEqual(["all", "all"]);
  expect(["ArrowUp", "Tab", "a"].map((key) => rangeAfter(key, [1, 2]))).toEqual([undefined, undefined, undefined]);
});
