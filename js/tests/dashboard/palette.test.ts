import { type Signal, signal } from "@preact/signals";
import { h } from "preact";
import { afterEach, expect, test, vi } from "vitest";
import { dashboardActions } from "../../src/dashboard/actions";
import { entriesOfIds, MAX_RESULTS, search, sourcesOf } from "../../src/dashboard/commands/entries";
import { HelpSheet, helpOf } from "../../src/dashboard/commands/help";
import { capGroups, capsOf, commandOf, isPressed, keyName, takenKeys } from "../../src/dashboard/commands/keys";
import { effectOf, Palette } from "../../src/dashboard/commands/palette";
import { shellOf } from "../../src/dashboard/commands/shell";
import { WORDS } from "../../src/dashboard/commands/words";
import "../../src/korean";
import { setLanguage } from "../../src/lib/texts";
import { WordQuery } from "../../src/lib/wordsearch";
import { scalars } from "../../src/lines/codec";
import type { Option } from "../../src/options/declare";
import { timeAxisOptions } from "../../src/options/shared";
import { GRAPH_KEYS } from "../../src/panels/graphs/draw/stage";
import { graphState } from "../../src/panels/graphs/state";
import { graphActions } from "../../src/panels/graphs/ui/toolbar";
import { panels } from "../../src/panels/registry";
import { scalars as panel } from "../../src/panels/scalars/panel";
import type { Action } from "../../src/ui/actions";
import type { CardGrid } from "../../src/ui/cardgrid";
import { choiceOfName, switchOf } from "../../src/ui/choices";
import { cardGestures } from "../../src/ui/gestures";
import type { Panel } from "../../src/ui/panel";
import { commandOn } from "../../src/ui/reach";
import { type View, ViewContext } from "../../src/ui/view";
import { type Board, boardOf } from "../lines/board";
import { rendered } from "../ui/rendering";
import { part } from "../wire/made";

let board: Board | undefined;

afterEach(() => {
  reached = null;
  cards = {} as HTMLElement;
  board?.end();
  board = undefined;
});

function optionOf<T>(initial: T): Option<T> {
  const held = signal(initial);
  return {
    get value() {
      return held.value;
    },
    peek: () => held.peek(),
    set: (value) => {
      held.value = value;
    },
  };
}

const outliers = optionOf(true);
const smoothing = optionOf(0.6);
const axis = signal("step");
const refreshed = vi.fn();

const ACTIONS: readonly Action[] = [
  { kind: "toggle", id: "axes.outliers", name: () => "Ignore outliers", option: () => outliers },
  { kind: "number", id: "lines.smoothing", name: () => "Smoothing", least: 0, most: 0.999, option: () => smoothing },
  {
    kind: "number",
    id: "lines.window",
    name: () => "Smoothing window",
    least: 1,
    most: 99,
    step: 1,
    option: () => optionOf(5),
  },
  {
    kind: "number",
    id: "lines.steps",
    name: () => "Steps",
    least: 1,
    most: 1e8,
    step: 1,
    option: () => optionOf(5),
  },
  {
    kind: "choice",
    id: "axes.x_axis",
    name: () => "X axis",
    values: () => ["step", "relative"],
    nameOf: (value) => (value === "step" ? "Step" : "Relative"),
    chosen: () => axis.value,
    choose: (_, value) => {
      axis.value = value;
    },
    barred: (_, value) => (value === "step" && axis.value === "wall" ? "not now" : undefined),
  },
  { kind: "command", id: "cards.refresh", isBelow: true, name: () => "Arrange anew", keys: ["r"], run: refreshed },
  { kind: "command", id: "cards.gone", name: () => "Never offered", applies: () => false, run: refreshed },
  { kind: "gesture", id: "chart.drag", name: () => "Zoom", gesture: () => "drag", section: () => "Charts" },
  { kind: "gesture", id: "chart.fit", name: () => "Fit the axes", keys: ["f"], section: () => "Charts" },
  { kind: "form", id: "axes.limits", name: () => "Limits", Form: () => null },
];

/** The control of the page that actions find. */
let reached: HTMLElement | null = null;

/** The part with the cards; null while a card fills the window. */
let cards: HTMLElement | null = {} as HTMLElement;

function viewOf(tags: readonly string[], runs: readonly string[] = ["run1", "run2"]): View {
  board = boardOf(
    runs.flatMap((run) => (run === runs[0] ? tags : tags.slice(0, 1)).map((tag) => part(tag, run, [0, 1]))),
  );
  const panel: Panel = {
    name: "scalars",
    title: "Scalars",
    codecs: [scalars],
    options: [],
    actions: ACTIONS,
    Toolbar: () => null,
    Body: () => null,
  };
  return {
    ...board.view,
    id: "view",
    panel: signal<Panel | undefined>(panel),
    tabs: signal([panel, { ...panel, name: "others", title: "Others", codecs: [], actions: [] }]),
    runChoice: signal(null),
    grid: signal(null),
    isMaximized: signal(false),
    tooltip: signal(null),
    theme: signal("light"),
    highlightedRun: signal(null),
    inSight: signal([]),
    now: signal(1.7e12),
    root: {
      querySelectorAll: () => [],
      querySelector: (what: string) => (what === ".tbwidget-main" ? cards : reached),
    },
  } as unknown as View;
}

