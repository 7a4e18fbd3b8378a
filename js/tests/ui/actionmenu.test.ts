import { signal } from "@preact/signals";
import { type ComponentChild, h } from "preact";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chartActions } from "../../src/lines/actions";
import { compareOptions, scalarsOptions } from "../../src/lines/options";
import { ActionMenu, ActionMenus, offered } from "../../src/ui/actionmenu";
import type { Action } from "../../src/ui/actions";
import { choiceAmong, choiceOfName, switchOf } from "../../src/ui/choices";
import { Toolbar } from "../../src/ui/toolbar";
import { ViewContext } from "../../src/ui/view";
import { type Board, boardOf } from "../lines/board";
import { part } from "../wire/made";
import { type FakeNode, rendered } from "./rendering";

let board: Board;
let shown: ReturnType<typeof rendered>;

beforeEach(() => {
  board = boardOf(["a", "b"].map((run) => part("loss", run, [0])));
  Object.assign(board.view, { widthClass: signal("wide") });
});

afterEach(() => {
  shown.end();
  board.end();
});

const inView = (child: ComponentChild) => {
  shown = rendered(h(ViewContext.Provider, { value: board.view }, child));
  return shown.root;
};

const menuOf = (actions: readonly Action[], close = () => {}) =>
  inView(h(ActionMenu, { actions, isNarrow: false, close }));

const texts = (nodes: readonly FakeNode[]) => nodes.map((node) => node.textContent);

const on = signal(false);
const mode = signal<"one" | "other">("one");
const name = signal<string | null>(null);
const amount = signal(3);
let runs = 0;

const option = <T>(held: { value: T; peek(): T }) => ({
  get value() {
    return held.value;
  },
  peek: () => held.peek(),
  set: (value: T) => {
    held.value = value;
  },
});

const toggle: Action = {
  kind: "toggle",
  id: "t.on",
  menu: "lines",
  section: () => "First",
  name: () => "On",
  option: () => switchOf(on),
};
const choice = choiceAmong({
  id: "t.mode",
  menu: "lines",
  section: () => "Second",
  name: () => "Mode",
  values: ["one", "other"],
  names: () => ({ one: "One", other: "Other" }),
  option: () => option(mode),
});
const list = choiceOfName({
  id: "t.name",
  menu: "axes",
  section: () => "First",
  name: () => "Name",
  none: () => "nothing",
  names: () => ["none", "a"],
  option: () => option(name),
});
const number: Action = {
  kind: "number",
  id: "t.amount",
  menu: "view",
  section: () => "First",
  name: () => "Amount",
  least: 1,
  most: 10,
  step: 1,
  slider: { least: 1, most: 8, step: 0.5, isLog: true },
  option: () => option(amount),
};
const command: Action = {
  kind: "command",
  id: "t.run",
  menu: "view",
  section: () => "First",
  name: () => "Run",
  run: () => {
    runs += 1;
  },
};
const gesture: Action = { kind: "gesture", id: "t.drag", name: () => "Zoom", gesture: () => "Drag" };
const ALL = [toggle, choice, list, number, command, gesture];

test("sections have headings, and each action the control of its kind", () => {
  const root = menuOf(ALL);
  expect(texts(root.all("h4"))).toEqual(["First", "Second"]);
  const [box] = root
    .all("input")
    .filter((input) => Reflect.get(input, "type") === "checkbox" || input.attribute("type") === "checkbox");
  box?.happen("change", { currentTarget: { checked: true } });
  expect(on.value).toBe(true);
  const [one, other] = root.all("fieldset")[0]?.all("button") ?? [];
  expect(texts([one as FakeNode, other as FakeNode])).toEqual(["One", "Other"]);
  other?.happen("click");
  expect(mode.value).toBe("other");
  const [select] = root.all("select");
  expect(texts(select?.all("option") ?? [])).toEqual(["nothing", "none", "a"]);
  // A name that looks like an empty value is a name.
  select?.happen("change", { currentTarget: { selectedIndex: 1 } });
  expect(name.value).toBe("none");
  select?.happen("change", { currentTarget: { selectedIndex: 0 } });
  expect(name.value).toBeNull();
  const run = root.all("button").find((button) => button.textContent === "Run");
  run?.happen("click");
  expect(runs).toBe(1);
  expect(root.textContent).not.toContain("Zoom");
});

