// Charts of lines along one axis: one plot for all runs, or one for each, with the same axes; names at the ends of lines.

import { paintAxisName, paintCorner, paintHorizontalAxis, paintMiddle, paintVerticalAxis } from "../charts/axes";
import {
  type Axis,
  type AxisKind,
  type BasedTicks,
  horizontalTicks,
  isTimeline,
  ticksAlong,
  widthOfLabels,
  withBase,
  type XAxis,
} from "../charts/axis";
import type { Camera } from "../charts/camera";
import { type CutMark, type Cuts, cutMarks, type FlatteningLine, NO_CUTS } from "../charts/cuts";
import { type LineData, nextAlong, visibleSpan, xRange } from "../charts/extent";
import { type Facet, facetsOf, MAX_FACETS, TITLE } from "../charts/facets";
import { type DataPoint, onCanvas, type Position, type Rect, type Size, type Surface } from "../charts/geometry";
import type { ChartContent, Hit, Layout } from "../charts/layout";
import { eachTextOnce, labelAtAxis, paintLinked, type StepLabel, ticksBeside } from "../charts/linkedstep";
import { type PlacedRange, paintRangeMarks, paintRanges, type RangeMark, rangeMarks } from "../charts/namedranges";
import { type Plot, type PlotScale, shareOf, valueAt } from "../charts/plot";
import { labelFont, measureLabel } from "../charts/text";
import { type ChartTheme, chartTheme } from "../charts/theme";
import { formatCount } from "../lib/format";
import { fittedNames } from "../lib/names";
import type { AxisScale } from "../lib/scale";
import { byDistance, type Range } from "../lib/search";
import type { Theme } from "../lib/tokens";
import { type EndBeyond, endsBeyond, flatteningLines, flatteningOf, type NamedLine, paintEndsBeyond } from "./beyond";
import { lineTexts } from "./texts";
import { cutsOf, fittedRange, hasPlaces, hasRows, type ValueLimits, withMargin } from "./valuerange";

/** The content of one plot. */
export interface LinePlot<R extends DataPoint> {
  /** The run that it is of, where each has its own. */
  readonly run: string;
  readonly color: string;
  /** The points that keys go through. */
  readonly lines: readonly LineData[];
  /** The point of each run at the linked step. */
  readonly linked: readonly DataPoint[];
  /** The ranges of steps that have names. */
  readonly ranges: readonly PlacedRange[];
  /** Paints into an area of the canvas whose edges are the two ranges. */
  paint(surface: Surface, area: Rect, x: Range, y: Range, zoomed: boolean, highlight: object | null): void;
  /**
   * Of each run the point nearest to `x`; none of those that end more than `reach` away. `y` is what is in sight. Where x
   * does not tell a point, `distance` is that on the screen.
   */
  near(x: number, reach: number, y: Range, distance?: (x: number, y: number) => number): readonly R[];
}

export interface LineChart<R extends DataPoint> {
  /** The values that the axes are fitted to. */
  readonly lines: readonly LineData[];
  /** One for all runs, or one for each. */
  readonly plots: readonly LinePlot<R>[];
  readonly lastStep: bigint | null;
  readonly x: XAxis;
  readonly yScale: AxisScale;
  /** Ends of the axis of values that were fixed; the others are fitted. */
  readonly limits?: ValueLimits | undefined;
  /** Values that the axis is fitted to; null fits it to the visible lines. */
  readonly shared?: Range | null;
  readonly ignoreOutliers: boolean;
  /** Marks name the values beyond the y axis, unless the user has zoomed or limited it. */
  readonly marksCuts?: boolean;
  /** The axis is fitted without the lines that flatten the others. */
  readonly cutsRuns?: boolean;
  readonly theme: Theme;
  /** The title of a run above its plot, where there are several. */
  nameOf?(run: string): string;
  /** The names of the lines, where they have any. */
  readonly names?: readonly NamedLine[];
  /** The names stand at the ends of the lines. */
  readonly isLabeled?: boolean;
  /** Bytes that were computed for it. */
  readonly bytes: number;
}