const gridOf = (...tags: readonly string[]) => {
  const cards = tags.map((tag) => ({
    ...{ key: `t${tag}`, name: tag, tags: [tag], pattern: null },
    ...{ isPinned: false, isSplit: false, canJoin: false },
  }));
  return { panel: "scalars", tags: signal(tags), cards: signal(cards) } as unknown as CardGrid;
};

const texts = (query: string, view: View) => search(query, view, sourcesOf(view)).entries.map(({ text }) => text);

test("tags, runs, panels and each value of an action are found", () => {
  const view = viewOf(["loss/train", "loss/validation", "rate"]);
  expect(texts("loss", view)).toEqual(["loss/train", "loss/validation"]);
  expect(texts("run2", view)).toEqual(["run2"]);
  expect(texts("others", view)).toEqual(["Others"]);
  expect(texts("x axis", view)).toEqual(["X axis: Step", "X axis: Relative"]);
  expect(texts("relative axis", view)).toEqual(["X axis: Relative"]);
  expect(texts("never", view)).toEqual([]);
  expect(texts("limits", view)).toEqual([]);
  // Found by their panel, too.
  expect(texts("scalars rate", view)).toEqual(["rate"]);
  expect(texts("", view).slice(0, 2)).toEqual(["Scalars", "Others"]);
});

test("actions do what their tables say", () => {
  const view = viewOf(["loss"]);
  const choose = (query: string) => {
    const [entry] = search(query, view, sourcesOf(view)).entries;
    entry?.choose?.(false);
    return entry;
  };
  const toggle = choose("outliers");
  expect([outliers.value, toggle?.isOn?.(), toggle?.stays?.(false)]).toEqual([false, false, true]);
  choose("relative");
  expect(axis.value).toBe("relative");
  choose("arrange");
  expect(refreshed).toHaveBeenCalledOnce();
});

test("the palette says what Enter does with an entry", () => {
  const view = viewOf(["loss"]);
  view.grid.value = gridOf("loss");
  const effect = (query: string) => {
    const [entry] = search(query, view, sourcesOf(view)).entries;
    return entry && [entry.text, effectOf(entry)];
  };
  expect(effect("others")).toEqual(["Others", "go"]);
  expect(effect("loss")).toEqual(["loss", "go"]);
  expect(effect("run1")).toEqual(["run1", "only"]);
  outliers.set(false);
  expect(effect("outliers")).toEqual(["Ignore outliers", "on"]);
  outliers.set(true);
  expect(effect("outliers")).toEqual(["Ignore outliers", "off"]);
  expect(effect("x axis relative")).toEqual(["X axis: Relative", "choose"]);
  expect(effect("smoothing")).toEqual(["Smoothing", "type"]);
  expect(effect("smoothing 0.25")).toEqual(["Smoothing: 0.25", "choose"]);
  expect(effect("arrange")).toEqual(["Arrange anew", "run"]);
  // A choice that keeps nothing does something at once.
  expect(effect("pin loss")).toEqual(["Pin: loss", "run"]);
});

test("a number is typed after the name of its option, within its limits", () => {
  const view = viewOf(["loss"]);
  const first = (query: string) => search(query, view, sourcesOf(view)).entries[0];
  expect(first("smoothing")?.next).toBe("Smoothing ");
  expect(first("Smoothing 0.25")?.text).toBe("Smoothing: 0.25");
  first("smoothing 0,5")?.choose?.(false);
  expect(smoothing.value).toBe(0.5);
  expect(first("smoothing 2")?.barred).toBe("type a number, 0 – 0.999");
  expect(first("smoothing window 2.5")?.barred).toBe("type a number, 1 – 99");
  expect(first("smoothing window 7")?.barred).toBeUndefined();
  expect(first("loss 7")).toBeUndefined();
});

test("numbers may have an exponent, and commas that set thousands of whole numbers apart", () => {
  const view = viewOf(["loss"]);
  const first = (query: string) => search(query, view, sourcesOf(view)).entries[0];
  first("smoothing 1e-3")?.choose?.(false);
  expect(smoothing.value).toBe(0.001);
  expect(first("steps 1,000")?.text).toBe("Steps: 1000");
  expect(first("steps 12,345,678")?.text).toBe("Steps: 12345678");
  expect(first("steps 2E3")?.barred).toBeUndefined();
  expect(first("steps 1,5")?.barred).toBeDefined();
  expect(first("smoothing 0,25")?.text).toBe("Smoothing: 0.25");
  for (const none of ["e5", "1e", "1,00,0,", ".", "-", "0x10", "Infinity"]) {
    expect([none, first(`steps ${none}`)]).toEqual([none, undefined]);
  }
});

