import { effect } from "@preact/signals";
import { afterEach, expect, test, vi } from "vitest";
import { scaleColor } from "../../../src/lib/colors";
import { brushText, filterText, nameOf, showAll } from "../../../src/panels/hparams/chips";
import { endsOf } from "../../../src/panels/hparams/colorkey";
import { valueText } from "../../../src/panels/hparams/columnactions";
import { type Column, commonValue, joinedRun, varies } from "../../../src/panels/hparams/columns";
import { ParallelAxis } from "../../../src/panels/hparams/parallel/axes";
import type { RunFacts } from "../../../src/wire/runfacts";
import { documentOf, SweepBoard, type SweepSession } from "./board";

const boards: SweepBoard[] = [];

function boardOf(options: Record<string, unknown> = {}): SweepBoard {
  const board = new SweepBoard(options);
  boards.push(board);
  return board;
}

afterEach(() => {
  for (const board of boards.splice(0)) {
    board.end();
  }
});

const SESSIONS: readonly SweepSession[] = [
  { run: "a", hparams: { lr: 0.01, opt: "adam", deep: true }, metrics: { "val/acc": [0.5, 0.75], loss: [2, 1] } },
  { run: "b", hparams: { lr: 0.001, opt: "sgd", deep: true }, metrics: { "val/acc": [0.25], loss: [3, 4] } },
  { run: "c", hparams: { lr: "nan", opt: "adam", deep: true } },
];

const keysOf = (columns: readonly { readonly key: string }[]) => columns.map(({ key }) => key);

test("columns are the hyperparameters that vary, and the declared metrics", () => {
  const board = boardOf();
  board.sweep(SESSIONS, ["val/acc", "loss"]);
  const { sessions, columns, goal, goalBest } = board.state;
  expect(keysOf(sessions.value.hparams)).toEqual(["hparam:lr", "hparam:opt", "hparam:deep"]);
  // The goal is the first column beside the run, and the last axis.
  expect(keysOf(columns.value)).toEqual(["metric:val/acc", "hparam:lr", "hparam:opt", "metric:loss"]);
  expect(keysOf(board.state.axes.value)).toEqual(["hparam:lr", "hparam:opt", "metric:loss", "metric:val/acc"]);
  expect(sessions.value.hparams.map(({ type }) => type)).toEqual(["number", "text", "boolean"]);
  expect(sessions.value.hparams[0]?.values).toEqual([0.01, 0.001, Number.NaN]);
  expect(sessions.value.metrics.map(({ values }) => values)).toEqual([
    [0.75, 0.25, undefined],
    [1, 4, undefined],
  ]);
  expect([goal.value?.key, goalBest.value]).toEqual(["metric:val/acc", "max"]);
});

test("the first session shows all of its hyperparameters; they are folded as soon as there are two", () => {
  const board = boardOf();
  board.sweep(SESSIONS.slice(0, 1), ["loss"]);
  expect(keysOf(board.state.columns.value)).toEqual(["metric:loss", "hparam:lr", "hparam:opt", "hparam:deep"]);
  expect(board.state.isSingle.value).toBe(true);
  board.document(documentOf(SESSIONS.slice(0, 2), ["loss"]));
  expect(keysOf(board.state.columns.value)).toEqual(["metric:loss", "hparam:lr", "hparam:opt"]);
  expect(board.state.isSingle.value).toBe(false);
});

test("only sessions with a selected run are shown, and those without runs yet by their names", () => {
  const board = boardOf();
  board.sweep(SESSIONS, ["loss"]);
  board.scalar("a/eval", "loss", [1]);
  const { shown, selected } = board.state;
  expect([shown.value, selected.value]).toEqual([[0, 1, 2], null]);
  board.options.select({ names: new Set(["a/eval"]), only: true });
  expect([shown.value, selected.value]).toEqual([[0], new Set([0])]);
  board.options.select({ names: new Set(["a/eval", "c"]), only: true });
  expect(shown.value).toEqual([0, 2]);
  board.options.select({ names: new Set(["a", "b"]), only: false });
  expect(shown.value).toEqual([0, 2]);
  board.options.select({ names: new Set(["a", "a/eval", "c"]), only: false });
  expect(shown.value).toEqual([1]);
  board.options.select({ names: new Set(["gone"]), only: true });
  expect([shown.value, selected.value]).toEqual([[], new Set()]);
});

