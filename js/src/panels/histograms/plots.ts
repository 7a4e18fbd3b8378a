// What a card of histograms is made of.

import type { Tick } from "../../charts/axis";
import type { Facet } from "../../charts/facets";
import type { PageColors } from "../../charts/theme";
import type { Range } from "../../lib/range";
import type { Theme } from "../../lib/tokens";
import type { CountScale } from "./countscale";
import type { Heatmap } from "./heatmap";
import type { RidgeMode, RidgeOptions, Ridges, RunSeries } from "./ridges";

/** What a card of histograms shows, and how. */
export interface HistogramContent {
  readonly runs: readonly RunSeries[];
  readonly options: Omit<RidgeOptions, "steps" | "values">;
  readonly mode: RidgeMode | "heatmap";
  /** All runs in one plot, where the mode allows that. */
  readonly together: boolean;
  /** What a run is called above its plot. */
  nameOf(run: string): string;
  readonly theme: Theme;
  readonly page: PageColors;
}

/** What one plot shows: ridges or a heat map, null without a run. */
export interface HistogramPlot {
  readonly facet: Facet;
  readonly runs: readonly RunSeries[];
  readonly ridges: Ridges | null;
  readonly map: Heatmap | null;
  readonly acrossTicks: readonly Tick[];
  readonly downTicks: readonly Tick[];
}

/** All plots of a card, with the scales that they share. */
export interface HistogramPlots {
  readonly content: HistogramContent;
  readonly drawn: readonly HistogramPlot[];
  /** Steps or times, and values, in sight. */
  readonly steps: Range;
  readonly values: Range;
  readonly countScale: CountScale;
}