test("a tag is shown with a run that has it, where none that is shown has", () => {
  // Only the first run has the second tag.
  const view = viewOf(["loss", "rate"]);
  view.options.select({ names: new Set(["run2"]), only: true });
  const choose = (tag: string) => search(tag, view, sourcesOf(view)).entries[0]?.choose?.(false);
  const shown = () => ["run1", "run2"].filter((run) => view.options.shows(run));
  choose("loss");
  expect(shown()).toEqual(["run2"]);
  choose("rate");
  expect(shown()).toEqual(["run1", "run2"]);
});

test.each([
  ["wall", "X axis: Clock"],
  ["wall time", "X axis: Clock"],
  ["relative", "X axis: Relative"],
  ["smoothing", "Smoothing"],
  ["smoothing 0.9", "Smoothing: 0.9"],
  ["ignore outliers", "Ignore outliers"],
  ["tooltip sorting", "Tooltip order: Name"],
  ["row limit", "Tooltip rows"],
  ["step selector", "Select range"],
  ["range selection", "Select range"],
  ["data table", "Table of values"],
  ["partition", "Break lines at restarts"],
  ["hide empty cards", "Show empty charts"],
  ["toggle log scale", "Y scale: Log"],
  ["full screen", "Maximize the dashboard"],
  ["pin", "Pin: loss"],
  ["clear pins", "Unpin: rate"],
  ["download", "Save"],
  ["export", "Save"],
  ["csv", "Save as CSV: loss"],
  ["compare", "Baseline: none"],
  ["reset zoom", "Show all steps"],
  ["delete run2", "Archive run2"],
  ["show means", "Means with bands"],
  ["horizontal axis", "X axis: Step"],
  ["hover", "Tooltip rows"],
  ["import", "Load profile…"],
  ["fullscreen", "Maximize the dashboard"],
  ["screenshot", "Save as PNG: loss"],
  ["legend", "Run names at line ends"],
  ["shortcuts", "Keys and gestures"],
  ["zoom in", "Zoom"],
])("what TensorBoard or others call %j is found first", (query, found) => {
  const view = viewOf(["loss", "rate"]);
  (view.panel as Signal).value = { ...view.panel.peek(), actions: panel.actions };
  view.grid.value = gridOf("loss", "rate");
  view.options.board.pinned.set(["rate"]);
  view.options.of(timeAxisOptions).step_range.set([0, 1]);
  shellOf(view).sideBar.value = { isOpen: true, toggle: () => {} };
  reached = { click: () => {} } as HTMLElement;
  const first = () => search(query, view, sourcesOf(view)).entries[0];
  const english = first();
  expect(english?.text).toBe(found);
  setLanguage("ko");
  const korean = first();
  setLanguage("en");
  // Names decide which of several values comes first.
  const actionOf = (id = "") => (query.startsWith("wall") ? id : id.split("=")[0]);
  expect(actionOf(korean?.id)).toBe(actionOf(english?.id));
});

test("actions on a run have the names of its buttons, and are found by a word of them", () => {
  const view = viewOf(["loss"], ["a/run1", "run2"]);
  shellOf(view).sideBar.value = { isOpen: true, toggle: () => {} };
  view.options.runTable.archived_runs.set(new Set(["run2"]));
  expect(texts("rename", view)).toEqual(["Rename run2 here", "Rename a/run1 here", "Rename a run here"]);
  expect(texts("rename a/", view)).toEqual(["Rename a/run1 here"]);
  expect(texts("archive a/", view)).toEqual(["Archive a/run1"]);
  expect(texts("take back", view)).toEqual(["Take run2 back from the archive"]);
  expect(texts("only run2", view)).toEqual(["run2"]);
  expect(texts("sort", view)).toContain("Sort by: last loss");
  const choose = (query: string) => search(query, view, sourcesOf(view)).entries[0]?.choose?.(false);
  choose("sort loss");
  choose("descending");
  expect(view.options.runTable.run_sort.value).toBe("-last:loss");
  choose("run columns duration");
  choose("run columns max loss");
  expect(view.options.runTable.run_columns.value).toEqual(["duration", "max:loss"]);
  choose("headline nothing");
  expect(view.options.runTable.headline_tag.value).toBe("");
  choose("listed invert");
  expect(view.options.shows("a/run1")).toBe(false);
  choose("listed newest");
  expect(view.options.shows("a/run1")).toBe(true);
});

test("cards are pinned, and the menu that saves opens, by their names", () => {
  const view = viewOf(["loss", "rate"]);
  view.grid.value = gridOf("loss", "rate");
  const choose = (query: string) => search(query, view, sourcesOf(view)).entries[0]?.choose?.(false);
  choose("pin rate");
  expect(view.options.board.pinned.value).toEqual(["rate"]);
  choose("unpin rate");
  expect(view.options.board.pinned.value).toEqual([]);
  expect(texts("download", view)).toEqual([]);
  const save = vi.fn();
  reached = { click: save } as unknown as HTMLElement;
  choose("download");
  expect(save).toHaveBeenCalledOnce();
});

