// Unreadable data do not affect any other data.

import { beforeEach, expect, test } from "vitest";
import { histograms } from "../../src/histograms/codec";
import { scalars } from "../../src/lines/codec";
import type { Key } from "../../src/wire/codec";
import { PROTOCOL } from "../../src/wire/columns";
import { EntryWriter } from "../../src/wire/entrywriter";
import { decode } from "../../src/wire/protocol";
import { Store } from "../../src/wire/store";
import { notes, pictures } from "./codecs";
import { message, part, points } from "./made";

let store: Store;
let seq: number;

beforeEach(() => {
  store = new Store([scalars, histograms, pictures, notes]);
  seq = 0;
});

const key = (tag: string, kind = "scalars"): Key => ({ kind, run: "r", tag });
const STATUS = {
  ready: true,
  read: [1, 1],
  path: "/",
  exists: true,
  newest: null,
  age: null,
  left_out: 0,
  problems: 0,
  kinds: [],
};

/** Receives a message as the kernel sends it. */
function receive(write: (writer: EntryWriter) => void, more: Record<string, unknown> = {}): boolean {
  seq += 1;
  const writer = new EntryWriter();
  write(writer);
  const names = { runs: [...writer.runs.keys()], tags: [...writer.tags.keys()], columns: writer.columns.table };
  const head = {
    type: "data",
    protocol: PROTOCOL,
    seq,
    keyframe: 1,
    begins: seq === 1,
    ends: seq === 1,
    status: STATUS,
  };
  const buffer = Uint8Array.from(atob(writer.columns.base64()), (character) => character.charCodeAt(0));
  const decoded = decode({ ...head, ...names, ...writer.lists, ...more }, [new DataView(buffer.buffer)], store.codecs);
  return decoded !== null && store.apply(decoded, 0);
}

function addPoints(writer: EntryWriter, tag: string, steps: number[], more: Record<string, unknown> = {}): void {
  writer.add("series", key(tag), { ...scalars.encode(points(steps), writer.columns), ...more });
}

const steps = (tag: string) => [...(store.series(scalars).tag(tag)?.byRun.get("r")?.base.step ?? [])];

test("an unreadable entry fails alone, and its earlier data stay", () => {
  receive((writer) => {
    addPoints(writer, "a", [1, 2]);
    addPoints(writer, "b", [1, 2]);
  });
  const complete = receive(
    (writer) => {
      addPoints(writer, "a", [1, 2, 3], { value: 99 });
      addPoints(writer, "b", [1, 2, 3]);
      addPoints(writer, "c", [1], { width: 0 });
    },
    { keyframe: 2, begins: true, ends: true },
  );
  expect(complete).toBe(true);
  expect([steps("a"), steps("b")]).toEqual([
    [1, 2],
    [1, 2, 3],
  ]);
  expect(store.failure("scalars", "r", "a")).toMatch(/ProtocolError/);
  expect(store.failure("scalars", "r", "b")).toBeUndefined();
  expect([store.tags.value, store.series(scalars).tag("c")?.byRun.size]).toEqual([["a", "b", "c"], 0]);
  // Missing points are requested as soon as more of the series arrives.
  receive((writer) => addPoints(writer, "a", [4], { keep: 3, total: 4 }));
  expect(store.isCoarse(null, "a")).toBe(true);
  receive((writer) => addPoints(writer, "a", [1, 2, 3, 4]));
  expect([steps("a"), store.failure("scalars", "r", "a"), store.isCoarse(null, "a")]).toEqual([
    [1, 2, 3, 4],
    undefined,
    false,
  ]);
});

test.each(["series", "items", "documents", "failed", "pieces", "answers", "details"])(
  "%s without names have unknown effects: the message counts as lost",
  (list) => {
    receive((writer) => addPoints(writer, "a", [1, 2]));
    for (const nonsense of [[5], [{ kind: "scalars", run: 7, tag: 0, size: -1 }], { a: 1 }]) {
      const keyframe = { keyframe: seq, begins: true, ends: true };
      expect(receive((writer) => addPoints(writer, "b", [seq]), { ...keyframe, [list]: nonsense })).toBe(false);
      // An incomplete keyframe drops nothing.
      expect([steps("a"), steps("b")]).toEqual([[1, 2], list === "series" ? [] : [seq]]);
    }
  },
);

