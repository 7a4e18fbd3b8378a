// Charts of lines along steps or times: one plot for all runs, or one for each, with the same axes.

import type { Theme } from "../lib/colours";
import type { Range } from "../lib/range";
import { type AxisScale, LINEAR } from "../lib/scale";
import { byDistance } from "../lib/search";
import { strings } from "../lib/strings";
import type { XAxisOption } from "../lib/xaxis";
import { paintAxisName, paintCorner, paintHorizontalAxis, paintVerticalAxis } from "./axes";
import {
  type Axis,
  type AxisKind,
  type BasedTicks,
  horizontalTicks,
  ticksAlong,
  widthOfLabels,
  withBase,
} from "./axis";
import type { Camera } from "./camera";
import { type EndLabel, paintEndLabels, roomForLabels } from "./endlabels";
import { type LineData, nextAlong, xRange } from "./extent";
import { type Facet, facetsOf, MOST_FACETS, TITLE } from "./facets";
import { type DataPoint, onCanvas, type Position, type Rect, type Size, type Surface } from "./geometry";
import type { ChartContent, Hit, Layout } from "./layout";
import { labelsBelow, paintLinked } from "./linkedstep";
import { type Plot, type PlotScale, shareOf, valueAt } from "./plot";
import { fittedName } from "./text";
import { chartTheme } from "./theme";
import { fittedRange, type ValueLimits, withMargin } from "./valuerange";
import { AXIS_KINDS } from "./xaxismode";

/** What one plot shows. */
export interface LinePlot<R extends DataPoint> {
  /** The run that it is of, where each has its own. */
  readonly run: string;
  readonly colour: string;
  /** What keys lead through. */
  readonly lines: readonly LineData[];
  /** Of each run, the point at the linked step. */
  readonly linked: readonly DataPoint[];
  /** Paints into an area of the canvas whose edges are the two ranges. */
  paint(surface: Surface, area: Rect, x: Range, y: Range, zoomed: boolean, highlight: object | null): void;
  /**
   * Of each run the point nearest to `x`; none of those that end more than `reach` away. `y` is what is in sight. Where x
   * does not tell a point, `distance` is that on the screen.
   */
  near(x: number, reach: number, y: Range, distance?: (x: number, y: number) => number): readonly R[];
}

export interface LineChart<R extends DataPoint> {
  /** What the axes are fitted to. */
  readonly lines: readonly LineData[];
  /** One for all runs, or one for each. */
  readonly plots: readonly LinePlot<R>[];
  readonly lastStep: bigint | null;
  readonly xAxis: XAxisOption;
  /** How steps or times are spread from left to right; evenly by default. */
  readonly xScale?: AxisScale;
  readonly yScale: AxisScale;
  /** Ends of the axis of values that were fixed; the others are fitted. */
  readonly limits?: ValueLimits | undefined;
  /** Values to fit the axis to, in place of those of the lines in sight; null for these. */
  readonly shared?: Range | null;
  readonly ignoreOutliers: boolean;
  readonly theme: Theme;
  /** What a run is called above its plot, where there are several. */
  nameOf?(run: string): string;
  /** Names of the lines. */
  readonly labels?: readonly EndLabel[];
  /** What stands along x, where the labels do not tell. */
  readonly xName?: string;
  /** Bytes that were computed for it. */
  readonly bytes: number;
}

/** CSS pixels that a plot needs in width, where each run has its own. */
export const NARROWEST_PLOT = 130;

/** CSS pixels around a plot; at the left where labels are, so that cards one above the other line up; and where none are. */
const MARGINS = { right: 12, top: 8, bottom: 26 };
const LABELLED = 52;
const UNLABELLED = 8;

/** Wider labels make room in steps of so many CSS pixels: not with every value that comes. */
const WIDENED_BY = 16;

/** CSS pixels from a plot's upper left corner to what is to be added to its labels. */
const BASE = 4;