test("a trace needs a selected box, and the overview of steps an axis of steps", () => {
  const view = viewOf(["loss"]);
  const trace = { ...graphActions.find(({ id }) => id === "graphs.trace"), applies: () => true } as Action;
  (view.panel as Signal).value = { ...view.panel.peek(), actions: [trace, ...(panel.actions ?? [])] };
  const { chosen } = graphState(view);
  const tracing = () => search("trace:", view, sourcesOf(view)).entries.map(({ barred }) => barred);
  expect(tracing().sort()).toEqual([...Array(4).fill("Select a box to trace"), undefined]);
  chosen.graph_selected.set("a");
  expect(tracing()).toEqual(Array(5).fill(undefined));
  expect(texts("overview of steps", view)).toEqual(["Overview of steps"]);
  view.options.of(timeAxisOptions).x_axis.set("relative");
  expect(texts("overview of steps", view)).toEqual([]);
});

test("what exists only in another panel comes last: it goes there, and acts or lists its names once it can", () => {
  const view = viewOf(["lasso"]);
  const state = { canPress: false, names: [] as string[] };
  let waiting: (() => void)[] = [];
  vi.stubGlobal("requestAnimationFrame", (act: () => void) => waiting.push(act));
  const frame = () => {
    const acts = waiting;
    waiting = [];
    for (const act of acts) {
      act();
    }
    return acts.length;
  };
  const pressed = vi.fn();
  const actions: readonly Action[] = [
    {
      ...{ kind: "command", id: "o.fit", name: () => "Lasso", pressesControl: true, run: pressed },
      applies: () => state.canPress,
    },
    {
      ...{ kind: "choice", id: "o.tool", isList: true, name: () => "Lasso tool", values: () => state.names },
      ...{ nameOf: (value: string) => value, choose: () => {} },
    },
    // The shown panel has its own.
    { kind: "command", id: "cards.refresh", name: () => "Arrange lasso", pressesControl: true, run: pressed },
  ];
  const [shown, other] = view.tabs.peek() as [Panel, Panel];
  const there = { ...other, actions };
  (view.tabs as Signal).value = [shown, there, { ...there, name: "third", title: "Third" }];
  const found = search("lasso", view, sourcesOf(view)).entries;
  expect(found.map(({ text, detail }) => [text, detail])).toEqual([
    ["lasso", "Scalars"],
    ["Lasso", "Others"],
    ["Lasso tool", "Others"],
  ]);
  found[1]?.choose?.(false);
  expect(view.options.board.panel.peek()).toBe("others");
  (view.panel as Signal).value = there;
  expect([frame(), frame(), pressed.mock.calls.length]).toEqual([1, 1, 0]);
  state.canPress = true;
  expect([frame(), frame(), pressed.mock.calls.length]).toEqual([1, 0, 1]);
  const { sheet, typed } = shellOf(view);
  found[2]?.choose?.(false);
  expect([frame(), frame(), sheet.peek()]).toEqual([1, 1, null]);
  state.names = ["box"];
  expect([frame(), frame(), sheet.peek(), typed.peek()]).toEqual([1, 0, "palette", "Lasso tool "]);
  expect(texts(typed.peek(), view)).toEqual(["Lasso tool: box"]);
  // It waits no longer where another panel has been gone to.
  state.canPress = false;
  found[1]?.choose?.(false);
  expect(frame()).toBe(1);
  (view.panel as Signal).value = shown;
  expect([frame(), frame()]).toEqual([1, 0]);
  vi.unstubAllGlobals();
});

test("while a card fills the window, what happens below it is not offered", () => {
  const view = viewOf(["loss"]);
  expect(texts("arrange", view)).toEqual(["Arrange anew"]);
  cards = null;
  expect(texts("arrange", view)).toEqual([]);
  expect(texts("outliers", view)).toEqual(["Ignore outliers"]);
});

test("a card that fills the window covers the actions on cards, on the row of steps and on the dashboard's edges", () => {
  const view = viewOf(["loss", "rate"]);
  (view.panel as Signal).value = { ...view.panel.peek(), actions: panel.actions };
  view.grid.value = gridOf("loss", "rate");
  view.options.board.pinned.set(["rate"]);
  shellOf(view).sideBar.value = { isOpen: true, toggle: () => {} };
  reached = { click: () => {} } as HTMLElement;
  const offered = () => {
    const entries = sourcesOf(view).flatMap(({ texts: all, entry }) => all.map((_, i) => entry(i)));
    return new Set(entries.map(({ id }) => id.split("=")[0]));
  };
  const all = offered();
  cards = null;
  const uncovered = offered();
  // The list of runs is covered, too.
  expect([...uncovered].filter((id) => id?.startsWith("action runs."))).toEqual([]);
  expect([...all].filter((id) => !uncovered.has(id) && !id?.startsWith("action runs.")).sort()).toEqual(
    [
      ...["axes", "down", "fill", "fit", "log", "up"].map((id) => `card.${id}`),
      ...["copy", "copy_picture", "csv", "json", "png", "svg"].map((id) => `save.${id}`),
      ...["auto_height", "card_height", "card_width", "combine", "empty_cards", "join_splits"].map(
        (id) => `cards.${id}`,
      ),
      ...["height", "pin", "side_bar", "unpin"].map((id) => `dashboard.${id}`),
      ...["step_overview", "values"].map((id) => `steps.${id}`),
    ]
      .map((id) => `action ${id}`)
      .sort(),
  );
});

