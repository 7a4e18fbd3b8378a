// Series that are computed from others: the difference or ratio to a baseline, one tag along another.

import { bisectLeft, type Range } from "../lib/search";
import { nextVersion } from "../wire/codec";
import { numbers } from "../wire/steps";
import type { CompareAs } from "./options";
import { pointCounts, pointsAt, type Series, summary } from "./series";

/** Steps strictly ascend; all values are finite. */
export interface Column {
  readonly step: Float64Array;
  readonly value: Float64Array;
}

/** Rows with a finite value in the order of their steps; of rows at one step the last. */
export function columnOf(steps: Float64Array, values: ArrayLike<number>): Column {
  let clean = values instanceof Float64Array && values.length === steps.length;
  for (let i = 0; i < steps.length && clean; i += 1) {
    const value = values[i] as number;
    clean = value - value === 0 && (i === 0 || (steps[i] as number) > (steps[i - 1] as number));
  }
  if (clean) {
    return { step: steps, value: values as Float64Array };
  }
  const rows = Array.from(steps.keys())
    .filter((i) => Number.isFinite(values[i]) && Number.isFinite(steps[i]))
    .sort((a, b) => (steps[a] as number) - (steps[b] as number) || a - b);
  const last = rows.filter((row, i) => i + 1 === rows.length || steps[row] !== steps[rows[i + 1] as number]);
  return {
    step: Float64Array.from(last, (row) => steps[row] as number),
    value: Float64Array.from(last, (row) => values[row] as number),
  };
}

const written = new WeakMap<Series, Column>();

/** The values of a series as they were written; means where it is held in buckets. */
function writtenOf(series: Series): Column {
  let column = written.get(series);
  if (column === undefined) {
    column = columnOf(numbers(series.step), series.value);
    written.set(series, column);
  }
  return column;
}

/** Reads a column at steps that are given in ascending order. */
export class Reader {
  readonly #column: Column;
  #next = 0;

  constructor(column: Column) {
    this.#column = column;
  }

