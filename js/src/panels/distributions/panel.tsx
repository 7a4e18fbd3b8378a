// The distributions: percentiles of the histograms, on the axes of the scalars.

import { timeXAxis } from "../../charts/axis";
import { nearestIndex } from "../../charts/extent";
import { heightOf, isWide, MAX_FACETS } from "../../charts/facets";
import type { DataPoint } from "../../charts/geometry";
import type { PlacedRange } from "../../charts/namedranges";
import { type PageColors, pageColors } from "../../charts/theme";
import { beyond, MEDIAN, outsideTexts, percentilesOf } from "../../histograms/bins";
import {
  type Histogram,
  histograms as histogramsCodec,
  histogramsTable,
  type TagHistograms,
} from "../../histograms/codec";
import { positionsOf, rowsAlong, useHistogramSteps } from "../../histograms/steps";
import { histogramTexts } from "../../histograms/texts";
import { formatCount, formatValue } from "../../lib/format";
import { LINEAR, LOG } from "../../lib/scale";
import { lastUpTo, type Range } from "../../lib/search";
import { listOf } from "../../lib/texts";
import { formatDuration, formatMoment } from "../../lib/times";
import { timeAxis, type XAxisMode } from "../../lib/xaxis";
import { type LinePlot, lineChart, MIN_PLOT_WIDTH_PX } from "../../lines/linechart";
import { rangesAlong } from "../../lines/rangesalong";
import { lineTexts } from "../../lines/texts";
import { toggle } from "../../options/declare";
import { namedRangeOptions } from "../../options/namedranges";
import {
  logValueOptions,
  overlayRunsOptions,
  stepNumber,
  stepOverviewOptions,
  timeAxisOptions,
} from "../../options/shared";
import type { Action } from "../../ui/actions";
import { outliersAction, overlayRunsAction, stepOverview, xAxisAction } from "../../ui/axisactions";
import { cardActions } from "../../ui/cardactions";
import { arrangeActions, chartCardActions, onCard } from "../../ui/cardcommands";
import { ChartCard } from "../../ui/chartcard";
import { FilterTags } from "../../ui/controls";
import { cardGestures, chartGestures } from "../../ui/gestures";
import { type CardProps, Groups } from "../../ui/groups";
import { RowMarks } from "../../ui/marks";
import type { ChartSource } from "../../ui/mountchart";
import { definePanel } from "../../ui/panel";
import { namesOf, RunName, shortName } from "../../ui/runname";
import { runsOf, shownSeries } from "../../ui/runs";
import { SavePanel } from "../../ui/save/savepanel";
import { uiTexts } from "../../ui/texts";
import { Toolbar } from "../../ui/toolbar";
import { useOptions, useView, type View } from "../../ui/view";
import { type Bands, bandBytes, bandsOf, forgetBands } from "./bands";
import { type BandLine, outermost, paintBands } from "./paint";
import { distributionTexts } from "./texts";
import "./distributions.css";

const TABLE = histogramsTable("distributions");

/** Actions on the charts themselves: above one that fills the window, too. */
const CHART_ACTIONS: readonly Action[] = [
  xAxisAction(() => lineTexts().axisHints),
  overlayRunsAction(),
  outliersAction(() => lineTexts().outliersHint),
];

const ACTIONS: readonly Action[] = [
  ...CHART_ACTIONS,
  stepOverview,
  ...cardActions(),
  ...chartCardActions,
  onCard("card.log", () => uiTexts().log, {
    isOn: ({ tags }, { options }) => tags.some((tag) => options.of(logValueOptions).log_y.value.has(tag)),
  }),
  ...arrangeActions,
  ...chartGestures({ without: ["upright"] }),
  ...cardGestures(true),
];

export function DistributionsPanel() {
  return <Groups of={useView().channel.store.series(histogramsCodec)} Card={DistributionCard} />;
}

export function DistributionsToolbar() {
  const view = useView();
  const histograms = view.channel.store.series(histogramsCodec);
  return (
    <Toolbar
      name={distributionTexts().title}
      actions={ACTIONS}
      save={<SavePanel table={TABLE} />}
      filter={<FilterTags tags={histograms.tags.value} />}
    />
  );
}

export const distributions = definePanel({
  name: "distributions",
  title: () => distributionTexts().title,
  codecs: [histogramsCodec],
  options: [timeAxisOptions, namedRangeOptions, stepOverviewOptions, logValueOptions, overlayRunsOptions],
  actions: ACTIONS,
  useSteps: useHistogramSteps,
  Toolbar: DistributionsToolbar,
  Body: DistributionsPanel,
});

// The card of one tag's distributions.

