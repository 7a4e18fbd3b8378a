import { effect, type Signal, signal } from "@preact/signals";
import { h } from "preact";
import { afterEach, expect, test } from "vitest";
import { NoteForm } from "../../src/dashboard/runs/note";
import { AllBox } from "../../src/dashboard/runs/pane";
import { HeadlineCell, Row, type RowActions } from "../../src/dashboard/runs/rows";
import { sparkPath, sparkScale } from "../../src/dashboard/runs/spark";
import { columnOfHeadline, RunTable, runTableOf } from "../../src/dashboard/runs/table";
import { compareOptions } from "../../src/lines/options";
import { Options } from "../../src/options/options";
import { MAX_NOTES } from "../../src/options/runtable";
import { timeAxisOptions } from "../../src/options/shared";
import { type View, ViewContext } from "../../src/ui/view";
import type { Loss } from "../../src/wire/connection";
import { type Board, boardOf } from "../lines/board";
import { FakeModel } from "../options/fakemodel";
import { rendered } from "../ui/rendering";
import { message, part, pointRows } from "../wire/made";

let board: Board;

afterEach(() => board?.end());

/** Seconds since the epoch at which the points of a made series end. */
const END = 1002;

function tableOf(series: Parameters<typeof boardOf>[0], state: Record<string, unknown> = {}) {
  board = boardOf(series, state);
  const now = signal(1000 * END);
  const view = { ...board.view, now, id: "view", runChoice: signal(null) } as View;
  return { table: new RunTable(view), view, now };
}

const values = (run: string, tag: string, ...of: readonly number[]) =>
  part(tag, run, [...of.keys()], { rows: pointRows([...of.keys()], of) });

test("which groups are folded stays with the view", () => {
  const { view } = tableOf([values("a/1", "loss", 1), values("b/1", "loss", 1)], { group_by: "folder" });
  runTableOf(view).fold("a");
  expect(runTableOf(view).items.value.filter(({ type }) => type === "run")).toEqual([{ type: "run", run: "b/1" }]);
});

test("the list shows the tag that was chosen, and none where there is one run", () => {
  const { table, view } = tableOf([values("a", "accuracy", 1), values("b", "loss", 1)]);
  expect([table.headline.value, table.automaticHeadline.value]).toEqual(["loss", "loss"]);
  view.options.togglePins(["accuracy"]);
  expect(table.headline.value).toBe("accuracy");
  for (const [chosen, shown] of [
    ["loss", "loss"],
    ["not there yet", "not there yet"],
    ["", null],
  ] as const) {
    view.options.runTable.headline_tag.set(chosen);
    expect([table.headline.value, table.automaticHeadline.value]).toEqual([shown, "accuracy"]);
  }
  expect(tableOf([values("a", "loss", 1)]).table.headline.value).toBeNull();
});

test("a column of the same values is not shown twice; files hold the headline, too", () => {
  const { table } = tableOf([values("a", "loss", 3, 2), values("b", "loss", 1, 5)], {
    run_columns: ["last:loss", "steps"],
  });
  expect(table.columns.value.map(({ key }) => key)).toEqual(["steps"]);
  expect(table.rows()).toEqual([
    ["run", "last:loss", "last_step"],
    ["a", 2, 1n],
    ["b", 5, 1n],
  ]);
});

test("a run goes on as long as its points come, and its last value may not be finite", () => {
  const { table, view, now } = tableOf([values("a", "loss", 3, 2, 1), values("b", "loss", 3, 2, Number.NaN)]);
  const states = () => ["a", "b", "none"].map((run) => table.stateOf(run, "loss"));
  expect(states()).toEqual(["running", "runningNotFinite", null]);
  now.value += 121_000;
  expect(states()).toEqual(["ended", "notFinite", null]);
  // A run that wrote a point a minute is not over after two minutes.
  const slow = part("loss", "a", [0, 1, 2], { startWall: END - 120 });
  view.channel.store.apply(message(2, [slow]), 0);
  now.value += 1000;
  expect(states()).toEqual(["running", "notFinite", null]);
  // A page without a kernel cannot know whether the run continues.
  const { store, loss } = view.channel;
  store.savedAt.value = 1000 * END;
  expect(states()).toEqual([null, "notFinite", null]);
  store.savedAt.value = null;
  expect(states()).toEqual(["running", "notFinite", null]);
  (loss as Signal<Loss | null>).value = { why: "ended", since: 0 };
  expect(states()).toEqual([null, "notFinite", null]);
});

