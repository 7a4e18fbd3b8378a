// Texts about the axes of charts and the smoothing of their lines.

import { counted } from "./language";

export const axisStrings = {
  /** The base of an axis, and what a label adds to it. */
  axisBase: (base: string) => `${base} +`,
  beyondBase: (label: string) => (label === "0" || label.startsWith("−") ? label : `+${label}`),
  smoothing: "Smoothing",
  smoothingHint: "Smoothing: how much of the past is in the lines. What was written stays faint behind them.",
  smoothingWindowHint: "Smoothing: how many points are averaged for each point of a line",
  smoothingWindow: "Points that are averaged",
  windowOf: (points: number) => counted(points, String(points), "point", "points"),
  smoothingKind: "Kind of smoothing",
  smoothingKinds: { ema: "EMA", mean: "Mean", gaussian: "Gaussian", none: "None" },
  smoothingKindHint:
    "EMA: exponential moving average, free of its bias at the beginning. Mean: of the last points. Gaussian: of the points around, the nearer the more. None: lines as written.",
  axesMenu: "Axes ▾",
  axesMenuHint: "Scales, limits and what is drawn along the axes, in all cards",
  scales: { linear: "Linear", log: "Log", symlog: "Symlog" },
  xScale: "Scale along x",
  xScaleHints: {
    linear: "Evenly",
    log: "By the logarithm of steps or seconds; those up to 0 have no place",
    symlog: "By log(1 + x), and the same below 0: nearly even up to 1, logarithmic beyond",
  },
  xScaleWall: "Times of day are always spread evenly",
  rawValues: "Behind smoothed lines",
  rawValuesNames: { line: "Line", band: "Band", hidden: "Nothing" },
  rawValuesHints: {
    line: "The values as written, as a faint line",
    band: "The area between the least and the greatest of nine neighbouring values",
    hidden: "Smoothed lines alone; axes are fitted to them",
  },
  stepsInSight: "Steps from – to",
  stepLimits: ["First step", "Last step"] as const,
  shareY: "One value axis for each group",
  shareYHint:
    "All cards whose tags begin alike, up to a first slash, have the same value axis: that of all their values at all steps",
  splitRestarts: "Split lines where steps go back",
  splitRestartsHint:
    "After a restart, or between several writers, a new line begins instead of one that leads back; smoothing begins anew, too",
  showSuperseded: "Show superseded points",
  showSupersededHint:
    "What restarts wrote anew, as dashed lines, with a mark where each began. The kernel is asked for it, which answers when its cell ends",
  symlogConstant: "Symlog is even up to",
  symlogConstantHint: "sign(v) · log(1 + |v| / c): the c of symmetric logarithmic value axes",
  cardAxes: "axes",
  cardAxesHint: "Scale and limits of this chart",
  yScale: "Scale of the values",
  yScaleHints: {
    linear: "Evenly",
    log: "By the logarithm; values up to 0 have no place",
    symlog: "By logarithms on both sides of 0, nearly even between",
  },
  valuesFromTo: "Values from – to",
  valueLimits: ["Least value", "Greatest value"] as const,
  valuesFromToHint: "Of this chart. An empty box: fitted to the lines in sight",
  stepsFromToHint: "Of all charts. An empty box: the first or the last step",
  fitted: "fitted",
  openSteps: ["first", "last"] as const,
  fitToData: "Fit to data",
  fitToDataHint: "Shows all steps, and lets go of zoom and limits of this chart (key: f)",
  symlogHint: "Symmetric logarithmic value axis",
  notFinite: (nan: string, up: string, down: string, other: string) =>
    [nan && `${nan} NaN`, up && `${up} +∞`, down && `${down} −∞`, other && `${other} NaN or ∞`]
      .filter(Boolean)
      .join(", "),
  notFiniteHint: (run: string, what: string, first: string, last: string) =>
    first === last ? `${run}: ${what}, at step ${first}` : `${run}: ${what}, from step ${first} to ${last}`,
  restarts: (count: number, n: string) => counted(count, n, "restart", "restarts"),
  restartsHint: (run: string, steps: string) => `${run}: steps go back to ${steps}`,
};
