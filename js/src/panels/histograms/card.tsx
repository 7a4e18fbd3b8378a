// The card of one tag's histograms.

import { heightOf, isWide, MOST_FACETS } from "../../charts/facets";
import { pageColors } from "../../charts/theme";
import { histogramsTable, type TagHistograms } from "../../histograms/codec";
import { timeAxis } from "../../lib/xaxis";
import { toggle } from "../../options/declare";
import { overlayRunsOptions, stepNumber, timeAxisOptions } from "../../options/shared";
import { ChartCard } from "../../ui/chartcard";
import { XAxis } from "../../ui/controls";
import type { CardProps } from "../../ui/groups";
import { RowMarks } from "../../ui/marks";
import type { ChartSource } from "../../ui/mountchart";
import { namesOf, shortName } from "../../ui/runname";
import { runsOf, shownSeries } from "../../ui/runs";
import { useOptions, useView, type View } from "../../ui/view";
import type { HistogramHit } from "./hit";
import { histogramChart } from "./layout";
import { histogramsOptions } from "./options";
import { totalOf } from "./profile";
import { histogramPanelTexts } from "./texts";
import { describe, HistogramsTooltip } from "./tooltip";

const TABLE = histogramsTable("histograms");

export function HistogramCard({ tag, label, data }: CardProps<TagHistograms>) {
  const view = useView();
  const { histogram_mode, log_counts } = useOptions(histogramsOptions);
  const { overlay_runs } = useOptions(overlayRunsOptions);
  const shown = shownSeries(data, view);
  const together = overlay_runs.value && histogram_mode.value !== "heatmap";
  const plots = together ? 1 : Math.min(MOST_FACETS, shown.length);
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
      fullControls={<XAxis hints={histogramPanelTexts().histogramAxisHints} />}
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
    // What is computed lives with the layout, or as long as the histograms themselves.
    release: () => {},
  };
}

function contentOf(host: Element, tag: string, data: TagHistograms, view: View) {
  const { options, theme } = view;
  const { x_axis, linked_step, ignore_outliers } = options.of(timeAxisOptions);
  const { histogram_mode, log_counts, bins } = options.of(histogramsOptions);
  const runs = runsOf(data, view);
  return histogramChart({
    runs,
    options: {
      xAxis: timeAxis(x_axis.value),
      log: log_counts.value.has(tag),
      bins: bins.value,
      ignoreOutliers: ignore_outliers.value,
      linked: stepNumber(linked_step.value),
    },
    mode: histogram_mode.value,
    together: options.of(overlayRunsOptions).overlay_runs.value,
    nameOf: namesOf(runs, view),
    theme: theme.value,
    page: pageColors(host, theme.value),
  });
}
