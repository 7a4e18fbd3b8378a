// How much each hyperparameter has to do with a metric: adjusted η² and Spearman's rank correlation.

import { withSigns } from "../../../lib/format";
import { quantile } from "../../../lib/quantiles";

/** A value of a session; undefined where it has none. */
export type Cell = number | string | boolean | undefined;

export interface Importance {
  /**
   * η², adjusted for the number of groups: the share of the metric's variance that lies between groups of sessions. May be a
   * little below 0 for unrelated columns. Null where it is not defined.
   */
  readonly share: number | null;
  /** Spearman's ρ; null for categories, and where one side is constant. */
  readonly correlation: number | null;
  /** Sessions that have a value of both. */
  readonly count: number;
}

/** With fewer sessions the numbers say more about chance than about the hyperparameters. */
export const MIN_SESSIONS = 20;

const MAX_BINS = 10;

/** Groups of fewer sessions count as one: the means of one or two sessions would explain whatever they reached. */
const MIN_MEMBERS = 3;

/** The importance of one hyperparameter, of the sessions that have a value of it and a finite one of the metric. */
export function importanceOf(hparam: readonly Cell[], metric: readonly Cell[]): Importance {
  const { values, reached } = pairsOf(hparam, metric);
  return {
    share: adjustedEtaSquared(pooled(groupsOf(values)), reached),
    correlation: spearman(values, [...reached]),
    count: values.length,
  };
}

/** Its share alone. */
export function shareOf(hparam: readonly Cell[], metric: readonly Cell[]): number | null {
  const { values, reached } = pairsOf(hparam, metric);
  return adjustedEtaSquared(pooled(groupsOf(values)), reached);
}

function pairsOf(hparam: readonly Cell[], metric: readonly Cell[]) {
  const pairs = hparam.flatMap((value, i) => {
    const reached = metric[i];
    return value !== undefined && typeof reached === "number" && Number.isFinite(reached) ? [{ value, reached }] : [];
  });
  return { values: pairs.map(({ value }) => value), reached: Float64Array.from(pairs, (pair) => pair.reached) };
}

/**
 * The group of each value, counted from 0. Many different numbers are cut at their quantiles into √n groups, at most 10, as
 * `pandas.qcut` does; a few different numbers, and all other values, are a group each.
 */
export function groupsOf(values: readonly (number | string | boolean)[]): number[] {
  const numbers = Float64Array.from(values.filter((value) => typeof value === "number" && Number.isFinite(value)));
  const bins = Math.max(2, Math.min(MAX_BINS, Math.floor(Math.sqrt(numbers.length))));
  const isContinuous = new Set(numbers).size > MAX_BINS;
  const edges = isContinuous ? quantileEdges(numbers, bins) : [];
  const places = new Map<unknown, number>();
  return values.map((value) => {
    const isBinned = isContinuous && typeof value === "number" && Number.isFinite(value);
    const key = isBinned ? binOf(edges, value) : `${typeof value} ${value}`;
    const place = places.get(key) ?? places.size;
    places.set(key, place);
    return place;
  });
}

/** The groups, counted from 0. Groups with fewer than MIN_MEMBERS members are joined to one. */
function pooled(groups: readonly number[]): number[] {
  const sizes = new Map<number, number>();
  for (const group of groups) {
    sizes.set(group, (sizes.get(group) ?? 0) + 1);
  }
  const places = new Map<number, number>();
  return groups.map((group) => {
    const key = (sizes.get(group) ?? 0) < MIN_MEMBERS ? -1 : group;
    const place = places.get(key) ?? places.size;
    places.set(key, place);
    return place;
  });
}

/** The inner edges of the bins: quantiles between neighboring values, each once. */
function quantileEdges(numbers: Float64Array, bins: number): number[] {
  return [...new Set(Array.from({ length: bins + 1 }, (_, i) => quantile(numbers, i / bins)))].slice(1, -1);
}

/** A value that equals an edge belongs to the bin below. */
function binOf(edges: readonly number[], value: number): number {
  const above = edges.findIndex((edge) => value <= edge);
  return above < 0 ? edges.length : above;
}

/** Null where nothing varies, and where groups have fewer than two members on average. */
export function adjustedEtaSquared(groups: readonly number[], reached: Float64Array): number | null {
  const n = reached.length;
  const k = new Set(groups).size;
  if (k < 2 || n < 2 * k) {
    return null;
  }
  // Squares of very large values would overflow.
  const largest = reached.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scaled = largest > 0 ? reached.map((value) => value / largest) : reached;
  const total = sumOfSquares(scaled);
  const members: number[][] = Array.from({ length: k }, () => []);
  for (const [i, group] of groups.entries()) {
    members[group]?.push(scaled[i] as number);
  }
  const within = members.reduce((sum, some) => sum + sumOfSquares(some), 0);
  return total > 0 ? 1 - within / (n - k) / (total / (n - 1)) : null;
}

/** The sum of squared differences to the mean. */
function sumOfSquares(values: ArrayLike<number>): number {
  const n = values.length;
  let sum = 0;
  for (let i = 0; i < n; i += 1) {
    sum += values[i] as number;
  }
  const mean = sum / n;
  let squares = 0;
  for (let i = 0; i < n; i += 1) {
    squares += ((values[i] as number) - mean) ** 2;
  }
  return squares;
}

/** Spearman's ρ of the pairs that both have; null for categories, and where one side is constant. */
export function spearman(left: readonly Cell[], right: readonly Cell[]): number | null {
  const [x, y]: [number[], number[]] = [[], []];
  for (const [i, cell] of left.entries()) {
    const other = right[i];
    if (cell === undefined || other === undefined) {
      continue;
    }
    if (typeof cell === "string" || typeof other === "string") {
      return null;
    }
    const [a, b] = [Number(cell), Number(other)];
    if (!(Number.isNaN(a) || Number.isNaN(b))) {
      x.push(a);
      y.push(b);
    }
  }
  return pearson(ranksOf(x), ranksOf(y));
}

/** The rank of each number, counted from 1; equal ones share the mean of their ranks. */
export function ranksOf(values: readonly number[]): Float64Array {
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => {
    const [left, right] = [values[a] as number, values[b] as number];
    return left < right ? -1 : left > right ? 1 : 0;
  });
  const ranks = new Float64Array(values.length);
  for (let first = 0; first < order.length; ) {
    const value = values[order[first] as number];
    let end = first + 1;
    while (end < order.length && values[order[end] as number] === value) {
      end += 1;
    }
    for (let i = first; i < end; i += 1) {
      ranks[order[i] as number] = (first + 1 + end) / 2;
    }
    first = end;
  }
  return ranks;
}

function pearson(x: Float64Array, y: Float64Array): number | null {
  const n = x.length;
  const mean = (n + 1) / 2;
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < n; i += 1) {
    const [a, b] = [(x[i] as number) - mean, (y[i] as number) - mean];
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : null;
}

const SHARE_DECIMALS = 2;

/** Two decimals, without the zero before the point. */
export function formatShare(share: number): string {
  const text = Math.abs(share).toFixed(SHARE_DECIMALS).replace(/^0/, "");
  return withSigns(share < 0 && Number(text) > 0 ? `-${text}` : text);
}
