// Texts about the axes of charts and the smoothing of their lines.

import { counted } from "./language";

export const axisStrings = {
  /** The base of an axis, and what a label adds to it. */
  axisBase: (base: string) => `${base} +`,
  beyondBase: (label: string) => (label === "0" || label.startsWith("−") ? label : `+${label}`),
  noFiniteValue: "no finite value",
  noPositiveValue: "no value above 0",
  smoothing: "Smoothing",
  smoothingHint: "Smoothing: weight of earlier values in the lines. Raw values stay visible behind them.",
  smoothingWindowHint: "Smoothing: number of points averaged for each point of a line",
  drawnAsWritten: (count: number, n: string, all: string) =>
    `${n} of ${all} series on screen ${count === 1 ? "is" : "are"} not smoothed: fewer than 30 points, or values that only rise, only fall or rarely change`,
  smoothingWindow: "Smoothing window",
  windowOf: (points: number) => counted(points, String(points), "point", "points"),
  smoothingKind: "Smoothing method",
  smoothingKinds: { ema: "EMA", mean: "Mean", gaussian: "Gaussian", none: "None" },
  smoothingKindHint:
    "EMA: exponential moving average, with the bias at the start removed. Mean: of the last points. Gaussian: weighted mean of the points around. None: raw values.",
  axesMenu: "Axes ▾",
  axesMenuHint: "Scales and limits of the axes, raw values and restarts, for all charts",
  scales: { linear: "Linear", log: "Log", symlog: "Symlog" },
  xScale: "X scale",
  xScaleHints: {
    linear: "Linear",
    log: "Logarithm of steps or seconds; those at or below 0 are not drawn",
    symlog: "log(1 + x), and the mirror image below 0: nearly linear up to 1, logarithmic beyond",
  },
  xScaleWall: "The clock axis is always linear",
  rawValues: "Raw values",
  rawValuesNames: { line: "Line", band: "Band", hidden: "Hidden" },
  rawValuesHints: {
    line: "A faint line behind the smoothed one; of more than 12 lines, behind the one pointed at",
    band: "The area between min and max of nine neighboring values",
    hidden: "Only smoothed lines; axes are fitted to them",
  },
  stepsInSight: "Step range",
  stepLimits: ["First step", "Last step"] as const,
  shareY: "Same y-range for tags with one prefix",
  shareYHint:
    "Charts whose tags share the text before the first slash have the same y axis, fitted to all their values",
  splitRestarts: "Break lines at restarts",
  splitRestartsHint: "Where steps go back (a restart, or several writers), a new line starts, and so does smoothing",
  showSuperseded: "Show overwritten points",
  showSupersededHint:
    "Dashed lines show the points that a restart overwrote; a mark shows where each restart began. While a cell runs, they arrive when it ends",
  symlogConstant: "Symlog threshold",
  symlogConstantHint: "The c of symlog y axes, sign(v) · log(1 + |v| / c): nearly linear between −c and c",
  outliersOfCardHint: "Fit the y axis of this chart without outliers; marks on its edges name the farthest of them",
  cutAt: { above: (value: string) => `▲ ${value}`, below: (value: string) => `▼ ${value}` },
  cutHint: {
    above: (count: number, n: string, isAtLeast: boolean, most: string) =>
      `${isAtLeast ? "At least " : ""}${counted(count, n, "value", "values")} above the axis, up to ${most}: include outliers in this chart`,
    below: (count: number, n: string, isAtLeast: boolean, least: string) =>
      `${isAtLeast ? "At least " : ""}${counted(count, n, "value", "values")} below the axis, down to ${least}: include outliers in this chart`,
  },
  cutCount: (n: string, isAtLeast: boolean) => `${isAtLeast ? "≥ " : ""}${n} cut`,
  runEndsAt: (run: string, value: string) => `${run} ends at ${value}`,
  someRuns: (count: number, n: string) => counted(count, n, "run", "runs"),
  flattenOthers: (count: number) => (count === 1 ? "flattens the others" : "flatten the others"),
  showOthers: "show them",
  cutRunsHint:
    "An axis that holds this leaves the other runs less than a tenth of the chart. Press to fit the y axis to the others: an arrow and a value at the edge will mark where the run ends",
  areBeyond: (count: number) => (count === 1 ? "is beyond the axis" : "are beyond the axis"),
  beyond: "beyond",
  showAllRuns: "show all",
  runsCutHint: "Beyond the y axis, which is fitted to the other runs. Press to include all runs",
  cutCountHint: (count: number, n: string, isAtLeast: boolean) =>
    `The y axis leaves out ${isAtLeast ? "at least " : ""}${counted(count, n, "outlying value", "outlying values")}. The mark on the edge of the chart names the farthest; press it to include them`,
  cardAxes: "axes",
  cardAxesHint: "Scale and limits of this chart",
  yScale: "Y scale",
  yScaleHints: {
    linear: "Linear",
    log: "Logarithmic; values at or below 0 are not drawn",
    symlog: "Logarithmic on both sides of 0, nearly linear between",
  },
  valuesFromTo: "Value range",
  valueLimits: ["Min value", "Max value"] as const,
  valuesFromToHint: "Of this chart. An empty box: fitted to the visible lines",
  stepsFromToHint: "Of all charts. An empty box: the first or the last step",
  fitted: "fitted",
  openSteps: ["first", "last"] as const,
  fitToData: "Fit to data",
  fitToDataHint: "Show all steps and clear the zoom and limits of this chart (key: f)",
  symlogHint: "Symmetric logarithmic y axis",
  notFinite: (nan: string, up: string, down: string, other: string) =>
    [nan && `${nan} NaN`, up && `${up} +∞`, down && `${down} −∞`, other && `${other} NaN or ∞`]
      .filter(Boolean)
      .join(", "),
  notFiniteHint: (run: string, what: string, first: string, last: string) =>
    first === last ? `${run}: ${what}, at step ${first}` : `${run}: ${what}, from step ${first} to ${last}`,
  restarts: (count: number, n: string) => counted(count, n, "restart", "restarts"),
  restartsHint: (run: string, steps: string) => `${run}: steps go back to ${steps}`,
};
