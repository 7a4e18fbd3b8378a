// Texts of parallel coordinates, and of the preview that their brushes give.

import { counted, defineTexts } from "../../../lib/texts";

const sessions = (count: number, n: string) => counted(count, n, { one: "session", other: "sessions" });

export const parallelTexts = defineTexts({
  label: "Parallel coordinates",
  missing: "—",
  none: "No hyperparameter differs between the sessions, and there is no metric. Choose columns in the table",
  hint: "Drag along an axis to select sessions",
  hintMore: "Drag a title to move its axis, click it to flip the axis",
  scales: { linear: "linear", log: "log", quantile: "quantile" },
  scaleHint: "Scale of this axis: linear, logarithmic, or by rank. A click takes the next one",
  scaleOf: (axis: string, scale: string) => `Scale of ${axis}: ${scale}`,
  titleHint: (hint: string) => `${hint}\n\nClick: flip · drag: move`,
  axis: (axis: string, brushes: string) => (brushes === "" ? axis : `${axis}, selected: ${brushes}`),
  axisKeys:
    "Enter flips the axis, S changes its scale. Up and down arrows select a part and move it, with Shift they resize it, " +
    "Delete removes it. Left and right arrows go to the next axis, with Shift they move this one",
  atLeast: (least: string) => `≥ ${least}`,
  atMost: (most: string) => `≤ ${most}`,
  anyNumber: "any number",
  up: "↑",
  down: "↓",
  moreColumns: (count: number, n: string) => counted(count, `${n} more`, { one: "column", other: "columns" }),
  moreAxes: (n: string) => `${n} more`,
  otherPanels: (what: string) => `Other panels show ${what}`,
  previewed: (count: number, n: string) => sessions(count, n),
  previewedBest: (shown: string, count: number, n: string, by: string) =>
    `the best ${shown} of ${sessions(count, n)} by ${by}`,
  previewedFirst: (shown: string, count: number, n: string) => `the first ${shown} of ${sessions(count, n)}`,
  /** Gestures of pointers, and their effects. */
  gestures: {
    brush: ["Drag along an axis", "Brush; drag a brush or its ends to change it"],
    clear: ["Click on a brush", "Remove it"],
    flip: ["Click on a title", "Flip the axis"],
    order: ["Drag a title", "Move the axis"],
  } as Readonly<Record<"brush" | "clear" | "flip" | "order", readonly [string, string]>>,
  keys: {
    go: "Previous or next axis",
    move: "Move the axis",
    brush: "Brush, and move the brush",
    resize: "Resize the brush",
    clear: "Remove the brushes",
    scale: "Next scale",
  },
});
