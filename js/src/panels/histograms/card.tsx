// The card of one tag's histograms.

import { effect, untracked } from "@preact/signals";
import { Card, type Drawing, type Drawn } from "../../dashboard/card";
import { showTimes, useView, type View } from "../../dashboard/view";
import { formatCount } from "../../lib/format";
import { strings } from "../../lib/strings";
import type { HistogramData } from "../../wire/store";
import { LinkedSteps } from "../scalars/linked";
import { HistogramChart, type Scene } from "./chart";
import { heightOf, isWide, MOST_FACETS } from "./facets";
import { runsOf } from "./runs";
import { Tooltip } from "./tooltip";

interface Props {
  readonly tag: string;
  readonly label: string;
  readonly data: HistogramData;
}

export function HistogramCard({ tag, label, data }: Props) {
  const view = useView();
  const { choices } = view;
  void data.version.value;
  const shown = [...data.byRun.keys()].filter((run) => choices.shows(run)).length;
  const together = choices.overlayRuns.value && choices.histogramMode.value !== "heatmap";
  const plots = together ? 1 : Math.min(MOST_FACETS, shown);
  const wide = isWide(plots);
  return (
    <Card
      panel="histograms"
      tag={tag}
      label={label}
      wide={wide}
      height={heightOf(plots, view.width.value)}
      marks={<Marks data={data} more={together ? 0 : shown - plots} />}
      log={{
        on: choices.logCounts.value.has(tag),
        hint: strings.logCountsHint,
        toggle: () => choices.toggleLogCounts(tag),
      }}
      on={data}
      begin={(host, drawn) => begin(host, tag, data, view, drawn)}
    />
  );
}

function begin(host: HTMLElement, tag: string, data: HistogramData, view: View, drawn: Drawn): Drawing {
  const { choices } = view;
  const linked = new LinkedSteps(choices);
  const label = strings.chartHint(tag);
  const chart = new HistogramChart(host, label, view.frames, () => untracked(() => sceneOf(tag, data, view)), {
    drawn: (lastStep) => drawn.lastStep(lastStep),
    hovered: (hover) => {
      const content = hover !== null && <Tooltip hover={hover} now={new Date()} />;
      view.note.value = hover !== null && content ? { left: hover.left, top: hover.top, content } : null;
    },
    clicked: (step) => choices.link(Number(step)),
    moved: (steps, values) => {
      const alone = choices.xAxis.peek() !== "step";
      drawn.zoomed(values !== null || (steps !== null && alone));
      showTimes(view, tag, alone ? steps : null);
      linked.move(steps);
    },
  });
  const ends = [
    effect(() => {
      watch(data, view);
      void [choices.logCounts.value, choices.histogramMode.value, choices.overlayRuns.value];
      chart.refresh();
    }),
    effect(() => {
      const axis = choices.xAxis.value;
      const range = choices.stepRange.value;
      chart.showSteps(axis === "step" ? range : null);
    }),
    effect(() => {
      // What was chosen of another plane says nothing here.
      void choices.xAxis.value;
      chart.showValues(null);
      drawn.zoomed(false);
      showTimes(view, tag, null);
    }),
  ];
  return {
    showAll: () => chart.showAll(),
    end: () => {
      for (const end of ends) {
        end();
      }
      linked.end();
      chart.destroy();
      showTimes(view, tag, null);
    },
  };
}

/** Looks at everything that the drawing of a series of histograms depends on, so that its changes are told. */
export function watch(data: HistogramData, { choices, theme, pointedOut }: View): void {
  void data.version.value;
  void theme.value;
  void pointedOut.value;
  void choices.selection.value;
  void choices.runPattern.value;
  void choices.colours.value;
  void choices.xAxis.value;
  void choices.ignoreOutliers.value;
  void choices.linkedStep.value;
}

function sceneOf(tag: string, data: HistogramData, view: View): Scene {
  const { choices, theme } = view;
  return {
    runs: runsOf(data, view),
    look: {
      along: choices.xAxis.value,
      log: choices.logCounts.value.has(tag),
      ignoreOutliers: choices.ignoreOutliers.value,
      linked: choices.linkedStep.value,
    },
    mode: choices.histogramMode.value,
    together: choices.overlayRuns.value,
    theme: theme.value,
  };
}

/** How many of the steps are here, where not all are; and runs that have no plot. */
export function Marks({ data, more = 0 }: { readonly data: HistogramData; readonly more?: number }) {
  const { choices } = useView();
  void data.version.value;
  const shown = [...data.byRun].filter(([run]) => choices.shows(run)).map(([, { series }]) => series);
  const partly = shown.filter(({ rows, total }) => rows.length < total);
  const held = formatCount(partly.reduce((sum, { rows }) => sum + rows.length, 0));
  const total = formatCount(partly.reduce((sum, series) => sum + series.total, 0));
  const superseded = shown.reduce((sum, series) => sum + series.superseded, 0);
  return (
    <span class="tbwidget-marks">
      {superseded > 0 && (
        <abbr title={strings.supersededHint(formatCount(superseded))}>
          {strings.superseded(formatCount(superseded))}
        </abbr>
      )}
      {more > 0 && <abbr title={strings.moreRunsHint(more)}>{strings.moreRuns(more)}</abbr>}
      {partly.length > 0 && <abbr title={strings.someStepsHint(held, total)}>{strings.someSteps(held, total)}</abbr>}
    </span>
  );
}