function DistributionCard({ tag, label, data }: CardProps<TagHistograms>) {
  const view = useView();
  const { log_y } = useOptions(logValueOptions);
  const { overlay_runs } = useOptions(overlayRunsOptions);
  const shown = shownSeries(data, view);
  const plots = overlay_runs.value ? 1 : Math.min(MAX_FACETS, shown.length);
  return (
    <ChartCard
      panel="distributions"
      tag={tag}
      label={label}
      data={data}
      wide={isWide(plots)}
      height={plots > 1 ? heightOf(plots, view.width.value, MIN_PLOT_WIDTH_PX) : undefined}
      marks={<RowMarks series={shown} more={overlay_runs.value ? 0 : shown.length - plots} />}
      log={{ on: log_y.value.has(tag), hint: lineTexts().logHint, toggle: () => toggle(log_y, tag) }}
      source={(host, view) => distributionsSource(host, tag, data, view)}
      // Each of several plots names its run.
      {...(plots > 1 && { legend: () => null })}
      fullControls={<Toolbar name={label} actions={CHART_ACTIONS} inWindow />}
      table={TABLE}
    />
  );
}

export function distributionsSource(
  host: Element,
  tag: string,
  data: TagHistograms,
  view: View,
): ChartSource<readonly DistributionPoint[]> {
  const { x_axis } = view.options.of(timeAxisOptions);
  const { log_y } = view.options.of(logValueOptions);
  return {
    panel: "distributions",
    tag,
    content: () => contentOf(host, tag, data, view),
    legend: () => runsOf(data, view).map(({ run, color }) => ({ text: shortName(run, view), color })),
    valueAxis: () => (log_y.value.has(tag) ? "log" : "number"),
    tooltip: (points, now) => <DistributionsTooltip points={points} xAxis={timeAxis(x_axis.peek())} now={now} />,
    describe,
    points: (points) =>
      points.map(({ run, step, percentiles }) => ({ run, step, value: percentiles[MEDIAN] ?? Number.NaN })),
    release: () => {
      for (const { series } of data.byRun.values()) {
        forgetBands(series);
      }
    },
  };
}

/** A plot for each run, unless there is but one, or they are to overlap. */
function contentOf(host: Element, tag: string, data: TagHistograms, view: View) {
  const { options, theme } = view;
  const { x_axis, linked_step, ignore_outliers } = options.of(timeAxisOptions);
  const [xAxis, log] = [timeAxis(x_axis.value), options.of(logValueOptions).log_y.value.has(tag)];
  const lines = runsOf(data, view).map(({ series, ...run }) => ({ ...run, bands: bandsOf(series, xAxis, log) }));
  const apart = !options.of(overlayRunsOptions).overlay_runs.value && lines.length > 1;
  const shown = apart ? lines.slice(0, MAX_FACETS) : lines;
  const x = timeXAxis(xAxis);
  const named = options.of(namedRangeOptions).named_ranges.value;
  const rangesOf = (some: readonly BandLine[]) =>
    rangesAlong(named, x, () => some.map(({ bands }) => rowsAlong(bands.series, xAxis)));
  const drawn = { linked: stepNumber(linked_step.value), log, page: pageColors(host, theme.value), rangesOf };
  return lineChart<DistributionPoint>({
    // Plots side by side have the same axes.
    lines: shown.map(({ bands }) => (apart ? bands : fitted(bands, lines.length))),
    plots: apart ? shown.map((line) => plotOf([line], drawn)) : [plotOf(lines, drawn)],
    lastStep: largestStep(shown),
    x,
    yScale: log ? LOG : LINEAR,
    ignoreOutliers: ignore_outliers.value,
    theme: theme.value,
    nameOf: namesOf(lines, view),
    bytes: lines.reduce((sum, { bands }) => sum + bandBytes(bands.series), 0),
  });
}

interface Drawn {
  /** The linked step; null for none. */
  readonly linked: number | null;
  readonly log: boolean;
  readonly page: PageColors;
  rangesOf(lines: readonly BandLine[]): readonly PlacedRange[];
}

function plotOf(lines: readonly BandLine[], { linked, log, page, rangesOf }: Drawn): LinePlot<DistributionPoint> {
  const front = lines.filter(({ faded }) => !faded);
  const inValues = ([low, high]: Range): Range => (log ? [10 ** low, 10 ** high] : [low, high]);
  const all: Range = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const atLinked = (line: BandLine) =>
    linked === null ? [] : pointAt(line, lastUpTo(positionsOf(line.bands.series, "step"), linked), all);
  return {
    run: lines[0]?.run ?? "",
    color: lines[0]?.color ?? "",
    lines: front.map(({ bands }) => bands),
    linked: front.flatMap(atLinked),
    ranges: rangesOf(lines),
    paint: (surface, area, x, y) => paintBands(surface, area, lines, { x, y, values: inValues(y) }, page),
    near: (x, reach, y) => front.flatMap((line) => pointNear(line, x, reach, inValues(y))),
  };
}

