// The choices of the histograms alone.

import { defineChoices, nameSet, oneOf } from "../../choices/declare";

export const HISTOGRAM_MODES = ["offset", "overlay", "heatmap"] as const;

export type HistogramMode = (typeof HISTOGRAM_MODES)[number];

/** Few of one width for all steps, or those of the writer. */
export const BIN_SORTS = ["even", "written"] as const;

export type BinSort = (typeof BIN_SORTS)[number];

export const histogramsChoices = defineChoices({
  histogram_mode: oneOf<HistogramMode>(HISTOGRAM_MODES, "offset"),
  bins: oneOf<BinSort>(BIN_SORTS, "even"),
  log_counts: nameSet(),
});
