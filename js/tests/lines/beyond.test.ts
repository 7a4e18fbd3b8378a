import { afterEach, expect, test } from "vitest";
import { cutMarks } from "../../src/charts/cuts";
import type { LineData } from "../../src/charts/extent";
import type { Layout } from "../../src/charts/layout";
import { svgOf } from "../../src/charts/svg";
import type { Range } from "../../src/lib/search";
import { cutRuns, sharedValues } from "../../src/lines/axes";
import { endsBeyond, flatteningLines } from "../../src/lines/beyond";
import { scalarsContent } from "../../src/lines/content";
import { curveOf } from "../../src/lines/curve";
import { newestOf } from "../../src/lines/valuerange";
import { pictureOf } from "../../src/ui/save/picture";
import { part, pointRows, points } from "../wire/made";
import { type Board, boardOf } from "./board";
import { PLAIN } from "./options";

const X: Range = [0, 1000];
const STEPS = [...Array(100).keys()];

/** Falls from 2 to 0.1, with a little noise. */
const CALM = STEPS.map((step) => 0.1 + 1.9 * Math.exp(-step / 20) + ((step * 7) % 5) / 100);
/** Does the same at first, then diverges. */
const divergesTo = (last: number) =>
  CALM.map((value, step) => (step < 70 ? value : value + last ** ((step - 69) / 30)));

const line = (values: readonly number[]): LineData => curveOf(points([...values.keys()], values), PLAIN);

function flat(...all: readonly (readonly number[])[]): number[] {
  const lines = all.map(line);
  const found = flatteningLines(lines, X);
  return lines.flatMap((one, i) => (found.has(one) ? [i] : []));
}

test("a run that diverged flattens the others, also where it has a large share of all values", () => {
  expect(flat(...Array(11).fill(CALM), divergesTo(1e6))).toEqual([11]);
  const down = divergesTo(1e6).map((value) => -value);
  expect(flat(down, ...Array(3).fill(CALM.map((value) => -value)))).toEqual([0]);
  // The same holds for short lines, and those that end in NaN.
  const short = CALM.slice(0, 20);
  expect(flat(short, [2, 1.5, 1, 90, 1e5], short, short)).toEqual([1]);
  expect(flat(CALM, CALM, CALM, [...divergesTo(1e6), Number.NaN])).toEqual([3]);
});

test("no run flattens others that have a tenth of the axis, or that it was never near", () => {
  expect(flat(CALM, CALM, divergesTo(15))).toEqual([]);
  expect(
    flat(
      CALM,
      CALM,
      CALM.map((value) => 1e6 + value),
    ),
  ).toEqual([]);
  // One of few runs, and more than a quarter of several.
  expect(flat(divergesTo(1e6))).toEqual([]);
  expect(flat(CALM, CALM, divergesTo(1e6))).toEqual([]);
  expect(flat(...Array(5).fill(CALM), divergesTo(1e6), divergesTo(1e6))).toEqual([]);
  expect(flat([1, 1], [1, 1], [1, 1], [1, 1e6])).toEqual([]);
  // Points outside the visible steps do not count.
  const lines = [CALM, CALM, CALM, divergesTo(1e6)].map(line);
  expect(flatteningLines(lines, [0, 50]).size).toBe(0);
});

test("three lines are not examined: none of them flattens the others", () => {
  const unread = {
    get y(): Float64Array {
      throw new Error("read");
    },
  } as unknown as LineData;
  const three = [unread, unread, unread];
  expect(flatteningLines(three, X).size).toBe(0);
});

test("the ends beyond an axis belong to its newest values, as written", () => {
  const named = [CALM, divergesTo(1e6), divergesTo(1e3)].map((values, i) => ({
    line: line(values),
    text: `${i}`,
    color: "#000000",
  }));
  expect(endsBeyond(named, X, [0, 2]).map(({ text, side, x, y }) => [text, side, x, Math.round(y / 10) * 10])).toEqual([
    ["1", "above", 99, 1e6],
    ["2", "above", 99, 1e3],
  ]);
});

