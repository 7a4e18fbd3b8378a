import { expect, test } from "vitest";
import { appended, appendedSteps, numbers, type StepColumn } from "../../src/wire/steps";

/** Reproducible integers below `end`. */
function randomly(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

function from(first: number, count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => first + i);
}

test("a column that grows point by point takes few buffers, and no version of it changes", () => {
  let column = from(0, 1);
  const buffers = new Set<ArrayBufferLike>();
  const versions: Float64Array[] = [];
  for (let n = 1; n < 4096; n += 1) {
    column = appended(column, n, from(n, 1));
    buffers.add(column.buffer);
    versions.push(column);
  }
  expect(buffers.size).toBeLessThan(16);
  expect([...buffers].reduce((bytes, { byteLength }) => bytes + byteLength, 0)).toBeLessThan(6 * 8 * 4096);
  for (const [i, version] of versions.entries()) {
    expect([version.length, version[0], version.at(-1)]).toEqual([i + 2, 0, i + 1]);
  }
  expect(column).toEqual(from(0, 4096));
});

test("appending other rows to an older version creates a new column", () => {
  const first = appended(from(0, 3), 3, from(3, 1));
  const one = appended(first, 4, from(4, 2));
  const other = appended(first, 4, from(40, 1));
  expect([[...first], [...one], [...other]]).toEqual([
    [0, 1, 2, 3],
    [0, 1, 2, 3, 4, 5],
    [0, 1, 2, 3, 40],
  ]);
});

test("the rows of a bucket that was open are replaced in place, unless another series uses them", () => {
  const alone = appended(appended(from(0, 4), 4, from(9, 1)), 4, from(4, 2));
  expect([...alone]).toEqual([0, 1, 2, 3, 4, 5]);
  const held = from(0, 4);
  const one = appended(held, 4, from(9, 1), true);
  const other = appended(held, 4, from(9, 1), true);
  expect(other).toBe(one);
  const grown = appended(one, 4, from(4, 1), true);
  expect([[...other], [...grown]]).toEqual([
    [0, 1, 2, 3, 9],
    [0, 1, 2, 3, 4],
  ]);
  expect(appended(other, 4, from(4, 1), true)).toBe(grown);
});

test("series that append the same steps share them, whichever message brings them", () => {
  const held = from(0, 10);
  let [one, other, third] = [held, held, held];
  for (let n = 10; n < 1000; n += 3) {
    one = appended(one, n, from(n, 3), true);
    if (n % 2 === 0) {
      other = appended(other, other.length, from(other.length, n + 3 - other.length), true);
    }
    third = appended(third, n, from(5 * n, 3), true);
  }
  other = appended(other, other.length, from(other.length, one.length - other.length), true);
  expect(other.buffer).toBe(one.buffer);
  expect(other).toEqual(from(0, one.length));
  expect(third.buffer).not.toBe(one.buffer);
});

test("exact steps grow as others do, with the numbers that they are drawn with", () => {
  let [one, other]: StepColumn[] = [from(0, 5), from(0, 5)] as [StepColumn, StepColumn];
  const base = one;
  other = base;
  const buffers = new Set<ArrayBufferLike>();
  for (let n = 5; n < 500; n += 1) {
    const step = BigInt64Array.of(2n ** 60n + BigInt(n));
    one = appendedSteps(one as StepColumn, n, step);
    other = appendedSteps(other as StepColumn, n, step);
    buffers.add(one.buffer).add(numbers(one).buffer);
    expect(other).toBe(one);
  }
  expect(buffers.size).toBeLessThan(24);
  expect([one?.[4], one?.[499]]).toEqual([4n, 2n ** 60n + 499n]);
  expect(numbers(one as StepColumn)).toEqual(Float64Array.from(one as BigInt64Array, Number));
});

test("each series has its own rows, for any number and order of appends", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const below = randomly(seed);
    const start = from(0, 4);
    const series = Array.from({ length: 4 }, () => ({ column: start, rows: [...start] }));
    for (let turn = 0; turn < 40; turn += 1) {
      const one = series[below(4)] as (typeof series)[number];
      // Equal where possible, so that columns become shared.
      const keep = below(3) === 0 ? Math.max(0, one.rows.length - below(3)) : one.rows.length;
      const added = Array.from({ length: 1 + below(12) }, (_, i) => keep + i + (below(8) === 0 ? 0.5 : 0));
      one.column = appended(one.column, keep, Float64Array.from(added), true);
      one.rows = [...one.rows.slice(0, keep), ...added];
      for (const { column, rows } of series) {
        expect([...column]).toEqual(rows);
      }
    }
  }
});
