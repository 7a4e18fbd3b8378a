import { afterEach, expect, test, vi } from "vitest";
import type { Plot } from "../../src/charts/plot";
import { deriveLanguage, setLanguage } from "../../src/lib/texts";
import { showMarked } from "../../src/lines/source";
import { groupedMarks, type PlacedMark, placedMarks, type StepMark, StepMarks } from "../../src/lines/stepmarks";
import { alertsOpenIn } from "../../src/ui/alerts";
import { part, pointRows } from "../wire/made";
import { type Board, boardOf } from "./board";

let board: Board | undefined;

afterEach(() => {
  board?.end();
  setLanguage("en");
  vi.useRealTimers();
});

function mark(step: bigint | null, more: Partial<StepMark> = {}): StepMark {
  return { run: "a", step, kind: "checkpoint", text: `at ${step}`, ...more };
}

/** Positions of marks on a board of two runs, with wall time 1000 s at step 0, and a second more every ten steps. */
function placed(marks: readonly StepMark[], state: Record<string, unknown> = {}): [string, number][] {
  const steps = [0, 10, 20, 30];
  board = boardOf(
    ["a", "b"].map((run) => part("loss", run, steps, { rows: pointRows(steps) })),
    state,
  );
  const shown = [{ tag: "loss", data: board.tag("loss") }];
  const marksOf = (run: string) => marks.filter((one) => one.run === run);
  return placedMarks(marksOf, shown, board.view).map(({ mark: { run }, x }) => [run, x]);
}

test("marks stand at their steps, also beyond the last point, and those without a step nowhere", () => {
  expect(placed([mark(10n), mark(35n, { run: "b" }), mark(null, { wallTime: 1001 })])).toEqual([
    ["a", 10],
    ["b", 35],
  ]);
  expect(placed([mark(100n)], { x_scale: "log" })).toEqual([["a", 2]]);
  expect(placed([mark(0n)], { x_scale: "log" })).toEqual([]);
});

test("along times, marks stand where the run was at their step, whatever time the file has; else at that time", () => {
  const marks = [
    mark(15n, { wallTime: 9e9 }),
    mark(null, { wallTime: 1002.5 }),
    mark(99n, { wallTime: 1007 }),
    mark(99n),
  ];
  expect(placed(marks, { x_axis: "relative" }).map(([, x]) => x)).toEqual([1, 2.5, 7]);
  expect(placed(marks, { x_axis: "wall" }).map(([, x]) => x)).toEqual([1001, 1002.5, 1007]);
});

test("only the marks of drawn runs are made, and of very many the last of each run", () => {
  board = boardOf(["a", "b", "c"].map((run) => part("loss", run, [0, 10])));
  board.view.options.select({ names: new Set(["c"]), only: false });
  const asked: string[] = [];
  const many = Array.from({ length: 10_000 }, (_, i) => mark(BigInt(i)));
  const marksOf = (run: string) => {
    asked.push(run);
    return many;
  };
  const found = placedMarks(marksOf, [{ tag: "loss", data: board.tag("loss") }], board.view);
  expect(asked).toEqual(["a", "b"]);
  expect(found).toHaveLength(5000);
  expect([found[0]?.x, found.at(-1)?.x]).toEqual([7500, 9999]);
});

test("runs that are not drawn have no marks, and none stand along the values of a tag", () => {
  expect(placed([mark(1n, { run: "gone" })])).toEqual([]);
  expect(placed([mark(1n)], { x_axis: "tag", x_tag: "loss" })).toEqual([]);
});

const plot: Pick<Plot, "area" | "horizontal"> = {
  area: { left: 50, top: 0, width: 100, height: 80 },
  horizontal: { axis: "x", range: [0, 100], ends: [0, 1], bounds: () => [0, 100] },
};

function groups(...places: [x: number, color?: string, kind?: StepMark["kind"]][]) {
  const all = places.map(([x, color = "red", kind = "checkpoint"]): PlacedMark => {
    return { mark: mark(BigInt(x), { kind }), x, color };
  });
  return groupedMarks(all, plot, (text) => 8 + 6 * text.length).map(({ left, color, marks }) => [
    left,
    color,
    marks.length,
  ]);
}

