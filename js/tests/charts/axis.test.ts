import { expect, test } from "vitest";
import { type Axis, horizontalTicks, ticksAlong, widthOfLabels, withBase } from "../../src/charts/axis";
import { LOG, symlog } from "../../src/lib/scale";
import type { Range } from "../../src/lib/search";

const LOGARITHMIC: Axis = { kind: "number", scale: LOG };

/** The labels of an axis 200 pixels long, with their positions. */
function ticks(kind: Axis, range: Range): [string, number][] {
  return ticksAlong(kind, range, 200, 40).map(({ label, value }) => {
    return [label, (value - range[0]) / (range[1] - range[0])];
  });
}

/** Pixels for each character. */
const measure = (text: string) => 6.5 * text.length;

test.each<[Range, [string, number][]]>([
  [
    [0, 4],
    [
      ["0", 0],
      ["1", 0.25],
      ["2", 0.5],
      ["3", 0.75],
      ["4", 1],
    ],
  ],
  [
    [-1e238, 1e238],
    [
      ["−1e238", 0],
      ["−5e237", 0.25],
      ["0", 0.5],
      ["5e237", 0.75],
      ["1e238", 1],
    ],
  ],
  [
    [0, 2e-19],
    [
      ["0", 0],
      ["5e-20", 0.25],
      ["1e-19", 0.5],
      ["1.5e-19", 0.75],
      ["2e-19", 1],
    ],
  ],
])("%j", (range, labels) => {
  const found = ticks("number", range);
  expect(found.map(([label]) => label)).toEqual(labels.map(([label]) => label));
  for (const [i, [, position]] of found.entries()) {
    expect(position).toBeCloseTo(labels[i]?.[1] ?? Number.NaN, 9);
  }
});

test("an axis writes all of its numbers alike", () => {
  const written = (range: Range) => ticks("number", range).map(([label]) => label);
  expect(written([0, 0.0011])).toEqual(["0", "0.00025", "0.0005", "0.00075", "0.001"]);
  expect(written([0, 9e-5])).toEqual(["0", "2e-5", "4e-5", "6e-5", "8e-5"]);
  expect(written([0, 12_000])).toEqual(["0", "2.5k", "5k", "7.5k", "10k"]);
  expect(written([-12_000, 0])).toEqual(["−10k", "−7.5k", "−5k", "−2.5k", "0"]);
  expect(written([0, 9000])).toEqual(["0", "2000", "4000", "6000", "8000"]);
});

test("an axis of whole numbers has no ticks between them", () => {
  expect(ticks("whole", [0, 1])).toEqual([
    ["0", 0],
    ["1", 1],
  ]);
});

function labels(kind: Axis, range: Range): string[] {
  return ticks(kind, range).map(([label]) => label);
}

test("a logarithmic axis has round values: powers of ten, values between them, or even steps within a decade", () => {
  expect(labels(LOGARITHMIC, [-6, 2])).toEqual(["1e-6", "1e-4", "0.01", "1", "100"]);
  expect(labels(LOGARITHMIC, [-1, 1])).toEqual(["0.1", "0.3", "1", "3", "10"]);
  expect(labels(LOGARITHMIC, [0, 1])).toEqual(["1", "2", "5", "10"]);
  expect(labels(LOGARITHMIC, [0, 0.2])).toEqual(["1", "1.2", "1.4"]);
});

test("an axis of time has round times, in one unit", () => {
  expect(labels("duration", [0, 60])).toEqual(["0", "15\u202fs", "30\u202fs", "45\u202fs", "60\u202fs"]);
  expect(labels("duration", [0, 5400])).toEqual(["0", "30\u202fmin", "60\u202fmin", "90\u202fmin"]);
  expect(labels("duration", [0, 0.02])).toEqual(["0", "5\u202fms", "10\u202fms", "15\u202fms", "20\u202fms"]);
});

test("neighbors on an axis of time differ, however small the visible part of the run is", () => {
  expect(labels("duration", [36_000, 36_060])).toEqual(["10:00:00", "10:00:15", "10:00:30", "10:00:45", "10:01:00"]);
  expect(labels("duration", [9000, 12_600])).toEqual(["2.5", "2.75", "3", "3.25", "3.5"].map((h) => `${h}\u202fh`));
  for (const end of [3, 100, 5000, 36_000, 500_000, 1e8]) {
    for (let span = end; span > 1e-4; span /= 3) {
      const found = labels("duration", [end - span, end]);
      expect(new Set(found).size, found.join(" ")).toBe(found.length);
    }
  }
});

test("neighbors on a logarithmic axis differ, however small the visible part is", () => {
  for (let span = 1; span > 1e-6; span /= 3) {
    const found = labels(LOGARITHMIC, [0.3, 0.3 + span]);
    expect(new Set(found).size, found.join(" ")).toBe(found.length);
  }
});

