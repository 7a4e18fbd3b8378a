import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Choices } from "../../src/dashboard/choices";
import { ALL } from "../../src/dashboard/selection";
import type { Model } from "../../src/wire/model";
import { Store } from "../../src/wire/store";

/** Stands where the widget's model would. */
class FakeModel implements Model {
  readonly saved: Record<string, unknown>[] = [];
  /** What Python had set how often when each choice was made, as it was told last. */
  chosen: unknown = {};
  readonly listeners = new Map<string, Set<() => void>>();
  #state: Record<string, unknown>;
  #changed: Record<string, unknown> = {};

  constructor(state: Record<string, unknown> = {}) {
    this.#state = {
      selected_runs: null,
      run_colors: {},
      run_filter: "",
      tag_filter: "",
      smoothing: 0.6,
      x_axis: "step",
      log_y: [],
      ignore_outliers: true,
      step_range: null,
      pinned: [],
      linked_step: null,
      histogram_mode: "offset",
      log_counts: [],
      overlay_runs: false,
      height: 640,
      _given: [],
      _set_count: {},
      ...state,
    };
  }

  get(name: string): unknown {
    return this.#state[name];
  }

  set(name: string, value: unknown): void {
    if (name === "_chosen") {
      this.chosen = value;
      return;
    }
    this.#changed[name] = value;
    this.arrive(name, value);
  }

  /** A trait is set on the other side. */
  python(name: string, value: unknown): void {
    const counts = this.#state._set_count as Record<string, number>;
    this.#state._set_count = { ...counts, [name]: (counts[name] ?? 0) + 1 };
    this.arrive(name, value);
  }

  /** A value comes from there: perhaps one that was sent before. */
  arrive(name: string, value: unknown): void {
    this.#state[name] = value;
    for (const callback of this.listeners.get(`change:${name}`) ?? []) {
      callback();
    }
  }

  save_changes(): void {
    this.saved.push(this.#changed);
    this.#changed = {};
  }

  send(): void {}

  on(event: string, callback: unknown): void {
    const callbacks = this.listeners.get(event) ?? new Set();
    callbacks.add(callback as () => void);
    this.listeners.set(event, callbacks);
  }

  off(event: string, callback?: unknown): void {
    this.listeners.get(event)?.delete(callback as () => void);
  }
}

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
  });
});

