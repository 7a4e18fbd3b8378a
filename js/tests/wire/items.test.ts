import { effect } from "@preact/signals";
import { beforeEach, expect, test } from "vitest";
import type { ItemPiece, ItemsPart } from "../../src/wire/items";
import type { DataMessage } from "../../src/wire/protocol";
import { Store } from "../../src/wire/store";
import { type Picture, pictures } from "./codecs";
import { EMPTY } from "./made";

let store: Store;
let seq: number;

beforeEach(() => {
  store = new Store([pictures]);
  seq = 0;
});

function rows(...ids: number[]): Picture[] {
  return ids.map((id) => ({ id, step: BigInt(id), wall: 1000 + id, width: 32 }));
}

function part(ids: readonly number[], more: Partial<ItemsPart> = {}): ItemsPart {
  const [keep, named] = [more.keep ?? 0, { kind: "pictures", run: "r", tag: "t" }];
  return { ...named, revision: 1, keep, total: keep + ids.length, superseded: 0, rows: rows(...ids), ...more };
}

function piece(
  id: number,
  from: number,
  bytes: readonly number[],
  size: number,
  reason: string | null = null,
): ItemPiece {
  return { kind: "pictures", run: "r", tag: "t", id, from, size, bytes: Uint8Array.from(bytes), reason };
}

function apply(more: Partial<DataMessage>): void {
  seq += 1;
  store.apply({ ...EMPTY, seq, begins: seq === 1, ...more }, 0);
}

const collection = () => store.items(pictures);
const held = () => collection().tag("t")?.byRun.get("r");
const ids = () => held()?.rows.map(({ id }) => id);
const blob = (id: number) => collection().blob("r", "t", id).value;

test("an index comes in parts, and rows may be inserted anywhere", () => {
  apply({ items: [part([1, 2], { total: 4 })] });
  expect([ids(), held()?.total, store.tags.value, store.runs.value]).toEqual([[1, 2], 4, ["t"], ["r"]]);
  apply({ items: [part([5, 6], { keep: 2 })] });
  expect(ids()).toEqual([1, 2, 5, 6]);
  apply({ items: [part([4, 5, 6], { keep: 2 })] });
  expect(ids()).toEqual([1, 2, 4, 5, 6]);
  apply({ items: [part([], { keep: 3 })] });
  expect(ids()).toEqual([1, 2, 4]);
  expect(store.isCoarse(null, "t")).toBe(false);
});

test("a keyframe with the same data changes nothing, in any number of parts", () => {
  apply({ items: [part([1, 2, 3, 4])] });
  const [rowsBefore, version] = [held()?.rows, collection().tag("t")?.version.value];
  apply({ items: [part([1, 2], { total: 4 })], keyframe: 2, begins: true });
  apply({ items: [part([3, 4], { keep: 2 })], keyframe: 2, ends: true });
  expect(held()?.rows).toBe(rowsBefore);
  expect(collection().tag("t")?.version.value).toBe(version);
  apply({ items: [part([1, 2])], keyframe: 3, begins: true, ends: true });
  expect(ids()).toEqual([1, 2]);
});

test("an index that cannot be joined is stale, and requested until it is complete again", () => {
  apply({ items: [part([1, 2])] });
  apply({ items: [part([9], { keep: 5, total: 6 })] });
  expect([ids(), held()?.stale, store.coarseAmong(null, ["t", "u"])]).toEqual([[1, 2], true, [["pictures", "t"]]]);
  apply({ items: [part([7], { revision: 2, keep: 1, total: 2 })] });
  expect([ids(), store.isCoarse(["pictures"], "t"), store.isCoarse(["others"], "t")]).toEqual([[1, 2], true, false]);
  apply({ items: [part([1, 7], { revision: 2 })] });
  expect([ids(), store.isCoarse(null, "t")]).toEqual([[1, 7], false]);
});

test("the rest of an index whose beginning was never seen is known to be there", () => {
  apply({ items: [part([9], { keep: 5, total: 6 })] });
  expect([store.tags.value, ids(), held()?.total, store.isCoarse(null, "t")]).toEqual([["t"], [], 6, true]);
});

test("blobs come in pieces, and tell how far they have come", () => {
  apply({ items: [part([1, 2])] });
  expect(blob(1)).toEqual({ state: "absent" });
  const seen: unknown[] = [];
  const stop = effect(() => {
    seen.push(collection().blob("r", "t", 1).value.state);
  });
  apply({ itemPieces: [piece(1, 0, [1, 2], 3)] });
  expect(blob(1)).toEqual({ state: "partial", received: 2, size: 3 });
  apply({ itemPieces: [piece(1, 2, [3], 3), piece(2, 0, [], 0)] });
  expect(blob(1)).toEqual({ state: "held", bytes: Uint8Array.of(1, 2, 3) });
  expect(blob(2)).toEqual({ state: "held", bytes: new Uint8Array(0) });
  expect(seen).toEqual(["absent", "partial", "held"]);
  stop();
});

test("one that cannot be read says why, until it can", () => {
  apply({ items: [part([1])], itemPieces: [piece(1, 0, [], 0, "OSError: gone")] });
  expect(blob(1)).toEqual({ state: "broken", reason: "OSError: gone" });
  apply({ itemPieces: [piece(1, 0, [7], 1)] });
  expect(blob(1)).toEqual({ state: "held", bytes: Uint8Array.of(7) });
});

