// The plots of a card of histograms: their positions, their drawing for each run, and hit tests.

import { AXIS_KINDS, horizontalTicks } from "../../charts/axis";
import type { Camera } from "../../charts/camera";
import { facetsOf, type Margins, TITLE } from "../../charts/facets";
import { onCanvas, type Position, type Size, type Surface } from "../../charts/geometry";
import type { ChartContent, Hit, Layout } from "../../charts/layout";
import { eachTextOnce, type StepLabel } from "../../charts/linkedstep";
import { type RangeMark, rangeMarks } from "../../charts/namedranges";
import { type Plot, type PlotScale, shareOf } from "../../charts/plot";
import { measureLabel } from "../../charts/text";
import type { Histogram } from "../../histograms/codec";
import { positionsOf } from "../../histograms/steps";
import { fittedNames } from "../../lib/names";
import { lastUpTo, type Range } from "../../lib/search";
import { labelsOf, ridgeTicks, UNIT_LEFT_PX, unitOf, upright, widestFlag, widthBeside } from "./axes";
import { positionRange, valueRange } from "./choose";
import type { CountScale } from "./countscale";
import { endOf, heatmapOf, heatScale } from "./heatmap";
import { type HistogramHit, hitInHeatmap, hitInRidges, hitOnRidge, hitOnRow } from "./hit";
import { paintPlots } from "./paint";
import type { HistogramContent, HistogramPlot, HistogramPlots } from "./plots";
import { gridOf, share } from "./profile";
import { marksAbove, marksBeside, rangesWithin } from "./ridgeranges";
import { footOf, type RidgeMode, type RidgeOptions, type RunSeries, ridgesOf } from "./ridges";

/** CSS pixels of the color scale, or of the unit of heights, above all plots, and from tick to tick. */
const LEGEND = 18;
const ACROSS = 58;
const MARGINS: Record<RidgeMode | "heatmap", Margins> = {
  offset: { left: 10, right: 40, top: 4, bottom: 24 },
  overlay: { left: 10, right: 14, top: 4, bottom: 24 },
  heatmap: { left: 40, right: 14, top: 4, bottom: 24 },
};

/** Smallest gap between the titles of neighboring plots, in CSS pixels. */
const MIN_TITLE_GAP_PX = 4;

/** Smallest gap between the names of ranges above the plots and what stands beside them, in CSS pixels. */
const MIN_RANGE_GAP_PX = 12;

/** CSS pixels for the labels of heights, beside the first plot of a row. */
const HEIGHTS = 30;

export function histogramChart(content: HistogramContent): ChartContent<HistogramHit> {
  return { layOut: (size, camera, ratio) => new HistogramLayout(content, size, camera, ratio) };
}

export class HistogramLayout implements Layout<HistogramHit>, HistogramPlots {
  readonly plots: readonly Plot[];
  readonly crosshair: boolean;
  readonly lastStep: bigint | null;
  readonly bytes: number;
  readonly content: HistogramContent;
  readonly drawn: readonly HistogramPlot[];
  readonly steps: Range;
  readonly values: Range;
  readonly countScale: CountScale;
  readonly rangeMarks: readonly RangeMark[];
  readonly stepScale: PlotScale;

  constructor(content: HistogramContent, size: Size, camera: Camera, ratio: number) {
    const { runs, mode, options } = content;
    this.content = content;
    this.crosshair = mode === "heatmap";
    const together = content.together && mode !== "heatmap";
    const whole = mode === "heatmap" ? heatRange(runs, options.xAxis) : positionRange(runs, options.xAxis);
    const steps = camera.x ?? whole;
    const rows = runs.flatMap(({ series }) => series.rows);
    const values = mode === "heatmap" ? (camera.y ?? valueRange(rows, options.ignoreOutliers)) : null;
    const room = { width: size.width, height: Math.max(1, size.height - LEGEND) };
    const beside = mode === "heatmap" ? 0 : HEIGHTS;
    const laidOut = (height: number) =>
      facetsOf(runs.length, together, room, marginsFor(content, values ?? steps, height), beside);
    // The labels beside a plot depend on its height, and the room for them on the labels.
    const [rough] = laidOut(room.height);
    const facets = laidOut(rough?.height ?? room.height).map((facet) => ({
      ...facet,
      top: facet.top + LEGEND,
    }));
    const shown = runs.slice(0, together ? runs.length : facets.length);
    const plots = facets.map((facet) => ({ facet, runs: facet.runs.flatMap((i) => shown[i] ?? []) }));
    const found =
      values === null ? this.#ridges(shown, plots, together, camera, ratio) : this.#maps(plots, steps, values, ratio);
    this.drawn = found.plots;
    this.countScale = found.countScale;
    this.values = found.values;
    this.steps = found.steps;
    this.lastStep = largestStep(shown);
    this.bytes = bytesOf(this.drawn);
    const isOfSteps = options.xAxis === "step";
    this.stepScale = { axis: "x", range: this.steps, ends: [0, 1], isOfSteps, bounds: () => whole };
    const scales = this.#scales(rows);
    const titled = plots.length > 1;
    // In an overlay the linked step stands above the plot, too.
    const flag = mode === "overlay" ? Math.max(0, ...this.stepLabels.map(({ width }) => width)) : 0;
    const width = Math.min(...plots.map(({ facet }) => facet.width));
    const titleRoom = width + MARGINS[mode].right - MIN_TITLE_GAP_PX - TITLE - flag;
    const nameOf = (one: (typeof plots)[number]) => content.nameOf(one.runs[0]?.run ?? "");
    const titles = fittedNames(titled ? plots.map(nameOf) : [], titleRoom, measureLabel);
    this.plots = plots.map((one) => {
      const { left, top, width, height } = one.facet;
      const [only] = one.runs;
      const name = only?.run ?? "";
      const text = titles.get(nameOf(one))?.text ?? "";
      const title = titled ? { run: name, color: only?.color ?? "", text } : null;
      return { area: { left, top, width, height }, ...scales, title };
    });
    this.rangeMarks = this.#marksOfRanges(flag);
  }

