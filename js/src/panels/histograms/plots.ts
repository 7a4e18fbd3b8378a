// The types of a card of histograms.

import type { Tick } from "../../charts/axis";
import type { Facet } from "../../charts/facets";
import type { StepLabel } from "../../charts/linkedstep";
import type { PlacedRange, RangeMark } from "../../charts/namedranges";
import type { PageColors } from "../../charts/theme";
import type { Range } from "../../lib/search";
import type { Theme } from "../../lib/tokens";
import type { CountScale } from "./countscale";
import type { Heatmap } from "./heatmap";
import type { RidgeMode, RidgeOptions, Ridges, RunSeries } from "./ridges";

/** The data and options of a card of histograms. */
export interface HistogramContent {
  readonly runs: readonly RunSeries[];
  readonly options: Omit<RidgeOptions, "steps" | "values">;
  readonly mode: RidgeMode | "heatmap";
  /** All runs in one plot, where the mode allows that. */
  readonly together: boolean;
  /** The name of a run above its plot. */
  nameOf(run: string): string;
  /** The ranges of steps that have names, on the axis of runs. */
  rangesOf(runs: readonly RunSeries[]): readonly PlacedRange[];
  readonly theme: Theme;
  readonly page: PageColors;
}

/** One plot: ridges or a heat map, null without a run. */
export interface HistogramPlot {
  readonly facet: Facet;
  readonly runs: readonly RunSeries[];
  readonly ridges: Ridges | null;
  readonly map: Heatmap | null;
  /** Named ranges with a part among the visible steps. */
  readonly ranges: readonly PlacedRange[];
  readonly acrossTicks: readonly Tick[];
  readonly downTicks: readonly Tick[];
}

/** All plots of a card, with the scales that they share. */
export interface HistogramPlots {
  readonly content: HistogramContent;
  readonly drawn: readonly HistogramPlot[];
  /** Visible steps or times, and visible values. */
  readonly steps: Range;
  readonly values: Range;
  readonly countScale: CountScale;
  readonly rangeMarks: readonly RangeMark[];
  readonly stepLabels: readonly StepLabel[];
}