test("the band of an aggregate is none of its values", () => {
  const band = { low: Float64Array.from(CALM, () => -1e6), high: Float64Array.from(CALM, () => 1e6) };
  const group: LineData = { ...line(CALM), ...band };
  expect(newestOf(group, X)).toEqual([CALM[99], CALM[99]]);
  expect(endsBeyond([{ line: group, text: "group", color: "#000000" }], X, [0, 2])).toEqual([]);
  expect(flatteningLines([line(CALM), line(CALM), line(CALM), group], X).size).toBe(0);
});

let board: Board | undefined;

afterEach(() => board?.end());

const RUNS = { a: CALM, b: CALM.map((value) => value + 0.2), c: CALM, diverged: divergesTo(1e6) };

/** A board of some tags, each with these runs. */
function boardWith(tags: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>, state = {}): Board {
  board?.end();
  const parts = Object.entries(tags).flatMap(([tag, runs]) =>
    Object.entries(runs).map(([run, values]) => {
      const steps = [...values.keys()];
      return part(tag, run, steps, { rows: pointRows(steps, values) });
    }),
  );
  board = boardOf(parts, { smoothing: 0, ...state });
  return board;
}

const SIZE = { width: 400, height: 200 };
const CAMERA = { x: null, y: null };

function contentOf({ view, tag }: Board, name = "loss") {
  return scalarsContent([{ tag: name, data: tag(name) }], view, []);
}

function laidOut(board: Board, name = "loss"): Layout<unknown> {
  return contentOf(board, name).layOut(SIZE, CAMERA, 1) as Layout<unknown>;
}

const topOf = ({ plots }: Layout<unknown>) => plots[0]?.vertical?.range[1] ?? Number.NaN;

test("an axis holds the newest value of a run that diverged, until the user has it cut", () => {
  const shown = boardWith({ loss: RUNS });
  const whole = laidOut(shown);
  expect(topOf(whole)).toBeGreaterThan(1e6);
  expect(whole.cuts).toEqual([]);
  expect(whole.flattening?.map(({ name, value }) => [name, Math.round(value / 1e5)])).toEqual([["diverged", 10]]);
  cutRuns(["loss"], shown.view, true);
  const cut = laidOut(shown);
  expect(topOf(cut)).toBeLessThan(3);
  expect(cut.cuts?.map(({ cut: { ends } }) => ends?.map(({ name }) => name))).toEqual([["diverged"]]);
  expect(cut.flattening).toEqual(whole.flattening);
  cutRuns(["loss"], shown.view, false);
  expect(topOf(laidOut(shown))).toBe(topOf(whole));
});

