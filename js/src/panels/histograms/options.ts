// The options of the histograms alone.

import { defineOptions, nameSet, oneOf } from "../../options/declare";

export const HISTOGRAM_MODES = ["offset", "overlay", "heatmap"] as const;

export type HistogramMode = (typeof HISTOGRAM_MODES)[number];

/** Few bins of one width for all steps, or the bins as written. */
export const BIN_SORTS = ["even", "written"] as const;

export type BinSort = (typeof BIN_SORTS)[number];

export const histogramsOptions = defineOptions({
  histogram_mode: oneOf<HistogramMode>(HISTOGRAM_MODES, "offset"),
  bins: oneOf<BinSort>(BIN_SORTS, "even"),
  log_counts: nameSet(),
});
