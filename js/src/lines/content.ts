// The content of a line chart: the lines of its tags and the areas behind them, on axes of any kind; and its legend.

import { isTimeline, timeXAxis, type XAxis } from "../charts/axis";
import type { ChartContent } from "../charts/layout";
import { commonTexts } from "../lib/commontexts";
import { sharedStart, shortened } from "../lib/names";
import { type AxisScale, LINEAR, LOG, symlog } from "../lib/scale";
import { type Range, union } from "../lib/search";
import { isSplitCard, splitOf } from "../lib/tagorder";
import { chartColors, type Theme } from "../lib/tokens";
import { timeAxis } from "../lib/xaxis";
import { type NamedRange, namedRangeOptions } from "../options/namedranges";
import { type ExactStep, logValueOptions, rangeNumbers, timeAxisOptions } from "../options/shared";
import type { LegendEntry } from "../ui/mountchart";
import { shortName } from "../ui/runname";
import { runsOf } from "../ui/runs";
import type { View } from "../ui/view";
import { numbers } from "../wire/steps";
import { cutsRuns, ignoresOutliers, limitsOf, sharedValues, xScaleOf } from "./axes";
import type { NamedLine } from "./beyond";
import type { TagScalars } from "./codec";
import { isCompared, isDifference, linesOf, optionsOf, selectedAlong, tagAlongX } from "./compare";
import { curveBytes, curveOf } from "./curve";
import { lineChart } from "./linechart";
import { compareOptions, type RawValues, scalarsOptions } from "./options";
import { type Line, type Margin, marginBetween, paintLines, paintMargins, paintSelected, tagStyle } from "./paint";
import { type LinePoint, largestStep, pointsLinked, pointsNear, rowAt } from "./points";
import { type RowsAlong, rangesAlong } from "./rangesalong";
import { olderLines, type SupersededPoints } from "./superseded";
import type { ValueLimits } from "./valuerange";

/** The lines of one tag: one a run, or aggregates of the runs. */
export interface TagDrawing {
  readonly tag: string;
  readonly lines: readonly Line[];
  /** Points that restarts have superseded. */
  readonly older: readonly Line[];
  readonly margins: readonly (Margin & { readonly run: string })[];
}

/** A line chart of any data. */
export interface LinesDrawing {
  readonly parts: readonly TagDrawing[];
  readonly x: XAxis;
  readonly yScale: AxisScale;
  /** Ends of the axis of values that were fixed. */
  readonly limits?: ValueLimits | undefined;
  /** Values to fit that axis to, instead of the visible ones. */
  readonly shared?: Range | null;
  readonly ignoreOutliers: boolean;
  /** The axis is fitted without the lines that flatten the others. */
  readonly cutsRuns?: boolean;
  readonly theme: Theme;
  /** How raw values are drawn behind smoothed lines. */
  readonly behind: RawValues;
  /** The linked step. */
  readonly linked: ExactStep | null;
  /** Selected places along x. */
  readonly selected: Range | null;
  /** The ranges of steps that have names. */
  readonly ranges: readonly NamedRange[];
  /** The largest step drawn. */
  readonly lastStep: bigint | null;
  /** Names of lines. */
  readonly names?: readonly NamedLine[];
  /** They stand at their ends. */
  readonly isLabeled?: boolean;
}

export function drawLines({
  parts,
  behind,
  linked,
  selected,
  ranges,
  ...chart
}: LinesDrawing): ChartContent<readonly LinePoint[]> {
  const lines = parts.flatMap((part) => part.lines);
  const older = parts.flatMap((part) => part.older);
  const margins = parts.flatMap((part) => part.margins);
  const curves = [
    ...[...lines, ...older].map(({ curve }) => curve),
    ...margins.flatMap(({ lower, upper }) => [lower, upper]),
  ];
  return lineChart<LinePoint>({
    ...chart,
    marksCuts: true,
    lines: curves,
    plots: [
      {
        run: "",
        color: "",
        lines: lines.filter(({ faded }) => !faded).map(({ curve }) => curve),
        linked: pointsLinked(lines, linked),
        ranges: rangesAlong(ranges, chart.x, () => lines.map(rowsOf)),
        paint: (surface, area, x, y, zoomed, highlight) => {
          paintSelected(surface, area, selected, x, chart.theme);
          paintMargins(surface, area, margins, x, y);
          paintLines(surface, area, lines, x, y, { zoomed, behind, older, highlight });
        },
        near: (x, reach, _y, distance) =>
          parts.flatMap((part) => pointsOf(part, x, reach, isTimeline(chart.x) ? null : (distance ?? null))),
      },
    ],
    bytes: curves.reduce((sum, curve) => sum + curveBytes(curve.series), 0),
  });
}

