import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { text as codec, type TextRow } from "../../../src/panels/text/kind/codec";
import { MissingTexts } from "../../../src/panels/text/missing";
import type { DataMessage } from "../../../src/wire/protocol";
import { Requests } from "../../../src/wire/requests";
import { Store } from "../../../src/wire/store";
import { EMPTY } from "../../wire/made";

const TAG = { kind: "text", run: "r", tag: "t" };

let store: Store;
let requests: Requests;
let sent: { readonly id: string; readonly args: unknown }[];
let missing: MissingTexts;
let rows: TextRow[];

beforeEach(() => {
  vi.useFakeTimers();
  store = new Store([codec], 10_000);
  sent = [];
  requests = new Requests("page", (message) => sent.push(message as (typeof sent)[number]), store.assembler);
  missing = new MissingTexts("t", store.items(codec), requests);
  rows = [0, 1, 2].map((place) => ({ id: place, step: BigInt(place), wall: 1000 + place, place }) as TextRow);
  const message: DataMessage = { ...EMPTY, seq: 1, begins: true };
  store.apply({ ...message, items: [{ ...TAG, revision: 1, keep: 0, total: 3, superseded: 0, rows }] }, 0);
});

afterEach(() => {
  missing.close();
  vi.useRealTimers();
});

function answer(value: unknown, data: Uint8Array): void {
  const request = sent.at(-1)?.id ?? "";
  requests.apply(
    [{ request, ok: true, reason: "", value, size: data.length }],
    [{ request, from: 0, size: data.length, bytes: data }],
  );
}

const stateOf = (id: number) => store.items(codec).blob("r", "t", id).value;

test("texts that are looked at are asked for together; one that cannot be read says why, the others are held", () => {
  for (const row of rows) {
    missing.want({ run: "r", revision: 1, row });
  }
  vi.advanceTimersByTime(300);
  expect(sent.map(({ args }) => args)).toEqual([
    { texts: rows.map(({ place }) => ["r", "t", 1, place]), whole: false },
  ]);
  expect(missing.waits.value).toBe(true);
  answer([{ size: 2 }, { reason: "damaged" }, { size: 1 }], Uint8Array.of(1, 2, 3));
  expect([0, 1, 2].map((id) => stateOf(id))).toMatchObject([
    { state: "held", bytes: Uint8Array.of(1, 2) },
    { state: "broken", reason: "damaged" },
    { state: "held", bytes: Uint8Array.of(3) },
  ]);
  expect(missing.waits.value).toBe(false);
});

test("a text for which the answer has no room is asked for again", () => {
  for (const row of rows) {
    missing.want({ run: "r", revision: 1, row });
  }
  vi.advanceTimersByTime(300);
  answer([{ size: 1 }], Uint8Array.of(7));
  vi.advanceTimersByTime(300);
  expect(sent.at(-1)?.args).toEqual({ texts: [1, 2].map((place) => ["r", "t", 1, place]), whole: false });
});
