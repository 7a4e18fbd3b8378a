import { signal } from "@preact/signals";
import { h } from "preact";
import { afterEach, expect, test } from "vitest";
import { GroupChip } from "../../src/dashboard/runs/pane";
import { GroupBy, GroupingForm } from "../../src/ui/grouping";
import { ViewContext } from "../../src/ui/view";
import { type Board, boardOf } from "../lines/board";
import { part } from "../wire/made";
import { rendered } from "./rendering";

let board: Board;
let shown: ReturnType<typeof rendered>;

afterEach(() => {
  shown.end();
  board.end();
});

const drawn = () => new Promise((resolve) => setTimeout(resolve, 20));

function show(
  component: () => unknown,
  state: Record<string, unknown> = {},
  runs: readonly string[] = ["adam/0", "adam/1", "sgd/0"],
) {
  board = boardOf(
    runs.map((run) => part("loss", run, [0])),
    state,
  );
  shown = rendered(h(ViewContext.Provider, { value: board.view }, h(component as () => null, {})));
  const { board: of, runTable } = board.view.options;
  return { chosen: () => [of.group_by.value, runTable.run_color_by.value], runTable, group_by: of.group_by };
}

test("runs that are grouped among the options of lines have the colors of their groups", () => {
  const { chosen } = show(GroupBy, { run_color_by: "run" });
  const [select] = shown.root.all("select");
  select?.happen("change", { currentTarget: { value: "folder" } });
  expect(chosen()).toEqual(["folder", "group"]);
  select?.happen("change", { currentTarget: { value: "" } });
  expect(chosen()).toEqual(["", "run"]);
});

test("runs that are no longer grouped have colors of their own, also where groups of their folders would have them", () => {
  const runs = Array.from({ length: 14 }, (_, i) => `${i % 2 ? "adam" : "sgd"}/${i}`);
  const { chosen } = show(GroupBy, { group_by: "folder" }, runs);
  expect(board.view.options.colors.by.value).toBe("group");
  shown.root.all("select")[0]?.happen("change", { currentTarget: { value: "" } });
  expect(chosen()).toEqual(["", "run"]);
  expect(board.view.options.colors.by.value).toBe("run");
});

test("colors by a hyperparameter stay where no grouping is chosen", () => {
  const { chosen } = show(GroupBy, { group_by: "folder", run_color_by: "hparam:lr" });
  shown.root.all("select")[0]?.happen("change", { currentTarget: { value: "" } });
  expect(chosen()).toEqual(["", "hparam:lr"]);
});

test.each([
  ["hparam:lr", "folder", "hparam:lr"],
  ["folder", "group", ""],
  ["folder", "folder", ""],
])(
  "own colors for runs grouped by %s and colored by %s leave groups that the colors do not show",
  (by, colors, left) => {
    const { chosen } = show(GroupChip, { group_by: by, run_color_by: colors });
    shown.root.all("button")[0]?.happen("click");
    expect(chosen()).toEqual([left, "run"]);
  },
);

test("the box for an expression goes when something else is chosen elsewhere", async () => {
  const by = signal("regex:lr");
  show(() => h(GroupingForm, { label: "Color by", value: by.value, options: [], problem: null, set: () => {} }));
  expect(shown.root.all("input")).toHaveLength(1);
  by.value = "group";
  await drawn();
  expect(shown.root.all("input")).toHaveLength(0);
  shown.root.all("select")[0]?.happen("change", { currentTarget: { value: "regex:" } });
  await drawn();
  expect(shown.root.all("input")).toHaveLength(1);
});

test("hyperparameters that are equal in all runs are not offered, but for the one that is chosen", async () => {
  const by = signal("");
  show(() => h(GroupingForm, { label: "Group by", value: by.value, options: [], problem: null, set: () => {} }));
  const runs = board.store.runs.value;
  const byRun = new Map(runs.map((run, i) => [run, new Map([...Object.entries({ lr: i, epochs: 3 })])]));
  Object.assign(board.store, { runAttributes: signal({ names: ["lr", "epochs"], byRun, ended: new Set() }) });
  const offered = () => shown.root.all("option").map((one) => one.textContent);
  by.value = "folder";
  await drawn();
  expect(offered().slice(2)).toEqual(["lr"]);
  by.value = "hparam:epochs";
  await drawn();
  expect(offered().slice(2)).toEqual(["lr", "epochs"]);
});
