import { beforeEach, expect, test } from "vitest";
import { scalars } from "../../src/lines/codec";
import { Store } from "../../src/wire/store";
import { CODECS, message, part, pointRows, STATUS } from "./made";

let store: Store;

beforeEach(() => {
  store = new Store(CODECS);
});

function steps(tag: string, run: string): (number | bigint)[] {
  return [...(store.series(scalars).tag(tag)?.byRun.get(run)?.series.step ?? [])];
}

test("a keyframe and later parts make the series", () => {
  expect(store.apply(message(1, [part("loss", "a", [0, 1])], { begins: true, ends: true }), 0)).toBe(true);
  expect(store.apply(message(2, [part("loss", "a", [2, 3], { keep: 2 })]), 0)).toBe(true);
  expect(steps("loss", "a")).toEqual([0, 1, 2, 3]);
  expect(store.series(scalars).tag("loss")?.byRun.get("a")?.series.lastStep).toBe(3n);
  expect(store.complete).toBe(true);
});

test("fewer points may be kept than are held", () => {
  store.apply(message(1, [part("loss", "a", [0, 1, 2])], { begins: true, ends: true }), 0);
  store.apply(message(2, [part("loss", "a", [5], { keep: 1 })]), 0);
  expect(steps("loss", "a")).toEqual([0, 5]);
});

test("after a gap, only what continues held points is taken", () => {
  store.apply(message(1, [part("loss", "a", [0]), part("loss", "b", [0])], { begins: true, ends: true }), 0);
  expect(store.apply(message(3, [part("loss", "a", [1], { keep: 1 }), part("loss", "b", [2], { keep: 2 })]), 0)).toBe(
    false,
  );
  expect(steps("loss", "a")).toEqual([0, 1]);
  expect(steps("loss", "b")).toEqual([0]);
  expect(store.complete).toBe(false);
  store.apply(
    message(4, [part("loss", "a", [0, 1]), part("loss", "b", [0, 1, 2])], { keyframe: 2, begins: true, ends: true }),
    0,
  );
  expect(store.complete).toBe(true);
  expect(steps("loss", "b")).toEqual([0, 1, 2]);
});

test("a listener that came late has not seen all", () => {
  expect(store.apply(message(7, [part("loss", "a", [0])]), 0)).toBe(false);
  expect(steps("loss", "a")).toEqual([0]);
});

test("series that a complete keyframe does not name are removed", () => {
  store.apply(message(1, [part("loss", "a", [0]), part("lr", "b", [0])], { begins: true, ends: true }), 0);
  store.apply(message(2, [part("loss", "a", [0])], { keyframe: 2, begins: true }), 0);
  expect(store.tags.value).toEqual(["loss", "lr"]);
  store.apply(message(3, [], { keyframe: 2, ends: true }), 0);
  expect(store.tags.value).toEqual(["loss"]);
  expect(store.runs.value).toEqual(["a"]);
});

test("a keyframe with a hole drops nothing", () => {
  store.apply(message(1, [part("loss", "a", [0]), part("lr", "b", [0])], { begins: true, ends: true }), 0);
  store.apply(message(2, [part("loss", "a", [0])], { keyframe: 2, begins: true }), 0);
  store.apply(message(4, [], { keyframe: 2, ends: true }), 0);
  expect(store.tags.value).toEqual(["loss", "lr"]);
});

test("runs and tags are in natural order", () => {
  store.apply(message(1, [part("t10", "r10", [0]), part("t2", "r2", [0])], { begins: true, ends: true }), 0);
  expect(store.tags.value).toEqual(["t2", "t10"]);
  store.apply(message(2, [part("t2", "r1", [0])]), 0);
  expect(store.runs.value).toEqual(["r1", "r2", "r10"]);
});

test("names that objects know are names like others", () => {
  store.apply(message(1, [part("__proto__", "constructor", [4])], { begins: true, ends: true }), 0);
  expect(steps("__proto__", "constructor")).toEqual([4]);
});

test("exact steps stay exact when joined to others", () => {
  const exact = BigInt64Array.of(9223372036854775807n);
  const big = part("t", "r", [0], { keep: 1, rows: { ...pointRows([0]), step: exact, first: exact } });
  store.apply(message(1, [part("t", "r", [7])], { begins: true, ends: true }), 0);
  store.apply(message(2, [big]), 0);
  const series = store.series(scalars).tag("t")?.byRun.get("r")?.series;
  expect(series?.step).toEqual(BigInt64Array.of(7n, 9223372036854775807n));
  expect(series?.lastStep).toBe(9223372036854775807n);
});

test("the time of the last news is counted back from the message", () => {
  store.apply(message(1, [], { begins: true, ends: true, status: { ...STATUS, age: 2.5 } }), 10_000);
  expect(store.changedAt.value).toBe(7500);
  expect(store.receivedAt.value).toBe(10_000);
});
