import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ItemSource } from "../../src/items/source";
import { type ImageRow, imageItems, images } from "../../src/panels/images/codec";
import type { Picture } from "../../src/panels/images/picture";
import type { DataMessage } from "../../src/wire/protocol";
import { Requests } from "../../src/wire/requests";
import { Store } from "../../src/wire/store";
import { blobOf, placeOf } from "../panels/images/made";
import { EMPTY } from "../wire/made";
import { settled } from "../wire/tracked";

interface Request {
  readonly type: string;
  readonly id: string;
  readonly args: { readonly images: readonly (readonly unknown[])[]; readonly pixels: number | null };
}

let store: Store;
let requests: Requests;
let sent: Request[];
let source: ItemSource<ImageRow, Picture>;
let seq: number;

beforeEach(() => {
  vi.useFakeTimers();
  store = new Store([images], 10_000);
  sent = [];
  seq = 0;
  requests = new Requests("page", (message) => sent.push(message as Request), store.assembler);
  source = new ItemSource({ store, requests }, imageItems);
  const rows = [1, 2, 3].map((id) => placeOf(id).row);
  const named = { kind: "images", run: "r", tag: "t" };
  apply({ items: [{ ...named, revision: 1, keep: 0, total: 3, superseded: 0, rows }] });
});

afterEach(() => {
  vi.useRealTimers();
});

function apply(more: Partial<DataMessage>): void {
  seq += 1;
  store.apply({ ...EMPTY, seq, begins: seq === 1, ...more }, 0);
}

/** The kernel pushes the picture of a row. */
function push(id: number, blob: Uint8Array, reason: string | null = null): void {
  const named = { kind: "images", run: "r", tag: "t", id };
  apply({ itemPieces: [{ ...named, from: 0, size: blob.length, bytes: blob, reason }] });
}

async function answer(request: Request | undefined, blob: Uint8Array): Promise<void> {
  const id = request?.id ?? "";
  requests.apply(
    [{ request: id, ok: true, reason: "", value: [{ size: blob.length }], size: blob.length }],
    [{ request: id, from: 0, size: blob.length, bytes: blob }],
  );
  await settled();
}

const stateOf = (id: number) => source.item(placeOf(id)).state;

test("a loaded picture is shown at once, without a request", async () => {
  push(1, blobOf({ width: 100, height: 50 }));
  const end = source.want(placeOf(1), 500);
  vi.advanceTimersByTime(1000);
  expect([stateOf(1), sent]).toEqual(["held", []]);
  end();
});

test("a missing picture is requested, stored, and then requested with more pixels if the tile has them", async () => {
  const end = source.want(placeOf(2), 500);
  expect(stateOf(2)).toBe("waits");
  vi.advanceTimersByTime(100);
  expect(sent.map(({ args }) => [args.pixels, args.images])).toEqual([[320, [["r", "t", "2", 0, 1002]]]]);
  await answer(sent[0], blobOf({ width: 2000, height: 1000, scaled: [320, 160] }));
  expect([stateOf(2), store.items(images).blob("r", "t", 2).value.state]).toEqual(["held", "held"]);
  vi.advanceTimersByTime(100);
  expect(sent[1]?.args.pixels).toBe(640);
  await answer(sent[1], blobOf({ width: 2000, height: 1000, scaled: [640, 320] }));
  const found = source.item(placeOf(2));
  expect(found.state === "held" && [found.value.scaled, found.coarse]).toEqual([{ width: 640, height: 320 }, false]);
  vi.advanceTimersByTime(1000);
  expect(sent.length).toBe(2);
  end();
});

test("a tile that is gone before it was asked for is not asked for; one that comes meanwhile neither", async () => {
  source.want(placeOf(1), 100)();
  const end = source.want(placeOf(2), 100, true);
  vi.advanceTimersByTime(200);
  push(2, blobOf({}));
  vi.advanceTimersByTime(2000);
  expect([sent, stateOf(2)]).toEqual([[], "held"]);
  end();
});

test("pictures that the kernel cannot send, and damaged ones, have a reason", async () => {
  push(1, new Uint8Array(0), "16384 x 16384 pixels: more than 64 million");
  push(2, Uint8Array.from([9, 9, 9, 9, 9]));
  expect([source.item(placeOf(1)), stateOf(2)]).toEqual([
    { state: "broken", value: null, reason: "16384 x 16384 pixels: more than 64 million" },
    "broken",
  ]);
  const end = source.want(placeOf(3), 100);
  vi.advanceTimersByTime(100);
  requests.apply([{ request: sent[0]?.id ?? "", ok: true, reason: "", value: [{ reason: "empty" }], size: 0 }], []);
  await settled();
  expect(source.item(placeOf(3))).toEqual({ state: "broken", value: null, reason: "empty" });
  end();
  vi.advanceTimersByTime(1);
  // A view that looks again asks again.
  expect(stateOf(3)).toBe("waits");
});

test("pictures count as memory of the store, and invisible ones are evicted first", async () => {
  const end = source.want(placeOf(1), 100);
  push(1, blobOf({}, new Array(6000).fill(0)));
  push(2, blobOf({}, new Array(6000).fill(0)));
  expect([store.bytes < 10_000, stateOf(1), stateOf(2)]).toEqual([true, "held", "waits"]);
  end();
});

test("the answer for an item of an index that was replaced is not taken for what has its id now", async () => {
  const end = source.want(placeOf(1), 100);
  vi.advanceTimersByTime(100);
  const rows = [1].map((id) => placeOf(id + 10).row).map((row) => ({ ...row, id: 1 }));
  apply({ items: [{ kind: "images", run: "r", tag: "t", revision: 2, keep: 0, total: 1, superseded: 0, rows }] });
  await answer(sent[0], blobOf({}));
  expect(source.item({ ...placeOf(1), row: rows[0] as ImageRow }).state).toBe("waits");
  end();
});

test("in a page that was saved nothing is asked for", () => {
  store.savedAt.value = 1000;
  const end = source.want(placeOf(1), 100);
  vi.advanceTimersByTime(1000);
  expect([sent, stateOf(1)]).toEqual([[], "waits"]);
  end();
});
