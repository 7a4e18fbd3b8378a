// The kernel's messages of items, documents, answers and failures, as tests/support/recorded.py made them.

import { expect, test } from "vitest";
import { scalars } from "../../src/lines/codec";
import type { DocumentCodec, ItemRow, ItemsCodec } from "../../src/wire/codec";
import { integer } from "../../src/wire/columns";
import { type DataMessage, decode } from "../../src/wire/protocol";
import { Requests } from "../../src/wire/requests";
import { Store } from "../../src/wire/store";
import { recordedBlobs } from "./messages";
import { settled, tracked } from "./tracked";

interface Picture extends ItemRow {
  readonly length: number;
  readonly label: string;
}

const pictures: ItemsCodec<Picture> = {
  sort: "items",
  kind: "pictures",
  decodeRows: (entry, columns, common) => {
    const lengths = columns.counts(integer(entry.length));
    return common.map((row, i) => ({ ...row, length: lengths[i] ?? Number.NaN, label: String(entry.label) }));
  },
  encodeRows: () => ({}),
};

const papers: DocumentCodec<unknown> = {
  sort: "document",
  kind: "papers",
  decode: (bytes) => JSON.parse(new TextDecoder().decode(bytes)),
};

const store = new Store([scalars, pictures, papers]);
const requests = new Requests("page", () => {}, store.assembler);
const until = new AbortController();
const pending = [1, 2, 3].map((step) => tracked(requests.ask("pictures.blob", { step }, until.signal)));

/** Receives the next messages. */
const messages = recordedBlobs().map(({ header, buffer }) => decode(header, [buffer], store.codecs) as DataMessage);
function receive(count: number): void {
  for (const message of messages.splice(0, count)) {
    expect(store.apply(message, 0)).toBe(true);
    requests.apply(message.answers, message.answerPieces);
    expect(message.damaged).toBe(false);
  }
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const rows = () => store.items(pictures).tag("both")?.byRun.get("a")?.rows ?? [];
const blobs = () =>
  rows().map(({ id }) => {
    const blob = store.items(pictures).blob("a", "both", id).value;
    return blob.state === "held" ? text(blob.bytes) : blob.state === "broken" ? blob.reason : blob.state;
  });

test("a keyframe brings all sorts", () => {
  receive(1);
  expect([store.tags.value, store.runs.value]).toEqual([
    ["", "both", "broken"],
    ["a", "b"],
  ]);
  expect(rows().map(({ step, wall, length, label }) => [step, wall, length, label])).toEqual([
    [5n, 1.7e9 + 5, 4, "made up"],
    [9n, 1.7e9 + 9, 4, "made up"],
  ]);
  expect(blobs()).toEqual(["the blob of step five", "nine"]);
  expect(store.documents(papers).get("b", "").value?.value).toEqual({ "a document": [1, 2, 3] });
  expect(store.failure("pictures", "b", "broken")).toBe("MemoryError: no room");
  expect([...(store.series(scalars).tag("both")?.byRun.get("a")?.base.value ?? [])]).toEqual([0.5, 0.25]);
  expect(store.runNumbers.value.get("b")).toBe(1);
});

test("an item is inserted; a document is replaced; one item cannot be read", () => {
  receive(1);
  expect([rows().map(({ step }) => Number(step)), blobs()]).toEqual([
    [5, 7, 9],
    ["the blob of step five", "absent", "nine"],
  ]);
  receive(1);
  expect(blobs()).toEqual(["the blob of step five", "seven", "nine", "OSError: [Errno 5] Input/output error"]);
  expect(store.documents(papers).get("b", "").value?.value).toEqual({ another: true });
});

test("answers have a value, data, or a reason for their absence", async () => {
  receive(1);
  await settled();
  expect(pending.map(({ state }) => state)).toEqual(["answered", "refused", "answered"]);
  expect(pending[0]?.answer?.value).toEqual({ kind: "made up" });
  expect(text(pending[0]?.answer?.data ?? new Uint8Array(0))).toBe("the data of an answer");
  expect(pending[1]?.reason).toBe("this series is gone");
  expect(pending[2]?.answer?.value).toEqual([1, 2]);
});

test("another keyframe does not change the page's data", () => {
  const before = [rows(), blobs(), store.documents(papers).get("b", "").value, store.bytes];
  receive(1);
  expect(messages).toEqual([]);
  expect([rows(), blobs(), store.documents(papers).get("b", "").value, store.bytes]).toEqual(before);
  expect(store.failure("pictures", "b", "broken")).toBe("MemoryError: no room");
});
