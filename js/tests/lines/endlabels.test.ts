import { expect, test } from "vitest";
import { timeXAxis } from "../../src/charts/axis";
import { WHOLE } from "../../src/charts/camera";
import type { LineData } from "../../src/charts/extent";
import type { Surface } from "../../src/charts/geometry";
import { LINEAR } from "../../src/lib/scale";
import type { NamedLine } from "../../src/lines/beyond";
import { endOf, lineChart, roomForLabels, spread } from "../../src/lines/linechart";

function line(x: readonly number[], y: readonly number[]): LineData {
  const column = Float64Array.from(y);
  return { x: Float64Array.from(x), ascending: true, y: column, raw: column, low: null, high: null };
}

test("labels keep apart and inside, each as near its line as the others let it", () => {
  expect(spread([10, 50, 90], 100, 14)).toEqual([10, 50, 90]);
  expect(spread([50, 50, 51], 100, 14)).toEqual([50, 64, 78]);
  expect(spread([99, 100], 100, 14)).toEqual([86, 100]);
  expect(spread([80, 20, 81], 100, 14)).toEqual([80, 20, 94]);
  expect(spread([1, 2, 3], 20, 14)).toBeNull();
});

test("a line ends at its last visible finite point", () => {
  const one = line([0, 1, 2, 3], [5, 6, Number.NaN, 8]);
  expect(endOf(one, [0, 3])).toEqual({ x: 3, y: 8 });
  expect(endOf(one, [0, 2.5])).toEqual({ x: 1, y: 6 });
  expect(endOf(one, [1.5, 2.5])).toBeNull();
});

test("two to eight lines have labels, in charts wide enough, as wide as the longest up to a limit", () => {
  const labels = (count: number, text = "run"): NamedLine[] =>
    Array.from({ length: count }, () => ({ line: line([0], [0]), text, color: "" }));
  expect([1, 9].map((count) => roomForLabels(labels(count), 800))).toEqual([0, 0]);
  expect(roomForLabels(labels(3), 300)).toBe(0);
  expect(roomForLabels(labels(3), 500)).toBeGreaterThan(20);
  expect(roomForLabels(labels(2, "x".repeat(500)), 500)).toBe(roomForLabels(labels(2, "x".repeat(100)), 500));
});

test("a paint reads the names of all lines where they stand beside the plot, else that of the highlighted line alone", () => {
  const context = new Proxy({}, { get: () => () => {}, set: () => true });
  const surface = { context, ratio: 1, path: () => context } as unknown as Surface;
  const read = (count: number, at?: number) => {
    let names: string[] = [];
    const labels = Array.from({ length: count }, (_, i) => ({
      ...{ line: line([0, 1], [i, i + 1]), color: "" },
      get text() {
        names.push(`run${i}`);
        return `run${i}`;
      },
    }));
    const lines = labels.map(({ line }) => line);
    const plot = { run: "", color: "", lines, linked: [], ranges: [], paint: () => {}, near: () => [] };
    const chart = { lines, plots: [plot], lastStep: 1n, x: timeXAxis("step"), yScale: LINEAR, ignoreOutliers: false };
    const own = { names: labels, isLabeled: true, theme: "light" as const, bytes: 0 };
    const layout = lineChart({ ...chart, ...own }).layOut({ width: 800, height: 300 }, WHOLE, 1);
    names = [];
    layout.paint(surface, at === undefined ? null : (lines[at] as LineData));
    return [...new Set(names)].sort();
  };
  expect(read(3)).toEqual(["run0", "run1", "run2"]);
  expect(read(9)).toEqual([]);
  expect(read(9, 4)).toEqual(["run4"]);
});