test("groups by a number are in its order, those without one last", () => {
  const runs = ["a", "b", "c", "d"];
  const { table, view } = tableOf(runs.map((run) => values(run, "loss", 1)));
  const rates = [0.01, 1e-5, 200, undefined];
  const byRun = new Map(runs.map((run, i) => [run, new Map(rates[i] === undefined ? [] : [["lr", rates[i]]])]));
  Object.assign(view.channel.store, { runAttributes: signal({ names: ["lr"], byRun, ended: new Set() }) });
  const options = new Options(
    new FakeModel({ group_by: "hparam:lr" }),
    view.channel.store,
    [],
    new AbortController().signal,
  );
  const grouped = new RunTable({ ...view, options } as View);
  const titles = grouped.items.value.flatMap((item) => (item.type === "group" ? [item.group] : []));
  expect(titles).toEqual(["1e-5", "0.01", "200", ""]);
  expect(table.items.value).toHaveLength(4);
});

test("a run whose end was written does not go on, however late its points came", () => {
  const { table, view } = tableOf([
    values("a", "loss", 3, 2, 1),
    values("b", "loss", 3),
    values("c", "loss", Number.NaN),
  ]);
  const none = new Map();
  const byRun = new Map([..."abc"].map((run) => [run, none]));
  Object.assign(view.channel.store, { runAttributes: signal({ names: [], byRun, ended: new Set(["b", "c"]) }) });
  expect(["a", "b", "c"].map((run) => table.stateOf(run, "loss"))).toEqual(["running", "ended", "notFinite"]);
});

test("a component follows what comes once a second, only where something came, and at once where a run did", () => {
  const { table, view, now } = tableOf([values("a", "loss", 3)]);
  const seen: unknown[] = [];
  const end = effect(() => {
    const last = table.valueOf({ type: "statistic", what: "last", tag: "loss" }, "a");
    seen.push([last, table.outlineOf("a", "loss")?.total, table.valueOf({ type: "fixed", what: "steps" }, "a")]);
  });
  const { store } = view.channel;
  store.apply(message(2, [values("a", "loss", 3, 2)]), 0);
  expect(seen).toEqual([[3, 1, 0n]]);
  now.value += 1000;
  now.value += 1000;
  expect(seen.slice(1)).toEqual([[2, 2, 1n]]);
  store.apply(message(3, [values("a", "loss", 3, 2, 1), values("b", "loss", 1)]), 0);
  expect(seen.slice(2)).toEqual([[1, 3, 2n]]);
  end();
});

test("a run has a dot in the column of ages exactly where its mark says that it goes on", () => {
  const minutely = part("loss", "slow", [0, 1, 2], {
    rows: { ...pointRows([0, 1, 2]), wall: Float64Array.of(882, 942, 1002) },
  });
  const { table, view, now } = tableOf([{ ...minutely, startWall: 882 }, values("fast", "loss", 3, 2, 1)]);
  const dots = () => ["slow", "fast"].map((run) => table.textOf({ type: "fixed", what: "age" }, run).startsWith("●"));
  const running = () => ["slow", "fast"].map((run) => table.stateOf(run, "loss") === "running");
  now.value += 130_000;
  expect([dots(), running()]).toEqual([
    [true, false],
    [true, false],
  ]);
  view.channel.store.savedAt.value = 1000 * END;
  expect([dots(), running()]).toEqual([
    [false, false],
    [false, false],
  ]);
});

test("below their groups, runs have the names that tell them apart there", () => {
  const runs = ["adam/lr0.1_seed1", "adam/lr0.1_seed2", "sgd/lr0.1_seed1"];
  const { table, view } = tableOf(runs.map((run) => values(run, "loss", 1)));
  const names = () => runs.map((run) => table.names.value.get(run)?.text);
  expect(names()).toEqual(runs);
  view.options.board.group_by.set("folder");
  expect(names()).toEqual(["lr0.1_seed1", "lr0.1_seed2", "lr0.1_seed1"]);
  table.room.value = 8;
  expect(names()).toEqual(["…seed1", "…seed2", "lr0…d1"]);
  expect(table.longest.value).toBe("lr0.1_seed1".length);
});

