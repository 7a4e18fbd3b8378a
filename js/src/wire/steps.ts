// Columns as the views hold them: steps, exact also beyond 2^53, and counts in the type in which they came.

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

/** The steps as exact integers. */
export function exactSteps(steps: StepColumn): BigInt64Array {
  return steps instanceof BigInt64Array ? steps : BigInt64Array.from(steps, BigInt);
}

/** A column of one number of each row. `Float64Array.from` takes ten times as long. */
export function numbersOf<R>(rows: readonly R[], numberOf: (row: R) => number): Float64Array {
  return filled(new Float64Array(rows.length), rows, numberOf);
}

/** A column of one integer of each row, likewise. */
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