test("a gesture of the shown panel comes behind its actions and before those of others, and leads to the help", () => {
  const view = viewOf(["loss"]);
  const [shown, other] = view.tabs.peek() as [Panel, Panel];
  const act = { kind: "command", run: () => {} } as const;
  const reset: Action = { ...act, id: "card.reset", name: () => "Reset zoom" };
  const elsewhere: Action = { ...act, id: "o.zoom", name: () => "Zoom" };
  const there = {
    ...other,
    actions: [elsewhere, { ...elsewhere, id: "o.in", name: () => "Zoom in", pressesControl: true }],
  };
  (view.panel as Signal).value = { ...shown, actions: [...ACTIONS, reset] };
  (view.tabs as Signal).value = [view.panel.peek(), there];
  const found = search("zoom", view, sourcesOf(view)).entries;
  expect(found.map(({ text, kind, detail }) => [text, kind, detail])).toEqual([
    ["Reset zoom", "action", undefined],
    ["Zoom", "gesture", "Charts: drag"],
    ["Zoom", "action", "Others"],
    ["Zoom in", "action", "Others"],
  ]);
  expect(texts("zoom in", view)).toEqual(["Zoom", "Zoom in"]);
  found[1]?.choose?.(false);
  expect(shellOf(view).sheet.peek()).toBe("help");
});

test("an action of the shown panel comes before one of another panel that matches a little better", () => {
  const view = viewOf(["loss"]);
  const [shown, other] = view.tabs.peek() as [Panel, Panel];
  const act = { kind: "command", run: () => {} } as const;
  const there = { ...other, actions: [{ ...act, id: "o.smoothing", name: () => "Limits" }] };
  (view.panel as Signal).value = { ...shown, actions: [{ ...act, id: "own", name: () => "Set the limits" }] };
  (view.tabs as Signal).value = [view.panel.peek(), there];
  expect(texts("limits", view)).toEqual(["Set the limits", "Limits"]);
});

const IDS = new Set([
  ...panels.flatMap(({ name, actions = [] }) => [`panel ${name}`, ...actions.map(({ id }) => id)]),
  ...dashboardActions.map(({ id }) => id),
]);

test("words lead to actions and panels that there are", () => {
  expect(Object.keys(WORDS).filter((id) => !IDS.has(id.split("=")[0] as string))).toEqual([]);
});

const sources = import.meta.glob(["../../src/**/*.tsx"], { query: "?raw", import: "default" });

test("a control that is marked with an action has that action", async () => {
  const code = (await Promise.all(Object.values(sources).map((read) => read()))).join("\n");
  const marks = [...code.matchAll(/(?:data-action|\baction)=(?:"([a-z_.]*[a-z])"|\{([^}]+)\})/g)].flatMap(
    ([, mark, made = ""]) =>
      mark === undefined ? [...made.matchAll(/"([a-z]+\.[a-z_]*[a-z])"/g)].map(([, id]) => id) : [mark],
  );
  expect(marks.length).toBeGreaterThan(40);
  expect([...new Set(marks)].filter((mark) => !IDS.has(mark as string))).toEqual([]);
});

test("values that are on or off by themselves are switched one by one", () => {
  const view = viewOf(["loss"]);
  const on = signal<readonly string[]>(["scatter"]);
  const plots: Action = {
    kind: "choice",
    id: "c.plots",
    name: () => "Plots",
    values: () => ["parallel", "scatter"],
    nameOf: (value) => value,
    groupOf: (value) => (value === "scatter" ? "of pairs" : undefined),
    isOn: (_, value) => on.value.includes(value),
    choose: (_, value) => {
      on.value = [...on.value, value];
    },
  };
  (view.panel as Signal).value = { ...view.panel.peek(), actions: [plots] };
  const found = () => search("plots", view, sourcesOf(view)).entries;
  expect(found().map(({ text, detail, isOn, isChosen }) => [text, detail, isOn?.(), isChosen])).toEqual([
    ["Plots: scatter", "of pairs", true, undefined],
    ["Plots: parallel", undefined, false, undefined],
  ]);
  expect(found()[1]?.stays?.(false)).toBe(true);
  found()[1]?.choose?.(false);
  expect(found()[1]?.isOn?.()).toBe(true);
});

test("a number that may be none is cleared, and a step is set with all its digits", () => {
  const view = viewOf(["loss"]);
  const threshold = optionOf<number | null>(0.5);
  const steps: bigint[] = [];
  const actions: readonly Action[] = [
    {
      ...{ kind: "number", id: "c.threshold", name: () => "Threshold", least: 0, most: 1, none: () => "none" },
      option: () => threshold,
    },
    { kind: "step", id: "c.first", name: () => "First step", choose: (_, step) => steps.push(step) },
  ];
  (view.panel as Signal).value = { ...view.panel.peek(), actions };
  const first = (query: string) => search(query, view, sourcesOf(view)).entries[0];
  expect(first("threshold none")?.isChosen?.()).toBe(false);
  first("threshold none")?.choose?.(false);
  expect(threshold.peek()).toBeNull();
  first("threshold 0.25")?.choose?.(false);
  expect(threshold.peek()).toBe(0.25);
  expect(first("first step")?.next).toBe("First step ");
  expect(first("first 9007199254740993")?.text).toBe("First step: 9007199254740993");
  for (const typed of ["9,007,199,254,740,993", "-3"]) {
    first(`first ${typed}`)?.choose?.(false);
  }
  expect(steps).toEqual([9_007_199_254_740_993n, -3n]);
  // A step has 64 bits.
  expect(first("first 9223372036854775808")?.choose).toBeUndefined();
});

