import { describe, expect, test } from "vitest";
import {
  formatAge,
  formatBytes,
  formatCount,
  formatExact,
  formatInterval,
  formatTick,
  formatValue,
  formatWithin,
} from "../../src/lib/format";
import { multiples } from "../../src/lib/ticks";

describe("values", () => {
  test.each([
    [0, "0"],
    [0.25, "0.25"],
    [1234.5678, "1235"],
    [54321.9, "54322"],
    [0.0001234, "1.234e-4"],
    [-2e9, "−2e9"],
    [Number.NaN, "NaN"],
    [Number.POSITIVE_INFINITY, "+∞"],
    [Number.NEGATIVE_INFINITY, "−∞"],
  ])("%d", (value, text) => {
    expect(formatValue(value)).toBe(text);
  });
});

describe("ticks", () => {
  test.each([
    [0, 0.5, "0"],
    [1e-20, 0.5, "0"],
    [0.25, 0.25, "0.25"],
    [-0.5, 0.5, "−0.5"],
    [1000, 500, "1000"],
    [12500, 2500, "12.5k"],
    [20000, 5000, "20k"],
    [3e6, 1e6, "3M"],
    [2.5e9, 5e8, "2.5G"],
    [0.0002, 0.0001, "0.0002"],
    [0.001, 0.0002, "0.001"],
    [0.00025, 0.00005, "2.5e-4"],
    [0.000025, 0.000005, "2.5e-5"],
    [9e18, 1e18, "9e18"],
    [7.5e17, 2.5e17, "7.5e17"],
    [20000.01, 0.01, "20000.01"],
    [20000, 0.01, "20000"],
    [1234565, 5, "1234565"],
    [-1.7e9 - 600, 600, "−1700000600"],
  ])("%d, %d apart", (value, spacing, text) => {
    expect(formatTick(value, spacing)).toBe(text);
  });

  test("neighbors differ", () => {
    for (const spacing of [0.001, 0.02, 0.25, 1, 50, 2500, 1e6]) {
      const labels = [0, 1, 2, 3, 4, 5, 6].map((i) => formatTick(i * spacing, spacing));
      expect(new Set(labels).size).toBe(7);
    }
  });
});

test("neighbors differ at any magnitude, however near to each other they are", () => {
  for (let magnitude = -20; magnitude <= 20; magnitude += 1) {
    for (let finer = 0; finer <= 11; finer += 1) {
      for (const lead of [1, 2, 2.5, 5]) {
        const spacing = Number(`${lead}e${magnitude - finer}`);
        for (const start of [10 ** magnitude, 1.2345678 * 10 ** magnitude, -(10 ** magnitude)]) {
          const ticks = multiples(start, start + 5 * spacing, spacing);
          const labels = ticks.map((tick) => formatTick(tick, spacing));
          expect(new Set(labels).size, labels.join(" ")).toBe(ticks.length);
        }
      }
    }
  }
});

test("whole numbers are told exactly where a double has them", () => {
  expect([1234567, -54321, 1e15, 0.123456].map(formatExact)).toEqual(["1234567", "−54321", "1e15", "0.1235"]);
});

test("counts set thousands apart", () => {
  expect(formatCount(1234567)).toBe("1\u202f234\u202f567");
  expect(formatCount(9007199254740993n)).toContain("993");
  expect(formatCount(12)).toBe("12");
});

test("sizes have a unit", () => {
  expect([0, 999, 1500, 123_456_789, 5e12].map(formatBytes)).toEqual(["0 B", "999 B", "1.5 kB", "123 MB", "5.0 TB"]);
});

test("ages change slowly", () => {
  expect([0, 1500, 5000, 90_000, 7_200_000, 200_000_000].map(formatAge)).toEqual([
    "just now",
    "just now",
    "5 s ago",
    "1 min ago",
    "2 h ago",
    "2 d ago",
  ]);
  expect(formatAge(-5000)).toBe("just now");
});

test("values have fewer digits where there is little room, but two", () => {
  const texts = [-0.006912, 0.006912, 12345, -1.2345e-10, Number.NaN].map((value) => formatWithin(value, 8));
  expect(texts).toEqual(["−0.00691", "0.006912", "12345", "−1.2e-10", "NaN"]);
  expect(formatWithin(-1.2345e-10, 3)).toBe("−1.2e-10");
});

test("the ends of an interval have no rounding errors", () => {
  expect(formatInterval(-1.776e-15, 0.8)).toBe("0 – 0.8");
  expect(formatInterval(0.1 + 0.2 - 0.3, 1e-3)).toBe("0 – 0.001");
  expect(formatInterval(1e-9, 3e-9)).toBe("1e-9 – 3e-9");
  expect(formatInterval(5, 5)).toBe("5");
  expect(formatInterval(Number.NEGATIVE_INFINITY, 2)).toBe("−∞ – 2");
  expect(formatInterval(-1e308, 1e308)).toBe("−1e308 – 1e308");
});
