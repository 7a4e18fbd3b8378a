import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import { runColor, runDash, scaleColor } from "../../src/lib/colors";
import type { RegexWorker } from "../../src/lib/namematcher";
import { noColor } from "../../src/lib/tokens";
import type { Option } from "../../src/options/declare";
import { Options } from "../../src/options/options";
import { AUTO, groupRanks, parseColoring, placeOn, RunColors, scaleOf, tellApart } from "../../src/options/runcolors";
import { folderOf, RunGroups } from "../../src/options/rungroups";
import { type Attribute, attributeOf, newestRuns, type RunAttributes } from "../../src/wire/runfacts";
import { Store } from "../../src/wire/store";
import { CODECS, message, part } from "../wire/made";
import { FakeModel } from "./fakemodel";

function option<T>(initial: T): Option<T> {
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

function attributes(of: Record<string, Record<string, Attribute>>): RunAttributes {
  const byRun = new Map(Object.entries(of).map(([run, values]) => [run, new Map(Object.entries(values))]));
  return { names: [...new Set([...byRun.values()].flatMap((values) => [...values.keys()]))], byRun, ended: new Set() };
}

function made(runs: readonly string[], held: RunAttributes, by = "run") {
  const store = {
    runs: signal(runs),
    runNumbers: signal(new Map(runs.map((run, i) => [run, i]))),
    runAttributes: signal(held),
    settled: signal(false),
  };
  const [colorBy, groupBy] = [option(by), option("")];
  const chosen = option<ReadonlyMap<string, string>>(new Map());
  const until = new AbortController().signal;
  const worker = {} as RegexWorker;
  const groups = new RunGroups(store.runs, groupBy, worker, until, store.runAttributes);
  const colors = new RunColors({ store, chosen, colorBy, groups, worker }, until);
  const shown = () => store.runs.value.map((run) => colors.colorOf.value(run, "light"));
  const ready = () => {
    store.settled.value = true;
  };
  return { store, colorBy, groupBy, chosen, colors, shown, ready };
}

const RUNS = ["a/1", "a/2", "b/1", "top"];
const [first, second, third, fourth] = [0, 1, 2, 3].map((i) => runColor(i, "light"));

test("runs have colors of their own, of their folders, of groups, or those that were chosen", () => {
  const { colorBy, groupBy, chosen, shown, store } = made(RUNS, attributes({}));
  expect(shown()).toEqual([first, second, third, fourth]);
  colorBy.set("folder");
  expect(shown()).toEqual([first, first, second, noColor.light]);
  // A later run changes no color, though it is listed before the others.
  store.runNumbers.value = new Map([...store.runNumbers.value, ["A/0", 4]]);
  store.runs.value = ["A/0", ...RUNS];
  expect(shown()).toEqual([third, first, first, second, noColor.light]);
  store.runs.value = RUNS;
  colorBy.set("group");
  expect(shown()).toEqual([first, second, third, fourth]);
  groupBy.set("folder");
  expect(shown()).toEqual([first, first, second, noColor.light]);
  chosen.set(new Map([["a/2", "#123456"]]));
  expect(shown()).toEqual([first, "#123456", second, noColor.light]);
});

test("few values of a hyperparameter have a color each; many numbers lie on a scale", () => {
  const few = made(RUNS, attributes({ a: { lr: 0.1 }, "b/1": { lr: 0.01 } }));
  few.colorBy.set("hparam:lr");
  expect([few.shown(), few.colors.scale.value]).toEqual([[first, first, second, noColor.light], null]);
  const rates = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1];
  const runs = rates.map((_, i) => `run${i}`);
  const many = made(
    [...runs, "none"],
    attributes(Object.fromEntries(runs.map((run, i) => [run, { lr: rates[i] ?? 0 }]))),
  );
  many.colorBy.set("hparam:lr");
  expect(many.colors.scale.value).toEqual({ name: "lr", least: 1e-5, most: 1, log: true });
  // Powers of ten are evenly spread along a logarithmic scale.
  const places = rates.map((_, i) => i / 5);
  const far = many
    .shown()
    .slice(0, 6)
    .map((color, i) => [color, scaleColor(places[i] ?? 0, "light")]);
  expect(far.every(([a, b]) => a === b)).toBe(true);
  expect(many.shown()[6]).toBe(noColor.light);
  expect(many.colors.dashOf.value("run3")).toEqual([]);
});

test("a scale takes any numbers, and no texts", () => {
  expect(scaleOf("x", [1, 2, 3, 4, 5, "six"])).toBeNull();
  expect(scaleOf("x", [1, 2, 3, 4, 5, undefined, 5])).toBeNull();
  const wide = scaleOf("x", [-1e308, 0, 1, 2, 3, 1e308]);
  expect([wide?.log, wide && placeOn(wide, 0)]).toEqual([false, 0.5]);
  expect(placeOn({ name: "", least: 1, most: 3, log: false }, 2)).toBe(0.5);
  expect(placeOn({ name: "", least: 1, most: 10_000, log: true }, 100)).toBeCloseTo(0.5, 12);
});

test("groups are counted by the first of their runs", () => {
  const groupOf = (run: string) => run.slice(1);
  const numbers = new Map([..."abcd"].map((letter, i) => [letter, 3 - i]));
  const ranks = groupRanks(["ax", "by", "cx", "d"], groupOf, (run) => numbers.get(run[0] ?? "") ?? 0);
  expect([...ranks]).toEqual([
    ["x", 0],
    ["y", 1],
  ]);
});

