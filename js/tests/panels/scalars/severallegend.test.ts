import { afterEach, expect, test } from "vitest";
import { drawnGroups, linesOf } from "../../../src/panels/scalars/compare/lines";
import { optionsOf } from "../../../src/panels/scalars/compare/options";
import type { Series } from "../../../src/panels/scalars/kind/series";
import { severalLegend } from "../../../src/panels/scalars/kind/severalcontent";
import { part } from "../../wire/made";
import { type Board, boardOf } from "./board";

let board: Board;

afterEach(() => board.end());

function legend(state: Record<string, unknown>): [string, string | null][] {
  board = boardOf(
    ["loss", "rate"].flatMap((tag) => ["a/1", "a/2", "b/1"].map((run) => part(tag, run, [0, 1, 2]))),
    state,
  );
  const shown = ["loss", "rate"].map((tag) => ({ tag, data: board.tag(tag) }));
  return severalLegend(shown, board.view).map(({ text, colour }) => [text, colour]);
}

const colourOf = (run: string) => board.view.options.colourOf.value(run, "light");

test("of runs, each once, after the tags", () => {
  const [loss, rate, ...runs] = legend({});
  expect([loss?.[0], rate?.[0]]).toEqual(["loss", "rate"]);
  expect(runs).toEqual(["a/1", "a/2", "b/1"].map((run) => [run, colourOf(run)]));
});

test("of groups that are drawn, these and no runs, in the colours of their lines", () => {
  const [, , ...groups] = legend({ aggregate: "mean", group_by: "folder" });
  expect(groups).toEqual([
    ["a", colourOf("a/1")],
    ["b", colourOf("b/1")],
  ]);
});

test("of a single line for all runs, the tags are in its colour", () => {
  const [loss, rate, ...all] = legend({ aggregate: "mean" });
  expect(all.map(([text]) => text)).toEqual(["mean of 3 runs"]);
  const [[, colour] = []] = all;
  expect([loss, rate]).toEqual([
    ["loss", colour],
    ["rate", colour],
  ]);
  expect(["a/1", "a/2", "b/1"].map(colourOf)).not.toContain(colour);
});

test("groups have their names and colours, however many tags there are and whatever is drawn behind them", () => {
  legend({ aggregate: "mean", group_by: "folder", aggregate_members: true });
  expect(drawnGroups([board.tag("loss"), board.tag("rate")], board.view)).toEqual([
    { text: "a", colour: colourOf("a/1") },
    { text: "b", colour: colourOf("b/1") },
  ]);
});

test.each<Record<string, unknown>>([
  {},
  { group_by: "folder" },
  { group_by: "folder", baseline: "b/1" },
  { baseline: "a/1", aggregate_members: true },
  { selected_runs: ["a/2", "b/1"], group_by: "folder" },
  { x_axis: "tag", x_tag: "rate" },
])("the groups that are named are the lines that are drawn, and no series is read for them: %o", (state) => {
  board = boardOf(
    ["a/1", "a/2", "b/1"].map((run) => part("loss", run, [0, 1, 2])),
    { aggregate: "median", ...state },
  );
  const data = board.tag("loss");
  const unreadable = new Proxy({} as Series, {
    get: (_series, name) => {
      throw new Error(`${String(name)} of a series was read`);
    },
  });
  const byRun = new Map([...data.byRun].map(([run, held]) => [run, { ...held, series: unreadable }]));
  const named = drawnGroups([{ byRun }], board.view);
  const drawn = linesOf(data, board.view, optionsOf("loss", data, board.view)).filter(({ several }) => several);
  expect(named).toEqual(drawn.map(({ run, colour }) => ({ text: run, colour })));
  expect(named.length > 0).toBe(state.x_axis !== "tag");
});