/** The points of one tag near `x`, with the values around them. */
function pointsOf(
  { tag, lines, margins }: TagDrawing,
  x: number,
  reach: number,
  distance: ((x: number, y: number) => number) | null,
): LinePoint[] {
  return pointsNear(lines, x, reach, distance).map((point) => {
    const around = margins.find(({ run }) => run === point.run);
    // By their steps: three points of one step were written at three times.
    const ends = around && [around.lower, around.upper].map(({ series }) => series.value[rowAt(series, point.step)]);
    const [low, high] = ends ?? [];
    return { ...point, tag, band: low === undefined || high === undefined ? point.band : [low, high] };
  });
}

/** The scalars of one tag, and those that bound its margin. */
export interface TagLines {
  readonly tag: string;
  readonly data: TagScalars;
  /** The scalars around it, in a margin chart. */
  readonly lower?: TagScalars | undefined;
  readonly upper?: TagScalars | undefined;
  /** Their tags. */
  readonly margins?: readonly string[];
}

/** The x axis: steps, times, or the values of another tag. */
export function xAxisOf(view: View): XAxis {
  const along = tagAlongX(view);
  return along === null
    ? timeXAxis(timeAxis(view.options.of(timeAxisOptions).x_axis.value), xScaleOf(view))
    : { kind: "number", scale: LINEAR, name: along, linksSteps: false };
}

/** The scale that all of these tags have; linear if they differ. */
export function scaleOfAll(tags: readonly string[], { options }: Pick<View, "options">): AxisScale {
  const all = (chosen: ReadonlySet<string>) => tags.length > 0 && tags.every((tag) => chosen.has(tag));
  const { symlog_y, symlog_constant } = options.of(scalarsOptions);
  if (all(symlog_y.value)) {
    return symlog(symlog_constant.value);
  }
  return all(options.of(logValueOptions).log_y.value) ? LOG : LINEAR;
}

/** The scale on which tags are drawn: linear for differences, which may have no logarithm. */
export function drawnScale(shown: readonly TagLines[], view: View): AxisScale {
  const scale = scaleOfAll(
    shown.map(({ tag }) => tag),
    view,
  );
  return scale.name === "log" && shown.some(({ data }) => isDifference(data, view)) ? LINEAR : scale;
}

/** The chart of the scalars of some tags; `superseded` holds the superseded points of each. */
export function scalarsContent(shown: readonly TagLines[], view: View, superseded: readonly SupersededPoints[]) {
  const { options, theme } = view;
  const { linked_step } = options.of(timeAxisOptions);
  const { selected_steps, line_labels } = options.of(compareOptions);
  const tags = shown.map(({ tag }) => tag);
  const x = xAxisOf(view);
  const yScale = drawnScale(shown, view);
  const parts = shown.map((_, i) => drawingOf(shown, i, yScale, superseded[i], view));
  const lines = parts.flatMap((part) => part.lines);
  // Limits hold for values, not for differences and ratios.
  const compared = shown.some(({ data }) => isCompared(data, view));
  const ranges = compared ? [null] : tags.map((tag) => sharedValues(tag, view));
  return drawLines({
    parts,
    x,
    yScale,
    limits: compared ? undefined : limitsOf(view, tags),
    shared: ranges.includes(null) ? null : union(ranges.filter((range) => range !== null)),
    ignoreOutliers: ignoresOutliers(tags, view),
    cutsRuns: cutsRuns(tags, view),
    theme: theme.value,
    behind: options.of(scalarsOptions).raw_values.value,
    linked: linked_step.value,
    selected: selectedAlong(rangeNumbers(selected_steps.value), lines, x),
    ranges: options.of(namedRangeOptions).named_ranges.value,
    lastStep: largestStep(shown.flatMap(({ data }) => runsOf(data, view).map(({ series }) => series))),
    names: namesOf(parts, view),
    isLabeled: line_labels.value,
  });
}