test("a session without an end is running while its data come, where a kernel says so", () => {
  const board = boardOf();
  const open = { status: "UNKNOWN", end: null, start: 900 };
  // Points are a second apart, the first one at 1,000 s.
  board.sweep([
    { run: "open", hparams: { lr: 1 }, ...open },
    { run: "ended", hparams: { lr: 2 }, metrics: { loss: [1, 2, 3] } },
    { run: "failed", hparams: { lr: 3 }, ...open, status: "FAILURE" },
    { run: "begun", hparams: { lr: 4 }, ...open, start: 1050 },
  ]);
  board.scalar("open/train", "loss", [1, 2, 3]);
  const statuses = () => board.state.trials.value.map(({ status }) => status);
  board.now.value = 1060e3;
  expect(statuses()).toEqual(["RUNNING", "SUCCESS", "FAILURE", "RUNNING"]);
  board.now.value = 1200e3;
  expect(statuses()).toEqual(["UNKNOWN", "SUCCESS", "FAILURE", "UNKNOWN"]);
  board.now.value = 1060e3;
  board.loss.value = { why: "silent", since: 0 };
  expect(statuses()).toEqual(["UNKNOWN", "SUCCESS", "FAILURE", "UNKNOWN"]);
});

test("a session counts as running for a few intervals between its points", () => {
  const board = boardOf();
  const open = { status: "UNKNOWN", end: null, start: 0 };
  board.sweep([
    { run: "slow", hparams: { lr: 1 }, ...open },
    { run: "fast", hparams: { lr: 2 }, ...open },
  ]);
  // The last points at 1,002 s: 501 s apart, and 1 s.
  board.scalar("slow/train", "loss", [1, 2, 3]);
  board.scalar(
    "fast/train",
    "loss",
    Array.from({ length: 1003 }, () => 1),
    0,
  );
  const statuses = () => board.state.trials.value.map(({ status }) => status);
  board.now.value = 2400e3;
  expect(statuses()).toEqual(["RUNNING", "UNKNOWN"]);
  board.now.value = 2600e3;
  expect(statuses()).toEqual(["UNKNOWN", "UNKNOWN"]);
});

test("which sessions are running is found fast, however many runs lie below them and however many metrics they have", () => {
  const board = boardOf();
  const { store } = board;
  const ended = (_: unknown, i: number): [string, RunFacts] => [`r${i}`, { began: 0, ended: 1000, step: null }];
  vi.spyOn(store, "runFacts").mockReturnValue(new Map(Array.from({ length: 20_000 }, ended)));
  const outline = vi.spyOn(store, "outline");
  const metrics = Array.from({ length: 3 }, (_, i) => ({ group: "r0", tag: `m${i}` }));
  board.sweep([{ run: ".", hparams: { lr: 1 }, status: "UNKNOWN", end: null, start: 0 }], metrics);
  const { trials } = board.state;
  const began = performance.now();
  for (const [now, status] of [
    [1060e3, "RUNNING"],
    [9000e3, "UNKNOWN"],
  ] as const) {
    board.now.value = now;
    expect(trials.value.map((one) => one.status)).toEqual([status]);
  }
  // Neither needs a count of points. Copying the list of runs for each of them took several seconds.
  expect(outline).not.toHaveBeenCalled();
  expect(performance.now() - began).toBeLessThan(3000);
  board.now.value = 2000e3;
  expect(trials.value.map((one) => one.status)).toEqual(["UNKNOWN"]);
  expect(outline).toHaveBeenCalledTimes(metrics.length);
});

test.each([
  ["trial", "eval", [], "trial/eval"],
  ["trial", "../eval", [], "eval"],
  ["trial", "../../..", [], "."],
  ["old/trial", "../../new/trial", ["new", "old"], "old/new/trial"],
  ["old/trial", "..", ["old"], "old"],
  ["older/trial", "..", ["old"], "older"],
  ["a/b/trial", "../../../x", ["a/b"], "a/b/x"],
])("the run of a metric leads out of no log directory: %s, %s of %j is %s", (run, group, directories, joined) => {
  expect(joinedRun(run, group, directories)).toBe(joined);
});

