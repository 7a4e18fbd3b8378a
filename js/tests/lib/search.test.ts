// Ranges that cover others.

import { expect, test } from "vitest";
import { bisect, bisectLeft, bisectRight, type Range, union } from "../../src/lib/search";

test("the union reaches from the least to the greatest end; of none it is null", () => {
  expect(union([])).toBeNull();
  expect(
    union([
      [3, 4],
      [-1, 0],
    ]),
  ).toEqual([-1, 4]);
});

test("hundred thousands of ranges have a union, too", () => {
  const ranges = Array.from({ length: 500_000 }, (_, i): Range => [i, i + 1]);
  expect(union(ranges)).toEqual([0, 500_000]);
});

test("bisection finds where a value goes before and behind equal ones, also of 64-bit numbers", () => {
  const numbers = Float64Array.of(1, 2, 2, 2, 5);
  expect([0, 1, 2, 3, 5, 6].map((value) => bisectLeft(numbers, value))).toEqual([0, 0, 1, 4, 4, 5]);
  expect([0, 1, 2, 3, 5, 6].map((value) => bisectRight(numbers, value))).toEqual([0, 1, 4, 4, 5, 5]);
  const steps = BigInt64Array.of(2n ** 53n, 2n ** 53n + 1n, 2n ** 53n + 2n);
  expect(bisectLeft(steps, 2n ** 53n + 1n)).toBe(1);
  expect(bisectRight(steps, 2n ** 53n + 1n)).toBe(2);
  expect(bisectLeft([], 1)).toBe(0);
});

test("bisection of a range asks few indices, none outside", () => {
  const asked: number[] = [];
  const found = bisect(10, 1_000_000, (i) => {
    asked.push(i);
    return i < 777;
  });
  expect(found).toBe(777);
  expect(asked.length).toBeLessThanOrEqual(20);
  expect(Math.min(...asked)).toBeGreaterThanOrEqual(10);
  expect(bisect(3, 3, () => true)).toBe(3);
});