function rowsOf({ curve: { series, x, ascending } }: Line): RowsAlong {
  return { steps: numbers(series.step), x, ascending: ascending && series.ascending };
}

/** The `i`-th tag of some. */
function drawingOf(
  shown: readonly TagLines[],
  i: number,
  yScale: AxisScale,
  superseded: SupersededPoints | undefined,
  view: View,
): TagDrawing {
  const { tag, data, lower, upper } = shown[i] as TagLines;
  const curveOptions = { ...optionsOf(tag, data, view), yScale };
  const found = linesOf(data, view, curveOptions);
  // Where there are several tags, dashes tell them apart, else runs.
  const { dash, colorOf } = styleOf(
    shown.map((part) => part.tag),
    i,
    view.theme.value,
  );
  const lines = shown.length === 1 ? found : found.map((line) => ({ ...line, dash, color: colorOf(line.color) }));
  // Margins and superseded points belong to values, not to aggregates or comparisons.
  const isPlain = tagAlongX(view) === null && !isCompared(data, view) && !lines.some(({ aggregation }) => aggregation);
  if (!isPlain) {
    return { tag, lines, older: [], margins: [] };
  }
  const margins = lines.flatMap(({ run, color, faded, curve }) => {
    const [low, high] = [lower?.byRun.get(run), upper?.byRun.get(run)];
    const around = { ...curveOptions, inside: curve.series };
    return low === undefined || high === undefined
      ? []
      : [
          {
            run,
            ...marginBetween(curveOf(low.series, around), curveOf(high.series, around), color, faded),
          },
        ];
  });
  return { tag, lines, older: superseded === undefined ? [] : olderLines(lines, superseded, curveOptions), margins };
}

/** How the lines of the `i`-th of some tags are drawn; validation is solid, and training, which comes first, has dashes. */
export function styleOf(tags: readonly string[], i: number, theme: Theme) {
  return tagStyle(isSplitCard(tags) ? (i + tags.length - 1) % tags.length : i, theme);
}

/** The parts of names that tell some tags apart: their words for training, validation and test, else what follows the same beginning. */
export function shortTags(tags: readonly string[]): (tag: string) => string {
  const shared = sharedStart(tags);
  const isSplit = isSplitCard(tags) && tags.every((tag) => splitOf(tag) !== "");
  return (tag) => (isSplit ? splitOf(tag) : shortened(tag, shared));
}

/** A line is named by its tag, its run or both, whichever tells the lines apart. */
function namesOf(parts: readonly TagDrawing[], view: View): NamedLine[] {
  const lines = parts.flatMap(({ tag, lines }) => lines.filter(({ faded }) => !faded).map((line) => ({ tag, line })));
  const [tags, runs] = [[...new Set(lines.map(({ tag }) => tag))], [...new Set(lines.map(({ line }) => line.run))]];
  const short = shortTags(tags);
  return lines.map(({ tag, line }) => {
    const [ofTag, ofRun] = [short(tag), shortName(line.run, view)];
    const text = tags.length === 1 ? ofRun : runs.length === 1 ? ofTag : commonTexts().beside([ofTag, ofRun]);
    return { line: line.curve, color: line.color, text };
  });
}

/**
 * The lines of a single tag. Of several, the tags by their dashes, and the runs, or what is made of them, by their colors; of
 * a single run, the tags by both.
 */
export function legendOf(shown: readonly TagLines[], view: View): LegendEntry[] {
  const theme = view.theme.value;
  const lines = shown.flatMap(({ tag, data }) => linesOf(data, view, optionsOf(tag, data, view)));
  if (shown.length === 1) {
    return lines.map(({ run, color, dash = [] }) => ({ text: shortName(run, view), color, dash }));
  }
  const byText = new Map(
    lines.map(({ run, color }) => [JSON.stringify([run, color]), { text: shortName(run, view), color }] as const),
  );
  const drawn = [...byText.values()];
  const [only, ...others] = drawn;
  const names = shown.map(({ tag }) => tag);
  const tags = names.map((text, i) => {
    const { dash, colorOf } = styleOf(names, i, theme);
    return {
      text,
      dash,
      color: others.length > 0 || only === undefined ? chartColors[theme].label : colorOf(only.color),
    };
  });
  return [...tags, ...drawn];
}
