import { effect } from "@preact/signals";
import { h } from "preact";
import { afterEach, expect, test, vi } from "vitest";
import { histograms } from "../../src/histograms/codec";
import { linesOf, optionsOf } from "../../src/lines/compare";
import { distributionsSource } from "../../src/panels/distributions/panel";
import { histogramsSource } from "../../src/panels/histograms/card";
import { followed } from "../../src/ui/mountchart";
import { RunsLegend, shortName } from "../../src/ui/runname";
import { runsOf } from "../../src/ui/runs";
import { ViewContext } from "../../src/ui/view";
import { series } from "../histograms/made";
import { type Board, boardOf } from "../lines/board";
import { message, part } from "../wire/made";
import { rendered } from "./rendering";

const SHARED = "experiments/on some machine/";
const RUNS = ["a", "b", "c"].map((name) => `${SHARED}${name}`);

let board: Board;

afterEach(() => {
  board.end();
  vi.unstubAllGlobals();
});

function open(runs: readonly string[], state: Record<string, unknown> = {}): Board {
  board = boardOf(
    runs.map((run) => part("loss", run, [0, 1, 2])),
    state,
  );
  return board;
}

test("a run has the name that it was given, else its own without what all share; a group has its own", () => {
  const { view } = open(RUNS, { run_names: { [RUNS[1] as string]: "the best" } });
  expect(RUNS.map((run) => shortName(run, view))).toEqual(["…a", "the best", "…c"]);
  expect(["mean of 3 runs", "experiments", ""].map((group) => shortName(group, view))).toEqual([
    "mean of 3 runs",
    "experiments",
    "",
  ]);
});

test("a common end is left out of names beside lines and above plots", () => {
  const runs = ["lr=0.001,batch=32,seed=0", "lr=0.01,batch=64,seed=0"].map((name) => `sweep/${name}`);
  const { view } = open(runs);
  expect(runs.map((run) => shortName(run, view))).toEqual(["…lr=0.001,batch=32…", "…lr=0.01,batch=64…"]);
  expect(["sweep/", "seed=0", "sweep/,seed=0"].map((group) => shortName(group, view))).toEqual([
    "sweep/",
    "seed=0",
    "sweep/,seed=0",
  ]);
});

test("names that do not all begin alike are whole", () => {
  const { view } = open([...RUNS, "restarted"]);
  expect(RUNS.map((run) => shortName(run, view))).toEqual(RUNS);
});

test("a legend of one row says how many more runs there are", () => {
  const runs = Array.from({ length: 50 }, (_, i) => `${i}_run`);
  const { view } = open(runs);
  const byRun = new Map(runs.map((run) => [run, null]));
  const listed = (room: number, most = 60) => {
    vi.stubGlobal("window", Object.assign(new EventTarget(), { innerWidth: room }));
    const legend = h(RunsLegend, { byRun, most, inWindow: true, taken: 100 });
    const page = rendered(h(ViewContext.Provider, { value: view, children: legend }));
    const items = page.root.childNodes.map(({ textContent }) => textContent);
    page.end();
    return items;
  };
  expect(listed(10_000)).toEqual(runs);
  const some = listed(500);
  expect(some.slice(0, 2)).toEqual(["0_run", "1_run"]);
  expect(some.at(-1)).toBe(`and ${50 - (some.length - 1)} runs more`);
  // Each takes at least as much as its letters do.
  expect(some.length).toBeLessThan(500 / (5 * 6.5));
  expect(some.length).toBeGreaterThan(4);
  // The names alone fit, but others follow.
  const few = some.length - 1;
  expect(listed(500, few + 1).at(-1)).toBe(`and ${50 - few} runs more`);
});

test("the legend of a chart over the window follows its width", async () => {
  const runs = Array.from({ length: 50 }, (_, i) => `${i}_run`);
  const { view } = open(runs);
  const window = Object.assign(new EventTarget(), { innerWidth: 500 });
  vi.stubGlobal("window", window);
  const legend = h(RunsLegend, { byRun: new Map(runs.map((run) => [run, null])), most: 60, inWindow: true });
  const page = rendered(h(ViewContext.Provider, { value: view, children: legend }));
  const before = page.root.childNodes.length;
  window.innerWidth = 10_000;
  window.dispatchEvent(new Event("resize"));
  await vi.waitFor(() => expect(page.root.childNodes).toHaveLength(50));
  expect(before).toBeLessThan(20);
  page.end();
});

test("readers of the names of runs follow their changes", () => {
  const { view, store } = open(RUNS);
  const names: string[][] = [];
  const end = effect(() => {
    names.push(RUNS.map((run) => shortName(run, view)));
  });
  view.options.runTable.run_names.set(new Map([[RUNS[1] as string, "the best"]]));
  // A run of another tag, before which all names began alike.
  store.apply(message(2, [part("rate", "restarted", [0])]), 0);
  end();
  expect(names).toHaveLength(3);
  expect(names[2]).toEqual([RUNS[0], "the best", RUNS[2]]);
});

test("lines of scalars have the colors that runs have in the list and in every other panel", () => {
  const { view } = open(RUNS, { run_color_by: "run", run_colors: { [RUNS[0] as string]: "#123456" } });
  const listed = RUNS.map((run) => view.options.colorOf.value(run, "light"));
  expect(listed[0]).toBe("#123456");
  expect(new Set(listed).size).toBe(3);
  const data = board.tag("loss");
  expect(linesOf(data, view, optionsOf("loss", data, view)).map(({ color }) => color)).toEqual(listed);
  // Entries that the cards of all other panels draw.
  const held = { byRun: new Map(RUNS.map((run) => [run, { series: null }])) };
  expect(runsOf(held, view).map(({ color }) => color)).toEqual(listed);
});

test.each([
  ["histograms", histogramsSource],
  ["distributions", distributionsSource],
])("plots of %s are drawn anew when a run gets another name", (_, sourceOf) => {
  vi.stubGlobal("ShadowRoot", class {});
  vi.stubGlobal("getComputedStyle", () => ({ backgroundColor: "#ffffff", color: "#000000" }));
  board = boardOf(
    ["x", "y"].map((run) => ({ ...series(3), kind: "histograms", run, tag: "weights", keep: 0 })),
    { run_names: { y: "the other" } },
  );
  const { store, view } = board;
  const data = store.series(histograms).tag("weights");
  const host = { parentElement: null, getRootNode: () => ({}) } as unknown as Element;
  let changed = 0;
  const [content, stop] = followed(
    () => data && sourceOf(host, "weights", data, view).content(),
    () => {
      changed += 1;
    },
  );
  expect(content()).toBeDefined();
  view.options.runTable.run_names.set(new Map([["y", "the best"]]));
  stop();
  expect(changed).toBe(1);
});
