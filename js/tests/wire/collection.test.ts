import { beforeEach, expect, test } from "vitest";
import { type HistogramPart, histograms } from "../../src/histograms/codec";
import { scalars } from "../../src/lines/codec";
import type { Key } from "../../src/wire/codec";
import type { DataMessage, Status } from "../../src/wire/protocol";
import { Store } from "../../src/wire/store";
import { series } from "../histograms/made";
import { CODECS, EMPTY, STATUS as IDLE, part } from "./made";

const STATUS: Status = { ...IDLE, kinds: ["scalars", "histograms"] };

let store: Store;
let seq: number;

beforeEach(() => {
  store = new Store(CODECS, 60_000);
  seq = 0;
});

function histogramPart(tag: string, total: number, stride = 1, more: Partial<HistogramPart> = {}): HistogramPart {
  return { ...series(total, stride), kind: "histograms", run: "h", tag, keep: 0, ...more };
}

function apply(parts: readonly Key[], more: Partial<DataMessage> = {}): void {
  seq += 1;
  const begins = more.begins ?? seq === 1;
  store.apply({ ...EMPTY, seq, status: STATUS, series: parts, ...more, begins }, 0);
}

test("kinds are held apart, and listed together", () => {
  apply([part("loss", "s", [1, 2]), histogramPart("w", 3), histogramPart("loss", 2)]);
  expect([store.tags.value, store.runs.value]).toEqual([
    ["loss", "w"],
    ["h", "s"],
  ]);
  expect([store.series(scalars).tags.value, store.series(histograms).tags.value]).toEqual([["loss"], ["loss", "w"]]);
  expect([...(store.series(scalars).tag("loss")?.byRun.keys() ?? [])]).toEqual(["s"]);
  expect(store.series(histograms).tag("w")?.byRun.get("h")?.series.rows).toHaveLength(3);
});

test("only what changed is told", () => {
  apply([histogramPart("a", 3), histogramPart("b", 3)]);
  const versions = () => ["a", "b"].map((tag) => store.series(histograms).tag(tag)?.version.value);
  const before = versions();
  apply([histogramPart("a", 4, 1, { keep: 3, rows: series(4).rows.slice(3) })]);
  expect(versions()).toEqual([(before[0] ?? 0) + 1, before[1]]);
});

test("keys that a complete keyframe does not name are removed, of every kind", () => {
  apply([part("loss", "s", [1]), histogramPart("a", 3), histogramPart("b", 3)]);
  apply([histogramPart("b", 3)], { keyframe: 2, begins: true, ends: true });
  expect([store.tags.value, store.runs.value]).toEqual([["b"], ["h"]]);
});

test("data that are not viewed are reduced when memory is short", () => {
  store.see({}, null, ["b"]);
  apply([histogramPart("a", 100), histogramPart("b", 60)]);
  const rows = (tag: string) => store.series(histograms).tag(tag)?.byRun.get("h")?.series.rows.length;
  expect([rows("a"), rows("b")]).toEqual([8, 60]);
  expect([store.isCoarse(null, "a"), store.isCoarse(null, "b")]).toEqual([true, false]);
  expect(store.bytes).toBeLessThanOrEqual(60_000);
});

test("a stretch in detail stays while the series grows, and goes with it", () => {
  apply([histogramPart("a", 80, 16)]);
  const rows = series(80).rows.slice(32, 48);
  const detail = { ...histogramPart("a", 80), from: 32, total: 16, rows, linked: false, beside: null };
  apply([], { details: [detail] });
  const places = () =>
    store
      .series(histograms)
      .tag("a")
      ?.byRun.get("h")
      ?.series.rows.map(({ place }) => place);
  expect(places()).toEqual([0, 16, ...Array.from({ length: 16 }, (_, i) => 32 + i), 48, 64, 79]);
  apply([histogramPart("a", 90, 16, { keep: 5, rows: series(90, 16).rows.slice(5) })]);
  expect(places()?.slice(-4)).toEqual([48, 64, 80, 89]);
  expect(places()).toHaveLength(22);
  apply([histogramPart("a", 5, 1, { revision: 2 })]);
  expect(places()).toEqual([0, 1, 2, 3, 4]);
});