test("keys that the kernel cannot read have a reason, and count as named", () => {
  receive((writer) => {
    addPoints(writer, "a", [1, 2]);
    addPoints(writer, "b", [1]);
  });
  const version = store.series(scalars).tag("a")?.version.value ?? 0;
  receive(
    (writer) => {
      writer.add("failed", key("a"), { reason: "MemoryError: 50 M buckets" });
      writer.add("failed", key("new", "pictures"), { reason: "OSError: gone" });
      writer.add("failed", key("", "notes"), { reason: "OSError: gone" });
      writer.add("failed", key("x", "other"), { reason: "of no panel" });
    },
    { keyframe: 2, begins: true, ends: true },
  );
  expect(store.failure("scalars", "r", "a")).toBe("MemoryError: 50 M buckets");
  expect(store.series(scalars).tag("a")?.version.value).toBe(version + 1);
  expect(steps("a")).toEqual([1, 2]);
  expect([store.tags.value, store.series(scalars).tags.value]).toEqual([["", "a", "new"], ["a"]]);
  expect(store.items(pictures).tag("new")?.failures.get("r")?.reason).toBe("OSError: gone");
  receive((writer) => addPoints(writer, "a", [1, 2, 3]), { keyframe: 3, begins: true, ends: true });
  expect([store.failure("scalars", "r", "a"), store.tags.value]).toEqual([undefined, ["a"]]);
});

test("an exception of a codec for one part excludes no other", () => {
  const odd = { ...part("odd", "r", [1]), rows: undefined } as never;
  store.apply(message(1, [odd, part("a", "r", [1])], { begins: true, ends: true }), 0);
  expect([steps("a"), store.failure("scalars", "r", "odd") !== undefined, store.complete]).toEqual([[1], true, true]);
});

test("kinds that no panel draws are left out", () => {
  receive((writer) => {
    addPoints(writer, "a", [1]);
    writer.add("series", key("b", "others"), { odd: true });
    writer.add("items", key("c", "others"), { odd: true });
    writer.add("pieces", key("c", "others"), { odd: true });
  });
  expect([store.tags.value, store.complete]).toEqual([["a"], true]);
});

test("an entry in the place of another sort does no harm", () => {
  receive((writer) => {
    addPoints(writer, "a", [1]);
    writer.add("items", key("a"), { revision: 1 });
    writer.add("documents", key("a"), { revision: 1, size: 4 });
    writer.add("series", key("b", "pictures"), { keep: 0 });
    writer.addBlob("item", key("a"), 1, Uint8Array.of(1));
  });
  expect([store.tags.value, steps("a"), store.complete]).toEqual([["a"], [1], true]);
});

test("a store knows each kind once, and only its own kinds", () => {
  expect(() => new Store([scalars, { ...scalars }])).toThrow("scalars");
  expect(new Store([scalars, scalars]).series(scalars).tags.value).toEqual([]);
  expect(() => new Store([]).series(scalars)).toThrow("scalars");
  expect(() => new Store([scalars]).series({ ...scalars })).toThrow("scalars");
});

test("runs have the numbers that the kernel gives them", () => {
  receive((writer) => addPoints(writer, "a", [1]), { numbers: [3] });
  expect([...store.runNumbers.value]).toEqual([["r", 3]]);
  const before = store.runNumbers.value;
  receive((writer) => addPoints(writer, "b", [1]), { numbers: [-1] });
  receive((writer) => addPoints(writer, "b", [1]), { numbers: ["x"] });
  receive((writer) => addPoints(writer, "b", [1]), { numbers: [3, 4] });
  expect(store.runNumbers.value).toBe(before);
  receive((writer) => addPoints(writer, "b", [1]), { numbers: [0] });
  expect(store.runNumbers.value.get("r")).toBe(0);
});