/** CSS pixels that a plot needs in width, where each run has its own. */
export const MIN_PLOT_WIDTH_PX = 130;

/** CSS pixels around a plot; at the left where labels are, so that cards one above the other line up; and where none are. */
const MARGINS = { right: 12, top: 8, bottom: 26 };
const LABELED = 52;
const UNLABELED = 8;

/** The room for labels grows in steps: a new value must not move the plot each time. */
const LABEL_WIDTH_STEP_PX = 16;

/** CSS pixels from a plot's upper left corner to the base that is added to its labels. */
const BASE = 4;
const BASE_WIDTH_PX = 80;

/** CSS pixels from tick to tick. */
const ACROSS = 64;
const DOWN = 26;
/** Horizontal grid lines of a plot of any height. */
const MAX_HORIZONTAL_LINES = 12;

/** CSS pixels beyond its ends within which a line still counts as near the pointer. */
const REACH = 12;

/** CSS pixels up or down to the line that the pointer is on. */
const ON_LINE = 32;

/** Share of a range that is still at its end. */
const ROUNDING = 1e-9;

export function lineChart<R extends DataPoint>(chart: LineChart<R>): ChartContent<readonly R[]> {
  return { layOut: (size, camera) => new LineLayout(chart, size, camera) };
}

class LineLayout<R extends DataPoint> implements Layout<readonly R[]> {
  readonly plots: readonly Plot[];
  readonly crosshair = true;
  readonly flattening: readonly FlatteningLine[];
  readonly rangeMarks: readonly RangeMark[];
  readonly #chart: LineChart<R>;
  readonly #facets: readonly Facet[];
  readonly #x: PlotScale;
  readonly #y: PlotScale;
  readonly #axes: { readonly x: Axis; readonly y: Axis };
  readonly #yTicks: BasedTicks;
  readonly #zoomed: boolean;
  readonly #labeled: boolean;
  readonly #cuts: Cuts;
  readonly #beyond: readonly EndBeyond[];
  /** No axis of values would mean anything: there are rows, and none of them has a place on it. */
  readonly #hasNoPlaces: boolean;
  /** Why no line is visible; null where some may be. */
  readonly #emptiness: string | null;

