import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { scalarsOptions } from "../../src/lines/options";
import { Options } from "../../src/options/options";
import { profileText, readProfile } from "../../src/options/profile";
import { MAX_NOTES } from "../../src/options/runtable";
import { timeAxisOptions } from "../../src/options/shared";
import { Store } from "../../src/wire/store";
import { CODECS, STATUS } from "../wire/made";
import { FakeModel } from "./fakemodel";

let stored: Map<string, string>;
let ends: AbortController[];

beforeEach(() => {
  vi.useFakeTimers();
  [stored, ends] = [new Map(), []];
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

function open(state: Record<string, unknown> = {}) {
  const end = new AbortController();
  ends.push(end);
  const model = new FakeModel(state);
  const store = new Store(CODECS);
  const options = new Options(model, store, [timeAxisOptions, scalarsOptions], end.signal);
  store.status.value = { ...STATUS, path: "/logs" };
  const smoothing = () => options.of(scalarsOptions).smoothing.value;
  return { model, options, smoothing, end: () => end.abort() };
}

function read(text: string): ReadonlyMap<string, unknown> {
  const profile = readProfile(text);
  if (typeof profile === "string") {
    throw new Error(profile);
  }
  return profile;
}

test("a profile that was saved in one dashboard sets all options of another, which Python hears", () => {
  const one = open();
  one.options.of(scalarsOptions).smoothing.set(0.25);
  one.options.select({ names: new Set(["a"]), only: true });
  one.options.runTable.run_names.set(new Map([["__proto__", "the <b>first</b>"]]));
  one.options.runTable.run_notes.set(new Map([["a", "good\u202e"]]));
  one.options.runTable.archived_runs.set(new Set(["b"]));
  one.options.of(timeAxisOptions).linked_step.set(2n ** 60n);
  one.options.tagFilter.set("(a+)+$", "code");
  const text = profileText(one.options.profile());
  const other = open();
  const { unknown, wrong } = other.options.load(read(text));
  expect([unknown, wrong]).toEqual([[], []]);
  expect(other.options.profile()).toEqual(one.options.profile());
  expect(other.options.runTable.run_names.value.get("__proto__")).toBe("the <b>first</b>");
  expect(other.options.shows("b")).toBe(false);
  vi.runAllTimers();
  expect(other.model.saved.at(-1)).toMatchObject({ smoothing: 0.25, selected_runs: ["a"], archived_runs: ["b"] });
  expect([...stored.values()].join()).toContain('"run_notes":{"a":"good');
});

test.each([
  ["", "json"],
  ["{", "json"],
  ['{"version": 1, "smoothing": NaN}', "json"],
  ['{"version": 1, "run_notes": {"\\ud800": "a"}}', "json"],
  ['{"version": 1, "selected_runs": ["\\udfff"]}', "json"],
  ["[]", "form"],
  ["null", "form"],
  ["{}", "version"],
  ['{"version": true}', "version"],
  ['{"version": 2, "smoothing": 0.1}', "version"],
])("%j is no profile", (text, fault) => {
  expect(readProfile(text)).toBe(fault);
});

test("wrong values and unknown names are left out and named, the rest counts", () => {
  const { options, smoothing } = open();
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const text = `{"version": 1, "smoothing": 0.1, "x_axis": "nonsense", "hieght": 3, "__proto__": {"polluted": 1},
    "constructor": 1, "run_names": {"a": 1}, "pinned": [1], "selected_runs": [null], "tag_filter": 3,
    "run_notes": {"a": "${"x".repeat(2001)}"}, "archived_runs": ["b", "b"], "log_y": ${deep}}`;
  let profile: ReadonlyMap<string, unknown>;
  try {
    profile = read(text);
  } catch {
    // An engine may refuse to parse deep nesting.
    profile = read(text.replace(deep, "3"));
  }
  const { unknown, wrong, taken } = options.load(profile);
  expect(unknown).toEqual(["hieght", "__proto__", "constructor", "log_y"]);
  expect(wrong).toEqual([
    ...["x_axis", "run_names", "pinned", "selected_runs", "tag_filter", "run_notes", "archived_runs"],
  ]);
  expect([taken, smoothing()]).toEqual([1, 0.1]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("a file in the log directory is ignored at a click, also when the cell is run again, and then no longer", () => {
  const page = open();
  expect(page.options.file.value).toBeNull();
  page.model.file({ smoothing: 0.8, x_axis: "wall" });
  expect(page.options.file.value).toMatchObject({ name: "tbwidget.json", isIgnored: false });
  expect(page.smoothing()).toBe(0.8);
  page.options.ignoreFile(true);
  expect([page.smoothing(), page.options.of(timeAxisOptions).x_axis.value]).toEqual([0.6, "step"]);
  vi.runAllTimers();
  expect(page.model.saved.at(-1)).toMatchObject({ smoothing: 0.6, x_axis: "step" });
  page.end();
  const again = open();
  again.model.file({ smoothing: 0.8 });
  expect([again.smoothing(), again.options.file.value?.isIgnored]).toEqual([0.6, true]);
  again.options.ignoreFile(false);
  expect([again.smoothing(), again.options.file.value?.isIgnored]).toEqual([0.8, false]);
});

test("options set by the user stay when the file is ignored", () => {
  const page = open();
  page.model.file({ smoothing: 0.8, x_axis: "wall" });
  page.options.of(scalarsOptions).smoothing.set(0.3);
  page.options.ignoreFile(true);
  expect([page.smoothing(), page.options.of(timeAxisOptions).x_axis.value]).toEqual([0.3, "step"]);
});

test("only a panel that there is can be the one of a profile", () => {
  const end = new AbortController();
  ends.push(end);
  const names = ["scalars", "images"];
  const options = new Options(new FakeModel(), new Store(CODECS), [], end.signal, undefined, undefined, names);
  const load = (panel: unknown) => options.load(new Map([["panel", panel]])).wrong;
  expect([load("images"), load(null), load("nonsense"), load("")]).toEqual([[], [], ["panel"], ["panel"]]);
  expect(options.board.panel.value).toBeNull();
});

test("a reset removes the user's options; those of Python and the file stay", () => {
  const page = open({ height: 900, _given: ["height"] });
  page.model.file({ smoothing: 0.8 });
  page.options.of(scalarsOptions).smoothing.set(0.3);
  page.options.of(timeAxisOptions).x_axis.set("wall");
  page.options.select({ names: new Set(["a"]), only: true });
  page.options.reset();
  const { height, x_axis } = { ...page.options.board, ...page.options.of(timeAxisOptions) };
  expect([page.smoothing(), x_axis.value, height.value, page.options.runs.names()]).toEqual([0.8, "step", 900, null]);
  vi.runAllTimers();
  expect([...stored.values()].map((text) => JSON.parse(text).options)).toEqual([{}]);
});

test("a reset keeps the panel, the user's notes about runs, and archived runs", () => {
  const page = open();
  page.options.board.panel.set("images");
  const { run_names, run_notes, archived_runs } = page.options.runTable;
  run_names.set(new Map([["a", "the first"]]));
  run_notes.set(new Map([["a", "diverges"]]));
  archived_runs.set(new Set(["b"]));
  page.options.of(scalarsOptions).smoothing.set(0.3);
  page.options.reset();
  vi.runAllTimers();
  const kept = { panel: "images", run_names: { a: "the first" }, run_notes: { a: "diverges" }, archived_runs: ["b"] };
  expect(page.options.profile()).toMatchObject({ ...kept, smoothing: 0.6 });
  expect(page.model.saved.at(-1)).toMatchObject(kept);
  expect([...stored.values()].map((text) => JSON.parse(text).options)).toEqual([kept]);
});

test("notes of a profile are added to those that there are", () => {
  const { options } = open({ run_notes: { a: "mine", b: "mine" } });
  const load = (notes: unknown) => options.load(read(JSON.stringify({ version: 1, run_notes: notes })));
  const notes = () => Object.fromEntries(options.runTable.run_notes.value);
  load({});
  expect(notes()).toEqual({ a: "mine", b: "mine" });
  load({ b: "of the file", c: "of the file" });
  const all = { a: "mine", b: "of the file", c: "of the file" };
  expect(notes()).toEqual(all);
  // More than the limit: none is lost.
  const many = Object.fromEntries(Array.from({ length: MAX_NOTES }, (_, i) => [`run${i}`, "x"]));
  expect(load(many)).toMatchObject({ wrong: ["run_notes"], taken: 0 });
  expect(notes()).toEqual(all);
});

test("a reset keeps options of a large file, whose values the page does not have", () => {
  const page = open();
  page.model.file({ smoothing: 0.8 });
  page.model.arrive("_of_file", {});
  page.options.of(timeAxisOptions).x_axis.set("wall");
  page.options.reset();
  vi.runAllTimers();
  expect([page.smoothing(), page.options.of(timeAxisOptions).x_axis.value]).toEqual([0.8, "step"]);
  expect(page.model.saved.every((sent) => !("smoothing" in sent))).toBe(true);
  page.options.ignoreFile(true);
  expect(page.smoothing()).toBe(0.6);
});
