import { effect } from "@preact/signals";
import { beforeEach, expect, test } from "vitest";
import type { DocumentCodec } from "../../src/wire/codec";
import type { DocumentPiece } from "../../src/wire/documents";
import type { DataMessage } from "../../src/wire/protocol";
import { Store } from "../../src/wire/store";
import { json, notes } from "./codecs";
import { EMPTY } from "./made";

let store: Store;
let seq: number;

beforeEach(() => {
  store = new Store([notes]);
  seq = 0;
});

function entry(revision: number, size = 1, run = "r") {
  return { kind: "notes", run, tag: "", revision, size };
}

function pieces(revision: number, bytes: Uint8Array, each = bytes.length, run = "r"): DocumentPiece[] {
  return Array.from({ length: Math.ceil(bytes.length / each) }, (_, i) => ({
    ...entry(revision, bytes.length, run),
    from: i * each,
    bytes: bytes.subarray(i * each, (i + 1) * each),
  }));
}

function apply(more: Partial<DataMessage>): void {
  seq += 1;
  store.apply({ ...EMPTY, seq, begins: seq === 1, ...more }, 0);
}

/** Reads a document like a view that continues to show it. */
function watch(run = "r"): () => void {
  return effect(() => {
    void store.documents(notes).get(run, "").value;
  });
}

const value = (run = "r") => store.documents(notes).get(run, "").value;

test("a document exists once all its pieces have arrived", () => {
  const text = json({ loss: [1, 2, 3] });
  const document = store.documents(notes).get("r", "");
  apply({ documents: [entry(5, text.length)], documentPieces: pieces(5, text, 4).slice(0, 2) });
  expect([document.value, store.tags.value, store.runs.value]).toEqual([undefined, [""], ["r"]]);
  apply({ documentPieces: pieces(5, text, 4).slice(2) });
  expect(document.value).toEqual({ value: { loss: [1, 2, 3] }, revision: 5 });
  const version = store.documents(notes).tag("")?.version.value;
  apply({ documents: [entry(5, text.length)], documentPieces: pieces(5, text) });
  expect(store.documents(notes).tag("")?.version.value).toBe(version);
});

test("the old value stays until the new one is complete; pieces of others are dropped", () => {
  apply({ documents: [entry(1)], documentPieces: pieces(1, json("a")) });
  apply({ documents: [entry(2)], documentPieces: pieces(1, json("old")) });
  expect(value()).toEqual({ value: "a", revision: 1 });
  apply({ documentPieces: pieces(2, json("b")) });
  expect(value()).toEqual({ value: "b", revision: 2 });
});

test("a missing document with a view is requested; one that arrives, or has no view, is not", () => {
  const text = json("x".repeat(10));
  let wanted = 0;
  store.onWanted(() => {
    wanted += 1;
  }, new AbortController().signal);
  apply({ documents: [entry(1, text.length), entry(1, 1, "s")] });
  expect(store.isCoarse(null, "")).toBe(false);
  const stop = watch();
  expect([wanted, store.coarseAmong(null, [""])]).toEqual([1, [["notes", ""]]]);
  apply({ documentPieces: pieces(1, text, 3).slice(0, 1) });
  expect(store.isCoarse(null, "")).toBe(false);
  seq += 1;
  apply({});
  expect(store.isCoarse(null, "")).toBe(true);
  apply({ documentPieces: pieces(1, text) });
  expect(store.isCoarse(null, "")).toBe(false);
  stop();
});

test("one that cannot be decoded says why, until it changes", () => {
  const stop = watch();
  const nonsense = new TextEncoder().encode("{");
  apply({ documents: [entry(1)], documentPieces: pieces(1, nonsense) });
  expect(store.failure("notes", "r", "")).toMatch(/SyntaxError/);
  expect(store.isCoarse(null, "")).toBe(false);
  apply({ documents: [entry(1)], keyframe: 2, begins: true, ends: true });
  expect(store.failure("notes", "r", "")).toMatch(/SyntaxError/);
  apply({ documents: [entry(2)], documentPieces: pieces(2, json(3)) });
  expect([store.failure("notes", "r", ""), value()]).toEqual([undefined, { value: 3, revision: 2 }]);
  stop();
});

test("one that the kernel could not read for a while is well again as soon as it is named", () => {
  apply({ documents: [entry(1)], documentPieces: pieces(1, json("a")) });
  apply({ failed: [{ kind: "notes", run: "r", tag: "", reason: "OSError" }] });
  expect([store.failure("notes", "r", ""), value()?.value]).toEqual(["OSError", "a"]);
  apply({ documents: [entry(1)] });
  expect(store.failure("notes", "r", "")).toBeUndefined();
});