test("each of very many names can be chosen", () => {
  const view = viewOf(["loss"]);
  const name = signal<string | null>(null);
  const names = Array.from({ length: 5000 }, (_, i) => `model${i}`);
  const option = {
    get value() {
      return name.value;
    },
    set: (value: string | null) => {
      name.value = value;
    },
  };
  const choice = choiceOfName({
    id: "c.x",
    name: () => "Along",
    none: () => "none",
    names: () => names,
    option: () => option,
  });
  (view.panel as Signal).value = { ...view.panel.peek(), actions: [choice] };
  const [found] = search("along model4999", view, sourcesOf(view)).entries;
  expect(found?.text).toBe("Along: model4999");
  found?.choose?.(false);
  expect([name.value, found?.isChosen?.()]).toEqual(["model4999", true]);
});

test("a run is shown alone, or switched without changing the others", () => {
  const view = viewOf(["loss"]);
  const run = () => search("run1", view, sourcesOf(view)).entries[0];
  run()?.choose?.(false);
  expect(["run1", "run2"].filter((one) => view.options.shows(one))).toEqual(["run1"]);
  search("run2", view, sourcesOf(view)).entries[0]?.choose?.(true);
  expect(["run1", "run2"].filter((one) => view.options.shows(one))).toEqual(["run1", "run2"]);
  expect(run()?.isOn?.()).toBe(true);
});

test("recent choices come first, if they match and still exist", () => {
  const view = viewOf(["loss/train", "rate"]);
  const sources = sourcesOf(view);
  const recent = entriesOfIds(["run run2", "tag scalars/rate", "tag scalars/gone"], sources);
  expect(recent.map(({ text }) => text)).toEqual(["run2", "rate"]);
  const found = (query: string) => search(query, view, sources, recent).entries.map(({ text }) => text);
  expect(found("").slice(0, 3)).toEqual(["run2", "rate", "Scalars"]);
  expect(found("loss")).toEqual(["loss/train"]);
  expect(found("").filter((text) => text === "rate")).toHaveLength(1);
});

test("each of 15,000 tags and 1,000 runs is compared once for a key, and few entries are drawn", () => {
  const tags = Array.from({ length: 15_000 }, (_, i) => `block${i % 40}/layer${i}/weight_norm`).sort();
  const runs = Array.from({ length: 1000 }, (_, i) => `sweep/lr=${i}/run`);
  const view = viewOf(tags, runs);
  view.grid.value = { panel: "scalars", tags: signal(tags) } as unknown as CardGrid;
  const actions = Array.from({ length: 10 }, (_, i) => listOf(`c.list${i}`, `Mark ${i} of`, tags));
  (view.panel as Signal).value = { ...view.panel.peek(), actions };
  const compared = vi.spyOn(WordQuery.prototype, "rank");
  const sources = sourcesOf(view);
  const others = sources.flatMap(({ wanted, texts: all }) => (wanted === undefined ? all : [])).length;
  expect(others).toBeLessThan(tags.length + runs.length + 200);
  const comparisons = (query: string) => {
    compared.mockClear();
    const { entries } = search(query, view, sources);
    expect(entries.length).toBeLessThanOrEqual(MAX_RESULTS);
    return compared.mock.calls.length;
  };
  expect(comparisons("")).toBe(0);
  for (const query of ["bl", "layer1499", "blnorm", "l1w", "zzz"]) {
    expect([query, comparisons(query)]).toEqual([query, others]);
  }
  // The first word may name a number that the second one sets.
  expect(comparisons("block3 norm")).toBeLessThan(others + 200);
  // A list whose action is named is searched as well.
  expect(comparisons("3 layer1499")).toBeGreaterThan(others + tags.length);
  expect(comparisons("3 layer1499")).toBeLessThan(others + tags.length + 200);
  const { entries, total } = search("weight", view, sources);
  expect([entries.length, total]).toEqual([MAX_RESULTS, 15_000]);
  compared.mockRestore();
});

/** An action on each of some names. */
function listOf(id: string, name: string, names: readonly string[], chosen = vi.fn()): Action {
  const common = { kind: "choice", id, isList: true, name: () => name } as const;
  const choose = (_: View, value: string) => chosen(value);
  return { ...common, values: () => names, nameOf: (value) => value, choose };
}

