import { expect, test } from "vitest";
import { bytesOf, Memory } from "../../src/wire/memory";
import { Store } from "../../src/wire/store";
import { part, points } from "./made";

const STATUS = {
  ready: true,
  read: [0, 0],
  path: "",
  exists: true,
  newest: null,
  age: null,
  leftOut: 0,
  problems: 0,
  kinds: ["scalars"],
};
const HUNDRED = Array.from({ length: 100 }, (_, i) => i);

test("what was looked at last is the last to go; of one screen, its end goes first", () => {
  const memory = new Memory(0);
  memory.changed(bytesOf(points(HUNDRED)));
  memory.see(["d", "c"]);
  memory.see(["b", "a"]);
  const shrunk: string[] = [];
  memory.makeRoom(["a", "b", "c", "d", "x", "y"], (tag) => shrunk.push(tag));
  expect(shrunk).toEqual(["y", "x", "c", "d", "a", "b"]);
});

test("nothing goes while there is room, and no more than must", () => {
  const held = points(HUNDRED);
  const memory = new Memory(5000);
  const shrunk: string[] = [];
  const shrink = (tag: string) => {
    shrunk.push(tag);
    memory.changed(-bytesOf(held));
  };
  memory.changed(bytesOf(held));
  memory.changed(bytesOf(held));
  expect(memory.bytes).toBe(4800);
  memory.makeRoom(["a", "b", "c"], shrink);
  expect(shrunk).toEqual([]);
  memory.changed(bytesOf(held));
  memory.makeRoom(["a", "b", "c"], shrink);
  expect(shrunk).toEqual(["c", "b"]);
  memory.changed(-bytesOf(held));
  expect(memory.bytes).toBe(0);
});

test("a store that is full holds coarsely what nobody looks at, and goes on", () => {
  const store = new Store(22_000);
  const steps = Array.from({ length: 500 }, (_, i) => i);
  const tags = ["a", "b", "c"];
  const head = { keyframe: 1, begins: true, ends: true, status: STATUS, details: [] } as const;
  store.apply({ ...head, seq: 1, series: [part("a", "r", steps)] } as never, 0);
  store.see(["b"]);
  store.apply(
    { ...head, seq: 2, begins: false, ends: false, series: ["b", "c"].map((tag) => part(tag, "r", steps)) } as never,
    0,
  );
  const width = (tag: string) => store.tag(tag)?.byRun.get("r")?.series.width;
  expect(tags.map((tag) => [tag, width(tag), store.isCoarse(tag)])).toEqual([
    ["a", 8, true],
    ["b", 1, false],
    ["c", 8, true],
  ]);
  expect(store.bytes).toBeLessThanOrEqual(22_000);
  store.apply(
    { ...head, seq: 3, begins: false, ends: false, series: [part("a", "r", [500], { keep: 500 })] } as never,
    0,
  );
  expect(store.tag("a")?.byRun.get("r")?.series).toMatchObject({ width: 8, total: 501, lastStep: 500n });
  store.apply(
    { ...head, seq: 4, begins: false, ends: false, series: [part("a", "r", [502], { keep: 502 })] } as never,
    0,
  );
  expect(store.tag("a")?.byRun.get("r")).toMatchObject({ stale: true, series: { total: 501 } });
});

test("what views have computed to draw with takes room too, until they let it go", () => {
  const memory = new Memory(5000);
  const shrunk: string[] = [];
  memory.changed(bytesOf(points(HUNDRED)));
  const [one, other] = [{}, {}];
  memory.beside(one, 1000);
  memory.beside(other, 2000);
  memory.beside(one, 1500);
  expect(memory.bytes).toBe(5900);
  memory.makeRoom(["a"], (tag) => shrunk.push(tag));
  expect(shrunk).toEqual(["a"]);
  memory.beside(other, 0);
  expect(memory.bytes).toBe(3900);
  memory.makeRoom(["a"], (tag) => shrunk.push(tag));
  expect(shrunk).toEqual(["a"]);
});

test("exact steps count twice: as they are, and as they are drawn", () => {
  const rows = points(HUNDRED);
  const step = BigInt64Array.from(HUNDRED, (n) => BigInt(n) + 2n ** 60n);
  expect(bytesOf({ ...rows, step, first: step }) - bytesOf(rows)).toBe(800);
});

test("a stretch in detail counts as it came, and as it is drawn", () => {
  const store = new Store();
  const head = { keyframe: 1, begins: true, ends: true, status: STATUS, details: [] } as const;
  const steps = Array.from({ length: 100 }, (_, i) => 4 * i);
  const base = { width: 4, total: 400 };
  store.apply({ ...head, seq: 1, series: [part("a", "r", steps, base)] } as never, 0);
  const before = store.bytes;
  const detail = { ...part("a", "r", HUNDRED.slice(0, 40)), from: 0 };
  store.apply({ ...head, seq: 2, begins: false, ends: false, series: [], details: [detail] } as never, 0);
  const drawn = store.tag("a")?.byRun.get("r")?.series;
  expect(drawn?.stretch).toMatchObject({ from: 0, to: 40 });
  expect(store.bytes - before).toBe(bytesOf(detail.rows) + (drawn === undefined ? 0 : bytesOf(drawn)));
  store.apply({ ...head, seq: 3, keyframe: 2, series: [] } as never, 0);
  expect(store.bytes).toBe(0);
});
