// What a chart of several tags draws: a line for each run and tag, or what is made of the runs, and the margins around some.

import { lineChart } from "../../../charts/linechart";
import { chartTheme } from "../../../charts/theme";
import { sharedStart, shortened } from "../../../lib/names";
import { union } from "../../../lib/range";
import { type AxisScale, LINEAR, LOG, symlog } from "../../../lib/scale";
import { logValueOptions, rangeNumbers, stepNumber, timeAxisOptions } from "../../../options/shared";
import type { LegendEntry } from "../../../ui/mountchart";
import { shortName } from "../../../ui/runname";
import { runsOf } from "../../../ui/runs";
import type { View } from "../../../ui/view";
import { numbers } from "../../../wire/steps";
import { limitsOf, xScaleOf } from "../axes/chosen";
import { sharedValues } from "../axes/shared";
import { linesOf, tagAlongX } from "../compare/lines";
import { isCompared, isDifference, optionsOf } from "../compare/options";
import { paintSelected, selectedAlong } from "../compare/selection";
import { curveBytes, curveOf } from "../curve";
import { compareOptions, scalarsOptions } from "../options";
import { type Line, paintLines } from "../paint";
import { largestStep, pointsLinked, pointsNear, type ScalarPoint } from "../points";
import { olderLines, type SupersededPoints } from "../superseded";
import type { TagScalars } from "./codec";
import { type TagStyle, tagStyle } from "./dashes";
import { type Margin, paintMargins } from "./margin";
import type { Series } from "./series";

/** What is drawn of one tag. */
export interface TagLines {
  readonly tag: string;
  readonly data: TagScalars;
  /** The scalars around it, in a margin chart. */
  readonly lower?: TagScalars | undefined;
  readonly upper?: TagScalars | undefined;
  /** Their tags. */
  readonly margins?: readonly string[];
}

/** A point, and of which tag. */
export interface TagPoint extends ScalarPoint {
  readonly tag: string;
  /** What its margin or band reaches from and to; a margin as written. */
  readonly margin: readonly [number, number] | null;
}

interface OfTag {
  readonly tag: string;
  readonly lines: readonly Line[];
  readonly older: readonly Line[];
  readonly margins: readonly (Margin & { readonly run: string })[];
}

/** The axis of values on which all of these tags were to be drawn; a linear one where they differ. */
export function scaleOfAll(tags: readonly string[], { options }: Pick<View, "options">): AxisScale {
  const all = (chosen: ReadonlySet<string>) => tags.length > 0 && tags.every((tag) => chosen.has(tag));
  const { symlog_y, symlog_constant } = options.of(scalarsOptions);
  if (all(symlog_y.value)) {
    return symlog(symlog_constant.value);
  }
  return all(options.of(logValueOptions).log_y.value) ? LOG : LINEAR;
}

/** The same, but where some values are differences, which have no logarithm. */
export function drawnScale(shown: readonly TagLines[], view: View): AxisScale {
  const scale = scaleOfAll(
    shown.map(({ tag }) => tag),
    view,
  );
  return scale.name === "log" && shown.some(({ data }) => isDifference(data, view)) ? LINEAR : scale;
}

export function severalContent(shown: readonly TagLines[], view: View, superseded: readonly SupersededPoints[]) {
  const { options, theme } = view;
  const { linked_step, ignore_outliers } = options.of(timeAxisOptions);
  const { raw_values } = options.of(scalarsOptions);
  const { selected_steps, line_labels } = options.of(compareOptions);
  const tags = shown.map(({ tag }) => tag);
  const along = tagAlongX(view);
  const xScale = along === null ? xScaleOf(view) : LINEAR;
  const yScale = drawnScale(shown, view);
  const found = shown.map((part, i) => ofTag(part, tagStyle(i, theme.value), yScale, superseded[i], view));
  const lines = found.flatMap((one) => one.lines);
  const older = found.flatMap((one) => one.older);
  const margins = found.flatMap((one) => one.margins);
  const front = lines.filter(({ faded }) => !faded);
  const compared = shown.some(({ data }) => isCompared(data, view));
  const curves = [
    ...[...lines, ...older].map(({ curve }) => curve),
    ...margins.flatMap(({ lower, upper }) => [lower, upper]),
  ];
  const { xAxis } = optionsOf(tags[0] ?? "", shown[0]?.data ?? NOTHING, view);
  const drawnAlong = along === null ? xAxis : "tag";
  const selected = selectedAlong(rangeNumbers(selected_steps.value), lines, drawnAlong, xScale);
  const ranges = tags.map((tag) => sharedValues(tag, view));
  const shared = ranges.some((range) => range === null) ? null : union(ranges.filter((range) => range !== null));
  return lineChart<TagPoint>({
    lines: curves,
    plots: [
      {
        run: "",
        colour: "",
        lines: front.map(({ curve }) => curve),
        linked: pointsLinked(lines, stepNumber(linked_step.value)),
        paint: (surface, area, x, y, zoomed, highlight) => {
          paintSelected(surface, area, selected, x, theme.peek());
          paintMargins(surface.context, area, margins, x, y);
          paintLines(surface, area, lines, x, y, { zoomed, behind: raw_values.peek(), older, highlight });
        },
        near: (x, reach, _y, distance) =>
          found.flatMap((one) => nearIn(one, x, reach, along === null ? null : (distance ?? null))),
      },
    ],
    lastStep: largestStep(shown.flatMap(({ data }) => runsOf(data, view).map(({ series }) => series))),
    xAxis: drawnAlong,
    xScale,
    yScale,
    // Limits are those of values, not of how they compare.
    limits: compared ? undefined : limitsOf(view, tags),
    shared: compared ? null : shared,
    ignoreOutliers: ignore_outliers.value,
    theme: theme.value,
    bytes: curves.reduce((sum, curve) => sum + curveBytes(curve.series), 0),
    ...(along === null ? {} : { xName: along }),
    ...(line_labels.value ? { labels: labelsOf(found, view) } : {}),
  });
}

