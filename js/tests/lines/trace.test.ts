import { expect, test } from "vitest";
import { columnWidth, trace, traceBand } from "../../src/lines/trace";

const IDENTITY = { xScale: 1, xOffset: 0, yScale: 1, yOffset: 0 };

function drawn(x: number[], y: number[], map = IDENTITY): string[] {
  const strokes: string[] = [];
  trace(Float64Array.from(x), Float64Array.from(y), 0, x.length, map, {
    moveTo: (px, py) => strokes.push(`M${px},${py}`),
    lineTo: (px, py) => strokes.push(`L${px},${py}`),
    dot: (px, py) => strokes.push(`.${px},${py}`),
  });
  return strokes;
}

test("points are joined in their order, also backwards", () => {
  expect(drawn([0, 2, 1], [5, 6, 7])).toEqual(["M0,5", "L2,6", "L1,7"]);
});

test("the mapping applies", () => {
  expect(drawn([1, 2], [3, 4], { xScale: 10, xOffset: 5, yScale: -1, yOffset: 100 })).toEqual(["M15,97", "L25,96"]);
});

test("values that are not finite break the line", () => {
  const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
  expect(drawn([0, 1, 2, 3, 4, 5], [1, 2, nan, 3, inf, 4])).toEqual(["M0,1", "L1,2", "M3,3", ".3,3", "M5,4", ".5,4"]);
});

test("nothing is drawn of nothing", () => {
  expect(drawn([], [])).toEqual([]);
  expect(drawn([1, 2], [Number.NaN, Number.NaN])).toEqual([]);
});

test("dense lines keep first, lowest, highest and last of each pixel column", () => {
  const x = Array.from({ length: 300 }, (_, i) => i / 100);
  const y = x.map((_, i) => (i === 42 ? -100 : i === 43 ? 100 : 0));
  const strokes = drawn(x, y);
  expect(strokes.length).toBeLessThanOrEqual(16);
  expect(strokes).toContain("L0,-100");
  expect(strokes).toContain("L0,100");
});

test("a gap in a dense line stays a gap", () => {
  const x = Array.from({ length: 300 }, (_, i) => i / 100);
  const y = x.map((_, i) => (i === 100 ? Number.NaN : 1));
  expect(drawn(x, y).filter((stroke) => stroke.startsWith("M"))).toHaveLength(2);
});

test("thousands of lines keep their extremes in columns of several pixels, and a steady line stays steady", () => {
  const x = Array.from({ length: 300 }, (_, i) => i);
  const wide = { ...IDENTITY, column: 4 };
  const spiked = drawn(
    x,
    x.map((i) => (i === 41 ? -100 : i === 42 ? 100 : 0)),
    wide,
  );
  expect(spiked.length).toBeLessThanOrEqual(2 * 76);
  // Each point keeps its position, in order of arrival.
  expect(spiked.filter((stroke) => stroke.endsWith("100"))).toEqual(["L41,-100", "L42,100"]);
  const steady = drawn(x, x, wide).map((stroke) => stroke.slice(1).split(",").map(Number));
  expect(steady.every(([across, up]) => across === up)).toBe(true);
  expect(steady).toEqual([...steady].sort(([a = 0], [b = 0]) => a - b));
  expect([steady[0], steady.at(-1)]).toEqual([
    [0, 0],
    [299, 299],
  ]);
  // Fewer points than columns are drawn unchanged.
  expect(drawn([0, 10, 20], [1, 2, 3], wide)).toEqual(["M0,1", "L10,2", "L20,3"]);
});

test("columns are a pixel wide up to some 250 lines in a card, and never wide enough to be seen", () => {
  expect([columnWidth(1, 600), columnWidth(50, 600), columnWidth(250, 300)]).toEqual([1, 1, 1]);
  expect(columnWidth(1_000, 300)).toBe(4);
  expect(columnWidth(10_000, 3_000)).toBe(6);
});

function band(x: number[], low: number[], high: number[]): number[][] {
  const found: number[][] = [];
  traceBand(
    Float64Array.from(x),
    Float64Array.from(low),
    Float64Array.from(high),
    0,
    x.length,
    IDENTITY,
    100,
    (...rectangle) => found.push(rectangle),
  );
  return found;
}

test("a band reaches from each bucket's least to its greatest value, back to the bucket before", () => {
  // With this mapping, y grows upwards: the rectangles extend down from their greatest value.
  expect(band([10, 20], [1, 2], [5, 2])).toEqual([
    [9, 4.5, 1, -3],
    [10, 1.5, 10, 1],
  ]);
});

test("buckets in one pixel column make one rectangle; those without a finite value none", () => {
  expect(band([10, 10.2, 30], [1, 0, Number.NaN], [2, 1, Number.NaN])).toHaveLength(1);
});

test("a band without a lower end reaches down to the floor", () => {
  expect(band([10], [Number.NEGATIVE_INFINITY], [5])).toEqual([[9, 4.5, 1, 95.5]]);
  expect(band([10], [Number.NEGATIVE_INFINITY], [Number.NaN])).toEqual([]);
});
