import { expect, test } from "vitest";
import { Axis, type AxisKind, type Range, widthOf } from "../../src/charts/axis";

/** The labels of an axis 200 pixels long, and where they stand; as uPlot asks for them. */
function ticks(axis: Axis): [string, number][] {
  const { incrs, splits, values } = axis.options as unknown as Record<string, (...given: unknown[]) => unknown>;
  incrs?.(null, 0, 0, 1, 200, 40);
  const positions = splits?.() as number[];
  const labels = values?.({ width: 200 }, null, 1) as string[];
  return labels.map((label, i) => [label, positions[i] ?? Number.NaN]);
}

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
  const axis = new Axis("number");
  axis.range = range;
  const found = ticks(axis);
  expect(found.map(([label]) => label)).toEqual(labels.map(([label]) => label));
  for (const [i, [, position]] of found.entries()) {
    expect(position).toBeCloseTo(labels[i]?.[1] ?? Number.NaN, 9);
  }
});

test("an axis of whole numbers has no ticks between them", () => {
  const axis = new Axis("whole");
  axis.range = [0, 1];
  expect(ticks(axis)).toEqual([
    ["0", 0],
    ["1", 1],
  ]);
});

test("values and positions are each other's inverse", () => {
  const axis = new Axis("number");
  axis.range = [-3, 5];
  expect(axis.position(axis.value(0.3))).toBeCloseTo(0.3, 12);
  expect([axis.value(0), axis.value(1)]).toEqual([-3, 5]);
});

function labels(kind: AxisKind, range: Range): string[] {
  const axis = new Axis(kind);
  axis.range = range;
  return ticks(axis).map(([label]) => label);
}

test("a logarithmic axis has round values: powers of ten, what is between them, or even steps within a decade", () => {
  expect(labels("log", [-6, 2])).toEqual(["1e-6", "1e-4", "0.01", "1", "100"]);
  expect(labels("log", [-1, 1])).toEqual(["0.1", "0.3", "1", "3", "10"]);
  expect(labels("log", [0, 1])).toEqual(["1", "2", "5", "10"]);
  expect(labels("log", [0, 0.2])).toEqual(["1", "1.2", "1.4"]);
});

test("an axis of time has round times, in one unit", () => {
  expect(labels("duration", [0, 60])).toEqual(["0", "15\u202fs", "30\u202fs", "45\u202fs", "60\u202fs"]);
  expect(labels("duration", [0, 5400])).toEqual(["0", "30\u202fmin", "60\u202fmin", "90\u202fmin"]);
  expect(labels("duration", [0, 0.02])).toEqual(["0", "5\u202fms", "10\u202fms", "15\u202fms", "20\u202fms"]);
});

test("neighbours on an axis of time differ, however small a part of the run is in sight", () => {
  expect(labels("duration", [36_000, 36_060])).toEqual(["10:00:00", "10:00:15", "10:00:30", "10:00:45", "10:01:00"]);
  expect(labels("duration", [9000, 12_600])).toEqual(["2.5", "2.75", "3", "3.25", "3.5"].map((h) => `${h}\u202fh`));
  for (const end of [3, 100, 5000, 36_000, 500_000, 1e8]) {
    for (let span = end; span > 1e-4; span /= 3) {
      const found = labels("duration", [end - span, end]);
      expect(new Set(found).size, found.join(" ")).toBe(found.length);
    }
  }
});

test("neighbours on a logarithmic axis differ, however small a part is in sight", () => {
  for (let span = 1; span > 1e-6; span /= 3) {
    const found = labels("log", [0.3, 0.3 + span]);
    expect(new Set(found).size, found.join(" ")).toBe(found.length);
  }
});

test("a vertical axis is as wide as its longest label", () => {
  expect(widthOf([])).toBe(52);
  expect(widthOf(["1", "−1700000600"])).toBeCloseTo(81.5);
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
  const axis = new Axis("whole");
  axis.range = [0, 1000];
  expect(axis.space(400, 64)).toBe(64);
  axis.range = [1.7e9, 1.7e9 + 3600];
  expect(axis.space(400, 64)).toBe(77);
});
