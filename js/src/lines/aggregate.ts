// One line out of several: mean or median of runs at each step, with a band around it.
//
// Runs are aligned by step: where a run has no value of its own at a step of another, it counts with the value on the
// straight line between its neighbours, and before its first step and behind its last it does not count. Values that are
// not finite do not count.

import { select } from "../lib/quantiles";
import { type Column, Reader } from "./derived";

export type Aggregate = "mean" | "median";
/** One population standard deviation about the mean; least to greatest; first to third quartile. */
export type Band = "std" | "minmax" | "quantile";

export interface Aggregated {
  readonly step: Float64Array;
  readonly value: Float64Array;
  /** Null without a band. */
  readonly low: Float64Array | null;
  readonly high: Float64Array | null;
  /** Runs that count at each step. */
  readonly n: Uint32Array;
  /** Some steps were left out: there were more than are drawn. */
  readonly thinned: boolean;
}

/** Steps of an aggregate at most; of more, as many evenly spaced ones, the first and the last among them. */
export const MOST_STEPS = 4096;

export function aggregated(columns: readonly Column[], aggregate: Aggregate, band: Band | null): Aggregated {
  const all = stepsOf(columns);
  const step = thinned(all, MOST_STEPS);
  const count = step.length;
  const value = new Float64Array(count);
  const low = band === null ? null : new Float64Array(count);
  const high = band === null ? null : new Float64Array(count);
  const n = new Uint32Array(count);
  const readers = columns.map((column) => new Reader(column));
  const held = new Float64Array(columns.length);
  for (let i = 0; i < count; i += 1) {
    const at = step[i] as number;
    let some = 0;
    for (const reader of readers) {
      const one = reader.at(at);
      if (!Number.isNaN(one)) {
        held[some] = one;
        some += 1;
      }
    }
    const values = held.subarray(0, some);
    n[i] = some;
    if (low !== null && high !== null) {
      [low[i], high[i]] = bandOf(values, band);
    }
    value[i] = aggregate === "mean" ? meanOf(values) : quantile(values, 0.5);
  }
  return { step, value, low, high, n, thinned: all.length > count };
}

function bandOf(values: Float64Array, band: Band | null): [number, number] {
  if (band === "std") {
    const mean = meanOf(values);
    const deviation = deviationOf(values, mean);
    return [mean - deviation, mean + deviation];
  }
  if (band === "quantile") {
    return [quantile(values, 0.25), quantile(values, 0.75)];
  }
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}

/** NaN without values. Sums of the largest doubles would overflow: each counts by its share. */
export function meanOf(values: Float64Array): number {
  let mean = Number.NaN;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as number;
    mean = i === 0 ? value : mean + (value / (i + 1) - mean / (i + 1));
  }
  return mean;
}

/** The population standard deviation about the mean. */
export function deviationOf(values: Float64Array, mean: number): number {
  let largest = 0;
  for (const value of values) {
    largest = Math.max(largest, Math.abs(value / 2 - mean / 2));
  }
  if (largest === 0) {
    return 0;
  }
  let sum = 0;
  for (const value of values) {
    const part = (value / 2 - mean / 2) / largest;
    sum += part * part;
  }
  return 2 * largest * Math.sqrt(sum / values.length);
}

/** The p-quantile, on the straight line between neighbours in order; NaN without values. Reorders the values. */
export function quantile(values: Float64Array, p: number): number {
  const place = (values.length - 1) * p;
  const below = Math.floor(place);
  if (values.length === 0) {
    return Number.NaN;
  }
  const low = select(values, below);
  if (place === below) {
    return low;
  }
  // What stands behind the selected one is not smaller.
  let high = Number.POSITIVE_INFINITY;
  for (let i = below + 1; i < values.length; i += 1) {
    high = Math.min(high, values[i] as number);
  }
  const share = place - below;
  return low === high ? low : low * (1 - share) + high * share;
}

/** All steps of all columns, each once. */
function stepsOf(columns: readonly Column[]): Float64Array {
  const apart = [...new Set(columns.map(({ step }) => step))];
  const [first = new Float64Array(0), ...others] = apart;
  if (others.every((other) => isSame(first, other))) {
    return first;
  }
  const all = new Float64Array(apart.reduce((sum, step) => sum + step.length, 0));
  let end = 0;
  for (const step of apart) {
    all.set(step, end);
    end += step.length;
  }
  all.sort();
  return all.filter((step, i) => i === 0 || step !== all[i - 1]);
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

function thinned(steps: Float64Array, most: number): Float64Array {
  const last = steps.length - 1;
  return last < most
    ? steps
    : Float64Array.from({ length: most }, (_, i) => steps[Math.round((i * last) / (most - 1))] as number);
}
