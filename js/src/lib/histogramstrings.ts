// The texts of histograms and distributions.

export const histogramStrings = {
  bins: { even: "Even bins", written: "As written" },
  binsTitle: "Bins",
  binHints: {
    even: "About 30 bins of one width for all steps; what was counted in a bin is spread evenly over it, so areas are kept",
    written: "The bins of the writer",
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
};
