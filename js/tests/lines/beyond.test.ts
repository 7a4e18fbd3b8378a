import { afterEach, expect, test } from "vitest";
import { cutMarks } from "../../src/charts/cuts";
import type { LineData } from "../../src/charts/extent";
import type { Layout } from "../../src/charts/layout";
import { svgOf } from "../../src/charts/svg";
import type { Range } from "../../src/lib/range";
import { endsBeyond, fittedLines } from "../../src/lines/beyond";
import { scalarsContent } from "../../src/lines/content";
import { curveOf } from "../../src/lines/curve";
import { pictureOf } from "../../src/ui/save/picture";
import { part, pointRows, points } from "../wire/made";
import { type Board, boardOf } from "./board";
import { PLAIN } from "./options";

const X: Range = [0, 1000];
const STEPS = [...Array(100).keys()];

/** Falls from 2 to 0.1, with a little noise. */
const CALM = STEPS.map((step) => 0.1 + 1.9 * Math.exp(-step / 20) + ((step * 7) % 5) / 100);
/** Does the same at first, then leaves that behind. */
const divergesTo = (last: number) =>
  CALM.map((value, step) => (step < 70 ? value : value + last ** ((step - 69) / 30)));

const line = (values: readonly number[]): LineData => curveOf(points([...values.keys()], values), PLAIN);

function left(...all: readonly (readonly number[])[]): number[] {
  const lines = all.map(line);
  const fitted = fittedLines(lines, X);
  return lines.flatMap((one, i) => (fitted.includes(one) ? [] : [i]));
}

test("the axis is not fitted to a run that diverged, also where that is a large share of all values", () => {
  expect(left(...Array(11).fill(CALM), divergesTo(1e6))).toEqual([11]);
  const down = divergesTo(1e6).map((value) => -value);
  expect(left(down, ...Array(3).fill(CALM.map((value) => -value)))).toEqual([0]);
  // Short lines, and those that end in NaN, as well.
  const short = CALM.slice(0, 20);
  expect(left(short, [2, 1.5, 1, 90, 1e5], short, short)).toEqual([1]);
  expect(left(CALM, CALM, CALM, [...divergesTo(1e6), Number.NaN])).toEqual([3]);
});

test("every run counts that leaves the others a tenth of the axis, or that is nowhere near them", () => {
  expect(left(CALM, CALM, divergesTo(15))).toEqual([]);
  expect(
    left(
      CALM,
      CALM,
      CALM.map((value) => 1e6 + value),
    ),
  ).toEqual([]);
  // One of few runs, and more than a quarter of several.
  expect(left(divergesTo(1e6))).toEqual([]);
  expect(left(CALM, CALM, divergesTo(1e6))).toEqual([]);
  expect(left(...Array(5).fill(CALM), divergesTo(1e6), divergesTo(1e6))).toEqual([]);
  expect(left([1, 1], [1, 1], [1, 1], [1, 1e6])).toEqual([]);
  // Out of sight along x it does not count.
  const lines = [CALM, CALM, CALM, divergesTo(1e6)].map(line);
  expect(fittedLines(lines, [0, 50])).toBe(lines);
});

test("three lines are not looked at: none of them is left out", () => {
  const unread = {
    get y(): Float64Array {
      throw new Error("read");
    },
  } as unknown as LineData;
  const three = [unread, unread, unread];
  expect(fittedLines(three, X)).toBe(three);
});

test("the ends beyond an axis are those of its newest values, as they were written", () => {
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

let board: Board | undefined;

afterEach(() => board?.end());

test("the card of a run that diverged names its end at the edge, and the others have the axis", () => {
  const runs = { a: CALM, b: CALM.map((value) => value + 0.2), c: CALM, diverged: divergesTo(1e6) };
  const parts = Object.entries(runs).map(([run, values]) =>
    part("loss", run, STEPS, { rows: pointRows(STEPS, values) }),
  );
  const layOut = (state: Record<string, unknown>) => {
    board?.end();
    board = boardOf(parts, { smoothing: 0, ...state });
    return scalarsContent([{ tag: "loss", data: board.tag("loss") }], board.view, []);
  };
  const size = { width: 400, height: 200 };
  const camera = { x: null, y: null };
  const content = layOut({});
  const laid = (of: Record<string, unknown>) => layOut(of).layOut(size, camera, 1) as Layout<unknown>;
  const { cuts = [], plots } = content.layOut(size, camera, 1) as Layout<unknown>;
  expect(plots[0]?.vertical?.range[1]).toBeLessThan(3);
  expect(cuts.map(({ cut }) => cut.ends?.map(({ name }) => name))).toEqual([["diverged"]]);
  const [mark] = cuts;
  expect(mark?.text).toMatch(/^1/);
  // The mark stands beside the arrow at the end of the line, not on it.
  const { left, width } = plots[0]?.area ?? { left: 0, width: 0 };
  expect((mark?.left ?? 0) + (mark?.width ?? 0)).toBeLessThanOrEqual(left + width - 9);

  const svg = (state: Record<string, unknown>) => {
    const card = { title: "loss", legend: [], size, content: layOut(state), camera };
    const colors = { background: [255, 255, 255], foreground: [0, 0, 0] } as const;
    const picture = pictureOf([card], "loss", 400, colors);
    const measure = (text: string) => ({ width: 6 * text.length }) as TextMetrics;
    return svgOf(picture, "loss", (surface) => picture.paint(surface), measure);
  };
  const arrows = (text: string) => text.match(/<path[^>]*fill="#[^>]*>/g)?.length ?? 0;
  expect(arrows(svg({})) - arrows(svg({ ignore_outliers: false }))).toBeGreaterThan(0);
  expect(laid({ ignore_outliers: false }).plots[0]?.vertical?.range[1]).toBeGreaterThan(1e6);
  expect(laid({ log_y: ["loss"] }).cuts).toEqual([]);
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
