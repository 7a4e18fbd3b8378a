// The texts of parallel coordinates, and of the preview that their brushes give.

import { counted } from "./language";

const sessions = (count: number, n: string) => counted(count, n, "session", "sessions");

export const parallelStrings = {
  label: "Parallel coordinates",
  missing: "—",
  none: "No hyperparameter differs between the sessions, and there is no metric. Choose columns in the table",
  hint: "Drag along an axis to select sessions",
  hintMore: "Drag along an axis to select sessions, drag a title to move its axis, click it to flip the axis",
  lines: (count: number, n: string) => sessions(count, n),
  brushed: (count: number, n: string, all: string) => `${n} of ${sessions(count, all)} selected`,
  onlyThese: (n: string) => `Show only these ${n}`,
  onlyTheseHint: "Select the runs of these sessions in all panels, until you select others",
  clear: "Clear",
  clearHint: "Remove the selection on all axes",
  scales: { linear: "linear", log: "log", quantile: "quantile" },
  scaleHint: "Scale of this axis: linear, logarithmic, or by rank. A click takes the next one",
  scaleOf: (axis: string, scale: string) => `Scale of ${axis}: ${scale}`,
  titleHint: (hint: string) => `${hint}\n\nClick: flip · drag: move`,
  axis: (axis: string, brushes: string) => (brushes === "" ? axis : `${axis}, selected: ${brushes}`),
  axisKeys:
    "Enter flips the axis, S changes its scale. Up and down arrows select a part and move it, with Shift they resize it, " +
    "Delete removes it. Left and right arrows go to the next axis, with Shift they move this one",
  up: "↑",
  down: "↓",
  moreColumns: (count: number, n: string) => counted(count, `${n} more`, "column", "columns"),
  othersShow: (n: string, by: string | null) =>
    by === null ? `Other panels show the first ${n}` : `Other panels show the best ${n} by ${by}`,
  preview: (count: number, n: string) => `Preview of ${sessions(count, n)}`,
  previewBest: (shown: string, count: number, n: string, by: string) =>
    `Preview of the best ${shown} of ${sessions(count, n)} by ${by}`,
  previewFirst: (shown: string, count: number, n: string) => `Preview of the first ${shown} of ${sessions(count, n)}`,
  previewHint: "Selected on the axes of the hyperparameters; the selection of runs is as it was",
  endPreview: "End preview",
  endPreviewHint: "Show the selected runs again",
};
