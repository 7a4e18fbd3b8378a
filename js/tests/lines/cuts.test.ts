import { afterEach, expect, test } from "vitest";
import type { Camera } from "../../src/charts/camera";
import { cutMarks } from "../../src/charts/cuts";
import { svgOf } from "../../src/charts/svg";
import { LINEAR, LOG } from "../../src/lib/scale";
import { includeOutliers } from "../../src/lines/axes";
import { scalarsContent } from "../../src/lines/content";
import { curveOf } from "../../src/lines/curve";
import { cutsOf, yRange } from "../../src/lines/valuerange";
import { pictureOf } from "../../src/ui/save/picture";
import { part, pointRows, points } from "../wire/made";
import { type Board, boardOf } from "./board";
import { bucketed } from "./buckets";
import { ema, PLAIN } from "./options";

const OUTLIERS = { scale: "linear", ignoreOutliers: true } as const;

let board: Board | undefined;

afterEach(() => board?.end());

/** Values between 0 and 1, with others at some places. */
function noise(count: number, other: Readonly<Record<number, number>> = {}): number[] {
  return Array.from({ length: count }, (_, i) => other[i] ?? (i % 10) / 9);
}

function line(values: readonly number[], first = 0) {
  return curveOf(
    points(
      values.map((_, i) => first + i),
      values,
    ),
    PLAIN,
  );
}

test("a short line is never cut, nor is the newest value of any line", () => {
  const all: [number, number] = [0, 1000];
  expect(yRange([line(noise(100, { 40: 1334 }))], all, OUTLIERS)[1]).toBeCloseTo(1.05, 9);
  expect(yRange([line(noise(49, { 20: 1334 }))], all, OUTLIERS)[1]).toBeGreaterThan(1334);
  expect(yRange([line(noise(100, { 99: 3.22 }))], all, OUTLIERS)[1]).toBeGreaterThan(3.22);
  expect(yRange([line(noise(100, { 98: -7, 99: Number.NaN }))], all, OUTLIERS)[0]).toBeLessThan(-7);
  // Outside the visible steps it does not count.
  expect(yRange([line(noise(100, { 99: 3.22 }))], [0, 50], OUTLIERS)[1]).toBeCloseTo(1.05, 9);
  const short = line(noise(10, { 3: 50 }));
  expect(yRange([line(noise(100, { 40: 1334 })), short], all, OUTLIERS)[1]).toBeCloseTo(50 * 1.05, 9);
});

test("the newest value of a bucket, not its mean, stays visible", () => {
  const values = noise(960, { 959: 30 });
  const one = curveOf(bucketed([...values.keys()], values, 16), PLAIN);
  expect(yRange([{ ...one, newest: 30 }], [0, 960], OUTLIERS)[1]).toBeGreaterThan(30);
  const series = { ...bucketed([...values.keys()], values, 16), last: 30 };
  expect(curveOf(series, PLAIN).newest).toBe(30);
});

test("all values of a bucket that ends in NaN stay visible: the last finite one is among them", () => {
  const values = noise(960, { 957: 30, 958: -30, 959: Number.NaN });
  const one = curveOf({ ...bucketed([...values.keys()], values, 16), last: Number.NaN }, PLAIN);
  const [low, high] = yRange([one], [0, 960], OUTLIERS);
  expect([low < -30, high > 30]).toEqual([true, true]);
});

test("values beyond an axis are counted at either end, with the farthest value and its position", () => {
  const cut = cutsOf([line(noise(100, { 40: 1334, 50: 20, 60: -9 }))], [0, 99], [-0.05, 1.05], LINEAR);
  expect(cut.above).toEqual({ count: 2, isAtLeast: false, x: 40, value: 1334 });
  expect(cut.below).toEqual({ count: 1, isAtLeast: false, x: 60, value: -9 });
  expect(cutsOf([line(noise(100, { 40: 1334 }))], [50, 99], [-0.05, 1.05], LINEAR).above).toBeNull();
  const [low, high] = [Math.log10(0.1), Math.log10(2)];
  const onLog = curveOf(points([0, 1, 2], [1, 100, 0]), { ...PLAIN, yScale: LOG });
  expect(cutsOf([onLog], [0, 2], [low, high], LOG).above?.value).toBeCloseTo(100, 9);
});

