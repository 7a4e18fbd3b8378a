import { expect, test } from "vitest";
import { isRange, rangeAfter } from "../../src/charts/gestures";

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

test("keys lead to nothing that cannot be drawn, nor where they could not lead back from", () => {
  for (const key of ["+", "-"]) {
    let range: readonly [number, number] = [1.75e9, 1.75e9 + 60];
    for (let i = 0; i < 5000; i += 1) {
      const after = rangeAfter(key, range);
      if (after !== undefined && after !== "all" && isRange(after)) {
        range = after;
      }
    }
    const [from, to] = range;
    expect(Number.isFinite(to - from)).toBe(true);
    expect(isRange(rangeAfter(key === "+" ? "-" : "+", range) as [number, number])).toBe(true);
  }
  expect([isRange([5, 5]), isRange([2, 1]), isRange([Number.NaN, 1]), isRange([-1e308, 1e308])]).not.toContain(true);
});
