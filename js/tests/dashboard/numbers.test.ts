import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { numbered, numbersOf } from "../../src/dashboard/numbers";
import { Store } from "../../src/wire/store";
import { message, part, STATUS } from "../wire/made";

let stored: Map<string, string>;
let end: AbortController;

beforeEach(() => {
  stored = new Map();
  end = new AbortController();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});

afterEach(() => {
  end.abort();
  vi.unstubAllGlobals();
});

/** A view that is opened now, of a directory that holds these runs. */
class Opened {
  readonly store = new Store();
  readonly #numbers = numbersOf(this.store, end.signal);
  #messages = 0;

  constructor(runs: readonly string[], path = "/logs") {
    this.holds(runs, path);
  }

  holds(runs: readonly string[], path = "/logs"): void {
    this.#messages += 1;
    const parts = runs.map((run) => part("loss", run, [0]));
    const status = { ...STATUS, path };
    this.store.apply(message(this.#messages, parts, { keyframe: this.#messages, begins: true, ends: true, status }), 0);
  }

  get numbers(): Record<string, number> {
    return Object.fromEntries(this.#numbers.value);
  }
}

test("numbers follow the natural order of the runs there are at first, then stay", () => {
  const view = new Opened(["r10", "r2"]);
  expect(view.numbers).toEqual({ r2: 0, r10: 1 });
  view.holds(["r10", "r2", "r1"]);
  expect(view.numbers).toEqual({ r2: 0, r10: 1, r1: 2 });
});

test("views that are opened at different times agree", () => {
  const first = new Opened(["b"]);
  first.holds(["a", "b"]);
  const second = new Opened(["a", "b"]);
  expect(second.numbers).toEqual({ b: 0, a: 1 });
  for (const view of [second, first]) {
    view.holds(["a", "a1", "b"]);
    expect(view.numbers).toEqual({ b: 0, a: 1, a1: 2 });
  }
  expect(new Opened(["a"], "/others").numbers).toEqual({ a: 0 });
});

test("the number of a run that is gone is free, and its own again if that comes back before another has it", () => {
  const view = new Opened(["a", "b", "c"]);
  view.holds(["b", "c"]);
  view.holds(["a", "b", "c"]);
  expect(view.numbers).toEqual({ a: 0, b: 1, c: 2 });
  view.holds(["b", "c", "d"]);
  expect(view.numbers).toEqual({ b: 1, c: 2, d: 0 });
  view.holds(["a", "b", "c", "d"]);
  expect(view.numbers).toEqual({ b: 1, c: 2, d: 0, a: 3 });
  expect(new Opened(["a", "b", "c", "d"]).numbers).toEqual(view.numbers);
});

test("while a directory is being read, numbers are provisional, and nothing is remembered", () => {
  const early = new Store();
  const numbers = numbersOf(early, end.signal);
  const status = { ...STATUS, ready: false };
  early.apply(message(1, [part("loss", "b", [0])], { begins: true, ends: true, status }), 0);
  expect([Object.fromEntries(numbers.value), stored.size]).toEqual([{ b: 0 }, 0]);
  early.apply(message(2, [part("loss", "a", [0])]), 0);
  expect(Object.fromEntries(numbers.value)).toEqual({ a: 0, b: 1 });
});

test("names that objects know are names like others", () => {
  expect(new Opened(["constructor", "__proto__"]).store.runs.value).toEqual(["__proto__", "constructor"]);
  expect([...numbered(["__proto__", "constructor"]).values()]).toEqual([0, 1]);
});

test("where there is no memory, or nonsense in it, numbers are those of the natural order", () => {
  for (const nonsense of ["{", "{}", "3", '[["a", -1], ["a", 0.5], ["b"], "c", null, ["b", 7], ["a", 7]]']) {
    stored.clear();
    new Opened(["a"]);
    const [key] = stored.keys();
    stored.set(String(key), nonsense);
    expect(new Opened(["a", "b"]).numbers).toEqual(nonsense.startsWith("[") ? { a: 7, b: 0 } : { a: 0, b: 1 });
  }
  vi.stubGlobal("localStorage", undefined);
  expect(new Opened(["a", "b"]).numbers).toEqual({ a: 0, b: 1 });
});