test("the card of a run that was cut names its end at the edge", () => {
  const shown = boardWith({ loss: RUNS });
  cutRuns(["loss"], shown.view, true);
  const { cuts = [], plots } = laidOut(shown);
  const [mark] = cuts;
  expect(mark?.text).toMatch(/^1/);
  // The mark stands beside the arrow at the end of the line, not on it.
  const { left, width } = plots[0]?.area ?? { left: 0, width: 0 };
  expect((mark?.left ?? 0) + (mark?.width ?? 0)).toBeLessThanOrEqual(left + width - 9);

  const svg = () => {
    const card = { title: "loss", legend: [], size: SIZE, content: contentOf(shown), camera: CAMERA };
    const colors = { background: [255, 255, 255], foreground: [0, 0, 0] } as const;
    const picture = pictureOf([card], "loss", 400, colors);
    const measure = (text: string) => ({ width: 6 * text.length }) as TextMetrics;
    return svgOf(picture, "loss", (surface) => picture.paint(surface), measure);
  };
  const arrows = (text: string) => text.match(/<path[^>]*fill="#[^>]*>/g)?.length ?? 0;
  const withArrow = arrows(svg());
  cutRuns(["loss"], shown.view, false);
  expect(withArrow - arrows(svg())).toBeGreaterThan(0);
});

test.each([
  ["with its outliers", { ignore_outliers: false }],
  ["that is logarithmic", { log_y: ["loss"] }],
  ["between two fixed ends", { y_ranges: { loss: [0, 5] } }],
])("an axis %s offers to cut no run", (_, state) => {
  const shown = boardWith({ loss: RUNS }, state);
  cutRuns(["loss"], shown.view, true);
  const { cuts, flattening } = laidOut(shown);
  expect([cuts, flattening]).toEqual([[], []]);
});

test("cards that share an axis hold the newest values of all, and are cut together", () => {
  const calm = Object.fromEntries(Object.keys(RUNS).map((run) => [run, CALM]));
  const shown = boardWith({ "loss/train": RUNS, "loss/test": calm, other: RUNS }, { share_y: true });
  const most = () => ["loss/train", "loss/test"].map((tag) => sharedValues(tag, shown.view)?.[1] ?? Number.NaN);
  expect(Math.min(...most())).toBeGreaterThan(9e5);
  expect(laidOut(shown, "loss/train").flattening?.map(({ name }) => name)).toEqual(["diverged"]);
  cutRuns(["loss/test"], shown.view, true);
  expect(Math.max(...most())).toBeLessThan(3);
  expect(laidOut(shown, "loss/train").cuts?.flatMap(({ cut }) => cut.ends?.map(({ name }) => name))).toEqual([
    "diverged",
  ]);
  expect(topOf(laidOut(shown, "other"))).toBeGreaterThan(9e5);
});

test("the last finite value stays on an axis, also of a run that ended in NaN", () => {
  const spoilt = [...CALM.slice(1), 40, Number.NaN];
  const shown = boardWith({ "loss/train": { a: CALM, spoilt }, "loss/test": { a: CALM } });
  expect(topOf(laidOut(shown, "loss/train"))).toBeGreaterThan(40);
  const shared = boardWith({ "loss/train": { a: CALM, spoilt }, "loss/test": { a: CALM } }, { share_y: true });
  expect(sharedValues("loss/test", shared.view)?.[1]).toBe(40);
});

test("the newest value of a run has a mark of its own where a farther one was before it", () => {
  const area = { left: 0, top: 0, width: 300, height: 100 };
  const cut = { count: 3, isAtLeast: false, x: 95, value: 1e6, ends: [{ name: "a", x: 100, value: 5000 }] };
  const marks = cutMarks(
    { above: cut, below: null },
    area,
    (x) => x / 100,
    (text) => 6 * text.length,
  );
  expect(marks.map(({ text, cut: { count, ends } }) => [text, count, ends?.length])).toEqual([
    ["5\u202f000", 3, 1],
    ["▲ 1\u202f000\u202f000", 0, undefined],
  ]);
  const [atEnd, farthest] = marks;
  expect((farthest?.left ?? 0) + (farthest?.width ?? 0)).toBeLessThan(atEnd?.left ?? 0);
});

test.each([
  ["near the left edge", 2, 300],
  ["in the middle of a plot that is too narrow for two marks", 50, 110],
])("the marks of a run that ended %s do not cover each other", (_, x, width) => {
  const area = { left: 0, top: 0, width, height: 100 };
  const cut = { count: 3, isAtLeast: false, x: 1, value: 1e6, ends: [{ name: "a", x, value: 5000 }] };
  const marks = cutMarks(
    { above: cut, below: null },
    area,
    (x) => x / 100,
    (text) => 6 * text.length,
  );
  const [first, ...others] = marks.toSorted((a, b) => a.left - b.left);
  expect((others[0]?.left ?? width) - ((first?.left ?? 0) + (first?.width ?? 0))).toBeGreaterThanOrEqual(0);
  expect(marks.every(({ left, width: own }) => left >= 0 && left + own <= width)).toBe(true);
  expect(marks[0]?.text).toBe("5\u202f000");
  expect(marks).toHaveLength(width === 300 ? 2 : 1);
});
