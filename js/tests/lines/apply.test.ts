import { expect, test } from "vitest";
import {
  applyPart,
  bucketWidth,
  COARSE_ROWS,
  coarsen,
  coarsened,
  finestWidth,
  type Rows,
  type Series,
  type SeriesPart,
  sliceRows,
} from "../../src/lines/series";
import widths from "../fixtures/widths.json";
import { part, pointRows, points } from "../wire/made";

function count(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}

function wavy(n: number): number[] {
  return count(n).map((i) => (i % 7 === 3 ? Number.NaN : Math.sin(i) + i / 50));
}

/** Means may differ in their last bits. */
function expectRows(actual: Rows, expected: Rows): void {
  expect({ ...actual, value: null }).toEqual({ ...expected, value: null });
  expect(actual.value.length).toBe(expected.value.length);
  actual.value.forEach((value, i) => {
    expect(value).toBeCloseTo(expected.value[i] ?? 0, 10);
  });
}

/** A part of the first `n` wavy points in buckets. */
function bucketsOf(n: number, width: number, keep = 0): Partial<SeriesPart> {
  const series = points(count(n), wavy(n));
  const rows = sliceRows(coarsen(series, width), keep, Number.POSITIVE_INFINITY);
  return { rows, width, keep, total: n, last: series.last };
}

/** A part of the wavy points from one to another. */
function pointsFrom(from: number, to: number): SeriesPart {
  const rows = sliceRows(points(count(to), wavy(to)), from, to);
  return part("t", "r", [], { rows, keep: from, total: to, last: rows.value.at(-1) ?? null });
}

function rowsOf(series: Series | null): Rows {
  if (series === null) {
    throw new Error("the part does not continue the series");
  }
  const { step, first, wall, value, min, max, count } = series;
  return { step, first, wall, value, min, max, count };
}

test("the finest widths equal the kernel's", () => {
  expect(widths.map(([total]) => [total, finestWidth(total ?? 0)])).toEqual(widths);
});

test("buckets hold what their points did", () => {
  const series = points([0, 1, 5, 6, 7], [4, Number.NaN, 2, Number.POSITIVE_INFINITY, -1]);
  expect(coarsen(series, 2)).toEqual({
    step: Float64Array.of(1, 6, 7),
    first: Float64Array.of(0, 5, 7),
    wall: Float64Array.of(1001, 1003, 1004),
    value: Float64Array.of(4, 2, -1),
    min: Float64Array.of(4, 2, -1),
    max: Float64Array.of(4, 2, -1),
    count: Uint32Array.of(1, 1, 1),
  });
});

test("buckets of buckets are buckets of the points", () => {
  for (const n of [1, 8, 30, 33, 64]) {
    const series = points(count(n), wavy(n));
    const twice = coarsen({ ...coarsen(series, 4), width: 4 }, 16);
    expectRows(twice, coarsen(series, 16));
  }
});

test("the largest doubles have a mean", () => {
  expect(coarsen(points([0, 1], [1.7e308, 1.7e308]), 2).value).toEqual(Float64Array.of(1.7e308));
  expect(coarsen(points([0, 1], [1.7e308, -1.7e308]), 2).value).toEqual(Float64Array.of(0));
});

test("points appended to buckets make the buckets of all", () => {
  for (const [n, more] of [
    [16, 3],
    [18, 1],
    [18, 2],
    [18, 40],
    [4, 4],
  ] as const) {
    const all = points(count(n + more), wavy(n + more));
    const held = applyPart(undefined, part("t", "r", [], bucketsOf(n, 4)));
    const after = applyPart(held ?? undefined, pointsFrom(n, n + more));
    expectRows(rowsOf(after), coarsen(all, 4));
    expect(after).toMatchObject({ total: n + more, width: 4, last: all.last });
  }
});

test("finer data stay when a keyframe has coarser data", () => {
  const fine = points(count(100));
  const rows = coarsen(fine, 2);
  const coarse = part("t", "r", [], { rows, width: 2, total: 100 });
  expect(applyPart(fine, coarse)).toBe(fine);
  expect(applyPart(fine, { ...coarse, revision: 1 })?.width).toBe(2);
  expect(applyPart(fine, { ...coarse, total: 101 })?.width).toBe(2);
  expect(applyPart(undefined, coarse)?.width).toBe(2);
});

test("a part continues only data of its length and width", () => {
  const held = points(count(10));
  expect([...(applyPart(held, part("t", "r", [50], { keep: 10 }))?.step ?? [])]).toEqual([...count(10), 50]);
  expect(applyPart(held, part("t", "r", [50], { keep: 4 }))?.step.length).toBe(5);
  expect(applyPart(held, part("t", "r", [50], { keep: 11 }))).toBeNull();
  expect(applyPart(held, part("t", "r", [50], { keep: 10, revision: 1 }))).toBeNull();
  expect(applyPart(held, part("t", "r", [50], { keep: 2, width: 4, total: 9 }))).toBeNull();
  expect(applyPart(undefined, part("t", "r", [50], { keep: 10 }))).toBeNull();
});

test("a series made coarse goes on with the points that come", () => {
  let held: Series | null = coarsened(points(count(1000)));
  expect(held.width).toBe(bucketWidth(1000, COARSE_ROWS));
  const version = held.version;
  for (let n = 1000; n < 3000 && held !== null; n += 100) {
    const steps = count(100).map((i) => n + i);
    held = applyPart(held, part("t", "r", steps, { keep: n }));
  }
  expect(held).toMatchObject({ total: 3000, lastStep: 2999n });
  expect(held?.version).not.toBe(version);
  expect(held?.step.length).toBeLessThanOrEqual(2 * COARSE_ROWS);
  expect(held?.count.reduce((a, b) => a + b)).toBe(3000);
  expect(held?.first[0]).toBe(0);
  expect(applyPart(held ?? undefined, part("t", "r", [5000], { keep: 4000 }))).toBeNull();
});

