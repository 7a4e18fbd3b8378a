import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LocalSettings, MAX_BOARDS, MAX_CHARACTERS } from "../../src/options/settings";

let stored: Map<string, string>;
let writes: number;
let end: AbortController;
let page: EventTarget;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  stored = new Map();
  writes = 0;
  end = new AbortController();
  page = new EventTarget();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      writes += 1;
      stored.set(key, value);
    },
    removeItem: (key: string) => stored.delete(key),
    key: (i: number) => [...stored.keys()][i] ?? null,
    get length() {
      return stored.size;
    },
  });
});

afterEach(() => {
  end.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function open(board: string, path = "/logs"): LocalSettings {
  const settings = new LocalSettings(page, end.signal);
  settings.open(path, board);
  return settings;
}

/** A board whose settings have about this length. */
function write(board: string, length = 10): void {
  const own = new AbortController();
  const settings = new LocalSettings(undefined, own.signal);
  settings.open("/logs", board);
  settings.set("text", "x".repeat(length));
  vi.advanceTimersByTime(1000);
  own.abort();
}

test("a slider that is dragged is written once in a while, and whole in the end", () => {
  const settings = open("a");
  for (let i = 0; i < 100; i += 1) {
    settings.set("smoothing", i);
    vi.advanceTimersByTime(20);
  }
  vi.advanceTimersByTime(1000);
  expect(writes).toBeLessThan(10);
  expect(open("a").get("smoothing")).toBe(99);
});

test("pending settings are written when the page is left, or the widget closed", () => {
  open("a").set("smoothing", 0.1);
  page.dispatchEvent(new Event("pagehide"));
  expect(open("a").get("smoothing")).toBe(0.1);
  open("b").set("smoothing", 0.2);
  end.abort();
  end = new AbortController();
  expect(open("b").get("smoothing")).toBe(0.2);
});

test("each board of each directory has its own", () => {
  write("a");
  expect([open("b").get("text"), open("a", "/other").get("text")]).toEqual([undefined, undefined]);
  expect(open("a").get("text")).toBe("xxxxxxxxxx");
});

test("options set before the board was known belong to it", () => {
  open("a").set("smoothing", 0.1);
  vi.advanceTimersByTime(1000);
  const settings = new LocalSettings(undefined, end.signal);
  settings.set("x_axis", "wall");
  vi.advanceTimersByTime(1000);
  expect(settings.open("/logs", "a")).toBe(true);
  expect(settings.open("/logs", "a")).toBe(false);
  expect([settings.get("smoothing"), settings.get("x_axis"), settings.get("toString")]).toEqual([
    0.1,
    "wall",
    undefined,
  ]);
  vi.advanceTimersByTime(1000);
  expect([open("a").get("smoothing"), open("a").get("x_axis")]).toEqual([0.1, "wall"]);
});

test("the boards used least recently are dropped beyond a number of boards or an amount of text", () => {
  stored.set("other application", "x");
  for (let i = 0; i < MAX_BOARDS + 5; i += 1) {
    write(`board ${i}`);
  }
  expect(stored.size).toBe(MAX_BOARDS + 1);
  expect([open("board 4").get("text"), open("board 5").get("text")]).toEqual([undefined, "xxxxxxxxxx"]);
  for (let i = 0; i < 12; i += 1) {
    write(`large ${i}`, 90_000);
  }
  const length = [...stored].reduce((sum, [, text]) => sum + text.length, 0);
  expect(length).toBeLessThanOrEqual(MAX_CHARACTERS + 1);
  expect([open("large 11").get("text"), stored.get("other application")]).toEqual(["x".repeat(90_000), "x"]);
});

test("settings that are too large leave no older ones behind", () => {
  write("a");
  expect(stored.size).toBe(1);
  write("a", 300_000);
  expect(stored.size).toBe(0);
});

test("two pages of a board write what each of them changed, and nothing else", () => {
  const before = open("a");
  before.set("smoothing", 0.1);
  before.set("run_notes", { a: "old" });
  before.set("x_axis", "wall");
  vi.advanceTimersByTime(1000);
  const [one, other] = [open("a"), open("a")];
  one.set("smoothing", 0.2);
  one.delete("x_axis");
  vi.advanceTimersByTime(1000);
  other.set("height", 500);
  vi.advanceTimersByTime(1000);
  const kept = () => {
    const again = open("a");
    return ["smoothing", "x_axis", "height", "run_notes"].map((name) => again.get(name));
  };
  expect(kept()).toEqual([0.2, undefined, 500, { a: "old" }]);
  one.set("run_notes", { a: "new" });
  vi.advanceTimersByTime(1000);
  other.set("x_axis", "step");
  other.clear(new Set(["run_notes"]));
  vi.advanceTimersByTime(1000);
  expect(kept()).toEqual([undefined, undefined, undefined, { a: "new" }]);
  one.set("height", 600);
  vi.advanceTimersByTime(1000);
  expect(kept()).toEqual([undefined, undefined, 600, { a: "new" }]);
});

test("a setting that was too large is written entirely when it no longer is", () => {
  const settings = open("a");
  settings.set("smoothing", 0.1);
  settings.set("text", "x".repeat(300_000));
  vi.advanceTimersByTime(1000);
  expect(stored.size).toBe(0);
  settings.set("text", "x");
  vi.advanceTimersByTime(1000);
  expect([open("a").get("smoothing"), open("a").get("text")]).toEqual([0.1, "x"]);
});

test("notes that are too large cost no other setting", () => {
  const settings = open("a");
  settings.set("smoothing", 0.1);
  settings.set("run_notes", { a: "x".repeat(300_000) });
  vi.advanceTimersByTime(1000);
  expect([open("a").get("smoothing"), open("a").get("run_notes")]).toEqual([0.1, undefined]);
  settings.set("run_notes", { a: "short" });
  vi.advanceTimersByTime(1000);
  expect([open("a").get("smoothing"), open("a").get("run_notes")]).toEqual([0.1, { a: "short" }]);
});

test.each(["{", "3", "null", "[]", '{"usedAt": 3}', '{"usedAt": "x", "options": {}}', '{"usedAt": 3, "options": []}'])(
  "an unreadable setting counts as missing, and is dropped first: %s",
  (nonsense) => {
    write("a");
    const [key] = stored.keys();
    stored.set(String(key), nonsense);
    expect(open("a").get("text")).toBeUndefined();
    for (let i = 0; i < MAX_BOARDS; i += 1) {
      write(`board ${i}`);
    }
    expect([stored.has(String(key)), stored.size]).toEqual([false, MAX_BOARDS]);
  },
);

test("a storage that is full, or denied, or not there at all is no trouble", () => {
  const failing = () => {
    throw new Error("QuotaExceededError");
  };
  for (const storage of [
    { getItem: failing, setItem: failing, removeItem: failing, key: failing, length: 1 },
    { getItem: () => null, setItem: failing, removeItem: () => undefined, key: () => null, length: 0 },
    undefined,
  ]) {
    vi.stubGlobal("localStorage", storage);
    const settings = open("a");
    settings.set("smoothing", 0.1);
    vi.advanceTimersByTime(1000);
    expect(settings.get("smoothing")).toBe(0.1);
  }
});