test("a row of a saved page has the value of the chosen headline", async () => {
  const { table, view } = tableOf([values("a", "loss", 3, 2), values("a", "rate", 7, 5), values("b", "loss", 1)]);
  view.channel.store.savedAt.value = 1000 * END;
  const actions = {} as RowActions;
  const row = h(Row, { run: "a", table, inGroup: false, actions });
  const shown = rendered(h(ViewContext.Provider, { value: view }, row));
  expect(shown.text()).toContain("2");
  view.options.runTable.headline_tag.set("rate");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(shown.text()).toContain("5");
  shown.end();
});

const outline = (...of: readonly number[]) => ({ step: [...of.keys()], value: of, total: of.length });
const pathOf = (...of: readonly number[]) => sparkPath(outline(...of), sparkScale([outline(...of)]));

test("spark lines share one range of values, which a run that diverged does not widen", () => {
  const runs = [outline(4, 2), outline(5, 1), outline(3, 2.5)];
  const rangeOf = (...of: readonly (typeof runs)[number][]) => sparkScale(of)?.range ?? null;
  expect(rangeOf(...runs)).toEqual([1, 5]);
  expect(rangeOf(...runs, outline(4, 1e9), outline(4, -1e9))).toEqual([1, 5]);
  expect(rangeOf(outline(4, 2), outline(4, 1e9))).toEqual([2, 4]);
  // A run with one point has no span, and two runs may differ much.
  expect(rangeOf(outline(2, 1), outline(0.5))).toEqual([0.5, 2]);
  expect(rangeOf(outline(2, 1), outline(1.2))).toEqual([1, 2]);
  expect(rangeOf(outline(2, 1), outline(5.5, 2))).toEqual([1, 5.5]);
  expect(rangeOf(outline(1), outline(3))).toEqual([1, 3]);
  expect(rangeOf(outline(Number.NaN), outline())).toBeNull();
});

/** The share of the height that a line covers. */
function heightOf(path: string): number {
  const ys = path.split(/[ML]/).flatMap((point) => (point === "" ? [] : [Number(point.split(" ")[1])]));
  return (Math.max(...ys) - Math.min(...ys)) / 16;
}

test("no spark line is flat where runs begin at very different values", () => {
  const runs = Array.from({ length: 50 }, (_, i) => outline(0.5 * 1.1 ** i + 0.1, 0.1 + i / 100));
  const scale = sparkScale(runs);
  expect(scale?.isLog).toBe(true);
  expect(runs.filter((run) => heightOf(sparkPath(run, scale)) < 0.1)).toEqual([]);
  expect(sparkScale(runs.slice(20, 25))?.isLog).toBe(false);
  // Values of zero and below have no logarithm: the range narrows to most runs.
  const signed = runs.map(({ step, value, total }) => ({ step, value: value.map((one) => one - 0.2), total }));
  const narrow = sparkScale(signed);
  expect(narrow?.isLog).toBe(false);
  expect(heightOf(sparkPath(signed[24] as (typeof signed)[number], narrow))).toBeGreaterThan(0.25);
});

test("a spark line leaves its box where its values leave the range, and lies at the edge if all of them do", () => {
  const scale = { range: [1, 5], isLog: false } as const;
  expect(sparkPath(outline(3, 5, 9), scale)).toBe("M1.5 8.0L24.5 1.5L46.5 -11.5");
  expect(sparkPath(outline(3, 1e9), scale)).toBe("M1.5 8.0L46.5 -50.5");
  expect(sparkPath(outline(8, 9), scale)).toBe("M1.5 1.5L46.5 1.5");
});

test("a spark line goes from its first step to its last, from its least value to its greatest", () => {
  expect(pathOf(4, 2, 3)).toBe("M1.5 1.5L24.5 14.5L46.5 8.0");
  expect(pathOf(1e308, -1e308)).toBe("M1.5 1.5L46.5 14.5");
  expect(pathOf(5, 5)).toBe("M1.5 8.0L46.5 8.0");
  expect([pathOf(5), pathOf(), pathOf(Number.NaN)]).toEqual(["M1.5 8.0h0.01", "", ""]);
});

test("a spark line breaks at values that are not finite, and averages those at one position", () => {
  expect(pathOf(1, Number.NaN, 1)).toBe("M1.5 8.0M46.5 8.0");
  const many = Array.from({ length: 10_000 }, (_, i) => i % 2);
  expect(pathOf(...many).match(/[ML]/g)).toHaveLength(46);
});