test("values are counted, not what smoothing makes of them, unless only that is drawn beyond the axis", () => {
  const values = noise(100, { 40: 50 });
  const smoothed = curveOf(points([...values.keys()], values), { ...PLAIN, smoothing: ema(0.9) });
  const cut = (x: [number, number]) => cutsOf([smoothed], x, [-0.05, 1.05], LINEAR).above;
  expect(cut([0, 99])).toEqual({ count: 1, isAtLeast: false, x: 40, value: 50 });
  expect(cut([42, 99])?.x).toBe(42);
});

test("a note says that buckets may have more", () => {
  const values = noise(960, { 300: 50, 301: 60 });
  const cut = cutsOf([curveOf(bucketed([...values.keys()], values, 16), PLAIN)], [0, 960], [0, 1], LINEAR);
  expect(cut.above).toMatchObject({ count: 1, isAtLeast: true, value: 60 });
});

test("marks stand on the edges, within the plot, and name the value", () => {
  const area = { left: 50, top: 8, width: 300, height: 100 };
  const cut = { count: 2, isAtLeast: false, x: 10, value: 1334 };
  const marks = cutMarks(
    { above: cut, below: { ...cut, value: -0.25, x: 0 } },
    area,
    (x) => x / 10,
    (text) => 6 * text.length,
  );
  expect(marks.map(({ text }) => text)).toEqual(["▲ 1\u202f334", "▼ −0.25"]);
  const [above, below] = marks;
  expect([(above?.left ?? 0) + (above?.width ?? 0), below?.left]).toEqual([350, 50]);
  expect([(above?.top ?? 0) < 8, (below?.top ?? 0) + 16 <= 108]).toEqual([true, true]);
  expect(above?.hint).toBe("Include 2 outliers up to 1\u202f334");
});

const WHOLE: Camera = { x: null, y: null };

/** A card of a tag with two outliers. */
function contentOf(state: Record<string, unknown>) {
  const values = noise(100, { 40: 1334, 60: -9 });
  board ??= boardOf([part("fps", "a", [...values.keys()], { rows: pointRows([...values.keys()], values) })], {
    smoothing: 0,
    ...state,
  });
  return scalarsContent([{ tag: "fps", data: board.tag("fps") }], board.view, []);
}

function marksOf(state: Record<string, unknown>, camera = WHOLE): readonly string[] {
  const { cuts } = contentOf(state).layOut({ width: 400, height: 200 }, camera, 1);
  return cuts?.map(({ text }) => text[0] ?? "") ?? [];
}

test.each<[readonly string[], Record<string, unknown>, Camera?]>([
  [["▲", "▼"], {}],
  [["▲", "▼"], {}, { x: [0, 90], y: null }],
  [["▼"], {}, { x: [50, 90], y: null }],
  [[], { ignore_outliers: false }],
  [[], { outliers_y: ["fps"] }],
  [["▲", "▼"], { outliers_y: ["loss"] }],
  // The user has set that limit.
  [[], {}, { x: null, y: [0, 1] }],
  [["▼"], { y_ranges: { fps: [null, 1] } }],
])("%j with %j and %j", (wanted, state, camera) => {
  board = undefined;
  expect(marksOf(state, camera)).toEqual(wanted);
});

test("a card alone includes its outliers, and leaves them out again", () => {
  board = undefined;
  expect(marksOf({})).toHaveLength(2);
  const { view } = board as unknown as Board;
  includeOutliers(["fps"], view, true);
  expect(marksOf({})).toEqual([]);
  includeOutliers(["fps"], view, false);
  expect(marksOf({})).toHaveLength(2);
});

test("saved pictures have the marks, too", () => {
  board = undefined;
  const card = { title: "fps", legend: [], size: { width: 400, height: 200 }, content: contentOf({}), camera: WHOLE };
  const [background, foreground] = [
    [255, 255, 255],
    [0, 0, 0],
  ] as const;
  const picture = pictureOf([card], "fps", 400, { background, foreground });
  const svg = svgOf(
    picture,
    "fps",
    (surface) => picture.paint(surface),
    (text) => ({ width: 6 * text.length }) as TextMetrics,
  );
  expect(svg).toContain("▲ 1\u202f334");
  expect(svg).toContain("▼ −9");
});