test("a metric's path leads out of no log directory", () => {
  const board = boardOf();
  const run = "old/trial";
  board.scalar("new/eval", "loss", [9]);
  board.scalar("old/new/eval", "loss", [1]);
  const metrics = [{ group: "../../new/eval", tag: "loss" }];
  board.document({ ...documentOf([{ run, hparams: { lr: 1 } }], metrics), directories: ["new", "old"] });
  expect(board.state.sessions.value.metrics[0]?.values).toEqual([1]);
});

test("without declared metrics, all scalars of a session and of the runs below it are metrics", () => {
  const board = boardOf();
  board.sweep(SESSIONS);
  board.scalar("a/eval", "acc", [0.5]);
  board.scalar("elsewhere", "noise", [1]);
  const end = effect(() => void board.state.sessions.value);
  expect(keysOf(board.state.sessions.value.metrics).sort()).toEqual([
    "metric:eval/acc",
    "metric:loss",
    "metric:val/acc",
  ]);
  end();
});

test("a point of a metric changes its column alone", async () => {
  const board = boardOf();
  board.sweep(SESSIONS, ["val/acc", "loss"]);
  const end = effect(() => {
    for (const column of board.state.sessions.value.metrics) {
      void column.values;
    }
  });
  const before = board.state.sessions.value.metrics;
  board.scalar("c", "loss", [8]);
  await vi.waitFor(() => expect(board.state.sessions.value.metrics[1]?.values).toEqual([1, 4, 8]));
  expect(board.state.sessions.value.metrics[0]).toBe(before[0]);
  end();
});

test("trials of a group are averaged over those that have the metric; values in which they differ are missing", () => {
  const board = boardOf({ hparams_groups: true });
  const trial = (run: string, seed: number, more: Partial<SweepSession>) => ({
    run,
    hparams: { lr: 0.1, seed },
    ...more,
  });
  board.sweep(
    [
      trial("a", 1, { group: "g", metrics: { loss: [1] }, end: 2000 }),
      trial("b", 2, { group: "g", metrics: { loss: [2] }, status: "FAILURE" }),
      trial("c", 3, { group: "g" }),
      trial("d", 1, { group: "alone", metrics: { loss: [5] } }),
      trial("e", 1, { metrics: { loss: [6] } }),
    ],
    ["loss"],
  );
  const { rows, hparams, metrics } = board.state.sessions.value;
  expect(rows.map(({ group, run, runs }) => [group, run, runs.length])).toEqual([
    ["g", "a", 3],
    [null, "d", 1],
    [null, "e", 1],
  ]);
  expect([rows[0]?.status, rows[0]?.start, rows[0]?.end]).toEqual(["FAILURE", 1000, 2000]);
  expect(hparams.map(({ values }) => values[0])).toEqual([0.1, undefined]);
  expect(metrics[0]?.values).toEqual([1.5, 5, 6]);
});

test.each(["fid", "nll", "wer", "cer", "time", "val/nll"])("less is better of a metric named %s", (metric) => {
  const board = boardOf();
  board.sweep([{ run: "a", hparams: {}, metrics: { [metric]: [1] } }], [metric]);
  expect([board.state.goal.value?.key, board.state.goalBest.value]).toEqual([`metric:${metric}`, "min"]);
});

test("names that are empty have titles", () => {
  const board = boardOf();
  board.sweep([1, 2].map((value) => ({ run: `r${value}`, hparams: { "": value }, metrics: { "": [value] } })));
  expect(board.state.columns.value.map(({ key, title }) => [key, title])).toEqual([
    ["metric:", "(empty)"],
    ["hparam:", "(empty)"],
  ]);
});

test("until everything has arrived, the sessions are incomplete; those of a saved page are complete", () => {
  const board = boardOf();
  board.sweep([{ run: "a", hparams: { lr: 1 } }]);
  expect(board.state.isIncomplete.value).toBe(true);
  board.settle();
  expect(board.state.isIncomplete.value).toBe(false);
  board.store.savedAt.value = 1;
  expect(board.state.isIncomplete.value).toBe(false);
});