afterEach(() => {
  for (const end of ends) {
    end.abort();
  }
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

interface Page {
  readonly model: FakeModel;
  readonly store: Store;
  readonly choices: Choices;
}

function open(state: Record<string, unknown> = {}, path: string | null = "/logs"): Page {
  const end = new AbortController();
  ends.push(end);
  const model = new FakeModel(state);
  const store = new Store();
  const choices = new Choices(model, store, end.signal);
  if (path !== null) {
    say(store, path);
  }
  return { model, store, choices };
}

function say(store: Store, path: string): void {
  store.status.value = {
    ready: true,
    read: [0, 0],
    path,
    exists: true,
    newest: null,
    age: null,
    leftOut: 0,
    problems: 0,
    kinds: ["scalars"],
  };
}

test("what Python says holds at first, and whenever it says more", () => {
  const { model, choices } = open({ smoothing: 0.9, log_y: ["loss"], step_range: [3, 9] });
  expect([choices.smoothing.value, [...choices.logY.value], choices.stepRange.value]).toEqual([0.9, ["loss"], [3, 9]]);
  model.python("x_axis", "wall");
  model.python("x_axis", "nonsense");
  expect(choices.xAxis.value).toBe("wall");
  vi.runAllTimers();
  expect(model.saved).toEqual([]);
});

test("Python hears of a choice once it stays, and hears it once", () => {
  const { model, choices } = open();
  for (let i = 0; i < 20; i += 1) {
    choices.smooth(i / 100);
    vi.advanceTimersByTime(50);
  }
  expect(model.saved).toEqual([]);
  vi.advanceTimersByTime(300);
  choices.togglePin("loss");
  vi.runAllTimers();
  expect(model.saved).toEqual([{ smoothing: 0.19 }, { pinned: ["loss"] }]);
});

test("what Python sets meanwhile is not overwritten", () => {
  const { model, choices } = open();
  choices.smooth(0.2);
  choices.along("relative");
  model.python("smoothing", 0.8);
  vi.runAllTimers();
  expect(choices.smoothing.value).toBe(0.8);
  expect(model.saved).toEqual([{ x_axis: "relative" }]);
});

test("what Python set before a choice was made here does not take it back", () => {
  const { model, choices } = open({ smoothing: 0.1, _set_count: { smoothing: 1 }, _given: ["smoothing"] });
  choices.smooth(0.9);
  vi.runAllTimers();
  expect([model.saved, model.chosen]).toEqual([[{ smoothing: 0.9 }], { smoothing: 1 }]);
  // Said again, because the choice had not been heard yet.
  model.arrive("smoothing", 0.1);
  expect(choices.smoothing.value).toBe(0.9);
  vi.runAllTimers();
  expect(model.saved).toEqual([{ smoothing: 0.9 }, { smoothing: 0.9 }]);
  // Set later: that holds, until somebody chooses again.
  model.python("smoothing", 0.3);
  expect(choices.smoothing.value).toBe(0.3);
  choices.along("wall");
  vi.runAllTimers();
  expect(model.saved.at(-1)).toEqual({ x_axis: "wall" });
  expect(model.chosen).toEqual({ smoothing: 1, x_axis: 0 });
  choices.smooth(0.5);
  vi.runAllTimers();
  expect(model.chosen).toEqual({ smoothing: 2, x_axis: 0 });
});

test("choices come back in the same directory, and Python hears of them", () => {
  const before = open();
  before.choices.smooth(0.3);
  before.choices.toggleLogY("loss");
  before.choices.showSteps([10, 20]);
  before.choices.colour("a", "#123456");
  const { choices, model } = open();
  expect(choices.smoothing.value).toBe(0.3);
  expect(choices.logY.value).toEqual(new Set(["loss"]));
  vi.runAllTimers();
  expect(model.saved).toEqual([
    { run_colors: { a: "#123456" }, smoothing: 0.3, log_y: ["loss"], step_range: [10, 20] },
  ]);
  expect(open({}, "/other").choices.smoothing.value).toBe(0.6);
  expect([...stored.keys()].every((key) => key.startsWith("tbwidget:"))).toBe(true);
});

test("what Python gave is not changed by what is remembered, nor remembered itself", () => {
  open().choices.smooth(0.3);
  expect(open({ smoothing: 0.9, _given: ["smoothing"] }).choices.smoothing.value).toBe(0.9);
  expect(open().choices.smoothing.value).toBe(0.3);
});

test("what the filter keeps out is not shown, and stays selected", () => {
  const { choices, model } = open();
  choices.filterRuns("LR0.1$");
  expect(["a/lr0.1", "a/lr0.10"].map((run) => choices.shows(run))).toEqual([true, false]);
  choices.filterRuns("(");
  expect(choices.shows("a/lr0.10")).toBe(true);
  vi.runAllTimers();
  expect(model.saved).toEqual([{ run_filter: "(" }]);
});

test("a filter is remembered only once it was applied", () => {
  const before = open();
  before.choices.filterTags("slow");
  expect(open().choices.tagFilter.value).toBe("");
  before.choices.filterTags("quick");
  vi.advanceTimersByTime(400);
  expect(open().choices.tagFilter.value).toBe("quick");
});

test("a filter that takes too long is told to the views, and hides nothing", async () => {
  const { choices } = open();
  choices.filterRuns("x");
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    now += 300;
    return now;
  });
  expect(choices.shows("a")).toBe(false);
  clock.mockRestore();
  await Promise.resolve();
  expect([choices.shows("a"), choices.runPattern.value.error]).toEqual([true, "too slow"]);
  choices.filterRuns("b");
  expect([choices.shows("a"), choices.runPattern.value.error]).toEqual([false, null]);
});

test("a remembered selection of runs that are not here is told, until others are selected", () => {
  open().choices.select({ names: new Set(["gone"]), only: true });
  const { choices, store } = open();
  expect(choices.strayed.value).toBe(false);
  store.runs.value = ["a", "b"];
  expect(choices.strayed.value).toBe(true);
  choices.select(ALL);
  expect([choices.strayed.value, choices.shows("a")]).toEqual([false, true]);
});

test("choices that there is no room for leave no older ones behind", () => {
  const { choices } = open();
  choices.smooth(0.3);
  expect(stored.size).toBe(1);
  choices.togglePin("x".repeat(300_000));
  expect(stored.size).toBe(0);
});

test("each tag is pinned once", () => {
  expect(open({ pinned: ["loss", "lr", "loss"] }).choices.pinned.value).toEqual(["loss", "lr"]);
});