test("lines are dashed once the colors come again", () => {
  expect([0, 49].map(runDash)).toEqual([[], []]);
  expect(new Set([0, 50, 100, 150, 200].map((i) => String(runDash(i)))).size).toBe(5);
});

test("colors follow a run, a group, a folder, an expression or a hyperparameter", () => {
  const good = ["run", "group", "folder", "regex:a", "hparam:lr"];
  expect(good.map(parseColoring)).toEqual(good);
  expect(["", "regex:", "hparam:", "color"].map(parseColoring)).toEqual([null, null, null, null]);
});

test("hyperparameters of a trial hold for the runs below it", () => {
  const held = attributes({ trial: { lr: 1 }, "trial/b": { lr: 2 }, ".": { lr: 3 } });
  const of = ["trial", "trial/a/x", "trial/b/c", "trialb", "."].map((run) => attributeOf(held, run, "lr"));
  expect(of).toEqual([1, 1, 2, undefined, 3]);
});

test("the newest runs began last; those of unknown time are older than all", () => {
  const began = new Map([
    ["a", 5],
    ["b", 9],
    ["c", 7],
    ["d", Number.POSITIVE_INFINITY],
  ]);
  const facts = new Map([...began].map(([run, time]) => [run, { began: time, ended: 0, step: null }]));
  expect([...newestRuns(["a", "b", "c", "d", "e"], facts, 2)]).toEqual(["b", "c"]);
  expect([...newestRuns(["a", "d", "e"], facts, 2)]).toEqual(["a", "e"]);
});

const folders = (names: readonly string[], each: number) =>
  names.flatMap((name) => Array.from({ length: each }, (_, i) => `${name}/run${i}`));

test.each([
  ["thirteen runs in two folders", [...folders(["adam"], 7), ...folders(["sgd"], 6)], true],
  ["twelve runs", folders(["adam", "sgd"], 6), false],
  ["one folder", folders(["adam"], 20), false],
  ["nine folders", folders([..."abcdefghi"], 2), false],
  ["a run outside of folders", [...folders(["adam", "sgd"], 10), "baseline"], false],
  ["training and validation", folders(["train", "validation"], 10), false],
  ["the same below other folders", folders(["a/train", "a/eval", "b/train", "b/eval"], 5), false],
  ["words that only begin so", folders(["trainer", "tests"], 10), true],
])("groups give colors by themselves where they tell runs apart: %s", (_, runs, expected) => {
  expect(tellApart(runs, folderOf)).toBe(expected);
});

test("many runs of few folders are colored by these, until an option says otherwise", () => {
  const { store, colorBy, groupBy, colors, shown, ready } = made(folders(["adam", "sgd"], 7), attributes({}), AUTO);
  expect([colors.by.value, new Set(shown()).size]).toEqual(["folder", 2]);
  ready();
  // Later runs change no color, though these groups would be too many.
  store.runs.value = [...store.runs.value, ...folders([..."abcdefghi"], 1)];
  expect(shown().slice(0, 14)).toEqual([...Array(7).fill(first), ...Array(7).fill(second)]);
  colorBy.set("run");
  expect(new Set(shown().slice(0, 14)).size).toBe(14);
  colorBy.set(AUTO);
  expect(colors.by.value).toBe("folder");
  groupBy.set("folder");
  expect(colors.by.value).toBe("run");
});

test("runs that a reloaded page learns of in parts have the colors that they had before", () => {
  const store = new Store(CODECS);
  const end = new AbortController();
  const { colors } = new Options(new FakeModel({ run_color_by: AUTO }), store, [], end.signal);
  const named = (folder: string) => folders([folder], 7).map((run) => part("loss", run, [0]));
  store.apply(message(1, named("adam"), { begins: true }), 0);
  expect(colors.by.value).toBe("run");
  store.apply(message(2, named("sgd"), { ends: true }), 0);
  expect([colors.by.value, store.settled.value]).toEqual(["folder", true]);
  store.apply(
    message(
      3,
      folders([..."abcdefghi"], 1).map((run) => part("loss", run, [0])),
    ),
    0,
  );
  expect(colors.by.value).toBe("folder");
  end.abort();
});

test("few runs keep their own colors when others come", () => {
  const { store, shown, ready } = made(folders(["adam", "sgd"], 6), attributes({}), AUTO);
  const before = shown();
  ready();
  const runs = folders(["adam", "sgd"], 20);
  store.runNumbers.value = new Map(store.runs.value.map((run, i) => [run, i]));
  store.runs.value = runs;
  const after = shown();
  expect(store.runs.value.flatMap((run, i) => (store.runNumbers.value.has(run) ? [after[i]] : []))).toEqual(before);
});

test("the only hyperparameter that varies gives colors where folders do not; groups that were chosen go first", () => {
  const runs = Array.from({ length: 14 }, (_, i) => `run${i}`);
  const held = (other: number) =>
    attributes(Object.fromEntries(runs.map((run, i) => [run, { optimizer: i % 2 ? "adam" : "sgd", seed: i * other }])));
  expect(made(runs, held(0), AUTO).colors.by.value).toBe("hparam:optimizer");
  expect(made(runs, held(1), AUTO).colors.by.value).toBe("run");
  const grouped = made(runs, held(1), AUTO);
  grouped.groupBy.set("hparam:optimizer");
  expect([grouped.colors.by.value, new Set(grouped.shown()).size]).toEqual(["group", 2]);
});
