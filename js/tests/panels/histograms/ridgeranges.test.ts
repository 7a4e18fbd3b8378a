import { expect, test } from "vitest";
import type { PlacedRange } from "../../../src/charts/namedranges";
import { marksAbove, marksBeside, rangesWithin } from "../../../src/panels/histograms/ridgeranges";
import type { Ridge, Ridges } from "../../../src/panels/histograms/ridges";

/** Base lines of the steps 0, 50 and 100 are 40, 70 and 100 pixels below the upper edge of the plot. */
const FACET = { left: 10, top: 20, width: 200, height: 100, runs: [0], room: [0, 240], first: true } as const;
const measure = (text: string) => 6 * text.length;

/** Ridges with this many counts in each of ten columns. */
function ridgesOf(counts: readonly number[]): Ridges {
  const ridges = [0, 50, 100].map((at) => ({ at, profile: Float64Array.from(counts) }) as unknown as Ridge);
  const countScale = (count: number) => count / 10;
  return { mode: "offset", ridges, steps: [0, 100], tallest: 0.4, countScale } as unknown as Ridges;
}

const FREE = ridgesOf([0, 0, 0, 0, 10, 10, 0, 0, 0, 0]);

function placed(...ranges: readonly [name: string, first: number, last: number][]): PlacedRange[] {
  return ranges.map(([name, first, last]) => ({ name, steps: [first, last], spans: [[first, last]] }));
}

function beside(ranges: readonly PlacedRange[], ridges: Ridges = FREE) {
  const marks = marksBeside(ranges, ridges, FACET, measure);
  return { strips: marks.filter(({ text }) => text === null), names: marks.filter(({ text }) => text !== null) };
}

test("a strip goes from base line to base line beside the plot, and the name is below the first of them", () => {
  const ranges = placed(["lr drop", 50, 100]);
  const { strips, names } = beside(ranges);
  expect(strips).toMatchObject([{ left: 210, top: 90, width: 4, height: 30, isUpright: true, span: [50, 100] }]);
  expect(names).toMatchObject([{ text: "lr drop", left: 164, top: 91, width: 42, isUpright: false }]);
  expect(names[0]?.label).toBe("lr drop: steps 50 – 100");
  expect(names[0]?.highlight).toBe(ranges[0]);
});

test("a name is at the end that has less data", () => {
  const right = ridgesOf([0, 0, 0, 0, 10, 10, 10, 10, 10, 10]);
  expect(beside(placed(["lr drop", 50, 100]), right).names).toMatchObject([{ left: 14 }]);
  // A low ridge does not reach the name above it.
  const low = ridgesOf([9, 9, 0, 0, 10, 10, 0, 0.1, 0.1, 0.1]);
  expect(beside(placed(["lr drop", 50, 100]), low).names).toMatchObject([{ left: 164 }]);
});

test("names that would cover each other stand at both ends; a third one only has its strip", () => {
  const { strips, names } = beside(placed(["one", 0, 100], ["two", 5, 10], ["three", 8, 9]));
  expect(strips).toHaveLength(3);
  expect(names.map(({ text, left }) => [text, left])).toEqual([
    ["one", 188],
    ["two", 14],
  ]);
});

test("a single step has a strip that can be pressed, and the last name stays in the plot", () => {
  const { strips, names } = beside(placed(["end", 100, 100]));
  expect(strips).toMatchObject([{ top: 117.5, height: 5 }]);
  expect(names).toMatchObject([{ top: 105 }]);
});

test("invisible ranges are left out, and partly visible ones end at the edge", () => {
  const ranges = rangesWithin(placed(["before", -20, -10], ["over", 60, 900]), [0, 100]);
  expect(ranges.map(({ name }) => name)).toEqual(["over"]);
  expect(beside(ranges).strips).toMatchObject([{ top: 96, height: 24, span: [60, 900] }]);
});

test("without an axis of steps, names are in a row, with their steps if there is room for all", () => {
  const ranges = placed(["warm-up", 0, 10], ["lr drop", 50, 50]);
  const names = (room: [number, number]) =>
    marksAbove(ranges, room, measure).filter(({ text }) => text !== null && text !== "");
  expect(names([100, 500]).map(({ text, left }) => [text, left])).toEqual([
    ["warm-up: steps 0 – 10", 100],
    ["lr drop: step 50", 234],
  ]);
  expect(names([100, 200]).map(({ text, left }) => [text, left])).toEqual([
    ["warm-up", 100],
    ["lr drop", 150],
  ]);
  expect(names([100, 150]).map(({ text }) => text)).toEqual(["warm-up"]);
  expect(marksAbove(ranges, [100, 200], measure).filter(({ text }) => text === null)).toMatchObject([
    { left: 100, width: 42 },
    { left: 150, width: 42 },
  ]);
});