test("lines of groups have their key in the list: a row for each group, its value, and its runs on demand", () => {
  const held = [
    values("a/1", "loss", 5, 1),
    values("a/2", "loss", 5, 3),
    values("b/1", "loss", 5, 10),
    values("b/2", "loss", 5, 20),
  ];
  const { table, view } = tableOf(held, { group_by: "folder" });
  const listed = () => table.items.value.map((item) => (item.type === "group" ? item.group : item.run));
  expect(listed()).toEqual(["a", "a/1", "a/2", "b", "b/1", "b/2"]);
  expect(table.groupValue("a")).toBeUndefined();
  const { aggregate } = view.options.of(compareOptions);
  aggregate.set("mean");
  expect(listed()).toEqual(["a", "b"]);
  expect(["a", "b"].map((group) => table.groupValue(group)?.value)).toEqual([2, 15]);
  table.fold("b");
  expect(listed()).toEqual(["a", "b", "b/1", "b/2"]);
  view.options.of(timeAxisOptions).linked_step.set(0);
  expect(table.groupValue("b")?.value).toBe(5);
  // Groups that were folded before have their former state.
  aggregate.set(null);
  expect(listed()).toEqual(["a", "a/1", "a/2", "b", "b/1", "b/2"]);
});

test("the headline is of the linked step, in gray and with its step where a run has no value there", () => {
  const seldom = part("loss", "b", [0, 2, 4], { rows: pointRows([0, 2, 4], [9, 8, 0]) });
  const { table, view } = tableOf([values("a", "loss", 5, 6, 7, 8, 9), seldom], { run_sort: "last:loss" });
  const cells = () =>
    ["a", "b"].map((run) => {
      const cell = h(HeadlineCell, { run, tag: "loss", table, color: "#000000" });
      const shown = rendered(h(ViewContext.Provider, { value: view }, cell));
      const value = shown.root.all("span").find((one) => one.attribute("title") !== null);
      const found = [value?.textContent, value?.attribute("title"), value?.attribute("data-elsewhere") !== null];
      shown.end();
      return found;
    });
  expect(table.sorted.value).toEqual(["b", "a"]);
  view.options.of(timeAxisOptions).linked_step.set(3);
  expect(columnOfHeadline("loss", table.shownAs, null, table.linked.value).title).toBe("loss up to 3");
  expect(["a", "b"].map((run) => table.valueThere(run, "loss", 3))).toMatchObject([
    { value: 8, step: 3n },
    { value: 8, step: 2n },
  ]);
  view.options.of(timeAxisOptions).linked_step.set(1);
  // The list is sorted by the values that it shows.
  expect(table.sorted.value).toEqual(["a", "b"]);
  expect(cells()).toEqual([
    ["6", "6 at the linked step 1", false],
    ["9", "9 at step 0; step 1 is linked", true],
  ]);
});

test("a note for which there is no room is refused, and its text stays", async () => {
  const notes = Object.fromEntries(Array.from({ length: MAX_NOTES }, (_, i) => [`run${i}`, "x"]));
  const { view } = tableOf([values("a", "loss", 1)], { run_notes: notes });
  let closed = 0;
  const keep = async (run: string) => {
    const form = h(NoteForm, { run, close: () => (closed += 1) });
    const shown = rendered(h(ViewContext.Provider, { value: view }, form));
    const box = shown.root.all("textarea")[0];
    box?.happen("input", { currentTarget: { value: "new" } });
    shown.root.all("form")[0]?.happen("submit", { preventDefault: () => {} });
    await new Promise((resolve) => setTimeout(resolve));
    const text = shown.text();
    shown.end();
    await new Promise((resolve) => setTimeout(resolve));
    return text;
  };
  const { run_notes } = view.options.runTable;
  expect(await keep("a")).toContain("no more can be kept");
  expect([closed, run_notes.value.size, run_notes.value.has("a")]).toEqual([0, MAX_NOTES, false]);
  await keep("run3");
  expect([closed, run_notes.value.get("run3")]).toEqual([1, "new"]);
});

test.each([
  [3, true, "Runs, 3 of 5 runs"],
  [5, true, "Runs, 5 runs"],
  [3, false, "All, 3 of 5 runs"],
])("the box of all runs is named by what it shows: %s of 5", (checked, isNamed, name) => {
  const page = rendered(h(AllBox, { checked, isNamed, total: 5, fixed: false, onChange: () => {} }));
  expect(page.root.all("input")[0]?.attribute("aria-label")).toBe(name);
  page.end();
});