test("a list of names is searched where its action is named, and begins with what is near", () => {
  const view = viewOf(["loss", "rate"]);
  const chosen = vi.fn();
  const actions = [listOf("c.mark", "Mark", ["a/loss", "loss", "rate", "x"], chosen)];
  (view.panel as Signal).value = { ...view.panel.peek(), actions };
  const near = new Map([
    ["rate", 0],
    ["a/loss", 1],
  ]);
  const found = (query: string) => search(query, view, sourcesOf(view, near)).entries.map(({ text }) => text);
  expect(found("loss")).toEqual(["loss"]);
  expect(found("mark")).toEqual(["Mark: rate", "Mark: a/loss", "Mark: x", "Mark: loss"]);
  expect(found("mark loss")).toEqual(["Mark: loss", "Mark: a/loss"]);
  const [entry] = entriesOfIds(["action c.mark=x"], sourcesOf(view));
  entry?.choose?.(false);
  expect(chosen).toHaveBeenCalledExactlyOnceWith("x");
});

test("an action of another panel goes there first; one that the shown panel has, too, is offered once", () => {
  const view = viewOf(["loss"]);
  const [shown, other] = view.tabs.peek() as [Panel, Panel];
  const heat = signal(false);
  const where: (string | null)[] = [];
  const actions: readonly Action[] = [
    ...ACTIONS,
    { kind: "toggle", id: "o.heat", name: () => "Heat map", section: () => "Draw", option: () => switchOf(heat) },
    { kind: "number", id: "o.bins", name: () => "Bins", least: 1, most: 9, option: () => optionOf(5) },
    { kind: "command", id: "o.go", name: () => "Tune all", run: () => where.push(view.options.board.panel.peek()) },
    { kind: "command", id: "o.none", name: () => "Tune none", applies: () => false, run: () => {} },
    commandOn("input", "focus", { id: "o.search", name: () => "Tune a box" }),
    listOf("o.names", "Tune some", ["a", "b"]),
  ];
  (view.tabs as Signal).value = [shown, { ...other, actions }];
  reached = { focus: vi.fn() } as unknown as HTMLElement;
  vi.stubGlobal("requestAnimationFrame", (act: () => void) => act());
  const found = (query: string) => search(query, view, sourcesOf(view)).entries;
  expect(found("heat").map(({ text, detail, isOn }) => [text, detail, isOn?.()])).toEqual([
    ["Heat map", "Others", false],
  ]);
  expect(found("outliers").map(({ detail }) => detail)).toEqual([undefined]);
  expect(found("tune").map(({ text }) => text)).toEqual(["Tune all", "Tune some", "Tune a box"]);
  expect(found("bins")[0]?.detail).toBe("type a number, 1 – 9 · Others");
  found("tune")[0]?.choose?.(false);
  expect(where).toEqual(["others"]);
  view.options.board.panel.set("scalars");
  found("heat")[0]?.choose?.(false);
  expect([heat.value, view.options.board.panel.value]).toEqual([true, "others"]);
  // The palette closes: another panel is to be seen.
  expect(found("heat")[0]?.stays).toBeUndefined();
  expect(found("bins 3")[0]?.text).toBe("Bins: 3");
  vi.unstubAllGlobals();
});

test("arrows move among the results, Enter chooses one, and names are no markup", async () => {
  const view = viewOf(["<b>loss", "<i>rate"]);
  shellOf(view).sheet.value = "palette";
  const page = rendered(h(ViewContext.Provider, { value: view, children: h(Palette, {}) }));
  const [box] = page.root.all("input");
  const options = () => page.root.all("div").filter((one) => one.attribute("role") === "option");
  const selected = () => options().findIndex((one) => one.attribute("aria-selected") === true);
  const press = (key: string, more: object = {}) =>
    box?.happen("keydown", { key, preventDefault: () => {}, currentTarget: box, ...more });
  const type = async (value: string) => {
    box?.happen("input", { currentTarget: { value } });
    await vi.waitFor(() => expect(page.root.all("mark").length).toBeGreaterThan(0));
  };
  await type("<b>");
  await vi.waitFor(() => expect(options().map((one) => one.textContent)).toEqual(["<b>lossScalarstag"]));
  expect(page.root.all("b")).toHaveLength(0);
  await type("axis");
  await vi.waitFor(() => expect(options()).toHaveLength(2));
  // All are shown: there is one number.
  const status = page.root.all("span").find((one) => one.attribute("role") === "status");
  expect(status?.textContent).toBe("2");
  expect([selected(), box?.attribute("aria-activedescendant")]).toEqual([0, "view-palette-0"]);
  press("ArrowDown");
  await vi.waitFor(() => expect(selected()).toBe(1));
  press("ArrowDown");
  await vi.waitFor(() => expect(selected()).toBe(0));
  press("ArrowUp");
  await vi.waitFor(() => expect(box?.attribute("aria-activedescendant")).toBe("view-palette-1"));
  axis.value = "step";
  press("Enter", { isComposing: true });
  expect(axis.value).toBe("step");
  press("Enter");
  expect([axis.value, shellOf(view).sheet.value]).toEqual(["relative", null]);
  page.end();
});