test("a list keeps what is chosen while another choice waits or fails", () => {
  mode.value = "one";
  const failing: Action = { ...choice, isList: true, choose: () => {} };
  const [select] = menuOf([failing]).all("select");
  const currentTarget = { selectedIndex: 1 };
  select?.happen("change", { currentTarget });
  expect([mode.value, currentTarget.selectedIndex]).toEqual(["one", 0]);
  shown.end();
  const [other] = menuOf([{ ...choice, isList: true }]).all("select");
  other?.happen("change", { currentTarget: Object.assign(currentTarget, { selectedIndex: 1 }) });
  expect([mode.value, currentTarget.selectedIndex]).toEqual(["other", 1]);
});

test("a logarithmic slider sets whole numbers within its range", () => {
  const root = menuOf([number]);
  const [slider] = root.all("input");
  slider?.happen("input", { currentTarget: { valueAsNumber: 1.5 } });
  expect(amount.value).toBe(3);
  slider?.happen("input", { currentTarget: { valueAsNumber: 3 } });
  expect(amount.value).toBe(8);
});

const labels = (root: FakeNode) => texts(root.all("button")).map((text) => text.replace(" ▾", ""));

test("a menu without actions is missing, and in narrow places one menu has all actions", () => {
  expect(labels(inView(h(ActionMenus, { actions: [toggle, number], isNarrow: false })))).toEqual(["Lines", "View"]);
  shown.end();
  expect(labels(inView(h(ActionMenus, { actions: [toggle, number], isNarrow: true })))).toEqual(["View"]);
  shown.end();
  expect(labels(inView(h(ActionMenus, { actions: [gesture], isNarrow: false })))).toEqual([]);
});

test("the toolbar has the drawing options, the x axis, menus, saving and the filter, in this order", () => {
  const { menu: _menu, ...bare } = choice;
  const x: Action = { ...bare, id: "t.x", bar: "x" };
  const drawn: Action = { ...command, id: "t.draw", bar: "drawn", name: () => "Draw" };
  const actions = [list, x, toggle, drawn];
  const parts = { name: "Made up", actions, save: h("button", {}, "Save"), filter: h("button", {}, "Filter") };
  expect(labels(inView(h(Toolbar, parts)))).toEqual(["Draw", "One", "Other", "Lines", "Axes", "Save", "Filter"]);
  shown.end();
  Object.assign(board.view, { widthClass: signal("medium") });
  // An action that is also in a menu goes there.
  expect(labels(inView(h(Toolbar, parts)))).toEqual(["One", "Other", "View", "Save", "Filter"]);
  expect(shown.root.all("div")[0]?.attribute("role")).toBe("toolbar");
});

test("actions without an effect now are not offered", () => {
  const { options } = board.view;
  shown = rendered(null);
  const ids = () => offered(chartActions, board.view).map(({ id }) => id);
  expect(ids()).not.toContain("lines.band");
  expect(ids()).toContain("lines.smoothing");
  options.of(compareOptions).aggregate.set("mean");
  options.of(scalarsOptions).smoothing_kind.set("gaussian");
  expect(ids()).toEqual(expect.arrayContaining(["lines.band", "lines.group_by", "lines.smoothing_window"]));
  expect(ids()).not.toContain("lines.smoothing");
});

test("where another tag is the x axis, runs are not averaged, and the menu says why", () => {
  const { options } = board.view;
  options.of(compareOptions).aggregate.set("mean");
  const along = chartActions.find(({ id }) => id === "axes.x_tag");
  if (along?.kind === "choice") {
    along.choose(board.view, "=loss");
  }
  const root = menuOf(chartActions.filter(({ id }) => id === "lines.aggregate"));
  const buttons = root.all("fieldset")[0]?.all("button") ?? [];
  const said = (node: FakeNode, what: string) => Reflect.get(node, what) ?? node.attribute(what);
  expect(buttons.map((button) => Boolean(said(button, "disabled")))).toEqual([true, true, true]);
  expect(buttons.map((button) => said(button, "aria-pressed"))).toEqual([true, false, false]);
});

test("a list of very many names is cut, says so, and keeps the one that is chosen", () => {
  const names = Array.from({ length: 1500 }, (_, i) => `name${i}`);
  const chosen = signal<string | null>("name1400");
  const long = choiceOfName({
    ...{ id: "t.long", menu: "axes", name: () => "Name", none: () => "nothing" },
    names: () => names,
    option: () => option(chosen),
  });
  const [select] = menuOf([long]).all("select");
  const options = texts(select?.all("option") ?? []);
  expect(options.slice(0, 2)).toEqual(["nothing", "name0"]);
  expect(options.slice(-2)).toEqual(["name1400", "499 more: search for them (/)"]);
  select?.happen("change", { currentTarget: { selectedIndex: options.length - 1 } });
  expect(chosen.value).toBe("name1400");
  select?.happen("change", { currentTarget: { selectedIndex: 1000 } });
  expect(chosen.value).toBe("name999");
});