  /** `flag` is the width of the linked step's label above the plot. */
  #marksOfRanges(flag: number): RangeMark[] {
    return this.drawn.flatMap(({ facet, ranges, ridges }, i) => {
      if (ridges === null) {
        return rangeMarks(ranges, facet, (at) => shareOf(this.stepScale, at));
      }
      if (ridges.mode === "offset") {
        return marksBeside(ranges, ridges, facet);
      }
      const right = Math.max(...this.drawn.map(({ facet }) => facet.left + facet.width));
      const left = UNIT_LEFT_PX + measureLabel(unitOf(ridges)) + MIN_RANGE_GAP_PX;
      return i === 0 ? marksAbove(ranges, [left, right - (flag && flag + MIN_RANGE_GAP_PX)]) : [];
    });
  }

  get stepLabels(): readonly StepLabel[] {
    const labels = this.drawn.flatMap((plot) => labelsOf(plot, this));
    // Beside ridges, each plot has an axis of steps.
    return this.content.mode === "heatmap" ? eachTextOnce(labels) : labels;
  }

  paint(surface: Surface, highlight: object | null): void {
    paintPlots(surface, this, highlight);
  }

  hit(plot: number, at: Position): Hit<HistogramHit> | null {
    const { map = null, ridges = null } = this.drawn[plot] ?? {};
    const found =
      map !== null
        ? hitInHeatmap(map, this.values, at.x, at.y)
        : ridges !== null
          ? hitInRidges(ridges, at.x, at.y)
          : null;
    return found && hitOf(found, at);
  }

  next(plot: number, from: number | null, direction: 1 | -1): number | null {
    const all = this.#stops(plot);
    const start = from ?? all.find(({ linked }) => linked)?.at ?? null;
    const stops = all.filter(({ at }) => start === null || (at - start) * direction > 0);
    const [first] = stops.sort((a, b) => (a.at - b.at) * direction);
    return first?.at ?? null;
  }

  hitAt(plot: number, stop: number): Hit<HistogramHit> | null {
    const found = this.#stops(plot).findLast(({ at }) => at === stop);
    return found === undefined ? null : hitOf(found.hit(), found.place);
  }

  /** The histograms that keys lead to, and where they are. */
  #stops(plot: number): { at: number; linked: boolean; place: Position; hit(): HistogramHit }[] {
    const { map = null, ridges = null } = this.drawn[plot] ?? {};
    if (ridges !== null) {
      const front = ridges.ridges.filter(({ run }) => !run.faded);
      return front.map((ridge) => {
        const { at, linked } = ridge;
        return { at, linked, place: { x: 0.5, y: footOf(ridges, at) }, hit: () => hitOnRidge(ridges, ridge) };
      });
    }
    if (map === null) {
      return [];
    }
    const { run } = map;
    const { xAxis, linked } = this.content.options;
    const column = positionsOf(run.series, xAxis);
    const scale = { range: this.steps, ends: [0, 1] } as const;
    const pointedOut = linked === null ? -1 : lastUpTo(positionsOf(run.series, "step"), linked);
    return run.series.rows.flatMap((row, i) => {
      const at = column[i] as number;
      const inSight = at >= this.steps[0] && at <= this.steps[1];
      const place = { x: shareOf(scale, at), y: 0.5 };
      return inSight ? [{ at, linked: i === pointedOut, place, hit: () => hitOnRow(run, row, this.values) }] : [];
    });
  }

  #scales(rows: readonly Histogram[]): Pick<Plot, "horizontal" | "vertical"> {
    const values: PlotScale = {
      axis: "y",
      range: this.values,
      ends: [0, 1],
      bounds: () => valueRange(rows, false),
    };
    if (this.crosshair) {
      return { horizontal: this.stepScale, vertical: { ...values, ends: [1, 0] } };
    }
    const ridges = this.drawn[0]?.ridges ?? null;
    const apart = ridges !== null && ridges.mode === "offset" && ridges.steps[0] < ridges.steps[1];
    return { horizontal: values, vertical: apart ? { ...this.stepScale, ends: [ridges.tallest, 1] } : null };
  }

  #maps(plots: readonly Pick<HistogramPlot, "facet" | "runs">[], steps: Range, values: Range, ratio: number) {
    const { options } = this.content;
    const grid = gridOf(values, options.bins);
    const found = plots.map(({ facet, runs }): HistogramPlot => {
      const [run] = runs;
      const { width, height } = onCanvas(facet, ratio);
      const column = run === undefined ? null : positionsOf(run.series, options.xAxis);
      const map =
        run === undefined || column === null ? null : heatmapOf(run, column, steps, values, width, height, grid);
      const acrossTicks = horizontalTicks(AXIS_KINDS[options.xAxis], steps, facet.width, ACROSS);
      const downTicks = upright("number", values, facet.height, (value) => (1 - share(value, values)) * facet.height);
      const ranges = this.content.rangesOf(runs);
      return { facet, runs, ridges: null, map, ranges, acrossTicks, downTicks };
    });
    const countScale = heatScale(
      found.flatMap(({ map }) => map ?? []),
      options,
    );
    return { plots: found, steps, values, countScale };
  }

  #ridges(
    shown: readonly RunSeries[],
    plots: readonly Pick<HistogramPlot, "facet" | "runs">[],
    together: boolean,
    camera: Camera,
    ratio: number,
  ) {
    const { mode, options } = this.content;
    const facet = plots[0]?.facet ?? { left: 0, top: 0, width: 1, height: 1 };
    const columns = onCanvas(facet, ratio).width;
    const ridgeMode = mode === "overlay" ? "overlay" : "offset";
    const all = ridgesOf(
      shown,
      { ...options, steps: camera.x, values: camera.y },
      ridgeMode,
      columns,
      together ? shown.length : 1,
      facet.height,
    );
    const kind = AXIS_KINDS[options.xAxis];
    const found = plots.map(({ facet, runs }): HistogramPlot => {
      const own = all.ridges.filter(({ run }) => plots.length === 1 || runs.includes(run));
      // The label of a linked step replaces the labels of ticks next to it.
      const labeled = own.filter(({ linked }) => linked).map(({ at }) => at);
      const down = (at: number) => footOf(all, at) * facet.height;
      const downTicks = ridgeMode === "offset" ? ridgeTicks(kind, all.steps, own, facet.height, down, labeled) : [];
      const acrossTicks = horizontalTicks("number", all.values, facet.width, ACROSS);
      const named = own.length === 0 ? [] : this.content.rangesOf(ridgeMode === "overlay" ? shown : runs);
      const ranges = rangesWithin(named, all.steps);
      return { facet, runs, ridges: { ...all, ridges: own }, map: null, ranges, acrossTicks, downTicks };
    });
    return { plots: found, steps: all.steps, values: all.values, countScale: all.countScale };
  }
}