/** CSS pixels from tick to tick. */
const ACROSS = 64;
const DOWN = 26;
/** Lines across a plot at most, however high it is. */
const MOST_DOWN = 12;

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
  readonly #chart: LineChart<R>;
  readonly #facets: readonly Facet[];
  readonly #x: PlotScale;
  readonly #y: PlotScale;
  readonly #axes: { readonly x: Axis; readonly y: Axis };
  readonly #yTicks: BasedTicks;
  readonly #zoomed: boolean;
  readonly #labelled: boolean;

  constructor(chart: LineChart<R>, size: Size, camera: Camera) {
    const { lines, xScale = LINEAR, yScale, xAxis, plots } = chart;
    this.#chart = chart;
    this.#zoomed = camera.x !== null || camera.y !== null || chart.limits !== undefined;
    this.#axes = { x: axisOf(AXIS_KINDS[xAxis], xScale), y: axisOf("number", yScale) };
    const all = xAxis === "tag" ? withMargin(xRange(lines), "linear") : xRange(lines);
    const x = camera.x ?? all;
    const y = camera.y ?? fittedRange(chart, x);
    this.#x = { axis: "x", range: x, ends: [0, 1], bounds: () => all };
    const unlimited = { lines, yScale, ignoreOutliers: false };
    this.#y = { axis: "y", range: y, ends: [1, 0], bounds: () => fittedRange(unlimited, all) };
    const several = plots.length > 1;
    const labels = roomForLabels(chart.labels ?? [], size.width);
    this.#labelled = labels > 0;
    const right = MARGINS.right + labels;
    const margins = { ...MARGINS, right, left: UNLABELLED, top: several ? MARGINS.top + TITLE : MARGINS.top };
    const place = (beside: number) =>
      facetsOf(Math.min(plots.length, MOST_FACETS), false, size, margins, beside, NARROWEST_PLOT);
    const height = place(0)[0]?.height ?? 1;
    const ticks = ticksAlong(this.#axes.y, y, height, Math.max(DOWN, height / MOST_DOWN));
    this.#yTicks = yScale.name === "linear" ? withBase(ticks) : { ticks, base: null };
    const wider = Math.max(0, widthOfLabels(this.#yTicks.ticks) - LABELLED);
    this.#facets = place(LABELLED + Math.ceil(wider / WIDENED_BY) * WIDENED_BY - UNLABELLED);
    this.plots = this.#facets.map(({ left, top, width, height }, i) => {
      const { run, colour } = plots[i] as LinePlot<R>;
      return {
        area: { left, top, width, height },
        horizontal: this.#x,
        vertical: this.#y,
        title: several ? { run, colour, text: fittedName(chart.nameOf?.(run) ?? run, width - TITLE) } : null,
      };
    });
  }

  get lastStep(): bigint | null {
    return this.#chart.lastStep;
  }

  get bytes(): number {
    return this.#chart.bytes;
  }

  get stepLabels() {
    return this.plots.flatMap(({ area }, i) =>
      labelsBelow(this.#chart.plots[i]?.linked ?? [], area, (x) => shareOf(this.#x, x)),
    );
  }

  paint(surface: Surface, highlight: object | null): void {
    const { labels, xName } = this.#chart;
    const theme = chartTheme[this.#chart.theme];
    const [across, down] = [(x: number) => shareOf(this.#x, x), (y: number) => shareOf(this.#y, y)];
    for (const [i, facet] of this.#facets.entries()) {
      const plot = this.#chart.plots[i] as LinePlot<R>;
      const area = onCanvas(facet, surface.ratio);
      const ticks = horizontalTicks(this.#axes.x, this.#x.range, facet.width, ACROSS);
      const room: [number, number] = [facet.room[0] * surface.ratio, facet.room[1] * surface.ratio];
      paintHorizontalAxis(surface, area, room, ticks, across, theme);
      const axis = { side: "left", grid: true, labels: facet.first } as const;
      paintVerticalAxis(surface, area, this.#yTicks.ticks, down, theme, axis);
      plot.paint(surface, area, this.#x.range, this.#y.range, this.#zoomed, highlight);
      paintLinked(surface, area, plot.linked, across, down, theme.label);
      if (labels !== undefined) {
        paintEndLabels(surface, area, labels, this.#labelled, highlight, this.#x.range, across, down, theme);
      }
      if (xName !== undefined) {
        paintAxisName(surface, area, xName, theme);
      }
      if (this.#yTicks.base !== null && facet.first) {
        paintCorner(surface, area, strings.axisBase(this.#yTicks.base), BASE, theme);
      }
    }
  }

  hit(plot: number, at: Position): Hit<readonly R[]> | null {
    const x = valueAt(this.#x, at.x);
    const reach = valueAt(this.#x, at.x + REACH / (this.plots[plot]?.area.width ?? 1)) - x;
    const { width, height } = this.plots[plot]?.area ?? { width: 1, height: 1 };
    const distance = (x: number, y: number) =>
      Math.hypot((shareOf(this.#x, x) - at.x) * width, (shareOf(this.#y, y) - at.y) * height);
    const rows = this.#chart.plots[plot]?.near(x, reach, this.#y.range, distance) ?? [];
    const away = (row: R) => Math.abs(shareOf(this.#y, row.y) - at.y);
    const sorted = byDistance(rows, this.#chart.xAxis === "tag" ? ({ x, y }) => distance(x, y) : away);
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

  /** Of points, the most important first. */
  #hitOf(rows: readonly R[]): Hit<readonly R[]> | null {
    const [first] = rows;
    if (first === undefined) {
      return null;
    }
    const dots = rows.map(({ x, y, colour }) => ({ x: shareOf(this.#x, x), y: shareOf(this.#y, y), colour }));
    const [{ x, y } = { x: 0, y: 0 }] = dots;
    const at = { x, y: y >= 0 && y <= 1 ? y : 0.5 };
    return { step: first.step, details: rows, at, dots, highlight: null };
  }
}

function axisOf(kind: AxisKind, scale: AxisScale): Axis {
  return scale.name === "linear" ? kind : { kind, scale };
}
