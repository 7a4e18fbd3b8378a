// The lines of a card: its runs, compared with a baseline, put together by groups, or drawn along another tag; and
// the steps that are selected on it.

import { type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isTimeline, type XAxis } from "../charts/axis";
import { quantile } from "../lib/quantiles";
import { LINEAR, placesOfSteps } from "../lib/scale";
import { lastUpTo, type Range } from "../lib/search";
import type { Sort } from "../lib/sortrows";
import { timeAxis } from "../lib/xaxis";
import { type ExactStep, rangeNumbers, timeAxisOptions } from "../options/shared";
import { runsOf } from "../ui/runs";
import type { View } from "../ui/view";
import { exactStep, numbers } from "../wire/steps";
import { aggregateLines, groupsOf, meanOf, type RunSeries } from "./aggregate";
import { smoothingOf, valueScaleOf, xScaleOf } from "./axes";
import { scalars as scalarsCodec, type TagScalars } from "./codec";
import { type CurveOptions, curveAlong, curveOf } from "./curve";
import { columnOf, comparedWith, joinedOver, valueAtStep } from "./derived";
import { compareOptions, scalarsOptions } from "./options";
import type { Line } from "./paint";
import type { Series } from "./series";
import { isWritten } from "./values";

/** Whether the cards stand along another tag, and which. */
export function tagAlongX({ options }: View): string | null {
  return options.of(timeAxisOptions).x_axis.value === "tag" ? options.of(compareOptions).x_tag.value : null;
}

/** The shown runs, each with its drawn values, which may be relative to the baseline. */
function comparedRuns(data: TagScalars, view: View): RunSeries[] {
  const { baseline, compare_as } = view.options.of(compareOptions);
  const base = baselineOf(data, baseline.value);
  const runs = runsOf(data, view);
  return base === undefined
    ? runs
    : runs.map((run) => ({ ...run, series: comparedWith(run.series, base, compare_as.value) }));
}

export function linesOf(data: TagScalars, view: View, curveOptions: CurveOptions): Line[] {
  const { aggregate, band, aggregate_members } = view.options.of(compareOptions);
  const runs = comparedRuns(data, view);
  const along = tagAlongX(view);
  if (along !== null) {
    return linesAlong(along, runs, view, curveOptions);
  }
  const drawn = runs.map(({ series, ...run }) => ({ ...run, curve: curveOf(series, curveOptions) }));
  if (aggregate.value === null) {
    return drawn;
  }
  const apart = baselineOutsideGroups(data, view);
  const members = runs.filter(({ run }) => run !== apart);
  const isHighlighted = runs.some(({ faded }) => faded);
  const behind = aggregate_members.value
    ? drawn.map((line) => ({ ...line, faded: !isHighlighted || line.faded }))
    : drawn.filter(({ run }) => run === apart);
  const groups = aggregateLines(data, members, view, curveOptions, aggregate.value, band.value);
  return [...behind, ...groups];
}

/** The data of the tag that the cards stand along. An effect or component that reads them also follows their arrival. */
export function dataAlong(tag: string, { channel }: View): TagScalars | undefined {
  const held = channel.store.series(scalarsCodec);
  return held.tags.value.includes(tag) ? held.tag(tag) : undefined;
}

/** Each run's rows joined with the rows of the other tag. */
function linesAlong(tag: string, runs: readonly RunSeries[], view: View, curveOptions: CurveOptions): Line[] {
  const over = dataAlong(tag, view);
  const range = rangeNumbers(view.options.of(timeAxisOptions).step_range.value);
  return runs.flatMap(({ series, ...run }) => {
    const other = over?.byRun.get(run.run)?.series;
    if (other === undefined) {
      return [];
    }
    const joined = joinedOver(series, other, range);
    return [{ ...run, curve: curveAlong(joined.series, joined.x, curveOptions) }];
  });
}

/** The baseline, which is no member of any group; null where there is none. */
function baselineOutsideGroups(data: Pick<TagScalars, "byRun">, { options }: View): string | null {
  const { baseline } = options.of(compareOptions);
  // Compared with itself it is constant: averaging it in would skew the group.
  return baselineOf(data, baseline.value) === undefined ? null : baseline.value;
}

/** Names and colors of the aggregates of these tags, each once, in the order of the lines. */
export function drawnGroups(
  tags: readonly Pick<TagScalars, "byRun">[],
  view: View,
): { readonly text: string; readonly color: string }[] {
  const { channel, options } = view;
  const aggregate = options.of(compareOptions).aggregate.value;
  if (aggregate === null || tagAlongX(view) !== null) {
    return [];
  }
  const groups = tags.flatMap((data) => {
    const apart = baselineOutsideGroups(data, view);
    const isMember = (run: string) => data.byRun.has(run) && options.shows(run) && run !== apart;
    return groupsOf(channel.store.runs.value.filter(isMember), view, aggregate);
  });
  const byText = new Map(groups.map(({ text, color }) => [text, color]));
  return [...byText].map(([text, color]) => ({ text, color }));
}

/** The value of an aggregate at one step, of values as written. */
export interface AggregateValue {
  readonly group: string;
  /** The name of the group, or of the aggregate. */
  readonly text: string;
  readonly runs: readonly string[];
  readonly value: number;
  readonly step: bigint;
  /** Some of the values are means of buckets, which hold no value of a single step. */
  readonly approximate: boolean;
}