test("decoding may take a while: a later revision is never replaced by an earlier one", async () => {
  const waiting: (() => void)[] = [];
  const slow: DocumentCodec<string> = {
    sort: "document",
    kind: "notes",
    decode: (bytes) => new Promise((resolve) => waiting.push(() => resolve(new TextDecoder().decode(bytes)))),
  };
  store = new Store([slow]);
  const document = store.documents(slow).get("r", "");
  const text = (value: string) => new TextEncoder().encode(value);
  apply({ documents: [entry(1)], documentPieces: pieces(1, text("one")) });
  apply({ documents: [entry(2)], documentPieces: pieces(2, text("two")) });
  waiting[1]?.();
  await Promise.resolve();
  expect(document.value).toEqual({ value: "two", revision: 2 });
  waiting[0]?.();
  await Promise.resolve();
  expect(document.value).toEqual({ value: "two", revision: 2 });
  apply({ documents: [entry(3)], documentPieces: pieces(3, text("three")) });
  apply({ keyframe: 2, begins: true, ends: true });
  waiting[2]?.();
  await Promise.resolve();
  expect([document.value, store.bytes]).toEqual([undefined, 0]);
});

test("a decoder that rejects is told on the card", async () => {
  const bad: DocumentCodec<string> = { sort: "document", kind: "notes", decode: () => Promise.reject(new Error("no")) };
  store = new Store([bad]);
  apply({ documents: [entry(1)], documentPieces: pieces(1, json(1)) });
  const version = store.documents(bad).tag("")?.version.value ?? 0;
  await new Promise((resolve) => setTimeout(resolve));
  expect(store.failure("notes", "r", "")).toBe("This page cannot read it (Error: no)");
  expect(store.documents(bad).tag("")?.version.value).toBe(version + 1);
});

test("documents without a view are evicted", () => {
  store = new Store([notes], 3000);
  const stop = watch("a");
  const text = json("x".repeat(600));
  for (const run of ["a", "b", "c"]) {
    apply({ documents: [entry(1, text.length, run)], documentPieces: pieces(1, text, text.length, run) });
  }
  expect([value("a"), value("b"), value("c")].map((one) => one !== undefined)).toEqual([true, false, true]);
  expect(store.bytes).toBeLessThanOrEqual(3000);
  stop();
});

test("one that has no room although it is looked at says so, and is not asked for again and again", () => {
  store = new Store([notes], 1000);
  const stop = watch();
  const text = json("x".repeat(2000));
  apply({ documents: [entry(1, text.length)], documentPieces: pieces(1, text) });
  expect([value(), store.failure("notes", "r", "") !== undefined, store.isCoarse(null, "")]).toEqual([
    undefined,
    true,
    false,
  ]);
  apply({ documents: [entry(1, text.length)], keyframe: 2, begins: true, ends: true });
  expect(store.failure("notes", "r", "")).toBeDefined();
  stop();
  watch();
  expect(store.isCoarse(null, "")).toBe(true);
  apply({ documents: [entry(2)], documentPieces: pieces(2, json(1)) });
  expect([value()?.value, store.failure("notes", "r", "")]).toEqual([1, undefined]);
});

test("documents of runs that are gone are gone", () => {
  apply({ documents: [entry(1)], documentPieces: pieces(1, json("a")) });
  apply({ keyframe: 2, begins: true, ends: true });
  expect([value(), store.runs.value, store.bytes]).toEqual([undefined, [], 0]);
  apply({ documents: [entry(1)], documentPieces: pieces(1, json("a")) });
  expect(value()?.value).toBe("a");
});

test("a document that comes back reaches the view that still shows it", () => {
  const seen: unknown[] = [];
  const documents = store.documents(notes);
  apply({ documents: [entry(1)], documentPieces: pieces(1, json("a")) });
  const [shown, other] = [documents.get("r", ""), documents.get("gone", "")];
  const end = effect(() => {
    seen.push(shown.value?.value);
  });
  apply({ documents: [entry(1, 1, "gone")], documentPieces: pieces(1, json("x"), 9, "gone") });
  apply({ keyframe: 2, begins: true, ends: true });
  apply({ documents: [entry(2)], documentPieces: pieces(2, json("b")) });
  expect([seen, documents.get("r", "") === shown]).toEqual([["a", undefined, "b"], true]);
  // No view shows the other document: it no longer takes memory.
  expect(documents.get("gone", "")).not.toBe(other);
  end();
});
