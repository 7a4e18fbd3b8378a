// The lines of a card: those of the runs, compared with a baseline, put together by groups, or drawn along another tag.

import type { Theme } from "../../../lib/colours";
import { LINEAR } from "../../../lib/scale";
import { strings } from "../../../lib/strings";
import { runsByGroup } from "../../../options/rungroups";
import { rangeNumbers, timeAxisOptions } from "../../../options/shared";
import { type RunOf, runsOf } from "../../../ui/runs";
import type { View } from "../../../ui/view";
import { numbers } from "../../../wire/steps";
import { type CurveOptions, curveOf } from "../curve";
import { scalars as scalarsCodec, type TagScalars } from "../kind/codec";
import type { Series } from "../kind/series";
import { compareOptions } from "../options";
import type { Line } from "../paint";
import { type Aggregate, aggregated, type Band, meanOf } from "./aggregate";
import { comparedWith } from "./baseline";
import { type Column, columnOf, Reader, seriesOf } from "./columns";
import { baselineOf } from "./options";
import { joinedOver } from "./overtag";

type RunSeries = RunOf<Series>;

/** A line of all runs has no run's colour. */
const OF_ALL: Readonly<Record<Theme, string>> = { light: "#3c3c3c", dark: "#dcdcdc" };

/** Whether the cards stand along another tag, and which. */
export function tagAlongX({ options }: View): string | null {
  return options.of(timeAxisOptions).x_axis.value === "tag" ? options.of(compareOptions).x_tag.value : null;
}

/** Reads all that `linesOf` depends on beside the runs, so that the effect around it follows. */
export function watchComparison(view: View): void {
  const { options, channel } = view;
  for (const option of Object.values(options.of(compareOptions))) {
    void option.value;
  }
  void [options.runGroups.grouped.value, options.runGroups.groupOf.value];
  const along = tagAlongX(view);
  if (along !== null) {
    void options.of(timeAxisOptions).step_range.value;
    void channel.store.series(scalarsCodec).tag(along)?.version.value;
  }
}

/** The runs that are shown, with what is drawn of each: values, or how they compare with the baseline. */
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
  const apart = apartOf(data, view);
  const members = runs.filter(({ run }) => run !== apart);
  const isHighlighted = runs.some(({ faded }) => faded);
  const behind = aggregate_members.value
    ? drawn.map((line) => ({ ...line, faded: !isHighlighted || line.faded }))
    : drawn.filter(({ run }) => run === apart);
  const groups = aggregateLines(data, members, view, curveOptions, aggregate.value, band.value);
  return [...behind, ...groups];
}

/** Each run's rows joined with those of the other tag. */
function linesAlong(
  tag: string,
  runs: readonly RunSeries[],
  { channel, options }: View,
  curveOptions: CurveOptions,
): Line[] {
  const over = channel.store.series(scalarsCodec).tag(tag);
  const range = rangeNumbers(options.of(timeAxisOptions).step_range.value);
  return runs.flatMap(({ series, ...run }) => {
    const other = over?.byRun.get(run.run)?.series;
    if (other === undefined) {
      return [];
    }
    const joined = joinedOver(series, other, range);
    const curve = curveOf(joined.series, { ...curveOptions, xAxis: "step", xScale: LINEAR });
    return [{ ...run, curve: { ...curve, x: joined.x, ascending: false } }];
  });
}

/** What is made of the runs of a group. */
interface Group {
  /** Its name among the groups. */
  readonly group: string;
  /** In natural order. */
  readonly members: readonly string[];
  readonly text: string;
  readonly colour: string;
}

/** What is made of these runs of a tag, by its name and its colour: nothing is computed. */
function groupsOf(runs: readonly string[], { options, theme, channel }: View, aggregate: Aggregate): Group[] {
  const { grouped, groupOf } = options.runGroups;
  // The colour of a group is that of its first run, shown or not.
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
        ? strings.compare.noGroup
        : group
      : strings.compare.aggregateOf(aggregate, members.length),
    colour: grouped.value ? options.colourOf.value(firsts.get(group) as string, theme.value) : OF_ALL[theme.value],
  }));
}

/** The run that is no member of any group. */
function apartOf(data: Pick<TagScalars, "byRun">, { options }: View): string | null {
  const { baseline } = options.of(compareOptions);
  // It lies at 0, or at 1: among those compared with it, it would show nothing.
  return baselineOf(data, baseline.value) === undefined ? null : baseline.value;
}

/** What is made of the runs of these tags, each once: names and colours, in the order of the lines. */
export function drawnGroups(
  tags: readonly Pick<TagScalars, "byRun">[],
  view: View,
): { readonly text: string; readonly colour: string }[] {
  const { channel, options } = view;
  const aggregate = options.of(compareOptions).aggregate.value;
  if (aggregate === null || tagAlongX(view) !== null) {
    return [];
  }
  const groups = tags.flatMap((data) => {
    const apart = apartOf(data, view);
    const isMember = (run: string) => data.byRun.has(run) && options.shows(run) && run !== apart;
    return groupsOf(channel.store.runs.value.filter(isMember), view, aggregate);
  });
  const byText = new Map(groups.map(({ text, colour }) => [text, colour]));
  return [...byText].map(([text, colour]) => ({ text, colour }));
}

function aggregateLines(
  data: TagScalars,
  runs: readonly RunSeries[],
  view: View,
  curveOptions: CurveOptions,
  aggregate: Aggregate,
  band: Band | null,
): Line[] {
  const byRun = new Map(runs.map((run) => [run.run, run]));
  const known = memoOf(data);
  return groupsOf([...byRun.keys()], view, aggregate).map(({ group, text, colour, ...names }) => {
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
      colour,
      faded: members.every(({ faded }) => faded),
      curve: { ...curve, ...ends },
      several: {
        n: made.n,
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

/** Groups of a tag whose aggregates are kept. */
const MOST_KEPT = 200;

/** Makes an aggregate, or takes the one that was made of the same series. */
function memoOf(
  data: TagScalars,
): (key: string, members: readonly RunSeries[], make: () => MadeAggregate) => MadeAggregate {
  const kept = memos.get(data) ?? new Map<string, Kept>();
  memos.set(data, kept);
  return (key, members, make) => {
    const held = members.map(({ series }) => series);
    const known = kept.get(key);
    if (known !== undefined && known.held.length === held.length && known.held.every((one, i) => one === held[i])) {
      return known.made;
    }
    const made = make();
    if (kept.size >= MOST_KEPT) {
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
