// Labels of the linked step on histograms: each run's true step.

import type { Rect } from "../../charts/geometry";
import { LABEL_HEIGHT, labelsBelow, labelWidth, type StepLabel } from "../../charts/linkedstep";
import { shareOf } from "../../charts/plot";
import { positionsOf } from "../../histograms/steps";
import { formatCount } from "../../lib/format";
import { lastUpTo } from "../../lib/search";
import { strings } from "../../lib/strings";
import type { XAxisMode } from "../../lib/xaxis";
import type { HistogramPlot, HistogramPlots } from "./plots";
import { footOf, type Ridge, type Ridges, type RunSeries } from "./ridges";

/** CSS pixels between a plot and its label. */
const GAP = 3;

export function labelsOf({ facet, ridges, map }: HistogramPlot, { content, steps }: HistogramPlots): StepLabel[] {
  const { options, mode } = content;
  if (map !== null) {
    const { series } = map.run;
    const row = options.linked === null ? -1 : lastUpTo(positionsOf(series, "step"), options.linked);
    const [x, held] = [positionsOf(series, options.xAxis)[row], series.rows[row]];
    const scale = { range: steps, ends: [0, 1] } as const;
    return x === undefined || held === undefined
      ? []
      : labelsBelow([{ x, step: held.step }], facet, (value) => shareOf(scale, value));
  }
  const linked = ridges?.ridges.filter((ridge) => ridge.linked) ?? [];
  if (ridges === null || linked.length === 0) {
    return [];
  }
  return mode === "offset" ? besideRidges(linked, ridges, facet, options.xAxis) : [abovePlot(linked, facet)];
}

/** Along times, the label says that it is a step. */
function flagText(step: bigint, xAxis: XAxisMode): string {
  return xAxis === "step" ? formatCount(step) : strings.atLinked(formatCount(step));
}

/** CSS pixels beside an axis of times for the label of any step of these runs. */
export function widestFlag(runs: readonly RunSeries[]): number {
  const widths = runs.map(({ series }) => {
    const last = series.rows.at(-1);
    return last === undefined ? 0 : labelWidth(flagText(last.step, "wall")) + GAP;
  });
  return Math.max(0, ...widths);
}

/** On the axis of steps or times; of labels that would cover each other the first. */
function besideRidges(linked: readonly Ridge[], ridges: Ridges, facet: Rect, xAxis: XAxisMode): StepLabel[] {
  const placed: StepLabel[] = [];
  for (const { row, at } of linked) {
    const text = flagText(row.step, xAxis);
    const top = facet.top + footOf(ridges, at) * facet.height - LABEL_HEIGHT / 2;
    if (placed.every((other) => Math.abs(other.top - top) >= LABEL_HEIGHT)) {
      placed.push({ text, left: facet.left + facet.width + GAP, top, width: labelWidth(text) });
    }
  }
  return placed;
}

/** Where no axis is of steps: above the plot, at its right end. */
function abovePlot(linked: readonly Ridge[], { left, top, width }: Rect): StepLabel {
  const steps = linked.map(({ row }) => row.step).sort((a, b) => (a < b ? -1 : 1));
  const ends = [...new Set([steps[0] ?? 0n, steps.at(-1) ?? 0n])];
  const text = strings.stepName(ends.map(formatCount));
  const own = labelWidth(text);
  return { text, width: own, left: left + width - own, top: top - LABEL_HEIGHT - GAP };
}
