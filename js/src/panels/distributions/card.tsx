// The card of one tag's distributions.

import { timeXAxis } from "../../charts/axis";
import { nearestIndex } from "../../charts/extent";
import { heightOf, isWide, MOST_FACETS } from "../../charts/facets";
import { type PageColors, pageColors } from "../../charts/theme";
import { beyond, MEDIAN, outsideTexts, percentilesOf } from "../../histograms/bins";
import { histogramsTable, type TagHistograms } from "../../histograms/codec";
import { positionsOf } from "../../histograms/steps";
import type { Range } from "../../lib/range";
import { LINEAR, LOG } from "../../lib/scale";
import { lastUpTo } from "../../lib/search";
import { timeAxis } from "../../lib/xaxis";
import { type LinePlot, lineChart, NARROWEST_PLOT } from "../../lines/linechart";
import { lineTexts } from "../../lines/texts";
import { toggle } from "../../options/declare";
import { logValueOptions, overlayRunsOptions, stepNumber, timeAxisOptions } from "../../options/shared";
import { ChartCard } from "../../ui/chartcard";
import { XAxis } from "../../ui/controls";
import type { CardProps } from "../../ui/groups";
import { RowMarks } from "../../ui/marks";
import type { ChartSource } from "../../ui/mountchart";
import { namesOf, shortName } from "../../ui/runname";
import { runsOf, shownSeries } from "../../ui/runs";
import { useOptions, useView, type View } from "../../ui/view";
import { type Bands, bandBytes, bandsOf, forgetBands } from "./bands";
import { type BandLine, outermost, paintBands } from "./paint";
import { type DistributionPoint, DistributionsTooltip, describe } from "./tooltip";

const TABLE = histogramsTable("distributions");

export function DistributionCard({ tag, label, data }: CardProps<TagHistograms>) {
  const view = useView();
  const { log_y } = useOptions(logValueOptions);
  const { overlay_runs } = useOptions(overlayRunsOptions);
  const shown = shownSeries(data, view);
  const plots = overlay_runs.value ? 1 : Math.min(MOST_FACETS, shown.length);
  return (
    <ChartCard
      panel="distributions"
      tag={tag}
      label={label}
      data={data}
      wide={isWide(plots)}
      height={plots > 1 ? heightOf(plots, view.width.value, NARROWEST_PLOT) : undefined}
      marks={<RowMarks series={shown} more={overlay_runs.value ? 0 : shown.length - plots} />}
      log={{ on: log_y.value.has(tag), hint: lineTexts().logHint, toggle: () => toggle(log_y, tag) }}
      source={(host, view) => distributionsSource(host, tag, data, view)}
      fullControls={<XAxis hints={lineTexts().axisHints} />}
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
  const shown = apart ? lines.slice(0, MOST_FACETS) : lines;
  const drawn = { linked: stepNumber(linked_step.value), log, page: pageColors(host, theme.value) };
  return lineChart<DistributionPoint>({
    // Plots side by side have the same axes.
    lines: shown.map(({ bands }) => (apart ? bands : fitted(bands, lines.length))),
    plots: apart ? shown.map((line) => plotOf([line], drawn)) : [plotOf(lines, drawn)],
    lastStep: largestStep(shown),
    x: timeXAxis(xAxis),
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
}

function plotOf(lines: readonly BandLine[], { linked, log, page }: Drawn): LinePlot<DistributionPoint> {
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
    paint: (surface, area, x, y) => paintBands(surface, area, lines, { x, y, values: inValues(y) }, page),
    near: (x, reach, y) => front.flatMap((line) => pointNear(line, x, reach, inValues(y))),
  };
}

/** What axes are fitted to: what is drawn of one run where so many overlap. */
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
  return [{ run, color, row, relative, percentiles: percentilesOf(row), outside, ...at }];
}

function largestStep(lines: readonly BandLine[]): bigint | null {
  return lines
    .flatMap(({ bands }) => bands.series.rows)
    .reduce<bigint | null>((last, { step }) => (last === null || step > last ? step : last), null);
}
