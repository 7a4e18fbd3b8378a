import { expect, test } from "vitest";
import { scalars } from "../../src/lines/codec";
import { buffersOf, bytesOf, type Rows } from "../../src/lines/series";
import { CacheBudget } from "../../src/wire/cache";
import { Store } from "../../src/wire/store";
import { CODECS, EMPTY, part, points } from "./made";

const HUNDRED = Array.from({ length: 100 }, (_, i) => i);

test("the last viewed is evicted last; within one screen, its end goes first", () => {
  const budget = new CacheBudget(0);
  budget.add(bytesOf(points(HUNDRED)));
  budget.see(["d", "c"]);
  budget.see(["b", "a"]);
  const shrunk: string[] = [];
  budget.makeRoom(["a", "b", "c", "d", "x", "y"], (tag) => shrunk.push(tag));
  expect(shrunk).toEqual(["y", "x", "c", "d", "a", "b"]);
});

test("the oldest of thousands of viewed tags are forgotten", () => {
  const budget = new CacheBudget(0);
  budget.see(["first"]);
  expect(budget.seenFirst(["never", "first"])).toEqual(["first", "never"]);
  for (let i = 0; i < 10_000; i += 1) {
    budget.see([`tag ${i}`]);
  }
  expect(budget.seenFirst(["never", "first", "tag 0"])).toEqual(["tag 0", "never", "first"]);
});

test("nothing goes while there is room, and no more than must", () => {
  const held = points(HUNDRED);
  const budget = new CacheBudget(5000);
  const shrunk: string[] = [];
  const shrink = (tag: string) => {
    shrunk.push(tag);
    budget.add(-bytesOf(held));
  };
  budget.add(bytesOf(held));
  budget.add(bytesOf(held));
  expect(budget.bytes).toBe(4800);
  budget.makeRoom(["a", "b", "c"], shrink);
  expect(shrunk).toEqual([]);
  budget.add(bytesOf(held));
  budget.makeRoom(["a", "b", "c"], shrink);
  expect(shrunk).toEqual(["c", "b"]);
  budget.add(-bytesOf(held));
  expect(budget.bytes).toBe(0);
});

test("a full store keeps invisible series coarsely, and continues", () => {
  const store = new Store(CODECS, 22_000);
  const steps = Array.from({ length: 500 }, (_, i) => i);
  const tags = ["a", "b", "c"];
  const head = { ...EMPTY, begins: true, ends: true };
  store.apply({ ...head, seq: 1, series: [part("a", "r", steps)] }, 0);
  store.see({}, null, ["b"]);
  store.apply(
    { ...head, seq: 2, begins: false, ends: false, series: ["b", "c"].map((tag) => part(tag, "r", steps)) },
    0,
  );
  const width = (tag: string) => store.series(scalars).tag(tag)?.byRun.get("r")?.series.width;
  expect(tags.map((tag) => [tag, width(tag), store.isCoarse(null, tag)])).toEqual([
    ["a", 8, true],
    ["b", 1, false],
    ["c", 8, true],
  ]);
  expect(store.bytes).toBeLessThanOrEqual(22_000);
  store.apply({ ...head, seq: 3, begins: false, ends: false, series: [part("a", "r", [500], { keep: 500 })] }, 0);
  expect(store.series(scalars).tag("a")?.byRun.get("r")?.series).toMatchObject({
    width: 8,
    total: 501,
    lastStep: 500n,
  });
  store.apply({ ...head, seq: 4, begins: false, ends: false, series: [part("a", "r", [502], { keep: 502 })] }, 0);
  expect(store.series(scalars).tag("a")?.byRun.get("r")).toMatchObject({ stale: true, series: { total: 501 } });
});

test("data that views have computed for drawing take memory, too, until they free them", () => {
  const budget = new CacheBudget(5000);
  const shrunk: string[] = [];
  budget.add(bytesOf(points(HUNDRED)));
  const [one, other] = [{}, {}];
  budget.account(one, 1000);
  budget.account(other, 2000);
  budget.account(one, 1500);
  expect(budget.bytes).toBe(5900);
  budget.makeRoom(["a"], (tag) => shrunk.push(tag));
  expect(shrunk).toEqual(["a"]);
  budget.account(other, 0);
  expect(budget.bytes).toBe(3900);
  budget.makeRoom(["a"], (tag) => shrunk.push(tag));
  expect(shrunk).toEqual(["a"]);
});

test("exact steps count twice: as they are, and as they are drawn", () => {
  const rows = points(HUNDRED);
  const step = BigInt64Array.from(HUNDRED, (n) => BigInt(n) + 2n ** 60n);
  const bytes = (some: Rows) => [...buffersOf(some)].reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(bytes({ ...rows, step, first: step }) - bytes(rows)).toBe(800);
});

test("a stretch in detail counts as it came, and as it is drawn", () => {
  const store = new Store(CODECS);
  const head = { ...EMPTY, begins: true, ends: true };
  const steps = Array.from({ length: 100 }, (_, i) => 4 * i);
  const base = { width: 4, total: 400 };
  store.apply({ ...head, seq: 1, series: [part("a", "r", steps, base)] }, 0);
  const before = store.bytes;
  const detail = { ...part("a", "r", HUNDRED.slice(0, 40)), from: 0 };
  store.apply({ ...head, seq: 2, begins: false, ends: false, series: [], details: [detail] }, 0);
  const drawn = store.series(scalars).tag("a")?.byRun.get("r")?.series;
  expect(drawn?.stretch).toMatchObject({ from: 0, to: 40 });
  expect(store.bytes - before).toBe(bytesOf(detail.rows) + (drawn === undefined ? 0 : bytesOf(drawn)));
  store.apply({ ...head, seq: 3, keyframe: 2, series: [] }, 0);
  expect(store.bytes).toBe(0);
});

test("invisible values go before tags become coarse, visible ones after that", () => {
  const order: string[] = [];
  const budget = new CacheBudget(100);
  const value = (name: string, seenAt: number, watched = false) => {
    const made = { bytes: 50, seenAt, watched, evict: () => order.push(name) && budget.release(made) };
    budget.hold(made);
    return made;
  };
  value("shown", 1, true);
  value("newer", 5);
  value("older", 3);
  const gone = value("released", 0);
  budget.release(gone);
  budget.release(gone);
  budget.add(200);
  budget.see(["b"]);
  budget.makeRoom(["a", "b"], (tag) => {
    order.push(tag);
    budget.add(-70);
  });
  expect(order).toEqual(["older", "newer", "a", "b", "shown"]);
  expect(budget.bytes).toBe(60);
});
