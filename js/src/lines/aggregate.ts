// One line out of several: mean or median of runs at each step, with a band around it.
//
// Runs are aligned by step: where a run has no value of its own at a step of another, it counts with the value on the
// straight line between its neighbors, and before its first step and behind its last it does not count. Values that are
// not finite do not count.

import { quantile } from "../lib/quantiles";
import { isSameList } from "../lib/sortrows";
import { allRunsColor } from "../lib/tokens";
import { runsByGroup } from "../options/rungroups";
import type { RunOf } from "../ui/runs";
import type { View } from "../ui/view";
import { numbers } from "../wire/steps";
import type { TagScalars } from "./codec";
import { type CurveOptions, curveOf } from "./curve";
import { type Column, columnOf, Reader, seriesOf } from "./derived";
import type { Aggregate, Band } from "./options";
import type { Line } from "./paint";
import type { Series } from "./series";
import { compareTexts } from "./texts";

interface Aggregated {
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
export const MAX_AGGREGATE_STEPS = 4096;

export function aggregated(columns: readonly Column[], aggregate: Aggregate, band: Band | null): Aggregated {
  const all = stepsOf(columns);
  const step = thinned(all, MAX_AGGREGATE_STEPS);
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

/** All steps of all columns, each once. */
function stepsOf(columns: readonly Column[]): Float64Array {
  const apart = [...new Set(columns.map(({ step }) => step))];
  const [first = new Float64Array(0), ...others] = apart;
  if (others.every((other) => isSameList(first, other))) {
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

function thinned(steps: Float64Array, most: number): Float64Array {
  const last = steps.length - 1;
  return last < most
    ? steps
    : Float64Array.from({ length: most }, (_, i) => steps[Math.round((i * last) / (most - 1))] as number);
}

export type RunSeries = RunOf<Series>;

/** The aggregate of a group of runs. */
interface Group {
  /** Its name among the groups. */
  readonly group: string;
  /** In natural order. */
  readonly members: readonly string[];
  readonly text: string;
  readonly color: string;
}

/** Names and colors of the aggregates of these runs; computes no values. */
export function groupsOf(runs: readonly string[], { options, theme, channel }: View, aggregate: Aggregate): Group[] {
  const { grouped, groupOf } = options.runGroups;
  // A group has the color of its first run, shown or not.
  const firsts = new Map<string, string>();
  for (const run of channel.store.runs.value) {
    const group = groupOf.value(run);
    firsts.set(group, firsts.get(group) ?? run);
  }
  return [...runsByGroup(runs, groupOf.value)].map(([group, members]) => ({
    group,
    members,
    text: grouped.value
      ? group === ""
        ? compareTexts().noGroup
        : group
      : compareTexts().aggregateOf(aggregate, members.length),
    color: grouped.value ? options.colorOf.value(firsts.get(group) as string, theme.value) : allRunsColor[theme.value],
  }));
}

export function aggregateLines(
  data: TagScalars,
  runs: readonly RunSeries[],
  view: View,
  curveOptions: CurveOptions,
  aggregate: Aggregate,
  band: Band | null,
): Line[] {
  const byRun = new Map(runs.map((run) => [run.run, run]));
  const known = memoOf(data);
  return groupsOf([...byRun.keys()], view, aggregate).map(({ group, text, color, ...names }) => {
    const members = names.members.map((name) => byRun.get(name) as RunSeries);
    const key = JSON.stringify([
      group,
      aggregate,
      band,
      curveOptions.smoothing,
      curveOptions.split,
      curveOptions.xAxis,
    ]);
    const made = known(key, members, () => aggregateOf(members, curveOptions, aggregate, band));
    const plain = { ...curveOptions, smoothing: { kind: "none", amount: 0 } as const };
    const curve = curveOf(made.series, plain);
    const [low, high] = [made.low, made.high].map((end) => (end === null ? null : curveOf(end, plain).y));
    const ends = low != null && high != null ? { low: downTo(low, high), high } : { low: null, high: null };
    return {
      run: text,
      color,
      faded: members.every(({ faded }) => faded),
      curve: { ...curve, ...ends },
      aggregation: {
        n: made.n,
        members: members.length,
        low: made.low?.value ?? null,
        high: made.high?.value ?? null,
        approximate: made.approximate,
      },
    };
  });
}

/** Where a band reaches down to values that have no place on a logarithmic axis, it goes on below. */
function downTo(low: Float64Array, high: Float64Array): Float64Array {
  return low.map((end, i) => (Number.isNaN(end) && !Number.isNaN(high[i]) ? Number.NEGATIVE_INFINITY : end));
}

interface MadeAggregate {
  readonly series: Series;
  readonly low: Series | null;
  readonly high: Series | null;
  readonly n: Uint32Array;
  readonly approximate: boolean;
}

function aggregateOf(
  members: readonly RunSeries[],
  curveOptions: CurveOptions,
  aggregate: Aggregate,
  band: Band | null,
): MadeAggregate {
  const held = members.map(({ series }) => series);
  // Each run is smoothed by itself, before it counts.
  const columns = held.map((series) => columnOf(numbers(series.step), curveOf(series, curveOptions).smoothed));
  const { xAxis } = curveOptions;
  const made = aggregated(columns, aggregate, band);
  const start = xAxis === "relative" ? 0 : Number.NaN;
  const wall = xAxis === "step" ? new Float64Array(made.step.length).fill(Number.NaN) : timesOf(held, made.step, xAxis);
  const seriesWith = (value: Float64Array | null) => (value === null ? null : seriesOf(made.step, wall, value, start));
  return {
    series: seriesOf(made.step, wall, made.value, start),
    low: seriesWith(made.low),
    high: seriesWith(made.high),
    n: made.n,
    approximate: made.thinned || held.some(({ width }) => width > 1),
  };
}

/** The mean of the times at which the runs were at each step. */
function timesOf(held: readonly Series[], steps: Float64Array, axis: CurveOptions["xAxis"]): Float64Array {
  const columns: Column[] = held.map(({ step, wall, startWall }) =>
    columnOf(numbers(step), axis === "relative" ? wall.map((time) => time - startWall) : wall),
  );
  const readers = columns.map((column) => new Reader(column));
  return steps.map((step) =>
    meanOf(Float64Array.from(readers, (reader) => reader.at(step)).filter((time) => !Number.isNaN(time))),
  );
}

interface Kept {
  readonly held: readonly Series[];
  readonly made: MadeAggregate;
}

const memos = new WeakMap<TagScalars, Map<string, Kept>>();

/** Groups of a tag whose aggregates are cached. */
const MAX_CACHED_GROUPS = 200;

/** Makes an aggregate, or returns the cached one of the same series. */
function memoOf(
  data: TagScalars,
): (key: string, members: readonly RunSeries[], make: () => MadeAggregate) => MadeAggregate {
  const kept = memos.get(data) ?? new Map<string, Kept>();
  memos.set(data, kept);
  return (key, members, make) => {
    const held = members.map(({ series }) => series);
    const known = kept.get(key);
    if (known !== undefined && isSameList(known.held, held)) {
      return known.made;
    }
    const made = make();
    if (kept.size >= MAX_CACHED_GROUPS) {
      kept.clear();
    }
    kept.set(key, { held, made });
    return made;
  };
}

/** Drops the aggregates of a tag that is off the screen. */
export function freeAggregates(data: TagScalars): void {
  memos.delete(data);
}
