import { expect, test } from "vitest";
import { scalars } from "../../src/lines/codec";
import {
  applyPart,
  coarsen,
  type DetailPart,
  isWhole,
  pointsAt,
  type Series,
  withDetail,
} from "../../src/lines/series";
import { decode } from "../../src/wire/protocol";
import { Store } from "../../src/wire/store";
import { BY_KIND, CODECS, part, pointRows, points } from "../wire/made";
import { recorded } from "../wire/messages";

const ALL = Array.from({ length: 70 }, (_, i) => i);

/** The first `n` points, in buckets of eight. */
function buckets(n: number): Series {
  const rows = coarsen(points(ALL.slice(0, n)), 8);
  const series = applyPart(undefined, part("t", "r", [], { rows, width: 8, total: n }));
  if (series === null) {
    throw new Error("a whole part always applies");
  }
  return series;
}

function detail(from: number, to: number, more: Partial<DetailPart> = {}): DetailPart {
  const steps = ALL.slice(from, to);
  return { ...part("t", "r", steps, { rows: pointRows(steps) }), from, ...more };
}

test("the points take the place of the buckets that held them", () => {
  const base = buckets(70);
  const merged = withDetail(base, detail(16, 32));
  expect([...merged.step]).toEqual([7, 15, ...ALL.slice(16, 32), 39, 47, 55, 63, 69]);
  expect([...merged.first].slice(0, 4)).toEqual([0, 8, 16, 17]);
  expect([...merged.count].slice(0, 4)).toEqual([8, 8, 1, 1]);
  expect(merged).toMatchObject({ width: 8, total: 70, lastStep: 69n, ascending: true });
  expect(merged.version).not.toBe(base.version);
});

test("the stretch may begin and end where the series does", () => {
  expect([...withDetail(buckets(70), detail(0, 70)).step]).toEqual(ALL);
  expect(withDetail(buckets(70), detail(64, 70)).step.length).toBe(8 + 6);
});

test("a bucket that has got more points since is drawn as a bucket", () => {
  const merged = withDetail(buckets(70), detail(48, 66));
  expect([...merged.step].slice(-3)).toEqual([62, 63, 69]);
});

test.each([
  [70, 16, 32, 1],
  [70, 0, 70, 1],
  [70, 64, 70, 1],
  [70, 48, 66, 1],
  [70, 8, 70, 4],
  [30, 16, 30, 1],
])("of %d points, %d to %d in detail, every row knows how many are its own", (n, from, to, width) => {
  const rows = width === 1 ? pointRows(ALL.slice(from, to)) : coarsen(points(ALL.slice(from, to)), width);
  const merged = withDetail(buckets(n), detail(from, to, { rows, width }));
  expect(Array.from(merged.count, (_, i) => pointsAt(merged, i))).toEqual([...merged.count]);
});

test("within detailed points nothing visible is a bucket", () => {
  const base = buckets(70);
  const middle = withDetail(base, detail(16, 32));
  expect(isWhole(points(ALL), null)).toBe(true);
  expect(isWhole(base, [17, 20])).toBe(false);
  expect(isWhole(middle, null)).toBe(false);
  expect([isWhole(middle, [16, 31]), isWhole(middle, [15, 31]), isWhole(middle, [16, 32])]).toEqual([
    true,
    false,
    false,
  ]);
  const end = withDetail(base, detail(64, 70));
  expect([isWhole(end, [64, 1000]), isWhole(end, [63, 70])]).toEqual([true, false]);
  const coarse = detail(16, 32, { rows: coarsen(points(ALL.slice(16, 32)), 4), width: 4 });
  expect(isWhole(withDetail(base, coarse), [16, 31])).toBe(false);
});

test("rows that do not fit are left out", () => {
  const base = buckets(70);
  expect(withDetail(base, detail(16, 32, { revision: 1 }))).toBe(base);
  expect(withDetail(base, detail(16, 32, { width: 8 }))).toBe(base);
  expect(withDetail(base, detail(12, 32))).toBe(base);
  expect(withDetail(buckets(30), detail(16, 40))).toEqual(expect.objectContaining({ total: 30, width: 8 }));
});

test("the kernel's detail is drawn, stays while the series grows, and goes with a new revision", () => {
  const store = new Store(CODECS);
  const messages = recorded().map(({ header, buffer }) => decode(header, [buffer], BY_KIND));
  for (const message of messages) {
    expect(message && store.apply(message, 0)).toBe(true);
  }
  const drawn = () => store.series(scalars).tag("long")?.byRun.get("a")?.series;
  expect([...(drawn()?.step ?? [])].map(Number)).toEqual([9, 16, 25, 36, 49, 64, 81, 100, 121, 144]);
  expect([...(drawn()?.count ?? [])]).toEqual([4, 0, 0, 0, 0, 1, 0, 1, 1, 1]);
  expect(drawn()).toMatchObject({ width: 4, total: 13 });
  const bytes = store.bytes;
  const last = messages.at(-1);
  const rows = coarsen(points([169, 196, 225]), 4);
  const more = { ...part("long", "a", [], { rows, revision: 7, width: 4, keep: 3, total: 15 }) };
  store.apply({ ...last, seq: 6, details: [], series: [more] } as never, 0);
  expect(drawn()?.step.length).toBe(1 + 8 + 1);
  expect(store.bytes).toBeGreaterThan(0);
  store.apply({ ...last, seq: 7, details: [], series: [{ ...more, keep: 0, total: 3, revision: 8 }] } as never, 0);
  expect(drawn()?.step.length).toBe(1);
  expect(store.bytes).toBeLessThan(bytes);
  expect(drawn()).toMatchObject({ width: 4, total: 3 });
});