test("marks that would cover each other are one, with a count; it has the color of its run if that is one", () => {
  expect(groups([80], [20])).toEqual([
    [70, "red", 1],
    [130, "red", 1],
  ]);
  expect(groups([20], [24], [80, "blue"], [82, "red"])).toEqual([
    [72, "red", 2],
    [131, null, 2],
  ]);
  // A count is wider than a glyph: it absorbs the mark beside it.
  expect(groups([20], [26], [34])).toEqual([[77, "red", 3]]);
});

test("marks at the ends of a plot stay within it, where the labels of its axes are not", () => {
  expect(groups([-1], [101], [100])).toEqual([[145.5, "red", 1]]);
  expect(groups([0], [50])).toEqual([
    [54.5, "red", 1],
    [100, "red", 1],
  ]);
  // The first mark moves aside: it would cover the second one.
  expect(groups([0], [10])).toEqual([[57, "red", 2]]);
});

test("a chart that is drawn again with the same marks writes only what is different", () => {
  deriveLanguage("of-marks", (english) => english);
  vi.useFakeTimers({ now: new Date("2026-03-01T12:00"), toFake: ["Date"] });
  const written: string[] = [];
  const button = {
    ...{ dataset: {}, setAttribute: () => {}, addEventListener: () => {} },
    style: {
      set cssText(text: string) {
        written.push(text);
      },
    },
    set title(text: string) {
      written.push(text);
    },
  };
  const host = { ownerDocument: { createElement: () => button }, append: () => {} } as unknown as Element;
  const shown = new StepMarks<StepMark>(host);
  const [one, other] = [mark(20n), mark(20n)];
  const draw = (mark: StepMark, x = 20) => {
    written.length = 0;
    shown.show([plot as Plot], [{ mark, x, color: "red" }]);
    return [...written];
  };
  const style = "left:65.5px;top:80px;width:9px;--tbwidget-run:red;--tbwidget-reach:7.5px";
  expect(draw(one)).toEqual(["Checkpoint: at 20", style]);
  expect(draw(one)).toEqual([]);
  expect(draw(one, 30)).toEqual([style.replace("65.5", "75.5")]);
  expect(draw(other, 30)).toEqual(["Checkpoint: at 20"]);
  setLanguage("of-marks");
  expect(draw(other, 30)).toEqual(["Checkpoint: at 20"]);
  vi.setSystemTime(new Date("2026-03-02T12:00"));
  expect(draw(other, 30)).toEqual(["Checkpoint: at 20"]);
  expect(draw(other, 30)).toEqual([]);
});

test("a press on a mark of alerts opens the list of alerts", () => {
  board = boardOf([]);
  const { view } = board;
  expect(alertsOpenIn(view).value).toBe(false);
  showMarked(view, [mark(1n, { kind: "alert" })]);
  expect(alertsOpenIn(view).value).toBe(true);
});

test("marks of two kinds stay apart, and of a hundred thousand there are few groups", () => {
  expect(groups([20], [20, "red", "alert"])).toHaveLength(2);
  const many = Array.from({ length: 100_000 }, (_, i): [number] => [i % 101]);
  const found = groups(...many);
  expect(found.length).toBeLessThan(8);
  expect(found.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(100_000);
});

test("the target of a mark is as wide as a finger, and ends where that of its neighbor begins", () => {
  const written: string[] = [];
  const created = () => ({
    ...{ dataset: {}, setAttribute: () => {}, addEventListener: () => {} },
    style: {
      set cssText(text: string) {
        written.push(text.replace(/.*reach:/, ""));
      },
    },
  });
  const host = { ownerDocument: { createElement: created }, append: () => {} } as unknown as Element;
  const placed = [10, 30, 90].map((x) => ({ mark: mark(1n), x, color: "red" }));
  new StepMarks<StepMark>(host).show([plot as Plot], placed);
  expect(written).toEqual(["5.5px", "5.5px", "7.5px"]);
});