test("runs may have any name", () => {
  const { choices, model } = open();
  expect(choices.colours.value.get("constructor")).toBeUndefined();
  choices.colour("__proto__", "#123456");
  vi.runAllTimers();
  expect(JSON.stringify(model.saved)).toBe('[{"run_colors":{"__proto__":"#123456"}}]');
  model.python("run_colors", JSON.parse('{"__proto__": "#654321", "bad": "red"}'));
  expect([...choices.colours.value]).toEqual([["__proto__", "#654321"]]);
});

test("a memory that is broken, or none at all, is no trouble", () => {
  open().choices.smooth(0.3);
  for (const [key] of stored) {
    stored.set(key, '{"smoothing": "much", "selected_runs": {"names": 5}, "x_axis": "wall"}');
  }
  const { choices } = open();
  expect([choices.smoothing.value, choices.xAxis.value, choices.shows("a")]).toEqual([0.6, "wall", true]);
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new Error("denied");
    },
    setItem: () => {
      throw new Error("full");
    },
  });
  const page = open();
  page.choices.smooth(0.1);
  expect(page.choices.smoothing.value).toBe(0.1);
});

test("a run that was hidden stays so, and those that came since are seen", () => {
  const before = open();
  before.store.runs.value = ["a", "b"];
  before.choices.select({ names: new Set(["a"]), only: false });
  vi.runAllTimers();
  expect(before.model.saved).toEqual([{ selected_runs: ["b"] }]);
  const { choices, store, model } = open();
  store.runs.value = ["a", "b", "c"];
  expect(["a", "b", "c"].filter((run) => choices.shows(run))).toEqual(["b", "c"]);
  vi.runAllTimers();
  expect(model.saved.at(-1)).toEqual({ selected_runs: ["b", "c"] });
});

test("more than 500 runs start unselected, unless somebody chose", () => {
  const many = Array.from({ length: 501 }, (_, i) => `run${i}`);
  const { choices, store, model } = open();
  store.runs.value = many.slice(0, 400);
  store.runs.value = many;
  expect([choices.shows("run0"), choices.tooMany.value]).toEqual([false, true]);
  vi.runAllTimers();
  expect(model.saved).toEqual([{ selected_runs: [] }]);
  choices.select({ names: new Set(), only: false });
  store.runs.value = [...many, "later"];
  expect([choices.shows("run0"), choices.shows("later"), choices.tooMany.value]).toEqual([true, true, false]);

  const given = open({ _given: ["selected_runs"] }, "/other");
  given.store.runs.value = many;
  expect(given.choices.shows("run0")).toBe(true);
});

test("runs that were shown stay when the 501st comes", () => {
  const many = Array.from({ length: 500 }, (_, i) => `run${i}`);
  const { choices, store } = open();
  store.runs.value = many;
  vi.advanceTimersByTime(60_000);
  store.runs.value = [...many, "later"];
  expect([choices.shows("run0"), choices.shows("later")]).toEqual([true, false]);
});

test("an end leaves nothing behind", () => {
  const { model, choices } = open();
  choices.smooth(0.1);
  ends.at(-1)?.abort();
  vi.runAllTimers();
  expect(model.saved).toEqual([]);
  expect([...model.listeners.values()].every((callbacks) => callbacks.size === 0)).toBe(true);
});

test("a step is linked, and let go by linking it once more", () => {
  const { choices, model } = open();
  choices.link(40);
  choices.link(50);
  expect(choices.linkedStep.value).toBe(50);
  choices.link(50);
  expect(choices.linkedStep.value).toBeNull();
  model.python("linked_step", 7);
  expect(choices.linkedStep.value).toBe(7);
  model.python("linked_step", "nonsense");
  expect(choices.linkedStep.value).toBe(7);
});

test("a double click leaves the linked step as it was", () => {
  const { choices } = open();
  choices.link(40);
  for (const step of [40, 50]) {
    choices.clickStep(step, 1);
    expect(choices.linkedStep.value).toBe(step === 40 ? null : 50);
    choices.clickStep(step, 2);
    choices.clickStep(step, 3);
    expect(choices.linkedStep.value).toBe(40);
  }
});

test("how histograms are drawn is chosen like all else", () => {
  const { choices, model } = open({ histogram_mode: "heatmap", log_counts: ["a"], overlay_runs: true });
  expect([choices.histogramMode.value, [...choices.logCounts.value], choices.overlayRuns.value]).toEqual([
    "heatmap",
    ["a"],
    true,
  ]);
  choices.drawAs("overlay");
  choices.toggleLogCounts("a");
  choices.toggleLogCounts("b");
  choices.overlay(false);
  vi.runAllTimers();
  expect(model.saved.at(-1)).toEqual({ histogram_mode: "overlay", log_counts: ["b"], overlay_runs: false });
});
