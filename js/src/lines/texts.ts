// Texts of line charts: axes, smoothing, and the comparison of runs.

import { counted, defineTexts, listOf, NARROW_SPACE, plural } from "../lib/texts";

const flattenOthers = (count: number) => plural(count, { one: "flattens the others", other: "flatten the others" });
const areBeyond = (count: number) => plural(count, { one: "is beyond the axis", other: "are beyond the axis" });

export const lineTexts = defineTexts({
  bucketsHint: (held: string, total: string) =>
    `${total} points in ${held} buckets. Lines show the means, areas the min and max, so no spike is lost`,
  asBuckets: (total: string) => `≈ ${total} points`,
  memoryShort: "low memory",
  memoryShortHint: (held: string, total: string) =>
    `${total} points are stored as ${held} buckets, about two per pixel: this page has no memory for more. Zoom in to see points.`,
  runColumn: "Run",
  smoothedColumn: "Smoothed",
  valueColumn: "Value",
  stepColumn: "Step",
  timeColumn: "Time",
  relativeColumn: "Relative",
  mean: (value: string) => `≈ ${value}`,
  axisHints: {
    step: "X axis: steps",
    relative: "X axis: time since the first point of each run",
    wall: "X axis: wall time (date and time)",
  },
  outliersHint:
    "Fit the y axis without outliers: values whose distance from the middle 90 % exceeds the width of that middle",
  logHint: "Logarithmic y axis",
  valueOfRun: (run: string, value: string) => `${run}: ${value}`,
  markKinds: { alert: "Alert", checkpoint: "Checkpoint" },
  stepName: (steps: readonly string[]) => `${steps.length > 1 ? "Steps" : "Step"} ${steps.join(" – ")}`,
  /** The base of an axis, and what a label adds to it. */
  axisBase: (base: string) => `${base} +`,
  noFiniteValue: "no finite value",
  noPositiveValue: "no value above 0",
  noValuesIn: (first: string, last: string) =>
    first === last ? `no values at step ${first}` : `no values in steps ${first} – ${last}`,
  noValuesHere: "no values in this range",
  smoothing: "Smoothing",
  smoothingHint: "Smoothing: weight of earlier values in the lines. Raw values stay visible behind them.",
  smoothingWindowHint: "Smoothing: number of points averaged for each point of a line",
  drawnAsWritten: (count: number, n: string, all: string) =>
    `${n} of ${all} series on screen ${count === 1 ? "is" : "are"} not smoothed: fewer than 30 points, or values that only rise, only fall or rarely change`,
  smoothingWindow: "Smoothing window",
  windowOf: (points: number) => counted(points, String(points), { one: "point", other: "points" }),
  smoothingKind: "Smoothing method",
  smoothingKinds: { ema: "EMA", mean: "Mean", gaussian: "Gaussian", none: "None" },
  smoothingKindHint:
    "EMA: exponential moving average, with the bias at the start removed. Mean: of the last points. Gaussian: weighted mean of the points around. None: raw values.",
  notSmoothed: "Not smoothed",
  smoothedBy: (amount: string) => `Smooth ${amount}`,
  /** On the button of an axis. */
  symlog: "Symlog",
  scales: { linear: "Linear", log: "Log", symlog: "Symlog" },
  xScale: "X scale",
  xScaleHints: {
    linear: "Linear",
    log: "Logarithm of steps or seconds; those at or below 0 are not drawn",
    symlog: "log(1 + x), and the mirror image below 0: nearly linear up to 1, logarithmic beyond",
  },
  yScaleHint: "Of all charts that match the filter",
  xScaleWall: "The clock axis is always linear",
  rawValues: "Raw values",
  rawValuesNames: { line: "Line", band: "Band", hidden: "Hidden" },
  rawValuesHints: {
    line: "A faint line behind the smoothed one; of more than 12 lines, behind the one pointed at",
    band: "The area between min and max of nine neighboring values",
    hidden: "Only smoothed lines; axes are fitted to them",
  },
  stepsInSight: "Step range",
  stepLimits: ["First step", "Last step"] as readonly [string, string],
  shareY: "Same y-range for one prefix",
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
  cutCount: (n: string, isAtLeast: boolean) => `${isAtLeast ? "≥ " : ""}${n} cut`,
  runEndsAt: (run: string, value: string) => `${run} ends at ${value}`,
  someRuns: (count: number, n: string) => counted(count, n, { one: "run", other: "runs" }),
  flattenOthers,
  /** The button above: what the lines do, and what a press does. */
  showFlattened: (lines: string, count: number) => `${lines} ${flattenOthers(count)} · show them`,
  showOthers: "show them",
  cutRunsHint:
    "An axis that holds this leaves the other runs less than a tenth of the chart. Press to fit the y axis to the others: an arrow and a value at the edge will mark where the run ends",
  areBeyond,
  showBeyond: (lines: string, count: number) => `${lines} ${areBeyond(count)} · show all`,
  showAllRuns: "show all",
  runsCutHint: "Beyond the y axis, which is fitted to the other runs. Press to include all runs",
  cutCountHint: (count: number, n: string, isAtLeast: boolean) =>
    `The y axis leaves out ${isAtLeast ? "at least " : ""}${counted(count, n, { one: "outlying value", other: "outlying values" })}. The mark on the edge of the chart names the farthest; press it to include them`,
  cardAxes: "Chart axes",
  cardAxesHint: "Scale and limits of this chart",
  yScale: "Y scale",
  yScaleHints: {
    linear: "Linear",
    log: "Logarithmic; values at or below 0 are not drawn",
    symlog: "Logarithmic on both sides of 0, nearly linear between",
  },
  valuesFromTo: "Value range",
  valueLimits: ["Min value", "Max value"] as readonly [string, string],
  valuesFromToHint: "Of this chart. An empty box: fitted to the visible lines",
  stepsFromToHint: "Of all charts. An empty box: the first or the last step",
  fitted: "fitted",
  openSteps: ["first", "last"] as readonly [string, string],
  fitToData: "Fit to data",
  fitToDataHint: "Show all steps and clear the zoom and limits of this chart (key: f)",
  symlogHint: "Symmetric logarithmic y axis",
  notFinite: (nan: string, up: string, down: string, other: string) =>
    [nan && `${nan} NaN`, up && `${up} +∞`, down && `${down} −∞`, other && `${other} NaN or ∞`]
      .filter(Boolean)
      .join(", "),
  notFiniteHint: (run: string, what: string, first: string, last: string) =>
    first === last ? `${run}: ${what}, at step ${first}` : `${run}: ${what}, at steps ${first} – ${last}`,
  notPositive: (count: number, n: string, isAtLeast: boolean) =>
    `${isAtLeast ? "≥ " : ""}${counted(count, n, { one: "value", other: "values" })} ≤ 0 left out`,
  notPositiveHint: "A logarithmic y axis has no place for values at or below 0; all steps count",
  restarts: (count: number, n: string) => counted(count, n, { one: "restart", other: "restarts" }),
  restartsHint: (run: string, steps: string) => `${run}: steps go back to ${steps}`,
  valueWithBand: (value: string, lower: string, upper: string) => `${value}, between ${lower} and ${upper}`,
});