/** The tags by their dashes, and the runs, or what is made of them, by their colours; of a single one, the tags by both. */
export function severalLegend(shown: readonly TagLines[], view: View): LegendEntry[] {
  const theme = view.theme.value;
  const lines = shown.flatMap(({ tag, data }) => linesOf(data, view, optionsOf(tag, data, view)));
  const byText = new Map(
    lines.map(({ run, colour }) => [JSON.stringify([run, colour]), { text: shortName(run, view), colour }] as const),
  );
  const drawn = [...byText.values()];
  const [only, ...others] = drawn;
  const tags = shown.map(({ tag: text }, i) => {
    const { dash, colourOf } = tagStyle(i, theme);
    return {
      text,
      dash,
      colour: others.length > 0 || only === undefined ? chartTheme[theme].label : colourOf(only.colour),
    };
  });
  return [...tags, ...drawn];
}

const NOTHING: Pick<TagScalars, "byRun"> = { byRun: new Map() };

function ofTag(
  { tag, data, lower, upper }: TagLines,
  style: TagStyle,
  yScale: AxisScale,
  superseded: SupersededPoints | undefined,
  view: View,
): OfTag {
  const curveOptions = { ...optionsOf(tag, data, view), yScale };
  const styled = (line: Line): Line => ({ ...line, dash: style.dash, colour: style.colourOf(line.colour) });
  const lines = linesOf(data, view, curveOptions).map(styled);
  // Margins are around values, and superseded points are values: not around what is made of them.
  const isPlain = tagAlongX(view) === null && !isCompared(data, view) && !lines.some(({ several }) => several);
  if (!isPlain) {
    return { tag, lines, older: [], margins: [] };
  }
  const margins = lines.flatMap(({ run, colour, faded }) => {
    const [low, high] = [lower?.byRun.get(run), upper?.byRun.get(run)];
    return low === undefined || high === undefined
      ? []
      : [{ run, colour, faded, lower: curveOf(low.series, curveOptions), upper: curveOf(high.series, curveOptions) }];
  });
  return { tag, lines, older: superseded === undefined ? [] : olderLines(lines, superseded, curveOptions), margins };
}

/** A line is called after its tag, its run or both: whatever it takes to tell it from the others. */
function labelsOf(found: readonly OfTag[], view: View) {
  const lines = found.flatMap(({ tag, lines }) => lines.filter(({ faded }) => !faded).map((line) => ({ tag, line })));
  const [tags, runs] = [[...new Set(lines.map(({ tag }) => tag))], [...new Set(lines.map(({ line }) => line.run))]];
  const shared = sharedStart(tags);
  return lines.map(({ tag, line }) => {
    const [ofTag, ofRun] = [shortened(tag, shared), shortName(line.run, view)];
    const text = tags.length === 1 ? ofRun : runs.length === 1 ? ofTag : `${ofTag} · ${ofRun}`;
    return { line: line.curve, colour: line.colour, text };
  });
}

function nearIn(
  { tag, lines, margins }: OfTag,
  x: number,
  reach: number,
  distance: ((x: number, y: number) => number) | null,
): TagPoint[] {
  return pointsNear(lines, x, reach, distance).map((point) => {
    const around = margins.find(({ run }) => run === point.run);
    const step = Number(point.step);
    // By their steps: three points of one step were written at three times.
    const ends = around && [around.lower, around.upper].map(({ series }) => valueAt(series, step));
    const [low, high] = ends ?? [point.low, point.high];
    return { ...point, tag, margin: low === undefined || high === undefined ? null : [low, high] };
  });
}

function valueAt({ step, value }: Series, at: number): number | undefined {
  return value[numbers(step).indexOf(at)];
}
