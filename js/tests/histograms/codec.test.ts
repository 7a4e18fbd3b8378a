import { expect, test } from "vitest";
import { edgesOf, POWERS } from "../../src/histograms/bins";
import { type HistogramDetail, type HistogramPart, histograms } from "../../src/histograms/codec";
import { scalars } from "../../src/lines/codec";
import { decode } from "../../src/wire/protocol";
import { readSnapshot, snapshotOf } from "../../src/wire/snapshot";
import { Store } from "../../src/wire/store";
import { BY_KIND, CODECS } from "../wire/made";
import { recorded } from "../wire/messages";

const recordedMessage = recorded().at(-1);
const message = recordedMessage && decode(recordedMessage.header, [recordedMessage.buffer], BY_KIND);
if (!message) {
  throw new Error("no message of histograms");
}

const parts = message.series as readonly HistogramPart[];

function binsOf(tag: string): [number, number, number][][] {
  const rows = parts.find((part) => part.tag === tag)?.rows ?? [];
  return rows.map((row) => {
    const { left, right } = edgesOf(row);
    return Array.from(row.counts, (count, i) => [left[i] as number, right[i] as number, count]);
  });
}

test("histograms decode as they were cut", () => {
  expect(parts.map(({ kind, run, tag }) => [kind, run, tag])).toEqual(
    ["even", "powers", "grid", "edges", "apart"].map((tag) => ["histograms", "a", tag]),
  );
  expect(binsOf("even")).toEqual([
    [
      [-1, 0, 1],
      [0, 1, 300],
      [1, 2, 2],
    ],
    [],
    [[3, 3, 7]],
  ]);
  const at = (i: number) => POWERS[i] as number;
  expect(binsOf("powers")).toEqual([
    [
      [-0.5, at(700), 1],
      [at(700), at(701), 2],
      [at(701), at(702), 70_000],
      [at(702), 0.25, 4],
    ],
    [
      [0, at(774), 0.5],
      [at(774), at(775), 1],
      [at(775), 4, 2],
    ],
  ]);
  expect(binsOf("grid")[2]).toEqual([
    [2, 3, 3],
    [3, 7, 3],
    [7, 9, 3],
  ]);
  expect(binsOf("edges")[1]).toEqual([
    [0, 2, -1],
    [2, 9, 0.1],
  ]);
  expect(binsOf("apart")).toEqual([
    [
      [0, 2, 1],
      [1, 3, 2],
      [5, 6, 3],
    ],
  ]);
});

test("they have their steps and times, with the writer's moments", () => {
  const [even, powers] = parts;
  expect(even?.rows.map(({ place, step, wall }) => [place, step, wall])).toEqual([
    [0, 0n, 1.7e9],
    [1, 5n, 1.7e9 + 1],
    [2, 10n, 1.7e9 + 2],
  ]);
  expect(even?.rows.map(({ mean, deviation }) => [mean, deviation])).toEqual([
    [0, 0],
    [1, 0.5],
    [2, 1],
  ]);
  expect(powers?.rows[0]?.mean).toBeNaN();
  expect(even).toMatchObject({ total: 3, stride: 1, keep: 0, fine: true, startWall: 1.7e9 });
});

test("a stretch of them has its own places", () => {
  const [detail] = message.details as readonly HistogramDetail[];
  expect([detail?.from, detail?.total, detail?.rows.map(({ place }) => place)]).toEqual([1, 2, [1, 2]]);
});

test("saved data are read back the same", () => {
  const store = new Store(CODECS);
  store.apply({ ...message, begins: true }, 0);
  expect([store.tags.value, store.series(scalars).tags.value, store.runs.value]).toEqual([
    ["apart", "edges", "even", "grid", "powers"],
    [],
    ["a"],
  ]);
  const saved = readSnapshot({ at: 1, messages: snapshotOf(store) }, BY_KIND);
  const other = new Store(CODECS);
  other.restore(saved?.messages ?? [], 1);
  for (const tag of store.tags.value) {
    const [a, b] = [store, other].map((one) => one.series(histograms).tag(tag)?.byRun.get("a")?.base.rows ?? []);
    expect(b?.map((row) => ({ ...row, layout: edgesOf(row), counts: [...row.counts] }))).toEqual(
      a?.map((row) => ({ ...row, layout: edgesOf(row), counts: [...row.counts] })),
    );
  }
  expect(store.bytes).toBeGreaterThan(0);
});