test("after a lost message the rest of a blob is of no use; it may begin again", () => {
  apply({ items: [part([1])], itemPieces: [piece(1, 0, [1, 2], 4)] });
  seq += 1;
  apply({ itemPieces: [piece(1, 2, [3, 4], 4)] });
  expect(blob(1)).toEqual({ state: "absent" });
  const before = store.bytes;
  apply({ itemPieces: [piece(1, 0, [1, 2], 4)] });
  apply({ itemPieces: [piece(1, 2, [3, 4], 4)] });
  expect(blob(1)).toEqual({ state: "held", bytes: Uint8Array.of(1, 2, 3, 4) });
  expect(store.bytes).toBe(before + 4);
});

test("blobs stay with their rows, and go with them", () => {
  apply({ items: [part([1, 3])], itemPieces: [piece(1, 0, [1], 1), piece(3, 0, [3], 1)] });
  const before = store.bytes;
  apply({ items: [part([2], { keep: 1, total: 3 })] });
  apply({ items: [part([3], { keep: 2, total: 3 })] });
  expect([blob(1).state, blob(2).state, blob(3).state]).toEqual(["held", "absent", "held"]);
  apply({ items: [part([1, 2])] });
  expect([blob(1).state, blob(3).state]).toEqual(["held", "absent"]);
  expect(store.bytes).toBe(before - 1);
  apply({ items: [part([1, 2], { revision: 2 })] });
  expect(blob(1).state).toBe("absent");
  apply({ keyframe: 2, begins: true, ends: true });
  expect([store.tags.value, store.bytes]).toEqual([[], 0]);
});

test("pieces of what no index names are dropped", () => {
  apply({ itemPieces: [piece(1, 0, [1], 1)] });
  apply({ items: [part([1])], itemPieces: [piece(2, 0, [1], 1)] });
  expect([blob(1), blob(2)]).toEqual([{ state: "absent" }, { state: "absent" }]);
});

test("a blob that was asked for is held like one that was pushed", () => {
  apply({ items: [part([1])] });
  const before = store.bytes;
  collection().fillBlob("r", "t", 1, Uint8Array.of(1, 2));
  collection().fillBlob("r", "t", 9, Uint8Array.of(1, 2));
  expect([blob(1).state, blob(9).state, store.bytes - before]).toEqual(["held", "absent", 2]);
});

test("a requested blob replaces a pushed one if it has more pixels, and not if it has fewer", () => {
  apply({ items: [part([1])], itemPieces: [piece(1, 0, [1, 2], 2)] });
  collection().fillBlob("r", "t", 1, Uint8Array.of(7));
  expect(blob(1)).toEqual({ state: "held", bytes: Uint8Array.of(1, 2) });
  const before = store.bytes;
  collection().fillBlob("r", "t", 1, Uint8Array.of(1, 2, 3));
  expect([blob(1), store.bytes - before]).toEqual([{ state: "held", bytes: Uint8Array.of(1, 2, 3) }, 1]);
});

test("when there is too much, blobs go first that are not on the screen, those seen least recently first", () => {
  store = new Store([pictures], 10_000);
  const all = Array.from({ length: 12 }, (_, i) => i);
  const big = (id: number) => piece(id, 0, Array(700).fill(id), 700);
  apply({ items: [part(all)] });
  const stop = effect(() => {
    void blob(0);
  });
  // Visible after 0, and then no longer.
  effect(() => {
    void blob(1);
  })();
  for (const id of all) {
    apply({ itemPieces: [big(id)] });
  }
  const states = all.map((id) => blob(id).state);
  expect(states.filter((state) => state === "held").length).toBeGreaterThan(5);
  expect([states[0], states[1], states[2], states[11]]).toEqual(["held", "held", "absent", "held"]);
  expect(store.bytes).toBeLessThanOrEqual(10_000);
  stop();
});

test("a visible item without memory says so, and is not requested repeatedly", () => {
  store = new Store([pictures], 5000);
  apply({ items: [part([1])] });
  const stop = effect(() => {
    void blob(1);
  });
  apply({ itemPieces: [piece(1, 0, Array(6000).fill(1), 6000)] });
  expect(blob(1)).toMatchObject({ state: "broken" });
  expect(store.bytes).toBeLessThanOrEqual(5000);
  stop();
  // When it is visible again, there may be space.
  expect(blob(1)).toEqual({ state: "absent" });
  apply({ itemPieces: [piece(1, 0, [1, 2], 2)] });
  expect(blob(1).state).toBe("held");
});

test("sizes that are only announced take no memory, and too large ones are refused", () => {
  apply({ items: [part([1, 2])] });
  const before = store.bytes;
  apply({ itemPieces: [piece(1, 0, [1], 250e6)] });
  expect(store.bytes - before).toBe(1);
  apply({ itemPieces: [piece(2, 0, [1], 2 ** 40)] });
  expect([blob(1).state, blob(2).state]).toEqual(["partial", "broken"]);
  apply({ itemPieces: [piece(1, 1, [1, 2, 3], 250e6), piece(1, 4, [1], 7)] });
  expect([blob(1).state, store.bytes]).toEqual(["absent", before]);
});
