// Texts of the panel “histograms”.

import { defineTexts } from "../../lib/texts";

export const histogramPanelTexts = defineTexts({
  title: "Histograms",
  histogramModes: { offset: "Offset", overlay: "Overlay", heatmap: "Heat map" },
  histogramModesTitle: "Draw",
  histogramModeHints: {
    offset: "Each step on its own line, the latest in front",
    overlay: "All steps on one baseline, the latest strongest",
    heatmap: "X: steps, y: values, color: counts. For very many steps",
  },
  histogramAxisHints: {
    step: "Place histograms by step",
    relative: "Place histograms by time since the first one of each run",
    wall: "Place histograms by wall time (date and time)",
  },
  logCountsHint: "Logarithmic counts",
  binColumn: "Bin",
  countColumn: "Count",
  ofTotal: (total: string) => `of ${total}`,
  countInAll: (total: string) => `Count ${total} in total`,
  meanIs: (mean: string) => `Mean ${mean}`,
  inAll: (total: string) => `${total} in total`,
  outliersOfHistogramsHint:
    "Fit values to the middle 99 % of each step, and heights to most steps. Marks show what is clipped, tooltips how much",
  countPer: (width: string) => `count per ${width}`,
  binWidth: (width: string) => `bin width ${width}`,
  orMore: (count: string) => `${count} or more`,
});
