// The card of one tag's histograms.

import { timeXAxis } from "../../charts/axis";
import { heightOf, isWide, MAX_FACETS } from "../../charts/facets";
import { pageColors } from "../../charts/theme";
import { outsideTexts } from "../../histograms/bins";
import { histogramsTable, type TagHistograms } from "../../histograms/codec";
import { rowsAlong } from "../../histograms/steps";
import { histogramTexts } from "../../histograms/texts";
import { formatCount, formatExact, formatInterval, formatValue } from "../../lib/format";
import { listOf } from "../../lib/texts";
import { formatDuration, formatMoment } from "../../lib/times";
import { timeAxis, type XAxisMode } from "../../lib/xaxis";
import { rangesAlong } from "../../lines/rangesalong";
import { lineTexts } from "../../lines/texts";
import { toggle } from "../../options/declare";
import { namedRangeOptions } from "../../options/namedranges";
import { overlayRunsOptions, stepNumber, timeAxisOptions } from "../../options/shared";
import { ChartCard } from "../../ui/chartcard";
import type { CardProps } from "../../ui/groups";
import { RowMarks } from "../../ui/marks";
import type { ChartSource } from "../../ui/mountchart";
import { namesOf, RunName, shortName } from "../../ui/runname";
import { runsOf, shownSeries } from "../../ui/runs";
import { Toolbar } from "../../ui/toolbar";
import { useOptions, useView, type View } from "../../ui/view";
import { chartActions } from "./actions";
import type { HistogramHit } from "./hit";
import { histogramChart } from "./layout";
import { histogramsOptions } from "./options";
import { totalOf } from "./profile";
import { histogramPanelTexts } from "./texts";

const TABLE = histogramsTable("histograms");

export function HistogramCard({ tag, label, data }: CardProps<TagHistograms>) {
  const view = useView();
  const { histogram_mode, log_counts } = useOptions(histogramsOptions);
  const { overlay_runs } = useOptions(overlayRunsOptions);
  const shown = shownSeries(data, view);
  const together = overlay_runs.value && histogram_mode.value !== "heatmap";
  const plots = together ? 1 : Math.min(MAX_FACETS, shown.length);
  return (
    <ChartCard
      panel="histograms"
      tag={tag}
      label={label}
      data={data}
      wide={isWide(plots)}
      height={heightOf(plots, view.width.value)}
      marks={<RowMarks series={shown} more={together ? 0 : shown.length - plots} />}
      log={{
        on: log_counts.value.has(tag),
        hint: histogramPanelTexts().logCountsHint,
        toggle: () => toggle(log_counts, tag),
      }}
      source={(host, view) => histogramsSource(host, tag, data, view)}
      // Each of several plots names its run.
      {...(plots > 1 && { legend: () => null })}
      fullControls={<Toolbar name={label} actions={chartActions} inWindow />}
      table={TABLE}
    />
  );
}

export function histogramsSource(
  host: Element,
  tag: string,
  data: TagHistograms,
  view: View,
): ChartSource<HistogramHit> {
  const { options } = view;
  const { x_axis } = options.of(timeAxisOptions);
  return {
    panel: "histograms",
    tag,
    content: () => contentOf(host, tag, data, view),
    legend: () => runsOf(data, view).map(({ run, color }) => ({ text: shortName(run, view), color })),
    valueAxis: () => "number",
    tooltip: (hit, now) => <HistogramsTooltip hit={hit} xAxis={timeAxis(x_axis.peek())} now={now} />,
    describe,
    points: ({ run, row, bin }) => [{ run: run.run, step: row.step, value: bin?.count ?? totalOf(row), ...bin }],
    // Computed data live with the layout, or as long as the histograms themselves.
    release: () => {},
  };
}

