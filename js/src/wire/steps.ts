// Columns as the views hold them: steps, exact also beyond 2^53, and counts in the type in which they came. Columns can be
// appended to in place.

/** Steps, exact: int64 where float64 would round some of them. */
export type StepColumn = Float64Array | BigInt64Array;

/** Small numbers in the type in which they came. */
export type Counts = Uint8Array | Uint16Array | Float32Array | Float64Array;

/** The same steps as float64, where that holds all of their digits. */
export function compactSteps(steps: BigInt64Array): StepColumn {
  const numbers = Float64Array.from(steps, Number);
  return numbers.every((step) => Number.isSafeInteger(step)) ? numbers : steps;
}

const asNumbers = new WeakMap<BigInt64Array, Float64Array>();

/** Steps to draw with: rounded to float64 where they are beyond 2^53. */
export function numbers(steps: StepColumn): Float64Array {
  if (steps instanceof Float64Array) {
    return steps;
  }
  let known = asNumbers.get(steps);
  if (known === undefined) {
    known = Float64Array.from(steps, Number);
    asNumbers.set(steps, known);
  }
  return known;
}

/** The step of a row as an exact integer. */
export function exactStep(steps: StepColumn, row: number): bigint {
  return BigInt(steps[row] ?? 0);
}

const asExact = new WeakMap<Float64Array, BigInt64Array>();

/** The steps as exact integers. Series that share the steps share these, too. */
export function exactSteps(steps: StepColumn): BigInt64Array {
  if (steps instanceof BigInt64Array) {
    return steps;
  }
  let known = asExact.get(steps);
  if (known === undefined) {
    known = BigInt64Array.from(steps, BigInt);
    asExact.set(steps, known);
  }
  return known;
}

/** A column that can be appended to. */
type Appendable = Float64Array | BigInt64Array | Uint32Array;

/** A buffer with capacity behind the rows in use. */
interface Growth {
  /** The column of all rows in use. Columns that were made before it are shorter views of the same buffer. */
  newest: Appendable;
  /** How many of the first rows several series may use. They are never overwritten. */
  shared: number;
  /** How many of the first rows are equal to the rows of the buffer that this one was copied from. */
  common: number;
}

const growths = new WeakMap<ArrayBufferLike, Growth>();

/** Copies by their original buffer, so that the other series of that buffer find them. */
const copies = new WeakMap<ArrayBufferLike, WeakRef<ArrayBufferLike>[]>();

/** Capacity of a new buffer, as a multiple of the rows in use. */
const CAPACITY = 1.5;
const MIN_CAPACITY_ROWS = 32;

/**
 * Returns the first `keep` rows of `held` followed by `added`. Where the buffer has capacity behind `held`, only `added` is
 * written. Columns of older versions stay valid; but rows from `keep` on may be overwritten unless another series uses
 * them, so an older version may show the newer state of a bucket that was open. With `sharing`, series that append equal
 * rows to equal columns get the same column.
 */
export function appended<C extends Appendable>(held: C, keep: number, added: C, sharing = false): C {
  const own = growths.get(held.buffer);
  const known = sharing
    ? (copies.get(held.buffer) ?? []).flatMap((copy) => growths.get(copy.deref() ?? NO_BUFFER) ?? [])
    : [];
  for (const growth of own === undefined ? known : [own, ...known]) {
    const found = extended(growth, held, keep, added, sharing);
    if (found !== null) {
      return found as C;
    }
  }
  const rows = keep + added.length;
  const whole = emptyLike(held, Math.max(MIN_CAPACITY_ROWS, Math.ceil(rows * CAPACITY)));
  write(whole, held.subarray(0, keep), 0);
  write(whole, added, keep);
  const column = whole.subarray(0, rows);
  growths.set(whole.buffer, { newest: column, shared: 0, common: keep });
  if (sharing) {
    if (own !== undefined) {
      own.shared = Math.max(own.shared, keep);
    }
    const alive = (copies.get(held.buffer) ?? []).filter((copy) => copy.deref() !== undefined);
    copies.set(held.buffer, [...alive, new WeakRef(whole.buffer)]);
  }
  return column as C;
}

const NO_BUFFER = new ArrayBuffer(0);

/** Appends within the buffer of `growth`; null if it holds other rows there, or lacks capacity. */
function extended(
  growth: Growth,
  held: Appendable,
  keep: number,
  added: Appendable,
  sharing: boolean,
): Appendable | null {
  const { newest, shared, common } = growth;
  const rows = keep + added.length;
  const isOwn = newest.buffer === held.buffer;
  if (rows * newest.BYTES_PER_ELEMENT > newest.buffer.byteLength || newest.constructor !== held.constructor) {
    return null;
  }
  if (isOwn && held.length === newest.length && keep >= shared) {
    growth.common = Math.min(common, keep);
    return extendTo(growth, rows, added, keep);
  }
  if (!sharing || (!isOwn && !isEqual(newest, common, held.subarray(common, keep)))) {
    return null;
  }
  // Another series has appended already.
  const there = Math.min(rows, newest.length) - keep;
  if (there < 0 || !isEqual(newest, keep, added.subarray(0, there))) {
    return null;
  }
  growth.shared = Math.max(shared, keep + there);
  return rows > newest.length
    ? extendTo(growth, rows, added.subarray(there), keep + there)
    : rows === newest.length
      ? newest
      : newest.subarray(0, rows);
}

function extendTo(growth: Growth, rows: number, added: Appendable, from: number): Appendable {
  const column = emptyLike(growth.newest, rows, growth.newest.buffer);
  write(column, added, from);
  growth.newest = column;
  return column;
}

function emptyLike(column: Appendable, rows: number, buffer?: ArrayBufferLike): Appendable {
  const Column = column.constructor as new (of: ArrayBufferLike | number, from?: number, rows?: number) => Appendable;
  return buffer === undefined ? new Column(rows) : new Column(buffer, 0, rows);
}

function write(target: Appendable, rows: Appendable, at: number): void {
  (target as { set(rows: Appendable, at: number): void }).set(rows, at);
}

function isEqual(column: Appendable, from: number, rows: Appendable): boolean {
  if (from + rows.length > column.length) {
    return false;
  }
  for (let i = 0; i < rows.length; i += 1) {
    if (column[from + i] !== rows[i]) {
      return false;
    }
  }
  return true;
}

/** Appends steps to steps; the result is exact where one of them is beyond 2^53. */
export function appendedSteps(held: StepColumn, keep: number, added: StepColumn): StepColumn {
  if (held instanceof Float64Array && added instanceof Float64Array) {
    return appended(held, keep, added, true);
  }
  const drawn = appended(numbers(held), keep, numbers(added), true);
  const exact = appended(exactSteps(held), keep, exactSteps(added), true);
  asNumbers.set(exact, drawn);
  return exact;
}

/** A column of one number of each row. `Float64Array.from` takes ten times as long. */
export function numbersOf<R>(rows: readonly R[], numberOf: (row: R) => number): Float64Array {
  return filled(new Float64Array(rows.length), rows, numberOf);
}

/** A column of one integer of each row, joined in the same way. */
export function integersOf<R>(rows: readonly R[], integerOf: (row: R) => bigint): BigInt64Array {
  return filled(new BigInt64Array(rows.length), rows, integerOf);
}

function filled<R, T, A extends { [index: number]: T }>(column: A, rows: readonly R[], get: (row: R) => T): A {
  let i = 0;
  for (const row of rows) {
    column[i] = get(row);
    i += 1;
  }
  return column;
}