/** The bands that axes are fitted to: those drawn of a run when `runs` runs overlap. */
function fitted(bands: Bands, runs: number): Bands {
  const [low, high] = outermost(runs);
  if (low === 0) {
    return bands;
  }
  const ends = [bands.percentiles[low] as Float64Array, bands.percentiles[high] as Float64Array] as const;
  return { ...bands, low: ends[0], high: ends[1], middle: ends };
}

/** The point nearest to `x`; none if the bands end more than `reach` away. */
function pointNear(line: BandLine, x: number, reach: number, values: Range): DistributionPoint[] {
  const { x: column } = line.bands;
  const i = nearestIndex(line.bands, x);
  const inside = i > 0 && i < column.length - 1;
  return i >= 0 && (inside || Math.abs((column[i] as number) - x) <= reach) ? pointAt(line, i, values) : [];
}

function pointAt({ run, color, bands }: BandLine, i: number, values: Range): DistributionPoint[] {
  const row = bands.series.rows[i];
  if (row === undefined) {
    return [];
  }
  const relative = row.wall - bands.series.startWall;
  const at = { step: row.step, x: bands.x[i] as number, y: bands.y[i] as number };
  const outside = outsideTexts(beyond(row, values), values);
  return [{ run, color, row, relative, percentiles: percentilesOf(row), outside, isLone: bands.x.length === 1, ...at }];
}

function largestStep(lines: readonly BandLine[]): bigint | null {
  return lines
    .flatMap(({ bands }) => bands.series.rows)
    .reduce<bigint | null>((last, { step }) => (last === null || step > last ? step : last), null);
}

// The percentiles below the pointer, run by run.

/** One histogram of a run, where its median is drawn. */
interface DistributionPoint extends DataPoint {
  readonly run: string;
  readonly row: Histogram;
  /** Seconds since the first one. */
  readonly relative: number;
  readonly percentiles: Float64Array;
  /** Describes the parts outside the viewport. */
  readonly outside: readonly string[];
}

const MAX_RUNS = 4;

interface Props {
  /** Nearest first. */
  readonly points: readonly DistributionPoint[];
  readonly xAxis: XAxisMode;
  readonly now: Date;
}

function DistributionsTooltip({ points: all, xAxis, now }: Props) {
  const points = all.slice(0, MAX_RUNS);
  const more = all.length - points.length;
  return (
    <>
      <table class="tbwidget-percentiles">
        <thead>
          <tr>
            <th />
            {points.map(({ run, color }) => (
              <th key={run} class="tbwidget-run-name">
                <span>
                  <i style={{ background: color }} />
                  <RunName run={run} />
                </span>
              </th>
            ))}
          </tr>
          <tr>
            <th>{lineTexts().stepColumn}</th>
            {points.map(({ run, step }) => (
              <th key={run}>{formatCount(step)}</th>
            ))}
          </tr>
          <tr>
            <th>{xAxis === "relative" ? lineTexts().relativeColumn : lineTexts().timeColumn}</th>
            {points.map(({ run, row, relative }) => (
              <th key={run}>{xAxis === "relative" ? formatDuration(relative) : formatMoment(row.wall, now)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...distributionTexts().percentiles.entries()].reverse().map(([i, name]) => (
            <tr key={name} class={i === MEDIAN ? "tbwidget-median" : undefined}>
              <th>{name}</th>
              {points.map(({ run, percentiles }) => (
                <td key={run}>{formatValue(percentiles[i] as number)}</td>
              ))}
            </tr>
          ))}
          {points.some(({ row }) => Number.isFinite(row.mean)) && (
            <tr class="tbwidget-moments">
              <th>{histogramTexts().meanColumn}</th>
              {points.map(({ run, row }) => (
                <td key={run}>
                  {Number.isFinite(row.mean) &&
                    histogramTexts().meanAndDeviation(formatValue(row.mean), formatValue(row.deviation))}
                </td>
              ))}
            </tr>
          )}
          {points.some(({ outside }) => outside.length > 0) && (
            <tr>
              <th>{histogramTexts().outsideColumn}</th>
              {points.map(({ run, outside }) => (
                <td key={run}>
                  {outside.map((text) => (
                    <div key={text}>{text}</div>
                  ))}
                </td>
              ))}
            </tr>
          )}
        </tbody>
      </table>
      {more > 0 && <p class="tbwidget-quiet">{uiTexts().moreRuns(more)}</p>}
    </>
  );
}

/** The same in words. */
function describe(points: readonly DistributionPoint[]): string {
  const medians = points.slice(0, MAX_RUNS).map(({ run, percentiles, outside }) => {
    const median = formatValue(percentiles[MEDIAN] as number);
    return lineTexts().valueOfRun(run, listOf([distributionTexts().medianIs(median), ...outside]));
  });
  const step = points[0] === undefined ? [] : [lineTexts().stepName([formatCount(points[0].step)])];
  return listOf([...step, ...medians]);
}
