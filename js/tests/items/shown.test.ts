import { effect } from "@preact/signals";
import { expect, test } from "vitest";
import { newerThan, rowsShown } from "../../src/items/shown";
import { clips } from "../../src/panels/audio/codec";
import type { AtStep } from "../../src/ui/globalstep";
import { Store } from "../../src/wire/store";
import { EMPTY } from "../wire/made";

const KEY = { kind: "audio", run: "r", tag: "t" };

/** Items of these steps, with two samples each; ids count from 0. */
function itemsOf(...steps: number[]) {
  const store = new Store([clips]);
  const rows = steps.flatMap((step, i) =>
    [0, 1].map((sample) => ({ id: 2 * i + sample, step: BigInt(step), sample, wall: i })),
  );
  const index = { ...KEY, revision: 1, keep: 0, total: rows.length, superseded: 0, rows };
  store.apply({ ...EMPTY, seq: 1, begins: true, items: [index] }, 0);
  const collection = store.items(clips);
  const items = collection.tag("t")?.byRun.get("r");
  if (items === undefined) {
    throw new Error("nothing is held");
  }
  const shown = (at: AtStep) => rowsShown(items, at).map(({ id }) => id);
  return { collection, items, shown };
}

test("the newest of each sample that has come is shown, until there is a newer one", () => {
  const { collection, items, shown } = itemsOf(1, 2, 3);
  const seen: number[][] = [];
  effect(() => {
    seen.push(shown("newest"));
  });
  collection.fillBlob("r", "t", 2, Uint8Array.of(1));
  collection.fillBlob("r", "t", 1, Uint8Array.of(1));
  collection.applyPiece({ ...KEY, id: 5, from: 0, size: 0, bytes: new Uint8Array(), reason: "broken" });
  expect(seen).toEqual([
    [4, 5],
    [2, 5],
    [2, 1],
    [2, 5],
  ]);
  const newer = items.rows.map((row) => newerThan(items, row)?.id);
  expect(newer).toEqual([4, undefined, 4, undefined, undefined, undefined]);
  expect([shown(3n), shown(2n)]).toEqual([
    [4, 5],
    [2, 3],
  ]);
});

test("the last received value of one step is shown", () => {
  const { collection, shown } = itemsOf(0, 0, 0);
  collection.fillBlob("r", "t", 2, Uint8Array.of(1));
  expect(shown("newest")).toEqual([0, 2, 1, 3, 5]);
});
