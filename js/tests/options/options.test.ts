import { batch } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runColor } from "../../src/lib/colors";
import { scalarsOptions } from "../../src/lines/options";
import { toggle } from "../../src/options/declare";
import { Options } from "../../src/options/options";
import { MAX_NOTE_CHARACTERS } from "../../src/options/runtable";
import { ALL } from "../../src/options/selection";
import {
  logValueOptions,
  overlayRunsOptions,
  StepClicks,
  stepNumber,
  timeAxisOptions,
  toExactStep,
} from "../../src/options/shared";
import { histogramsOptions } from "../../src/panels/histograms/options";
import { Store } from "../../src/wire/store";
import { CODECS, message, part, STATUS } from "../wire/made";
import { FakeModel } from "./fakemodel";

let stored: Map<string, string>;
let ends: AbortController[];

beforeEach(() => {
  vi.useFakeTimers();
  stored = new Map();
  ends = [];
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
    key: (i: number) => [...stored.keys()][i] ?? null,
    get length() {
      return stored.size;
    },
  });
});

afterEach(() => {
  for (const end of ends) {
    end.abort();
  }
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const TABLES = [timeAxisOptions, logValueOptions, overlayRunsOptions, scalarsOptions, histogramsOptions];

interface Page {
  readonly model: FakeModel;
  readonly store: Store;
  readonly options: Options;
  end(): void;
}

function open(state: Record<string, unknown> = {}, path: string | null = "/logs"): Page {
  const end = new AbortController();
  ends.push(end);
  const model = new FakeModel(state);
  const store = new Store(CODECS);
  const options = new Options(model, store, TABLES, end.signal);
  if (path !== null) {
    say(store, path);
  }
  return { model, store, options, end: () => end.abort() };
}

const axis = ({ options }: Pick<Page, "options">) => options.of(timeAxisOptions);
const smoothing = ({ options }: Pick<Page, "options">) => options.of(scalarsOptions).smoothing;
const logY = ({ options }: Pick<Page, "options">) => options.of(logValueOptions).log_y;

function say(store: Store, path: string): void {
  store.status.value = { ...STATUS, path };
}

test("values from Python hold at first, and whenever Python sets more", () => {
  const page = open({ smoothing: 0.9, log_y: ["loss"], step_range: [3, 9] });
  expect([smoothing(page).value, [...logY(page).value], axis(page).step_range.value]).toEqual([0.9, ["loss"], [3, 9]]);
  page.model.python("x_axis", "wall");
  page.model.python("x_axis", "nonsense");
  expect(axis(page).x_axis.value).toBe("wall");
  vi.runAllTimers();
  expect(page.model.saved).toEqual([]);
});

test("a last view has its former options; options set in it are remembered when the kernel names the board", () => {
  const before = open();
  smoothing(before).set(0.2);
  axis(before).x_axis.set("wall");
  before.end();
  const page = open({ smoothing: 0.3 }, null);
  page.store.isLastView.value = true;
  say(page.store, "redacted");
  expect([smoothing(page).value, axis(page).x_axis.value]).toEqual([0.3, "step"]);
  smoothing(page).set(0.7);
  batch(() => {
    page.store.isLastView.value = false;
    say(page.store, "/logs");
  });
  expect([smoothing(page).value, axis(page).x_axis.value]).toEqual([0.7, "wall"]);
  page.end();
  expect(smoothing(open()).value).toBe(0.7);
  expect(open().options.values()).toMatchObject({ smoothing: 0.7, selected_runs: null, _given: [], _set_count: {} });
});

test("options that were set on the view before it are the user's: Python hears of them, and they are remembered", () => {
  const page = open({ smoothing: 0.4, _given: ["smoothing"] });
  page.store.apply(message(1, [part("loss", "a", [0]), part("loss", "b", [0])], { begins: true, ends: true }), 0);
  page.options.takeOver({
    ...{ smoothing: 0.7, x_axis: "wall", selected_runs: ["b"], tag_filter: "lo" },
    ...{ _chosen: { smoothing: 3 }, nonsense: 1, y_axis: "" },
  });
  expect([smoothing(page).value, axis(page).x_axis.value, page.options.shows("a")]).toEqual([0.7, "wall", false]);
  vi.runAllTimers();
  expect(page.model.saved).toEqual([{ smoothing: 0.7, x_axis: "wall", selected_runs: ["b"], tag_filter: "lo" }]);
  page.end();
  expect(axis(open({}, "/runs")).x_axis.value).toBe("wall");
});

test("Python hears of an option once it stays, and hears it once", () => {
  const page = open();
  for (let i = 0; i < 20; i += 1) {
    smoothing(page).set(i / 100);
    vi.advanceTimersByTime(50);
  }
  expect(page.model.saved).toEqual([]);
  vi.advanceTimersByTime(300);
  page.options.togglePins(["loss"]);
  vi.runAllTimers();
  expect(page.model.saved).toEqual([{ smoothing: 0.19 }, { pinned: ["loss"] }]);
});

test("a value that Python sets meanwhile is not overwritten", () => {
  const page = open();
  smoothing(page).set(0.2);
  axis(page).x_axis.set("relative");
  page.model.python("smoothing", 0.8);
  vi.runAllTimers();
  expect(smoothing(page).value).toBe(0.8);
  // The model's earlier value may still be sent as an older option: Python does not accept that.
  expect(page.model.saved).toEqual([{ smoothing: 0.2, x_axis: "relative" }]);
  expect([page.model.chosen, page.model.get("_set_count")]).toEqual([{ smoothing: 0, x_axis: 0 }, { smoothing: 1 }]);
});

test("an option set by another page holds here, too, except for options set here and not received yet", () => {
  const page = open();
  const { model } = page;
  smoothing(page).set(0.9);
  vi.runAllTimers();
  // The kernel received the other page's first.
  model.otherPage("smoothing", 0.2);
  expect(smoothing(page).value).toBe(0.9);
  model.taken();
  vi.runAllTimers();
  // It may be sent again as the same setting: the kernel does not accept that twice.
  expect(new Set(model.saved.map(({ smoothing }) => smoothing))).toEqual(new Set([0.9]));
  const { length } = model.saved;
  model.otherPage("smoothing", 0.3);
  expect(smoothing(page).value).toBe(0.3);
  // Nothing is sent back.
  vi.runAllTimers();
  expect(model.saved.length).toBe(length);
  smoothing(page).set(0.5);
  expect(smoothing(page).value).toBe(0.5);
});

test("where a page shows the board already, its options count more than remembered ones", () => {
  const first = open();
  smoothing(first).set(0.9);
  axis(first).x_axis.set("wall");
  first.end();
  const second = open({ smoothing: 0.4, _chosen_by: { smoothing: "other 1" } });
  expect([smoothing(second).value, axis(second).x_axis.value]).toEqual([0.4, "wall"]);
});

test("an option remembered unchanged gives way to another page", () => {
  const first = open();
  smoothing(first).set(0.6);
  first.end();
  const second = open();
  second.model.otherPage("smoothing", 0.2);
  expect(smoothing(second).value).toBe(0.2);
});

test("a value that Python set before an option was set here does not undo it", () => {
  const page = open({ smoothing: 0.1, _set_count: { smoothing: 1 }, _given: ["smoothing"] });
  const { model } = page;
  smoothing(page).set(0.9);
  vi.runAllTimers();
  expect([model.saved, model.chosen]).toEqual([[{ smoothing: 0.9 }], { smoothing: 1 }]);
  // It is sent again, because the kernel had not received the option yet.
  model.arrive("smoothing", 0.1);
  // Neither the page nor its model has it; a dashboard that replaces this one takes it from there.
  expect([smoothing(page).value, model.get("smoothing")]).toEqual([0.9, 0.9]);
  vi.runAllTimers();
  expect(model.saved).toEqual([{ smoothing: 0.9 }, { smoothing: 0.9 }]);
  // Set later: that holds until the user sets it again.
  model.python("smoothing", 0.3);
  expect(smoothing(page).value).toBe(0.3);
  axis(page).x_axis.set("wall");
  vi.runAllTimers();
  expect(model.saved.at(-1)).toEqual({ x_axis: "wall" });
  expect(model.chosen).toEqual({ smoothing: 1, x_axis: 0 });
  smoothing(page).set(0.5);
  vi.runAllTimers();
  expect(model.chosen).toEqual({ smoothing: 2, x_axis: 0 });
});

test("options come back on the same board, and Python hears of them", () => {
  const before = open();
  smoothing(before).set(0.3);
  toggle(logY(before), "loss");
  before.options.setColor("a", "#123456");
  before.options.board.panel.set("histograms");
  before.end();
  const page = open();
  expect([smoothing(page).value, logY(page).value]).toEqual([0.3, new Set(["loss"])]);
  vi.runAllTimers();
  expect(page.model.saved).toEqual([
    { run_colors: { a: "#123456" }, panel: "histograms", smoothing: 0.3, log_y: ["loss"] },
  ]);
  expect([...stored.keys()].every((key) => key.startsWith("tbwidget:"))).toBe(true);
});

test("no board takes over options of another one, in the same directory or elsewhere", () => {
  const before = open();
  smoothing(before).set(0.3);
  before.options.board.panel.set("histograms");
  before.options.select({ names: new Set(["a"]), only: false });
  before.end();
  for (const page of [open({ _board: "cell 2" }), open({}, "/other")]) {
    const { options } = page;
    expect([smoothing(page).value, options.board.panel.value, options.shows("a")]).toEqual([0.6, null, true]);
    smoothing(page).set(0.9);
    page.end();
  }
  expect(smoothing(open()).value).toBe(0.3);
});

test("without the board's identity, neither tab nor hidden runs come back", () => {
  const before = open({ _board: undefined });
  smoothing(before).set(0.3);
  before.options.board.panel.set("histograms");
  before.options.select({ names: new Set(["a"]), only: false });
  before.end();
  const page = open({ _board: "" });
  const { options } = page;
  expect([smoothing(page).value, options.board.panel.value, options.shows("a")]).toEqual([0.3, null, true]);
});

test("zoom and linked step are told to Python, and never remembered", () => {
  const before = open();
  axis(before).step_range.set([10, 20]);
  axis(before).linked_step.set(15);
  vi.runAllTimers();
  expect(before.model.saved).toEqual([{ step_range: [10, 20], linked_step: 15 }]);
  before.end();
  const page = open();
  expect([axis(page).step_range.value, axis(page).linked_step.value, stored.size]).toEqual([null, null, 0]);
});

test("arguments from Python are neither changed by remembered options nor remembered", () => {
  const before = open();
  smoothing(before).set(0.3);
  before.end();
  expect(smoothing(open({ smoothing: 0.9, _given: ["smoothing"] })).value).toBe(0.9);
  expect(smoothing(open()).value).toBe(0.3);
});

test.each([0.2, 0.6])(
  "remembered options (%d) overrule a file in the log directory; its other options count",
  (value) => {
    const before = open();
    smoothing(before).set(value);
    before.options.tagFilter.set("loss", "typed");
    before.end();
    const file = { smoothing: 0.8, x_axis: "wall", tag_filter: "acc", run_filter: "a" };
    const remembered = () => [...stored.values()].map((text) => JSON.parse(text).options);
    const found = ({ options, ...page }: Page) => {
      const filters = [options.tagFilter.text.value, options.runFilter.text.value];
      return [smoothing({ options }).value, axis({ options }).x_axis.value, ...filters, page.model.get("smoothing")];
    };
    // The file is read before the page has opened, and after.
    const early = open({ ...file, _from_file: Object.keys(file) });
    const late = open();
    late.model.file(file);
    for (const page of [early, late]) {
      vi.runAllTimers();
      expect(found(page)).toEqual([value, "wall", "loss", "a", value]);
      page.end();
    }
    expect(remembered()).toEqual([{ smoothing: value, tag_filter: "loss" }]);
    const given = open({ ...file, smoothing: 0.9, _given: ["smoothing"], _from_file: ["x_axis"] });
    expect(smoothing(given).value).toBe(0.9);
  },
);

test("options set here stay when the file in the log directory is read later", () => {
  const page = open();
  smoothing(page).set(0.2);
  page.model.file({ smoothing: 0.8, x_axis: "relative" });
  expect([smoothing(page).value, axis(page).x_axis.value]).toEqual([0.2, "relative"]);
  vi.runAllTimers();
  expect(page.model.saved).toEqual([{ smoothing: 0.2 }]);
});

test("runs that the filter hides stay selected; an invalid filter hides nothing, and is not sent to Python", () => {
  const { options, model } = open();
  options.runFilter.set("LR0.1$", "typed");
  expect(["a/lr0.1", "a/lr0.10"].map((run) => options.shows(run))).toEqual([true, false]);
  vi.runAllTimers();
  options.runFilter.set("(", "typed");
  expect(options.shows("a/lr0.10")).toBe(true);
  vi.runAllTimers();
  expect(model.saved).toEqual([{ run_filter: "LR0.1$" }, { run_filter: "" }]);
});

test("filters come back", () => {
  const before = open();
  before.options.tagFilter.set("loss", "typed");
  before.options.runFilter.set("(", "typed");
  before.end();
  const { options, model } = open();
  expect([options.tagFilter.inEffect.value, options.runFilter.text.value]).toEqual(["loss", ""]);
  vi.runAllTimers();
  expect(model.saved).toEqual([{ tag_filter: "loss" }]);
});

test("a remembered selection of runs that are not here is told, until others are selected", () => {
  const before = open();
  before.options.select({ names: new Set(["gone"]), only: true });
  before.end();
  const { options, store } = open();
  expect(options.runs.noneThere.value).toBe(false);
  store.runs.value = ["a", "b"];
  expect([options.runs.noneThere.value, options.runs.waitedFor.value]).toEqual([true, ["gone"]]);
  options.select(ALL);
  expect([options.runs.noneThere.value, options.runs.waitedFor.value, options.shows("a")]).toEqual([false, [], true]);
});

test("each tag is pinned once", () => {
  expect(open({ pinned: ["loss", "lr", "loss"] }).options.board.pinned.value).toEqual(["loss", "lr"]);
});

test("runs may have any name", () => {
  const { options, model } = open();
  expect(options.board.run_colors.value.get("constructor")).toBeUndefined();
  options.setColor("__proto__", "#123456");
  vi.runAllTimers();
  expect(JSON.stringify(model.saved)).toBe('[{"run_colors":{"__proto__":"#123456"}}]');
  model.python("run_colors", JSON.parse('{"__proto__": "#654321", "bad": "red"}'));
  expect([...options.board.run_colors.value]).toEqual([["__proto__", "#654321"]]);
});

test("runs have the colors of the kernel's numbers, unless one was chosen", () => {
  const { options, store } = open();
  store.runNumbers.value = new Map([
    ["b", 0],
    ["a", 1],
  ]);
  const colors = ["b", "a"].map((run) => options.colorOf.value(run, "light"));
  expect(colors).toEqual([runColor(0, "light"), runColor(1, "light")]);
  options.setColor("b", "#123456");
  expect(options.colorOf.value("b", "light")).toBe("#123456");
});

test("settings that are broken change nothing but what can be understood", () => {
  const before = open();
  smoothing(before).set(0.3);
  before.end();
  for (const [key] of stored) {
    const options = { smoothing: "much", selected_runs: { names: 5 }, x_axis: "wall", tag_filter: 7 };
    stored.set(key, JSON.stringify({ usedAt: 0, options }));
  }
  const page = open();
  const { options } = page;
  expect([smoothing(page).value, axis(page).x_axis.value, options.shows("a"), options.tagFilter.text.value]).toEqual([
    0.6,
    "wall",
    true,
    "",
  ]);
});

test("a run that was hidden stays so, and those that came since are seen", () => {
  const before = open();
  before.store.runs.value = ["a", "b"];
  before.options.select({ names: new Set(["a"]), only: false });
  vi.runAllTimers();
  expect(before.model.saved).toEqual([{ selected_runs: ["b"] }]);
  const { options, store, model } = open();
  store.runs.value = ["a", "b", "c"];
  expect(["a", "b", "c"].filter((run) => options.shows(run))).toEqual(["b", "c"]);
  vi.runAllTimers();
  expect(model.saved.at(-1)).toEqual({ selected_runs: ["b", "c"] });
});

test("the newest 50 of more than 500 runs are shown, unless the user selects some; Python is not told", () => {
  const many = Array.from({ length: 501 }, (_, i) => `run${i}`);
  const { options, store, model } = open();
  // Run 0 began last, run 500 first.
  const facts = (runs: readonly string[]) => new Map(runs.map((run, i) => [run, { began: -i, ended: 0, step: 0n }]));
  vi.spyOn(store, "runFacts").mockImplementation(() => facts(store.runs.peek()));
  const shown = () => store.runs.value.filter((run) => options.shows(run));
  store.runs.value = many.slice(0, 400);
  expect([shown().length, options.runs.onlyNewest.value]).toEqual([400, false]);
  store.runs.value = many;
  expect([shown(), options.runs.onlyNewest.value]).toEqual([many.slice(0, 50), true]);
  store.runs.value = ["later", ...many];
  expect(shown()).toEqual(["later", ...many.slice(0, 49)]);
  expect(options.runs.waitedFor.value).toEqual([]);
  vi.runAllTimers();
  expect(model.saved).toEqual([]);
  options.select(ALL);
  store.runs.value = ["later", "last", ...many];
  expect([shown().length, options.runs.onlyNewest.value]).toEqual([503, false]);

  const given = open({ _given: ["selected_runs"] }, "/other");
  given.store.runs.value = many;
  expect(given.options.shows("run0")).toBe(true);
});

test("selected runs that are not there are waited for, once all is read", () => {
  const { options, store } = open({ selected_runs: ["a", "later"], _given: ["selected_runs"] }, null);
  store.runs.value = ["a"];
  expect(options.runs.waitedFor.value).toEqual([]);
  say(store, "/logs");
  expect(options.runs.waitedFor.value).toEqual(["later"]);
  store.runs.value = ["a", "later"];
  expect([options.runs.waitedFor.value, options.shows("later")]).toEqual([[], true]);
});

test("an end leaves nothing behind", () => {
  const page = open();
  smoothing(page).set(0.1);
  page.end();
  expect(vi.getTimerCount()).toBe(0);
  vi.runAllTimers();
  expect(page.model.saved).toEqual([]);
  expect([...page.model.listeners.values()].every((callbacks) => callbacks.size === 0)).toBe(true);
});

test("a step is linked by a click, and let go by another on it; a double click leaves it as it was", () => {
  const page = open();
  const { linked_step } = axis(page);
  const clicks = new StepClicks(linked_step);
  clicks.click(40n, 1);
  clicks.click(50n, 1);
  clicks.click(50n, 1);
  expect(linked_step.value).toBeNull();
  clicks.click(40n, 1);
  for (const step of [40n, 50n]) {
    clicks.click(step, 1);
    expect(linked_step.value).toBe(step === 40n ? null : 50);
    clicks.click(step, 2);
    clicks.click(step, 3);
    expect(linked_step.value).toBe(40);
  }
  page.model.python("linked_step", "nonsense");
  expect(linked_step.value).toBe(40);
  // As numbers, these steps would be equal to their neighbors.
  const long = 2n ** 53n + 1n;
  clicks.click(long, 1);
  expect(linked_step.value).toBe(long);
  clicks.click(long, 1);
  expect(linked_step.value).toBeNull();
  // Charts place it at its neighbor, and find the first of both.
  clicks.click(long, 1);
  clicks.click(long - 1n, 1);
  expect(linked_step.value).toBeNull();
});

test("a step beyond 2^53 travels as text, with all its digits", () => {
  const page = open();
  const { linked_step } = axis(page);
  page.model.python("linked_step", "4611686018427387905");
  expect(linked_step.value).toBe(2n ** 62n + 1n);
  page.model.python("linked_step", "12");
  expect(linked_step.value).toBe(12);
  linked_step.set(toExactStep(-(2n ** 60n) - 1n));
  vi.runAllTimers();
  expect(page.model.saved.at(-1)).toEqual({ linked_step: "-1152921504606846977" });
  expect([toExactStep(7n), stepNumber(2n ** 60n), stepNumber(null)]).toEqual([7, 2 ** 60, null]);
  page.model.python("linked_step", "1e3");
  expect(stepNumber(linked_step.value)).toBe(-(2 ** 60));
});

test("how histograms are drawn is chosen like all else", () => {
  const { options, model } = open({ histogram_mode: "heatmap", log_counts: ["a"], overlay_runs: true });
  const { histogram_mode, log_counts } = options.of(histogramsOptions);
  const { overlay_runs } = options.of(overlayRunsOptions);
  expect([histogram_mode.value, [...log_counts.value], overlay_runs.value]).toEqual(["heatmap", ["a"], true]);
  expect(options.of(histogramsOptions).bins.value).toBe("even");
  histogram_mode.set("overlay");
  toggle(log_counts, "a");
  toggle(log_counts, "b");
  overlay_runs.set(false);
  vi.runAllTimers();
  expect(model.saved.at(-1)).toEqual({ histogram_mode: "overlay", log_counts: ["b"], overlay_runs: false });
});

test("a widget of one panel has no option of panels", () => {
  const before = open();
  before.options.board.panel.set("histograms");
  before.end();
  const { options } = open({ _single: true, panel: "scalars" });
  expect([options.onlyPanel, options.board.panel.value]).toEqual(["scalars", null]);
});

test("panels share an option by sharing its table; an option that another table declares is refused", () => {
  const { options } = open();
  expect(options.of(timeAxisOptions)).toBe(options.of(timeAxisOptions));
  expect(() => options.of({ smoothing: { ...scalarsOptions.smoothing } })).toThrow("smoothing");
  const twice = () =>
    new Options(
      new FakeModel(),
      new Store(CODECS),
      [scalarsOptions, { smoothing: { ...scalarsOptions.smoothing } }],
      new AbortController().signal,
    );
  expect(twice).toThrow("two panels declare the option smoothing");
});

test("notes are cut between characters, as Python counts them", () => {
  const long = `a${"😀".repeat(MAX_NOTE_CHARACTERS - 1)}`;
  const { options } = open({ run_notes: { whole: long, cut: `${long}😀` } });
  expect([...options.runTable.run_notes.value.values()]).toEqual([long, long]);
});