test("texts that are names of JavaScript's own stay texts", () => {
  const board = boardOf();
  const values = ["constructor", "__proto__", "toString", 1, "inf", "NaN"];
  board.sweep(values.map((value, i) => ({ run: `r${i}`, hparams: { x: value } })));
  const [column] = board.state.sessions.value.hparams;
  expect(column?.values).toEqual([...values.slice(0, 4), Number.POSITIVE_INFINITY, Number.NaN]);
  expect(valueText("status", "constructor")).toBe("constructor");
  expect(valueText("status", "SUCCESS")).toBe("success");
});

test("0 and -0 are one value, and NaN is one, too", () => {
  const board = boardOf();
  board.sweep(SESSIONS);
  expect(commonValue([0, -0], [0, 1])).toBe(0);
  expect(commonValue([Number.NaN, Number.NaN], [0, 1])).toBe(Number.NaN);
  expect(commonValue([0, undefined], [0, 1])).toBeUndefined();
  const [column] = board.state.sessions.value.hparams;
  expect(column && varies({ ...column, values: [0, -0] })).toBe(false);
  expect(column && varies({ ...column, values: [0, Number.NaN] })).toBe(true);
});

test("a filter has the title of its column, also for the start", () => {
  const board = boardOf();
  board.sweep(SESSIONS, ["loss"]);
  const named = ["start", "status", "hparam:lr", "metric:loss", "metric:gone"].map((key) => nameOf(board.state, key));
  expect(named).toEqual(["Start", "Status", "lr", "loss", "gone"]);
  const text = filterText("start", "Start", { min: new Date(2020, 4, 1, 12, 30, 0).getTime() / 1000 });
  expect(text).toMatch(/^Start ≥ .*2020.*12:30:00/);
});

test("a missing goal is named, and used as soon as it exists", async () => {
  const board = boardOf({ hparams_goal: "metric:f1" });
  board.sweep(SESSIONS);
  const { goal, missingGoal } = board.state;
  const end = effect(() => void [goal.value, missingGoal.value]);
  await vi.waitFor(() => expect([goal.value?.key, missingGoal.value]).toEqual(["metric:val/acc", "f1"]));
  board.scalar("a", "f1", [0.5]);
  await vi.waitFor(() => expect([goal.value?.key, missingGoal.value]).toEqual(["metric:f1", null]));
  end();
});

test.each(["linear", "log", "quantile"])("colors follow the goal along a %s axis", (scale) => {
  const board = boardOf({ hparams_scales: { "metric:loss": scale } });
  board.sweep(
    [-4, 0, 1, 1000].map((loss, i) => ({ run: `r${i}`, hparams: { x: i }, metrics: { loss: [loss] } })),
    ["loss"],
  );
  const { state } = board;
  const axis = new ParallelAxis(
    state.goal.value as Column,
    [0, 1, 2, 3],
    state.scaleOf(state.goal.value as Column),
    false,
  );
  const colors = [0, 1, 2, 3].map((row) => state.colorOf(row));
  expect(colors).toEqual([...axis.places].map((place) => state.colorsIn("light")(axis.numberAt(place) ?? 0)));
  const palette = Array.from({ length: 64 }, (_, i) => scaleColor(i / 63, "light"));
  expect(colors).toEqual([...axis.places].map((place) => palette[Math.round((1 - place) * 63)]));
});