test("the sheet lists keys and gestures of the panel, then of the dashboard", () => {
  const view = viewOf(["loss"]);
  const page = rendered(h(ViewContext.Provider, { value: view, children: h(HelpSheet, {}) }));
  const [, ...titles] = page.root.all("h4").map(({ textContent }) => textContent);
  expect(titles).toEqual(["Scalars", "Dashboard"]);
  const lines = page.root.all("dl").flatMap((list) => list.children.map(({ textContent }) => textContent));
  expect(lines.slice(0, 3)).toEqual(["rArrange anew", "dragZoom", "fFit the axes"]);
  expect(lines).toContain("F2Rename a run here");
  page.end();
  const headings = [...helpOf(ACTIONS)].map(([heading, actions]) => [heading, actions.map(({ id }) => id)]);
  expect(headings).toEqual([
    ["General", ["cards.refresh"]],
    ["Charts", ["chart.drag", "chart.fit"]],
  ]);
});

test("the help lists the keys of the row of steps and of section headings, as their listeners have them", () => {
  const keysBelow = (actions: readonly Action[], heading: string) =>
    helpOf(actions)
      .get(heading)
      ?.map((action) => [action.name(), ...(action.keys ?? [])]);
  expect(keysBelow(dashboardActions, "Steps")).toEqual([
    ["Previous or next step", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp"],
    ["Ten steps on or back", "PageUp", "PageDown"],
    ["The first step", "Home"],
    ["The latest step", "End", "Delete"],
  ]);
  expect(keysBelow(dashboardActions, "Tags by scope")).toEqual([
    ["Go to its card", "Enter"],
    ["Show only these cards", "Space"],
  ]);
  expect(keysBelow(dashboardActions, "List of runs")).not.toContainEqual(["Go to its card", "Enter"]);
  expect(keysBelow(cardGestures(false), "Section headings")).toEqual([
    ["Move the section", "Alt+ArrowUp", "Alt+ArrowDown"],
    ["Rename the section", "F2"],
  ]);
});

test("each action has an id of its own, and names that are not empty", () => {
  const ids = dashboardActions.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(dashboardActions.filter((action) => action.name() === "")).toEqual([]);
});

test("keys are named as they are on the keyboard", () => {
  expect(capsOf("Mod+K", false)).toEqual(["Ctrl", "K"]);
  expect(capsOf("Mod+K", true)).toEqual(["⌘", "K"]);
  expect(capsOf("Shift+ArrowLeft", false)).toEqual(["Shift", "←"]);
  expect(capGroups(["Shift+ArrowLeft", "Shift+ArrowRight", ",", "."], false)).toEqual([
    ["Shift", "←", "→"],
    [",", "."],
  ]);
  expect([keyName("Mod+K", false), keyName("Mod+K", true), keyName("Plus", false)]).toEqual(["Ctrl+K", "⌘K", "+"]);
});

const pressed = (key: string, ...held: readonly string[]) => ({
  key,
  ctrlKey: held.includes("Ctrl"),
  metaKey: held.includes("Meta"),
  altKey: held.includes("Alt"),
  shiftKey: held.includes("Shift"),
});

test.each([
  ["Mod+K", pressed("k", "Ctrl"), false, true],
  ["Mod+K", pressed("K", "Ctrl"), false, true],
  ["Mod+K", pressed("k", "Meta"), true, true],
  ["Mod+K", pressed("k", "Ctrl"), true, false],
  ["Mod+K", pressed("k", "Meta"), false, false],
  ["Mod+K", pressed("k"), false, false],
  ["Mod+K", pressed("k", "Ctrl", "Shift"), false, false],
  ["?", pressed("?", "Shift"), false, true],
  ["?", pressed("?"), false, true],
  ["?", pressed("?", "Ctrl"), false, false],
  ["/", pressed("/", "Shift"), false, true],
  ["/", pressed("/", "Ctrl"), false, false],
  ["Plus", pressed("+", "Shift"), false, false],
  ["Space", pressed(" "), false, true],
])("%s by %o on a Mac (%s): %s", (key, event, mac, is) => {
  expect(isPressed(key, event, mac)).toBe(is);
});

test("a part with the focus keeps keys that it has itself, and leaves the others", () => {
  const idOf = (event: ReturnType<typeof pressed>, taken: readonly string[]) =>
    commandOf(dashboardActions, event, taken)?.id;
  const stage = Object.values(GRAPH_KEYS).flatMap(Object.keys);
  expect(idOf(pressed("/"), [])).toBe("dashboard.palette");
  expect(idOf(pressed("/"), stage)).toBeUndefined();
  expect(idOf(pressed("k", "Ctrl"), stage)).toBe("dashboard.palette");
  expect(idOf(pressed("?"), stage)).toBe("dashboard.help");
});

test("keys that are taken stand on an element around the focus", () => {
  class FakeElement {
    readonly #around: object | null;

    constructor(around: object | null) {
      this.#around = around;
    }

    closest(): object | null {
      return this.#around;
    }
  }
  vi.stubGlobal("HTMLElement", FakeElement);
  const taken = (around: object | null) => takenKeys(new FakeElement(around) as unknown as EventTarget);
  expect(taken({ dataset: { keys: "/ Shift+F10" } })).toEqual(["/", "Shift+F10"]);
  expect(taken(null)).toEqual([]);
  vi.unstubAllGlobals();
});