function hitOf(details: HistogramHit, at: Position): Hit<HistogramHit> {
  return { step: details.row.step, details, at, dots: [], highlight: details.ridge };
}

/** From the first step to the end of the newest histogram. */
function heatRange(runs: readonly RunSeries[], xAxis: RidgeOptions["xAxis"]): Range {
  const [first, last] = positionRange(runs, xAxis);
  const ends = runs.map(({ series }) => endOf(positionsOf(series, xAxis)));
  return [first, Math.max(last, ...ends)];
}

function largestStep(runs: readonly RunSeries[]): bigint | null {
  let last: bigint | null = null;
  for (const { series } of runs) {
    for (const { step } of series.rows) {
      last = last === null || step > last ? step : last;
    }
  }
  return last;
}

/** Bytes of profiles, even bins, cells of heat maps, and positions. */
function bytesOf(plots: readonly HistogramPlot[]): number {
  let bytes = 0;
  for (const { ridges, map, runs } of plots) {
    for (const { profile } of ridges?.ridges ?? []) {
      bytes += profile.byteLength;
    }
    const drawn = map === null ? (ridges?.ridges.length ?? 0) : map.run.series.rows.length;
    bytes += 8 * drawn * ((map ?? ridges)?.grid?.count ?? 0);
    for (const column of new Set(map?.columns)) {
      bytes += column === null ? 0 : column.counts.byteLength + column.rows.byteLength;
    }
    for (const { series } of runs) {
      bytes += 8 * series.rows.length;
    }
  }
  return bytes;
}

/** Margins for the labels of the vertical axis, and for the names of runs above their plots. */
function marginsFor({ runs, mode, together, options }: HistogramContent, down: Range, height: number): Margins {
  const usual = MARGINS[mode];
  const top = runs.length > 1 && (!together || mode === "heatmap") ? usual.top + TITLE : usual.top;
  if (mode === "overlay") {
    return { ...usual, top };
  }
  if (mode === "heatmap") {
    return { ...usual, top, left: Math.max(usual.left, widthBeside("number", down, height)) };
  }
  // Linked or not: plots keep their widths.
  const flag = options.xAxis === "step" ? 0 : widestFlag(runs);
  return { ...usual, top, right: Math.max(usual.right, widthBeside(AXIS_KINDS[options.xAxis], down, height), flag) };
}