  constructor(chart: LineChart<R>, size: Size, camera: Camera) {
    const { lines, x: along, yScale, plots } = chart;
    this.#chart = chart;
    this.#zoomed = camera.x !== null || camera.y !== null || chart.limits !== undefined;
    this.#axes = { x: axisOf(along.kind, along.scale), y: axisOf("number", yScale) };
    const all = isTimeline(along) ? xRange(lines) : withMargin(xRange(lines), along.scale.name);
    const x = camera.x ?? all;
    const marksCuts = chart.marksCuts === true && chart.ignoreOutliers && camera.y === null;
    const isLimited = chart.limits?.every((end) => end !== null) === true;
    const flat = marksCuts && yScale.name === "linear" && !isLimited ? flatteningLines(lines, x) : new Set<LineData>();
    const others = flat.size > 0 ? lines.filter((line) => !flat.has(line)) : lines;
    const y = camera.y ?? fittedRange(chart.cutsRuns ? { ...chart, lines: others } : chart, x);
    this.flattening = flatteningOf(chart.names ?? [], flat, others, x);
    const isOfSteps = along.linksSteps && along.scale.name === "linear";
    this.#x = { axis: "x", range: x, ends: [0, 1], isOfSteps, bounds: () => all };
    const unlimited = { lines, yScale, ignoreOutliers: false };
    this.#y = { axis: "y", range: y, ends: [1, 0], bounds: () => fittedRange(unlimited, all) };
    const cuts = marksCuts ? cutsOutside(chart.limits, cutsOf(lines, x, y, yScale)) : NO_CUTS;
    this.#beyond = endsBeyond(marksCuts ? (chart.names ?? []) : [], x, y).filter(({ side }) => cuts[side] !== null);
    this.#cuts = withEnds(cuts, this.#beyond, yScale);
    const isFitted = camera.y === null && chart.limits === undefined && (chart.shared ?? null) === null;
    this.#hasNoPlaces = isFitted && chart.lastStep !== null && lines.length > 0 && !hasPlaces(lines, x);
    this.#emptiness = this.#reasonOfEmptiness();
    const several = plots.length > 1;
    const labels = chart.isLabeled ? roomForLabels(chart.names ?? [], size.width) : 0;
    this.#labeled = labels > 0;
    const right = MARGINS.right + labels;
    const margins = { ...MARGINS, right, left: UNLABELED, top: several ? MARGINS.top + TITLE : MARGINS.top };
    const place = (beside: number) =>
      facetsOf(Math.min(plots.length, MAX_FACETS), false, size, margins, beside, MIN_PLOT_WIDTH_PX);
    const height = place(0)[0]?.height ?? 1;
    const ticks = this.#hasNoPlaces
      ? []
      : ticksAlong(this.#axes.y, y, height, Math.max(DOWN, height / MAX_HORIZONTAL_LINES));
    this.#yTicks = yScale.name === "linear" ? withBase(ticks) : { ticks, base: null };
    const wider = Math.max(0, widthOfLabels(this.#yTicks.ticks) - LABELED);
    this.#facets = place(LABELED + Math.ceil(wider / LABEL_WIDTH_STEP_PX) * LABEL_WIDTH_STEP_PX - UNLABELED);
    const nameOf = (run: string) => chart.nameOf?.(run) ?? run;
    const room = Math.min(...this.#facets.map(({ width }) => width)) - TITLE;
    const titles = fittedNames(several ? plots.map(({ run }) => nameOf(run)) : [], room, measureLabel);
    this.plots = this.#facets.map(({ left, top, width, height }, i) => {
      const { run, color } = plots[i] as LinePlot<R>;
      return {
        area: { left, top, width, height },
        horizontal: this.#x,
        vertical: this.#y,
        title: several ? { run, color, text: titles.get(nameOf(run))?.text ?? "" } : null,
      };
    });
    this.rangeMarks = this.#marksOfRanges();
  }

  get lastStep(): bigint | null {
    return this.#chart.lastStep;
  }

  get bytes(): number {
    return this.#chart.bytes;
  }

  #reasonOfEmptiness(): string | null {
    const { lines, lastStep, x, yScale } = this.#chart;
    const [from, to] = this.#x.range;
    if (lastStep !== null && isTimeline(x) && !hasRows(lines, [from, to])) {
      const slack = (x.scale.value(to) - x.scale.value(from)) * ROUNDING;
      const [first, last] = [Math.ceil(x.scale.value(from) - slack), Math.floor(x.scale.value(to) + slack)];
      // Other numbers are not exact steps.
      const isExact = Number.isSafeInteger(first) && Number.isSafeInteger(last);
      return x.linksSteps && first <= last && isExact
        ? lineTexts().noValuesIn(formatCount(first), formatCount(last))
        : lineTexts().noValuesHere;
    }
    if (!this.#hasNoPlaces) {
      return null;
    }
    return yScale.name === "log" ? lineTexts().noPositiveValue : lineTexts().noFiniteValue;
  }

  #marksOfRanges(): RangeMark[] {
    if (this.#chart.plots.every(({ ranges }) => ranges.length === 0)) {
      return [];
    }
    const taken = this.cuts;
    return this.plots.flatMap(({ area }, i) => {
      const { left, top } = area;
      const corner = this.#yTicks.base !== null && i === 0 ? [{ left, top, width: BASE_WIDTH_PX }] : [];
      const ranges = this.#chart.plots[i]?.ranges ?? [];
      return rangeMarks(ranges, area, (x) => shareOf(this.#x, x), [...taken, ...corner]);
    });
  }

  get stepLabels(): StepLabel[] {
    const across = (x: number) => shareOf(this.#x, x);
    return eachTextOnce(
      this.plots.flatMap(({ area }, i) => labelAtAxis(this.#chart.plots[i]?.linked ?? [], area, across)),
    );
  }

  get cuts(): CutMark[] {
    return this.plots.flatMap(({ area }) => cutMarks(this.#cuts, area, (x) => shareOf(this.#x, x)));
  }

  paint(surface: Surface, highlight: object | null): void {
    const { names = [], isLabeled, x: along } = this.#chart;
    const theme = chartTheme(surface, this.#chart.theme);
    const [across, down] = [(x: number) => shareOf(this.#x, x), (y: number) => shareOf(this.#y, y)];
    const labels = this.stepLabels;
    for (const [i, facet] of this.#facets.entries()) {
      const plot = this.#chart.plots[i] as LinePlot<R>;
      const area = onCanvas(facet, surface.ratio);
      const isEmpty = this.#hasNoPlaces && this.#chart.lines.every((line) => line.x.length === 0);
      const ticks = isEmpty ? [] : horizontalTicks(this.#axes.x, this.#x.range, facet.width, ACROSS);
      const room: [number, number] = [facet.room[0] * surface.ratio, facet.room[1] * surface.ratio];
      const placeOf = (x: number) => facet.left + across(x) * facet.width;
      paintHorizontalAxis(surface, area, room, ticksBeside(ticks, labels, facet, placeOf), across, theme);
      const axis = { side: "left", grid: true, labels: facet.first } as const;
      paintVerticalAxis(surface, area, this.#yTicks.ticks, down, theme, axis);
      paintRanges(surface, area, plot.ranges, across, theme);
      plot.paint(surface, area, this.#x.range, this.#y.range, this.#zoomed, highlight);
      paintLinked(surface, area, plot.linked, across, down, theme.label);
      paintEndsBeyond(surface, area, this.#beyond, across, theme.paper);
      if (isLabeled) {
        const [beyond, labeled, x] = [this.#beyond, this.#labeled, this.#x.range];
        paintEndLabels(surface, area, names, beyond, labeled, highlight, x, across, down, theme);
      }
      if (along.name !== null) {
        paintAxisName(surface, area, along.name, theme);
      }
      if (this.#emptiness !== null) {
        paintMiddle(surface, area, this.#emptiness, theme);
      }
      if (this.#yTicks.base !== null && facet.first) {
        paintCorner(surface, area, lineTexts().axisBase(this.#yTicks.base), BASE, theme);
      }
    }
    paintRangeMarks(surface, this.rangeMarks, theme);
  }

  hit(plot: number, at: Position): Hit<readonly R[]> | null {
    const x = valueAt(this.#x, at.x);
    const reach = valueAt(this.#x, at.x + REACH / (this.plots[plot]?.area.width ?? 1)) - x;
    const { width, height } = this.plots[plot]?.area ?? { width: 1, height: 1 };
    const distance = (x: number, y: number) =>
      Math.hypot((shareOf(this.#x, x) - at.x) * width, (shareOf(this.#y, y) - at.y) * height);
    const rows = this.#chart.plots[plot]?.near(x, reach, this.#y.range, distance) ?? [];
    const away = (row: R) => Math.abs(shareOf(this.#y, row.y) - at.y);
    const sorted = byDistance(rows, isTimeline(this.#chart.x) ? away : ({ x, y }) => distance(x, y));
    const hit = this.#hitOf(sorted);
    const [nearest] = sorted;
    const on = nearest !== undefined && rows.length > 1 && away(nearest) * height <= ON_LINE;
    return hit && on ? { ...hit, highlight: nearest.line ?? null } : hit;
  }

  next(plot: number, from: number | null, direction: 1 | -1): number | null {
    const [first, last] = this.#x.range;
    const slack = (last - first) * ROUNDING;
    const linked = this.#chart.plots[plot]?.linked[0]?.x;
    const start = from ?? linked ?? (direction > 0 ? first - slack : last + slack);
    const stops = (this.#chart.plots[plot]?.lines ?? [])
      .map((line) => nextAlong(line, start, direction))
      .filter((x) => x !== null && x >= first - slack && x <= last + slack) as number[];
    return stops.length === 0 ? null : stops.reduce((a, b) => (direction > 0 ? Math.min(a, b) : Math.max(a, b)));
  }

  hitAt(plot: number, stop: number): Hit<readonly R[]> | null {
    const rows = this.#chart.plots[plot]?.near(stop, 0, this.#y.range) ?? [];
    const hit = this.#hitOf(byDistance(rows, (row) => Math.abs(row.x - stop)));
    return hit && { ...hit, at: { ...hit.at, x: shareOf(this.#x, stop) } };
  }

  /** Orders points, the most important first. */
  #hitOf(rows: readonly R[]): Hit<readonly R[]> | null {
    const [first] = rows;
    if (first === undefined) {
      return null;
    }
    const dots = rows.map(({ x, y, color }) => ({ x: shareOf(this.#x, x), y: shareOf(this.#y, y), color }));
    const [{ x, y } = { x: 0, y: 0 }] = dots;
    const at = { x, y: y >= 0 && y <= 1 ? y : 0.5 };
    return { step: first.step, details: rows, at, dots, highlight: null };
  }
}

/** Where an end was fixed, the cut is the user's own. */
function cutsOutside([low, high]: ValueLimits = [null, null], { above, below }: Cuts): Cuts {
  return { above: high === null ? above : null, below: low === null ? below : null };
}

/** The cuts with the lines that end beyond them. */
function withEnds(cuts: Cuts, beyond: readonly EndBeyond[], scale: AxisScale): Cuts {
  const [above, below] = (["above", "below"] as const).map((side) => {
    const ends = beyond.filter((end) => end.side === side);
    const named = ends.map(({ text, x, y }) => ({ name: text, x, value: scale.value(y) }));
    const cut = cuts[side];
    return cut === null || ends.length === 0 ? cut : { ...cut, ends: named };
  });
  return { above: above ?? null, below: below ?? null };
}

function axisOf(kind: AxisKind, scale: AxisScale): Axis {
  return scale.name === "linear" ? kind : { kind, scale };
}

/** With more lines, or in a narrower chart, only the line near the pointer has its name at its end. */
const MAX_LABELS = 8;
const MIN_LABELED_WIDTH_PX = 400;
/** From a label to the next one below. */
const LABEL_SPACING_PX = 14;
const MAX_LABEL_WIDTH_PX = 120;
/** The stroke in the line's color before its label, and from there to the text. */
const LABEL_STROKE_PX = 10;
const LABEL_GAP_PX = 5;

/** CSS pixels that labels take at the right of a chart so wide; 0 where there are none. */
export function roomForLabels(labels: readonly NamedLine[], width: number): number {
  if (labels.length < 2 || labels.length > MAX_LABELS || width < MIN_LABELED_WIDTH_PX) {
    return 0;
  }
  return (
    LABEL_STROKE_PX +
    LABEL_GAP_PX +
    Math.ceil(Math.min(MAX_LABEL_WIDTH_PX, Math.max(...labels.map(({ text }) => measureLabel(text)))))
  );
}

/** Places at least `apart` from one another, between 0 and `length`, near those wanted; null where they do not fit. */
export function spread(wanted: readonly number[], length: number, apart: number): number[] | null {
  if (wanted.length * apart > length + apart) {
    return null;
  }
  const order = wanted.map((at, i) => ({ at, i })).sort((a, b) => a.at - b.at || a.i - b.i);
  const places = order.map(({ at }) => Math.max(0, Math.min(length, at)));
  for (let k = 1; k < places.length; k += 1) {
    places[k] = Math.max(places[k] as number, (places[k - 1] as number) + apart);
  }
  for (let k = places.length - 1, most = length; k >= 0; k -= 1) {
    places[k] = Math.min(places[k] as number, most);
    most = (places[k] as number) - apart;
  }
  const found = new Array<number>(wanted.length);
  for (const [k, { i }] of order.entries()) {
    found[i] = places[k] as number;
  }
  return found;
}

/** The last visible finite point of a line; null without any. */
export function endOf(line: LineData, x: Range): { readonly x: number; readonly y: number } | null {
  const [from, to] = visibleSpan(line, x);
  for (let i = to - 1; i >= from; i -= 1) {
    const [at, y] = [line.x[i] as number, line.y[i] as number];
    if (y - y === 0 && at >= x[0] && at <= x[1]) {
      return { x: at, y };
    }
  }
  return null;
}

type ShareOf = (value: number) => number;

/** Labels beside the plot, or the label of the highlighted line upon it. */
function paintEndLabels(
  { context, ratio }: Surface,
  area: Rect,
  labels: readonly NamedLine[],
  beyond: readonly EndBeyond[],
  beside: boolean,
  highlight: object | null,
  x: Range,
  across: ShareOf,
  down: ShareOf,
  theme: ChartTheme,
): void {
  const ends = labels
    .filter(({ line }) => beside || line === highlight)
    .flatMap((label) => {
      const end = endOf(label.line, x);
      const place = end === null ? Number.NaN : down(end.y);
      const share = beyond.some(({ line }) => line === label.line) ? Math.max(0, Math.min(1, place)) : place;
      return end !== null && share >= 0 && share <= 1 ? [{ label, share, at: across(end.x) }] : [];
    });
  const places = spread(
    ends.map(({ share }) => share * area.height),
    area.height,
    LABEL_SPACING_PX * ratio,
  );
  if (places === null) {
    return;
  }
  // A line alone has its whole name: to fit the names of hundreds of others takes longer than a frame.
  const texts = beside ? labels.map(({ text }) => text) : [];
  const names = fittedNames(texts, MAX_LABEL_WIDTH_PX, measureLabel);
  context.save();
  context.font = labelFont(ratio);
  context.textBaseline = "middle";
  context.lineJoin = "round";
  for (const [i, { label, at, share }] of ends.entries()) {
    const y = area.top + (places[i] as number);
    const left = area.left + area.width + LABEL_GAP_PX * ratio;
    if (beside) {
      context.globalAlpha = highlight === null || label.line === highlight ? 1 : 0.4;
      // Thin and gray, so that it does not look like a part of the line; the color stands at the name.
      const knee = left + (LABEL_STROKE_PX / 2) * ratio;
      context.lineWidth = ratio;
      context.strokeStyle = theme.axis;
      context.beginPath();
      context.moveTo(left, area.top + share * area.height);
      context.lineTo(knee, y);
      context.stroke();
      context.lineWidth = 2 * ratio;
      context.strokeStyle = label.color;
      context.beginPath();
      context.moveTo(knee, y);
      context.lineTo(left + LABEL_STROKE_PX * ratio, y);
      context.stroke();
      context.textAlign = "left";
      context.fillStyle = theme.label;
      const name = names.get(label.text)?.text ?? "";
      context.fillText(name, left + (LABEL_STROKE_PX + LABEL_GAP_PX) * ratio, y);
    } else {
      const right = Math.max(area.left + measureLabel(label.text) * ratio, area.left + at * area.width);
      const above =
        y > area.top + LABEL_SPACING_PX * ratio
          ? y - (LABEL_SPACING_PX / 2 + 2) * ratio
          : y + (LABEL_SPACING_PX / 2 + 2) * ratio;
      context.textAlign = "right";
      context.lineWidth = 4 * ratio;
      context.strokeStyle = theme.paper;
      context.strokeText(label.text, right, above);
      context.fillStyle = theme.label;
      context.fillText(label.text, right, above);
    }
  }
  context.restore();
}