test("a vertical axis has room for its longest label, in any script", () => {
  const found = ticksAlong("whole", [1_700_000_000, 1_700_000_600], 200, 40);
  expect(widthOfLabels(found, measure)).toBe(77);
  expect(widthOfLabels(found, (text) => 20 * text.length)).toBe(212);
  expect(widthOfLabels([], measure)).toBe(12);
});

test("an axis of local times has round ones where we are", () => {
  const noon = new Date(2026, 10, 20, 12, 0, 0).getTime() / 1000;
  expect(labels("clock", [noon, noon + 3600])).toEqual(["12:00", "12:15", "12:30", "12:45", "13:00"]);
  expect(labels("clock", [noon, noon + 4])).toEqual(["12:00:00", "12:00:01", "12:00:02", "12:00:03", "12:00:04"]);
  expect(labels("clock", [noon, noon + 86_400])).toEqual(
    ["12:00", "18:00", "21\u202fNov", "6:00", "12:00"].map((t) => t.replace(/^6/, "06")),
  );
});

test("labels side by side get the room they need", () => {
  const apart = (range: Range, width = measure) => {
    const found = horizontalTicks("whole", range, 400, 64, width);
    return ((found[1]?.value ?? 0) - (found[0]?.value ?? 0)) * (400 / (range[1] - range[0]));
  };
  expect(apart([0, 1000])).toBeCloseTo(80, 9);
  expect(apart([1.7e9, 1.7e9 + 3600])).toBeGreaterThanOrEqual(79);
  expect(apart([0, 1000], (text) => 40 * text.length)).toBeGreaterThanOrEqual(134);
});

test("a narrow plot has three ticks where their labels have room", () => {
  const found = (range: Range, width: number) =>
    horizontalTicks("number", range, width, 58, measure).map(({ label }) => label);
  expect(found([-1.2, 1.2], 102)).toEqual(["−1", "0", "1"]);
  expect(found([-1.2, 1.2], 400).length).toBeGreaterThan(3);
  expect(found([1000.001, 1000.009], 200).length).toBeLessThanOrEqual(200 / (7 * 6.5));
});

test("a symmetric logarithmic axis has powers of ten on both sides of 0", () => {
  const scale = symlog();
  const range: Range = [scale.place(-1e6), scale.place(1e6)];
  expect(labels({ kind: "number", scale }, range)).toEqual(["−1M", "−1000", "0", "1000", "1M"]);
  expect(labels({ kind: "duration", scale }, [0, scale.place(7200)])).toEqual([
    "0",
    "10\u202fs",
    "100\u202fs",
    "16.67\u202fmin",
  ]);
});

test("every axis has two labels at least, which differ, from 1e-12 to 1e12", () => {
  const scales: Axis[] = ["number", "whole", LOGARITHMIC, { kind: "number", scale: symlog() }];
  for (const axis of scales) {
    for (let exponent = axis === "whole" ? 1 : -12; exponent <= 12; exponent += 1) {
      for (const [low, high] of [
        [0.3, 0.7],
        [1, 1.1],
        [1, 9.9],
        [2.01, 2.04],
      ] as const) {
        const [from, to] = [low * 10 ** exponent, high * 10 ** exponent];
        const range: Range = typeof axis === "string" ? [from, to] : [axis.scale.place(from), axis.scale.place(to)];
        const found = ticksAlong(axis, range, 150, 26).map(({ label }) => label);
        const what = `${typeof axis === "string" ? axis : axis.scale.key} ${from} ${to}: ${found}`;
        if (axis !== "whole" || to - from >= 2) {
          expect(found.length, what).toBeGreaterThanOrEqual(2);
        }
        expect(new Set(found).size, what).toBe(found.length);
        expect(Math.max(...found.map((label) => label.length)), what).toBeLessThanOrEqual(10);
      }
    }
  }
});

test("the plot of a small card has two ticks at least, a line of text apart", () => {
  for (let low = 0; low < 3; low += 0.07) {
    for (let span = 0.1; span < 2; span *= 1.1) {
      const range: Range = [low, low + span];
      const [first, second] = ticksAlong("number", range, 50, 26).map(({ value }) => value) as [number, number];
      expect(((second - first) / span) * 50, String(range)).toBeGreaterThanOrEqual(11);
    }
  }
});

test("long labels say how far they are from one value", () => {
  const based = (range: Range) => {
    const { ticks: found, base } = withBase(ticksAlong("number", range, 200, 40));
    return [base, ...found.map(({ label }) => label)];
  };
  expect(based([1e9, 1e9 + 1e-3])).toEqual(["1000000000", "0", "+2.5e-4", "+5e-4", "+7.5e-4", "+0.001"]);
  expect(based([1e-12, 1e-12 + 4e-20])).toEqual(["1e-12", "0", "+1e-20", "+2e-20", "+3e-20", "+4e-20"]);
  expect(based([0, 4])).toEqual([null, "0", "1", "2", "3", "4"]);
  expect(based([-1e9 - 1e-3, -1e9])[0]).toMatch(/^−1/);
});