  /** The value at a step, between two steps on the straight line; NaN before the first and behind the last. */
  at(to: number): number {
    const { step, value } = this.#column;
    while (this.#next < step.length && (step[this.#next] as number) < to) {
      this.#next += 1;
    }
    const i = this.#next;
    if (i === step.length || (i === 0 && step[0] !== to)) {
      return Number.NaN;
    }
    return step[i] === to ? (value[i] as number) : between(this.#column, i, to);
  }
}

function between({ step, value }: Column, i: number, to: number): number {
  const [a, b] = [step[i - 1] as number, step[i] as number];
  const [from, until] = [value[i - 1] as number, value[i] as number];
  const share = (to - a) / (b - a);
  // Their difference may not fit into a double.
  return from === until ? from : from * (1 - share) + until * share;
}

/** The value of a column at any step, as `Reader.at`. */
export function valueAtStep(column: Column, to: number): number {
  const i = bisectLeft(column.step, to);
  if (i === column.step.length || (i === 0 && column.step[0] !== to)) {
    return Number.NaN;
  }
  return column.step[i] === to ? (column.value[i] as number) : between(column, i, to);
}

/** A series of points that are computed, not logged. */
export function seriesOf(step: Series["step"], wall: Float64Array, value: Float64Array, startWall: number): Series {
  const rows = { step, first: step, wall, value, min: value, max: value, count: pointCounts(value) };
  const last = value.at(-1) ?? null;
  const facts = { width: 1, startWall, total: step.length, superseded: 0, revision: 0, last, version: nextVersion() };
  return { ...rows, ...facts, ...summary(rows) };
}

/** Only these rows of a series, in their order. */
export function picked(series: Series, rows: readonly number[]): Series {
  if (rows.length === series.step.length) {
    return series;
  }
  const { width, stretch } = series;
  const floats = (column: Float64Array) => Float64Array.from(rows, (row) => column[row] as number);
  const steps = (column: Series["step"]) =>
    column instanceof Float64Array ? floats(column) : BigInt64Array.from(rows, (row) => column[row] as bigint);
  const step = steps(series.step);
  const value = floats(series.value);
  const columns =
    width === 1
      ? { step, first: step, wall: floats(series.wall), value, min: value, max: value, count: pointCounts(value) }
      : {
          ...{ step, first: steps(series.first), wall: floats(series.wall), value },
          ...{ min: floats(series.min), max: floats(series.max) },
          count: Uint32Array.from(rows, (row) => series.count[row] as number),
        };
  const points = (some: readonly number[]) => some.reduce((sum, row) => sum + pointsAt(series, row), 0);
  const narrow = stretch === undefined ? [] : rows.filter((row) => row >= stretch.from && row < stretch.to);
  const before = stretch === undefined ? 0 : rows.filter((row) => row < stretch.from).length;
  const held =
    stretch === undefined || narrow.length === 0
      ? {}
      : { stretch: { ...stretch, from: before, to: before + narrow.length, points: points(narrow) } };
  const { stretch: _, ...rest } = series;
  const total = points(rows);
  const last = rows.at(-1) === series.step.length - 1 ? series.last : (value.at(-1) ?? null);
  return { ...rest, ...columns, ...held, total, last, version: nextVersion(), ...summary(columns) };
}

interface Comparison {
  readonly baseline: Series;
  readonly how: CompareAs;
  readonly made: Series;
}

const comparisons = new WeakMap<Series, Comparison>();

/** Both series are immutable, so the cached result stays valid. Values are compared as written, before any smoothing. */
export function comparedWith(series: Series, baseline: Series, how: CompareAs): Series {
  const known = comparisons.get(series);
  if (known !== undefined && known.baseline === baseline && known.how === how) {
    return known.made;
  }
  const made = comparison(series, baseline, how);
  comparisons.set(series, { baseline, how, made });
  return made;
}

export function freeCompared(series: Series): void {
  comparisons.delete(series);
}

function comparison(series: Series, baseline: Series, how: CompareAs): Series {
  const column = writtenOf(baseline);
  const steps = numbers(series.step);
  const others = Float64Array.from(steps, (step) => valueAtStep(column, step));
  const rows = Array.from(others.keys()).filter((row) => !Number.isNaN(others[row]));
  const own = picked(series, rows);
  const base = rows.length === others.length ? others : Float64Array.from(rows, (row) => others[row] as number);
  const apply = (values: Float64Array, other = values) =>
    values.map((one, i) => compare(how === "ratio" && (base[i] as number) < 0 ? (other[i] as number) : one, i));
  const compare = (value: number, i: number) =>
    how === "ratio" ? value / (base[i] as number) : value - (base[i] as number);
  const value = apply(own.value);
  const columns =
    own.width === 1
      ? { value, min: value, max: value, count: pointCounts(value) }
      : { value, min: apply(own.min, own.max), max: apply(own.max, own.min) };
  return { ...own, ...columns, last: value.at(-1) ?? null, version: nextVersion() };
}

/** Rows of a series, and where they stand along the other tag. */
interface Joined {
  readonly series: Series;
  readonly x: Float64Array;
}

interface Join {
  readonly over: Series;
  readonly range: string;
  readonly joined: Joined;
}

const joins = new WeakMap<Series, Join>();

/** Larger ones are placed here: spans of what lies beyond do not fit into a double. */
const MAX_VALUE = 5e307;

/** Only for the steps in a range, if one is given. */
export function joinedOver(series: Series, over: Series, range: Range | null): Joined {
  const known = joins.get(series);
  const name = String(range);
  if (known !== undefined && known.over === over && known.range === name) {
    return known.joined;
  }
  const joined = join(series, over, range);
  joins.set(series, { over, range: name, joined });
  return joined;
}

export function freeJoined(series: Series): void {
  joins.delete(series);
}

function join(series: Series, over: Series, range: Range | null): Joined {
  const { step, value } = writtenOf(over);
  const rows: number[] = [];
  const x: number[] = [];
  for (const [row, at] of numbers(series.step).entries()) {
    const from = bisectLeft(step, at);
    const found = step[from] === at ? from : from - 1;
    if (found >= 0 && (range === null || (at >= range[0] && at <= range[1]))) {
      rows.push(row);
      x.push(Math.max(-MAX_VALUE, Math.min(MAX_VALUE, value[found] as number)));
    }
  }
  return { series: picked(series, rows), x: Float64Array.from(x) };
}
