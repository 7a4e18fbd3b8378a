// The card of one tag's histograms.

import { effect, untracked } from "@preact/signals";
import { heightOf, isWide, MOST_FACETS } from "../../charts/facets";
import { LinkedSteps } from "../../charts/linked";
import { HistogramMarks } from "../../charts/marks";
import { runsOf, watchRuns } from "../../charts/runs";
import { Card, type Drawing, type Drawn } from "../../dashboard/card";
import type { CardProps } from "../../dashboard/groups";
import { showTimes, useView, type View } from "../../dashboard/view";
import { sharedStart } from "../../lib/names";
import { strings } from "../../lib/strings";
import type { HistogramData } from "../../wire/store";
import { HistogramChart } from "./chart";
import type { Scene } from "./layout";
import { Tooltip } from "./tooltip";

export function HistogramCard({ tag, label, data }: CardProps<HistogramData>) {
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
      marks={<HistogramMarks data={data} more={together ? 0 : shown - plots} />}
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
    clicked: (step, times) => choices.clickStep(Number(step), times),
    moved: (steps, values) => {
      const alone = choices.xAxis.peek() !== "step";
      drawn.zoomed(values !== null || (steps !== null && alone));
      showTimes(view, tag, alone ? steps : null);
      linked.move(steps);
    },
  });
  const ends = [
    effect(() => {
      watchRuns(data, view);
      void [choices.xAxis.value, choices.ignoreOutliers.value, choices.linkedStep.value];
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
    shared: sharedStart(view.session.store.runs.value),
    theme: theme.value,
  };
}
