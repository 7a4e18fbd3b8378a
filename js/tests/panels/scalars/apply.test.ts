import { expect, test } from "vitest";
import { applyPart, coarsened } from "../../../src/panels/scalars/kind/apply";
import { appendPoints, bucketWidth, COARSE_ROWS, coarsen, finestWidth } from "../../../src/panels/scalars/kind/coarsen";
import type { Rows, Series } from "../../../src/panels/scalars/kind/series";
import widths from "../../fixtures/widths.json";
import { part, pointRows, points } from "../../wire/made";

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

test("the finest widths are those of the kernel", () => {
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
    const twice = coarsen({ ...coarsen(series, 4), width: 4, total: n }, 16);
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
    const held = { ...coarsen(points(count(n), wavy(n)), 4), width: 4, total: n };
    const added = pointRows(count(n + more).slice(n), wavy(n + more).slice(n));
    const wall = Float64Array.from(added.wall, (_, i) => 1000 + n + i);
    expectRows(appendPoints(held, { ...added, wall }), coarsen(all, 4));
  }
});

test("what is held in more detail stays when a keyframe says it coarsely", () => {
  const fine = points(count(100));
  const rows = coarsen(fine, 2);
  const coarse = part("t", "r", [], { rows, width: 2, total: 100 });
  expect(applyPart(fine, coarse)).toBe(fine);
  expect(applyPart(fine, { ...coarse, revision: 1 })?.width).toBe(2);
  expect(applyPart(fine, { ...coarse, total: 101 })?.width).toBe(2);
  expect(applyPart(undefined, coarse)?.width).toBe(2);
});

test("a part continues what is as long and as wide, and nothing else", () => {
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
