// Texts that histograms and distributions share.

import { defineTexts } from "../lib/texts";

export const histogramTexts = defineTexts({
  meanColumn: "Mean",
  meanAndDeviation: (mean: string, deviation: string) => `${mean} ± ${deviation}`,
  bins: { even: "Uniform", written: "As logged" },
  binsTitle: "Bins",
  binHints: {
    even: "About 30 bins of equal width for all steps. Counts of logged bins are spread evenly over their width, so areas are kept",
    written: "Bins as the writer logged them",
  },
  /** A count in even bins, of which one gets parts. */
  about: (count: string) => `≈ ${count}`,
  heightColumn: "Height",
  perStretch: (count: string, stretch: string) => `${count} per ${stretch}`,
  cutAbove: (count: string) => `(drawn up to ${count})`,
  outsideColumn: "Not shown",
  below: (share: string, end: string) => `${share} below ${end}`,
  above: (share: string, end: string) => `${share} above ${end}`,
  percent: (number: string) => `${number} %`,
  underPercent: (number: string) => `under ${number} %`,
});