function contentOf(host: Element, tag: string, data: TagHistograms, view: View) {
  const { options, theme } = view;
  const { x_axis, linked_step, ignore_outliers } = options.of(timeAxisOptions);
  const { histogram_mode, log_counts, bins } = options.of(histogramsOptions);
  const xAxis = timeAxis(x_axis.value);
  const named = options.of(namedRangeOptions).named_ranges.value;
  const runs = runsOf(data, view);
  return histogramChart({
    runs,
    options: {
      xAxis,
      log: log_counts.value.has(tag),
      bins: bins.value,
      ignoreOutliers: ignore_outliers.value,
      linked: stepNumber(linked_step.value),
    },
    mode: histogram_mode.value,
    together: options.of(overlayRunsOptions).overlay_runs.value,
    nameOf: namesOf(runs, view),
    rangesOf: (some) => rangesAlong(named, timeXAxis(xAxis), () => some.map(({ series }) => rowsAlong(series, xAxis))),
    theme: theme.value,
    page: pageColors(host, theme.value),
  });
}

// The histogram and the bin below the pointer.

interface Props {
  readonly hit: HistogramHit;
  readonly xAxis: XAxisMode;
  readonly now: Date;
}

function HistogramsTooltip({ hit, xAxis, now }: Props) {
  const { run, row, bin, per, cutAbove } = hit;
  const outside = outsideTexts(hit.beyond, hit.values);
  const { about, heightColumn, cutAbove: saysCut, outsideColumn, perStretch } = histogramTexts();
  const stretch = formatValue(per);
  const height = binHeight(hit);
  const relative = row.wall - run.series.startWall;
  return (
    <table class="tbwidget-facts">
      <tbody>
        <tr>
          <th>
            <i style={{ background: run.color }} />
          </th>
          <td class="tbwidget-run-name">
            <RunName run={run.run} />
          </td>
        </tr>
        <tr>
          <th>{lineTexts().stepColumn}</th>
          <td>{formatCount(row.step)}</td>
        </tr>
        <tr>
          <th>{xAxis === "relative" ? lineTexts().relativeColumn : lineTexts().timeColumn}</th>
          <td>{xAxis === "relative" ? formatDuration(relative) : formatMoment(row.wall, now)}</td>
        </tr>
        {bin === null ? (
          <tr>
            <th>{histogramPanelTexts().countColumn}</th>
            <td>{histogramPanelTexts().inAll(formatExact(totalOf(row)))}</td>
          </tr>
        ) : (
          <>
            <tr>
              <th>{histogramPanelTexts().binColumn}</th>
              <td>{formatInterval(bin.left, bin.right)}</td>
            </tr>
            <tr>
              <th>{histogramPanelTexts().countColumn}</th>
              <td>
                <b>
                  {bin.even && !Number.isInteger(bin.count) ? about(formatValue(bin.count)) : formatExact(bin.count)}
                </b>{" "}
                {histogramPanelTexts().ofTotal(formatExact(totalOf(row)))}
              </td>
            </tr>
          </>
        )}
        {height !== null && (
          <tr>
            <th>{heightColumn}</th>
            <td>
              {perStretch(formatValue(height), stretch)}
              {cutAbove !== null && ` ${saysCut(formatValue(cutAbove))}`}
            </td>
          </tr>
        )}
        {outside.map((text, i) => (
          <tr key={text}>
            <th>{i === 0 && outsideColumn}</th>
            <td>{text}</td>
          </tr>
        ))}
        {Number.isFinite(row.mean) && (
          <tr>
            <th>{histogramTexts().meanColumn}</th>
            <td>{histogramTexts().meanAndDeviation(formatValue(row.mean), formatValue(row.deviation))}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** The counts per width that a bin's height stands for; null if the height is the count itself. */
function binHeight({ bin, per, cutAbove }: HistogramHit): number | null {
  const width = bin === null ? 0 : bin.right - bin.left;
  return bin === null || !(width > 0) || (bin.even && cutAbove === null) ? null : (bin.count / width) * per;
}

/** The same in words. */
function describe({ run, row, beyond, values }: HistogramHit): string {
  const counts = histogramPanelTexts().countInAll(formatExact(totalOf(row)));
  const mean = histogramTexts().meanAndDeviation(formatValue(row.mean), formatValue(row.deviation));
  const moments = Number.isFinite(row.mean) ? [histogramPanelTexts().meanIs(mean)] : [];
  const step = lineTexts().stepName([formatCount(row.step)]);
  return listOf([step, lineTexts().valueOfRun(run.run, counts), ...moments, ...outsideTexts(beyond, values)]);
}
