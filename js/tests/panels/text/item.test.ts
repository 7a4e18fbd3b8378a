import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ItemSource } from "../../../src/items/source";
import { text as codec, type TextRow, type TextValue, textItems, wholeText } from "../../../src/panels/text/codec";
import type { DataMessage } from "../../../src/wire/protocol";
import { Requests } from "../../../src/wire/requests";
import { Store } from "../../../src/wire/store";
import { EMPTY } from "../../wire/made";
import { settled } from "../../wire/tracked";

const TAG = { kind: "text", run: "r", tag: "t" };

let store: Store;
let requests: Requests;
let sent: { readonly id: string; readonly args: unknown }[];
let source: ItemSource<TextRow, TextValue>;
let rows: TextRow[];

beforeEach(() => {
  vi.useFakeTimers();
  store = new Store([codec], 10_000);
  sent = [];
  requests = new Requests("page", (message) => sent.push(message as (typeof sent)[number]), store.assembler);
  source = new ItemSource({ store, requests }, textItems);
  rows = [0, 1, 2].map((place) => ({ id: place, step: BigInt(place), wall: 1000 + place, place }) as TextRow);
  const message: DataMessage = { ...EMPTY, seq: 1, begins: true };
  store.apply({ ...message, items: [{ ...TAG, revision: 1, keep: 0, total: 3, superseded: 0, rows }] }, 0);
});

afterEach(() => {
  vi.useRealTimers();
});

const placeOf = (row: TextRow) => ({ run: "r", tag: "t", row });
const want = () => rows.map((row) => source.want(placeOf(row)));
const stateOf = (place: number) => source.item(placeOf(rows[place] as TextRow));
const bytesOf = (text: string) => new TextEncoder().encode(JSON.stringify({ shape: [], values: [text], cut: 0 }));

/** Answers the last request: with a text, or with an entry that has none. */
async function answer(...parts: (string | object)[]): Promise<void> {
  const texts = parts.map((part) => (typeof part === "string" ? bytesOf(part) : null));
  const value = parts.map((part, i) => (texts[i] ? { size: texts[i].length } : part));
  const bytes = Uint8Array.from(texts.flatMap((text) => [...(text ?? [])]));
  const request = sent.at(-1)?.id ?? "";
  requests.apply(
    [{ request, ok: true, reason: "", value, size: bytes.length }],
    [{ request, from: 0, size: bytes.length, bytes }],
  );
  await settled();
}

test("texts that are looked at are asked for together; one that cannot be read says why, the others are held", async () => {
  want();
  vi.advanceTimersByTime(300);
  expect(sent.map(({ args }) => args)).toEqual([
    { texts: rows.map(({ place }) => ["r", "t", 1, place]), whole: false },
  ]);
  await answer("a", { reason: "damaged" }, "b");
  expect([0, 1, 2].map(stateOf)).toMatchObject([
    { state: "held", value: { values: ["a"] } },
    { state: "broken", reason: "damaged" },
    { state: "held", value: { values: ["b"] } },
  ]);
});

test("a text without space in the answer is requested again, while a view shows it", async () => {
  const ends = want();
  vi.advanceTimersByTime(300);
  ends[1]?.();
  await answer("a", { later: true }, { later: true });
  vi.advanceTimersByTime(300);
  expect(sent.at(-1)?.args).toEqual({ texts: [["r", "t", 1, 2]], whole: false });
  ends[2]?.();
  vi.advanceTimersByTime(10_000);
  await settled();
  expect(sent.filter((message) => "args" in message)).toHaveLength(2);
});

test("all of a long text comes when it is asked for, or why it does not", async () => {
  const place = { ...placeOf(rows[1] as TextRow), revision: 1 };
  const until = new AbortController().signal;
  const found = wholeText(requests, place, until);
  expect(sent.at(-1)?.args).toEqual({ texts: [["r", "t", 1, 1]], whole: true });
  await answer("all");
  expect(await found).toMatchObject({ values: ["all"] });
  const missing = wholeText(requests, place, until);
  await Promise.all([answer({ reason: "gone" }), expect(missing).rejects.toThrow("gone")]);
});
