// A line as its difference or ratio to that of another run.
//
// At each step of a run stands its value minus (or by) that of the baseline, which is taken from the straight line between
// its steps; where the baseline has not begun, or has ended, there is nothing to compare with, and no point.

import { nextVersion } from "../wire/codec";
import { numbers } from "../wire/steps";
import { picked, valueAtStep, writtenOf } from "./columns";
import { pointCounts, type Series } from "./series";

export type CompareAs = "difference" | "ratio";

interface Known {
  readonly baseline: Series;
  readonly how: CompareAs;
  readonly made: Series;
}

const cache = new WeakMap<Series, Known>();

/** Both series are immutable, so what was computed stays valid. Values are compared as written, before any smoothing. */
export function comparedWith(series: Series, baseline: Series, how: CompareAs): Series {
  const known = cache.get(series);
  if (known !== undefined && known.baseline === baseline && known.how === how) {
    return known.made;
  }
  const made = compute(series, baseline, how);
  cache.set(series, { baseline, how, made });
  return made;
}

export function freeCompared(series: Series): void {
  cache.delete(series);
}

function compute(series: Series, baseline: Series, how: CompareAs): Series {
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