export const compareTexts = defineTexts({
  aggregate: "Average runs",
  aggregates: { none: "None", mean: "Mean", median: "Median" },
  aggregateHints: {
    none: "One line for each run",
    mean: "Mean of the shown runs, or of each group, at each step",
    median: "Median of the shown runs, or of each group, at each step",
  },
  aggregateOf: (aggregate: "mean" | "median", runs: number) =>
    `${aggregate} of ${counted(runs, String(runs), { one: "run", other: "runs" })}`,
  noGroup: "other runs",
  band: "Band",
  bands: { none: "None", std: "± std", minmax: "Min–max", quantile: `25 – 75${NARROW_SPACE}%` },
  bandHints: {
    none: "No band",
    std: "One standard deviation around the mean",
    minmax: "From min to max",
    quantile: "From the first to the third quartile",
  },
  members: "Show single runs, too",
  membersHint: "Draw the runs faintly behind the line of their group",
  baseline: "Baseline",
  baselineHint: "Compare every run with this one, at the steps that both have reached",
  noBaseline: "none",
  comparedAs: "Compare as",
  compareAs: { difference: "Difference", ratio: "Ratio" },
  compareAsHints: {
    difference: "Value minus baseline",
    ratio: "Value divided by baseline",
  },
  comparedTo: { difference: (run: string) => `− ${run}`, ratio: (run: string) => `÷ ${run}` },
  comparedHint: {
    difference: (run: string) => `Lines show the difference from ${run}, at the steps of each run`,
    ratio: (run: string) => `Lines show the ratio to ${run}, at the steps of each run`,
  },
  noSuchBaseline: "no baseline",
  noSuchBaselineHint: (run: string) => `${run} has no values of this tag: lines show the plain values`,
  someBaseline: (run: string, how: "difference" | "ratio") => `some ${how === "ratio" ? "÷" : "−"} ${run}`,
  someBaselineHint: (run: string, how: "difference" | "ratio") =>
    `${run} has only some of the tags: their lines show the ${how === "ratio" ? "ratio to" : "difference from"} it, the other lines plain values`,
  xTag: "X from a tag",
  xTagHint: "Use the values of another tag as the x axis, joined by step",
  noTag: "none",
  noTagThere: (tag: string) => `no ${tag}`,
  noTagHere: (tag: string) => `None of the shown runs has ${tag}`,
  notAggregated: (aggregate: "mean" | "median") => `no ${aggregate} here`,
  notAggregatedHint: (aggregate: "mean" | "median") =>
    `A ${aggregate} needs steps on the x axis: with another tag there, each run has its own line`,
  notAggregatedAlong: "Averages need steps on the x axis: with another tag there, each run has its own line",
  tooltipSort: "Tooltip order",
  tooltipSorts: { nearest: "Nearest", descending: "Highest", ascending: "Lowest", name: "Name" },
  tooltipMost: "Tooltip rows",
  labels: "Run names at line ends",
  labelsHint: "In charts with up to eight lines and enough room, and at the line near the pointer",
  joinSplits: "Training and validation in one chart",
  joinSplitsHint: "Tags that differ only in a word such as train, val or test share a chart, with up to 12 runs",
  emptyCards: "Show empty charts",
  emptyCardsHint: "Charts of tags for which no shown run has data",
  emptyHidden: (n: number, count: string) =>
    `${counted(n, count, { one: "tag", other: "tags" })} without data in the shown runs`,
  someOf: (some: string, all: string) => `${some} of ${all} runs`,
  nColumn: "n",
  bandColumn: "Band",
  sameStep: (step: string) => `Step ${step}`,
  more: (n: number) => `and ${n} more`,
  last: "last",
  lastHint: (run: string, value: string, step: string) => `${run}: last value ${value} (not smoothed), at step ${step}`,
  linkedHint: (run: string, value: string, step: string, linked: string) =>
    step === linked
      ? `${run}: ${value} (not smoothed) at the linked step ${step}`
      : `${run}: ${value} (not smoothed) at step ${step}; step ${linked} is linked`,
  linkedOfAll: (of: string, linked: string) =>
    `Min and max of the values of ${of} (not smoothed), each at its last step up to ${linked}, the linked step, or at its first`,
  lastOfAll: (of: string) => `Min and max of the last values of ${of} (not smoothed)`,
  runsNamed: (runs: string) => `${runs} runs`,
  groupsNamed: (aggregate: "mean" | "median", groups: string) => `the ${aggregate}s of ${groups} groups`,
  aggregateAt: (aggregate: "mean" | "median", word: string, isLinked: boolean) =>
    isLinked ? `${aggregate} ${word}` : `${word} ${aggregate}`,
  /** Values as written, where smoothed ones are drawn. */
  rawAt: (word: string) => `raw ${word}`,
  notes: {
    stopped: (runs: readonly string[]) => `Stopped while others went on: ${listOf(runs)}`,
    nan: (runs: readonly string[]) => `Ends in NaN: ${listOf(runs)}`,
    infinite: (runs: readonly string[]) => `Ends in infinity: ${listOf(runs)}`,
    diverged: (runs: readonly string[]) => `Diverged, last values far above the whole first half: ${listOf(runs)}`,
  },
  noteNames: { stopped: "stopped", nan: "ended in NaN", infinite: "ended in ∞", diverged: "diverged" },
  noted: (n: number, name: string) => (n > 1 ? `${n} ${name}` : name),
  andMore: (n: number) => `${n} more`,
  select: "Select range",
  selectHint:
    "Dragging in a chart selects steps for the table instead of zooming. Ctrl or \u2318 and drag always selects",
  values: "Table of values",
  valuesHint: "A table of the charts on screen: for the selected steps, the linked step, or all steps",
  valuesOf: {
    all: "all steps",
    selected: "selected steps",
    linked: "the linked step",
  },
  from: "From step",
  to: "to",
  firstSelected: "First selected step",
  lastSelected: "Last selected step",
  clear: "Clear range",
  rangeName: "Name of the selected steps",
  rangeNameHint: "Name these steps: all charts along steps show them as a band. Without a name there is none",
  rangeNamePlaceholder: "Name these steps…",
  tooManyRanges: (most: number) => `At most ${most} ranges have names`,
  removeRange: "remove",
  rangesName: "Named ranges of steps",
  selectRange: (name: string) => `Select the steps of ${name}`,
  approximate: (value: string) => `≈${NARROW_SPACE}${value}`,
  approximateHint: "≈: mean of a bucket of points. Zoom in to see the points",
  nothingThere: "No chart on screen has values there",
  columns: {
    run: "Run",
    tag: "Tag",
    n: "n",
    start: "Start",
    end: "End",
    change: "Change",
    percent: "Change %",
    min: "Min",
    max: "Max",
    mean: "Mean",
    minStep: "Min at",
    maxStep: "Max at",
    value: "Value",
    step: "Step",
  },
});

export const checkpointTexts = defineTexts({
  title: "Checkpoints",
  marks: "Checkpoints",
  marksHint: "Mark checkpoints on the x axis. Click a mark for paths to copy",
  step: (step: string) => `step ${step}`,
  epoch: (epoch: string) => `epoch ${epoch}`,
  noStep: "no step",
  bestBy: "Best by",
  bestValue: "Which value is best",
  lowest: "lowest",
  highest: "highest",
  bestAt: (value: string, step: string, approximate: boolean) =>
    `${value} at step ${approximate ? "≈ " : ""}${step}. The nearest checkpoint:`,
  noBest: "No checkpoint has a step",
  copyPath: "Copy path",
  copyLine: "Copy Python",
  copied: "Copied",
  notCopied: "Not copied",
  leftOut: (n: string) => `${n} earlier ones are not shown`,
  of: (run: string) => `Checkpoints of ${run}`,
  counted: (n: string, last: string | null) => (last === null ? n : `${n} · ${last}`),
});