test("steps that series share are shared still when more are appended", () => {
  const shared = pointRows(count(10));
  const first = applyPart(undefined, part("t", "a", [], { rows: shared, total: 10 }));
  const second = applyPart(
    undefined,
    part("t", "b", [], { rows: { ...pointRows(count(10)), step: shared.step }, total: 10 }),
  );
  const more = pointRows([10]);
  const grown = [first, second].map((held) =>
    applyPart(held ?? undefined, part("t", "a", [], { rows: more, keep: 10, total: 11 })),
  );
  expect(grown[0]?.step).toBe(grown[1]?.step);
  expect(grown[0]?.step.length).toBe(11);
});

/** The part that extends `before` wavy points in buckets of `width` to `total`. */
function bucketsTo(before: number, total: number, width: number): SeriesPart {
  return part("t", "r", [], bucketsOf(total, width, Math.floor(before / width)));
}

test("a series that grows by points or by buckets always equals a series that arrived at once", () => {
  for (const width of [1, 4]) {
    let held: Series | null = applyPart(undefined, bucketsTo(0, 3, width));
    const columns = new Set<ArrayBufferLike>();
    let total = 3;
    for (const more of Array.from({ length: 60 }, (_, i) => [1, 5, 2, 30][i % 4] as number)) {
      held = applyPart(held ?? undefined, bucketsTo(total, total + more, width));
      total += more;
      const whole = applyPart(undefined, bucketsTo(0, total, width));
      expect({ ...held, version: 0 }).toEqual({ ...whole, version: 0 });
      columns.add(held?.value.buffer as ArrayBufferLike).add(held?.max.buffer as ArrayBufferLike);
    }
    expect(columns.size).toBeLessThan(20);
  }
});

test("steps that go back, and those beyond 2^53, are summed up as they come", () => {
  const steps = [5, 7, 6, 2, 9, 9, 1, 12];
  for (const column of [Float64Array.from(steps), BigInt64Array.from(steps, (step) => 2n ** 60n + BigInt(step))]) {
    const rowsOf = (from: number, to: number): Rows => {
      const some = column.slice(from, to);
      return { ...pointRows(steps.slice(from, to)), step: some, first: some };
    };
    let held = applyPart(undefined, part("t", "r", [], { rows: rowsOf(0, 1), total: 1 }));
    for (let n = 1; n < steps.length; n += 1) {
      const more = { rows: rowsOf(n, n + 1), keep: n, total: n + 1 };
      held = applyPart(held ?? undefined, part("t", "r", [], more));
      const whole = applyPart(undefined, part("t", "r", [], { rows: rowsOf(0, n + 1), total: n + 1 }));
      const facts = ({ ascending, lastStep, stepExtent }: Series) => ({ ascending, lastStep, stepExtent });
      expect(facts(held as Series)).toEqual(facts(whole as Series));
      expect(held?.step).toEqual(whole?.step);
    }
  }
});

test("tags with the same times share them", () => {
  const rows = [pointRows(count(10)), pointRows(count(10))];
  const wall = (rows[0] as Rows).wall;
  const held = rows.map((one) => applyPart(undefined, part("t", "r", [], { rows: { ...one, wall }, total: 10 })));
  const more = pointRows([10]);
  const grown = held.map((one) =>
    applyPart(
      one ?? undefined,
      part("t", "r", [], { rows: { ...more, value: more.value.slice() }, keep: 10, total: 11 }),
    ),
  );
  expect(grown[0]?.wall).toBe(grown[1]?.wall);
  expect(grown[0]?.value).not.toBe(grown[1]?.value);
});

test("the newest value is known as written, also of buckets, in the kernel's and in ours", () => {
  const values = count(1000).map((i) => (i === 999 ? Number.NaN : Math.sin(i)));
  const whole = points(count(1000), values);
  expect([whole.last, coarsened(whole).last, coarsened(whole, 500).last]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  const sent = applyPart(undefined, bucketsTo(0, 30, 8));
  expect(sent?.last).toBe(wavy(30)[29]);
  expect(sent?.last).not.toBe(sent?.value.at(-1));
  const after = applyPart(sent ?? undefined, pointsFrom(30, 37));
  expect([after?.width, after?.last]).toEqual([8, wavy(37)[36]]);
});

test("a series that was reduced goes on with the buckets that come, as it does with points", () => {
  for (const [width, limit] of [
    [1, 20],
    [2, 20],
    [4, 50],
  ] as const) {
    let total = 403;
    let held: Series | null = coarsened(applyPart(undefined, bucketsTo(0, total, width)) as Series, limit);
    expect(held.width).toBe(bucketWidth(total, limit));
    for (const more of [1, 1, 3, 7, 60, 2, 200, 1, 5, 500, 3]) {
      held = applyPart(held ?? undefined, bucketsTo(total, total + more, width));
      total += more;
      expectRows(rowsOf(held), coarsen(points(count(total), wavy(total)), held?.width ?? 1));
      expect(held).toMatchObject({ total, lastStep: BigInt(total - 1), last: wavy(total).at(-1) });
      expect(held?.step.length).toBeLessThanOrEqual(2 * limit);
    }
    expect(held?.reduced).toMatchObject({ rows: limit, width });
    const twice = coarsened(held as Series, 16);
    const after = applyPart(twice, bucketsTo(total, total + 9, width));
    expectRows(rowsOf(after), coarsen(points(count(total + 9), wavy(total + 9)), twice.width));
    expect(applyPart(twice, bucketsTo(total + 50, total + 60, width))).toBeNull();
  }
});