/**
 * The aggregates of a tag at their last step, or at the last one up to a linked step; none along another tag. Null where a
 * last value is within a bucket.
 */
export function aggregateValues(
  data: Pick<TagScalars, "byRun">,
  view: View,
  linked: ExactStep | null,
): readonly AggregateValue[] | null {
  const aggregate = view.options.of(compareOptions).aggregate.value;
  if (aggregate === null || tagAlongX(view) !== null) {
    return [];
  }
  const apart = baselineOutsideGroups(data, view);
  const byRun = new Map(runsOf(data, view).map(({ run, series }) => [run, series]));
  const runs = [...byRun.keys()].filter((run) => run !== apart);
  const found: AggregateValue[] = [];
  for (const { group, text, members } of groupsOf(runs, view, aggregate)) {
    const held = members.flatMap((run) => byRun.get(run) ?? []);
    const rows = held.map((series) => (linked === null ? series.step.length - 1 : lastUpTo(series.step, linked)));
    const approximate = held.some((series, i) => rows[i] !== -1 && !isWritten(series, rows[i] as number));
    if (approximate && linked === null) {
      return null;
    }
    const steps = held.flatMap((series, i) => (rows[i] === -1 ? [] : [exactStep(series.step, rows[i] as number)]));
    // Runs that begin behind the linked step stand at their first one, but only where no run was before.
    const before = linked === null ? steps : steps.filter((step) => step <= BigInt(linked));
    const step = before.length > 0 ? before.reduce((a, b) => (a > b ? a : b)) : steps.reduce((a, b) => (a < b ? a : b));
    const values = held.map((series) =>
      valueAtStep(columnOf(numbers(series.step), writtenValues(series)), Number(step)),
    );
    const finite = Float64Array.from(values.filter(Number.isFinite));
    const value = aggregate === "mean" ? meanOf(finite) : quantile(finite, 0.5);
    found.push({ group, text, runs: members, value, step, approximate });
  }
  return found;
}

/** The values of the rows; the newest as it was written, though its row is a bucket. */
function writtenValues({ value, last }: Series): Float64Array {
  if (last === null || last === value.at(-1)) {
    return value;
  }
  const values = value.slice();
  values[values.length - 1] = last;
  return values;
}

type Held = Pick<TagScalars, "byRun">;

/** The series that runs are compared with; undefined if there is none, or not of this tag. */
export function baselineOf(data: Held, baseline: string | null): Series | undefined {
  return baseline === null ? undefined : data.byRun.get(baseline)?.series;
}

export function isCompared(data: Held, { options }: View): boolean {
  return baselineOf(data, options.of(compareOptions).baseline.value) !== undefined;
}

/** Whether values are drawn as differences, which may be negative. */
export function isDifference(data: Held, view: View): boolean {
  return view.options.of(compareOptions).compare_as.value === "difference" && isCompared(data, view);
}

export function optionsOf(tag: string, data: Held, view: View): CurveOptions {
  const { options } = view;
  const { split_restarts, raw_values } = options.of(scalarsOptions);
  const yScale = valueScaleOf(view, tag);
  return {
    xAxis: timeAxis(options.of(timeAxisOptions).x_axis.value),
    xScale: xScaleOf(view),
    yScale: yScale.name === "log" && isDifference(data, view) ? LINEAR : yScale,
    smoothing: smoothingOf(view),
    split: split_restarts.value,
    behind: raw_values.value,
  };
}

/** Where the selected steps are along x; null where they are nowhere. */
export function selectedAlong(steps: Range | null, lines: readonly Line[], x: XAxis): Range | null {
  if (steps === null || !isTimeline(x)) {
    return null;
  }
  if (x.linksSteps) {
    return placesOfSteps(x.scale, steps);
  }
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { curve } of lines) {
    for (const [i, step] of numbers(curve.series.step).entries()) {
      if (step >= steps[0] && step <= steps[1]) {
        least = Math.min(least, curve.x[i] as number);
        most = Math.max(most, curve.x[i] as number);
      }
    }
  }
  return least <= most ? [least, most] : null;
}

interface CompareState {
  /** Drags select steps instead of zooming. */
  readonly selecting: Signal<boolean>;
  /** The table of values is open. */
  readonly open: Signal<boolean>;
  /** How the table of values is sorted; none: as the cards stand. */
  readonly sorted: Signal<readonly Sort[]>;
}

const states = new WeakMap<View, CompareState>();

export function compareState(view: View): CompareState {
  let state = states.get(view);
  if (state === undefined) {
    state = { selecting: signal(false), open: signal(false), sorted: signal([]) };
    states.set(view, state);
  }
  return state;
}

/** While a panel is shown, the tag that its cards stand along is requested in full, as if it were visible; so is `other`. */
export function useTagAlongX(view: View, other: string | null = null): void {
  const along = tagAlongX(view);
  useEffect(() => {
    view.wanted.value = [along, other].filter((tag) => tag !== null);
    return () => {
      view.wanted.value = [];
    };
  }, [view, along, other]);
}