test("a chip names a brushed column with its ranges and values", () => {
  const [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  expect(brushText("hparam:lr", "lr", [{ range: [1e-4, 0.0123456] }])).toBe("lr: 1e-4 – 0.01235");
  expect(brushText("hparam:lr", "lr", [{ range: [0.5, high] }])).toBe("lr: ≥ 0.5");
  expect(brushText("hparam:lr", "lr", [{ range: [low, 0.5] }, { values: new Set([undefined]) }])).toBe(
    "lr: ≤ 0.5, (missing)",
  );
  expect(brushText("hparam:lr", "lr", [{ range: [low, high] }])).toBe("lr: any number");
});

test("all sessions are shown again, for any reason that hid them", () => {
  const board = boardOf();
  board.sweep(SESSIONS, ["loss"]);
  const { state, view, options } = board;
  state.options.hparams_filters.set(new Map([["hparam:opt", { values: ["adam"] }]]));
  options.select({ names: new Set(["a"]), only: true });
  expect(state.shown.value).toEqual([0]);
  showAll(view, state);
  expect([...state.shown.value].sort()).toEqual([0, 1, 2]);
  // With all sessions selected, the filters are the user's to clear.
  state.options.hparams_filters.set(new Map([["hparam:opt", { values: ["adam"] }]]));
  showAll(view, state);
  expect([...state.shown.value].sort()).toEqual([0, 2]);
});

test("rows are in the order of the goal, which stays while only numbers change", () => {
  const board = boardOf();
  const ends = (...all: readonly (number | null)[]) =>
    all.map((end, i) => ({ run: "abcd".charAt(i), hparams: { lr: i }, status: "RUNNING", end }));
  const { state } = board;
  vi.useFakeTimers();
  const end = effect(() => void state.shown.value);
  const shownAfter = (act: () => void) => {
    act();
    vi.advanceTimersByTime(1000);
    return state.shown.value;
  };
  board.scalar("a", "acc", [0.1]);
  board.scalar("b", "acc", [0.2]);
  expect(shownAfter(() => board.document(documentOf(ends(null, null), ["acc"])))).toEqual([1, 0]);
  expect(state.shownSorts).toEqual([{ key: "metric:acc", descending: true }]);
  // Before everything is read, values arrive in any order.
  expect(shownAfter(() => board.scalar("a", "acc", [0.3], 1))).toEqual([0, 1]);
  board.settle();
  expect(shownAfter(() => board.scalar("b", "acc", [0.4], 1))).toEqual([0, 1]);
  expect(state.goal.value?.values).toEqual([0.3, 0.4]);
  expect(shownAfter(() => board.document(documentOf(ends(null, 1060), ["acc"])))).toEqual([1, 0]);
  board.scalar("c", "acc", [0.5]);
  expect(shownAfter(() => board.document(documentOf(ends(null, 1060, null), ["acc"])))).toEqual([2, 1, 0]);
  end();
  vi.useRealTimers();
  state.options.hparams_goal_best.set("min");
  expect(state.shown.value).toEqual([0, 1, 2]);
  state.options.hparams_filters.set(new Map([["run", { values: ["a", "c"] }]]));
  expect(state.shown.value).toEqual([0, 2]);
  state.options.hparams_sort.set(["-run"]);
  expect(state.shown.value).toEqual([2, 0]);
});

test("an outlier does not take the scale of colors, whose key marks the end; running sessions do not move it", () => {
  const board = boardOf({ hparams_scales: { "metric:acc": "linear" } });
  const values = [...Array.from({ length: 41 }, (_, i) => 0.5 + i / 100), -3];
  const sessions = (status: string) =>
    values.map((acc, i) => ({
      run: `t${i}`,
      hparams: { lr: i },
      metrics: { acc: [acc] },
      ...(i > 40 ? { status } : {}),
    }));
  board.sweep(sessions("SUCCESS"), ["acc"]);
  const { state } = board;
  expect(state.colorRange.value?.isClipped).toEqual([true, false]);
  expect(endsOf(state)?.[0]).toMatch(/^≤ 0\.5/);
  expect(endsOf(state)?.[1]).toBe("0.9");
  const colorAt = state.colorsIn("light");
  expect(colorAt(-3)).toBe(scaleColor(0, "light"));
  expect(colorAt(0.6)).not.toBe(colorAt(0.5));
  expect(new Set(values.map(colorAt)).size).toBeGreaterThan(20);
  board.document(documentOf(sessions("RUNNING"), ["acc"]));
  expect(endsOf(state)?.[0]).toBe("≤ 0.52");
  // Near ends stay as they are.
  board.document(documentOf(sessions("SUCCESS").slice(0, 41), ["acc"]));
  expect(endsOf(state)).toEqual(["0.5", "0.9"]);
});
