// The chart of PR or ROC curves: a square between 0 and 1, where a point is found by its distance, and keys go from threshold to
// threshold.

import { paintHorizontalAxis, paintVerticalAxis } from "../../charts/axes";
import { ticksAlong } from "../../charts/axis";
import type { Camera } from "../../charts/camera";
import { onCanvas, type PaintPath, type Position, type Rect, type Size, type Surface } from "../../charts/geometry";
import type { ChartContent, Hit, Layout } from "../../charts/layout";
import { type Plot, type PlotScale, shareOf } from "../../charts/plot";
import { fittedName, labelFont } from "../../charts/text";
import { type ChartTheme, chartTheme } from "../../charts/theme";
import { formatTick, formatValue } from "../../lib/format";
import type { Range } from "../../lib/search";
import type { Theme } from "../../lib/tokens";
import type { LinePoint } from "../../lines/points";
import type { Column, PRCurve } from "./codec";
import { nearestThreshold, positiveShare, ratesOf, rocAuc, thresholdOf } from "./measures";
import { prCurveTexts } from "./texts";

/** A curve that is drawn. */
export interface DrawnCurve {
  readonly run: string;
  readonly tag: string;
  readonly name: string;
  readonly color: string;
  readonly dash: readonly number[];
  readonly faded: boolean;
  /** It is an average of others. */
  readonly bold?: boolean;
  readonly step: bigint;
  readonly wall: number;
  readonly curve: PRCurve;
}

/** A curve at one threshold. */
export interface CurvePoint extends LinePoint {
  readonly name: string;
  readonly curve: PRCurve;
  /** The place of the threshold. */
  readonly place: number;
}

export interface CurvesDrawing {
  readonly draws: "pr" | "roc";
  readonly curves: readonly DrawnCurve[];
  /** Curves of earlier steps. */
  readonly earlier: readonly { readonly color: string; readonly curve: PRCurve }[];
  readonly isoF1: boolean;
  /** The threshold that is marked; null for none. */
  readonly threshold: number | null;
  readonly theme: Theme;
  readonly lastStep: bigint | null;
}

/** CSS pixels around the square. */
const LEFT_PX = 38;
/** Where lines of equal F1 have their numbers. */
const RIGHT_PX = 30;
const TOP_PX = 22;
const BOTTOM_PX = 40;

const WHOLE: Range = [0, 1];
/** CSS pixels from tick to tick; from the square to the names of its axes. */
const TICK_SPACING = 36;
const MAX_TICKS = 11;
const NAME_ABOVE = 8;
const NAME_BELOW = 24;
const NAME_LEFT = 24;

const LINE_WIDTH = 1.75;
const BOLD_WIDTH = 2.75;
const HIGHLIGHT_WIDTH = 1.25;
const EARLIER_OPACITY = 0.22;
const FADED_OPACITY = 0.15;
const ISO_OPACITY = 0.75;
/** Opacity where nothing is predicted: precision is 0 there by convention. */
const UNPREDICTED_OPACITY = 0.35;
/** Opacity of the other curves while the pointer is on one. */
const UNLIT_OPACITY = 0.45;
/** CSS pixels outside of the square that a line along its edge is drawn in. */
const OVERHANG = 2;
const MARK_RADIUS = 4;

/** CSS pixels within which the pointer counts as being on a curve. */
const ON_CURVE = 24;

const ISO_F1 = [0.2, 0.4, 0.6, 0.8];
const ISO_POINTS = 48;

/** Lines without skill are drawn apart where their precision differs by so much; with more of them, none is. */
const SAME_SKILL = 0.02;
const MAX_SKILLS = 4;
/** CSS pixels from a line without skill to the middle of its name, and around that. */
const SKILL_GAP_PX = 8;
const SKILL_HALO_PX = 3;

/** Thresholds that keys go through, at most: of more, some are left out. */
const MAX_STOPS = 250;

/** Pieces of a curve, at most, that the place of a name is chosen by: of a longer curve, some points are left out. */
const MAX_PIECES = 500;

/** How many pieces of curves of precision may lie in a box of the canvas. */
function coveredBy(
  curves: readonly PRCurve[],
  map: Map,
  [left, top, right, bottom]: readonly [number, number, number, number],
): number {
  let count = 0;
  for (const { recall, precision } of curves) {
    const last = recall.length - 1;
    const stride = Math.max(1, Math.ceil(last / MAX_PIECES));
    for (let from = 0; from < last; from += stride) {
      const to = Math.min(last, from + stride);
      const [x0, x1] = [map.x(recall[from] as number), map.x(recall[to] as number)];
      const [y0, y1] = [map.y(precision[from] as number), map.y(precision[to] as number)];
      const isAside = Math.max(x0, x1) < left || Math.min(x0, x1) > right;
      count += isAside || Math.max(y0, y1) < top || Math.min(y0, y1) > bottom ? 0 : 1;
    }
  }
  return count;
}

/** The columns along both axes. */
export function placesOf(curve: PRCurve, draws: CurvesDrawing["draws"]): { readonly x: Column; readonly y: Column } {
  if (draws === "pr") {
    return { x: curve.recall, y: curve.precision };
  }
  const { truePositive, falsePositive } = ratesOf(curve);
  return { x: falsePositive, y: truePositive };
}

export function curvesChart(drawing: CurvesDrawing): ChartContent<readonly CurvePoint[]> {
  return { layOut: (size, camera) => new CurvesLayout(drawing, size, camera) };
}

class CurvesLayout implements Layout<readonly CurvePoint[]> {
  readonly plots: readonly Plot[];
  readonly crosshair = false;
  readonly stepLabels = [];
  readonly bytes = 0;
  readonly #drawing: CurvesDrawing;
  readonly #area: Rect;
  readonly #x: PlotScale;
  readonly #y: PlotScale;
  #skillNames: readonly SkillName[] | undefined;

  constructor(drawing: CurvesDrawing, { width, height }: Size, camera: Camera) {
    this.#drawing = drawing;
    const side = Math.max(1, Math.floor(Math.min(width - LEFT_PX - RIGHT_PX, height - TOP_PX - BOTTOM_PX)));
    const left = LEFT_PX + Math.max(0, Math.floor((width - LEFT_PX - RIGHT_PX - side) / 2));
    this.#area = { left, top: TOP_PX, width: side, height: side };
    this.#x = { axis: "x", range: camera.x ?? WHOLE, ends: [0, 1], bounds: () => WHOLE };
    this.#y = { axis: "y", range: camera.y ?? WHOLE, ends: [1, 0], bounds: () => WHOLE };
    this.plots = [{ area: this.#area, horizontal: this.#x, vertical: this.#y, title: null }];
  }

  get lastStep(): bigint | null {
    return this.#drawing.lastStep;
  }

  paint(surface: Surface, highlight: object | null): void {
    const { draws, curves, earlier, isoF1, threshold, theme: name } = this.#drawing;
    const theme = chartTheme(surface, name);
    const { context, ratio } = surface;
    const area = onCanvas(this.#area, ratio);
    const [across, down] = [(x: number) => shareOf(this.#x, x), (y: number) => shareOf(this.#y, y)];
    const side = this.#area.width;
    const ticks = ({ range }: PlotScale) => ticksAlong("number", range, side, Math.max(TICK_SPACING, side / MAX_TICKS));
    const room: [number, number] = [area.left - LEFT_PX * ratio, area.left + area.width + RIGHT_PX * ratio];
    paintHorizontalAxis(surface, area, room, ticks(this.#x), across, theme);
    const axis = { side: "left", grid: true, labels: true } as const;
    paintVerticalAxis(surface, area, ticks(this.#y), down, theme, axis);
    this.#paintNames(surface, area, theme);
    const map: Map = {
      x: (x) => area.left + across(x) * area.width,
      y: (y) => area.top + down(y) * area.height,
    };
    const levels = draws === "pr" && isoF1 ? ISO_F1 : [];
    this.#paintNumbers(surface, area, map, levels, theme);
    context.save();
    context.beginPath();
    const overhang = OVERHANG * ratio;
    const [width, height] = [area.width + 2 * overhang, area.height + 2 * overhang];
    context.rect(area.left - overhang, area.top - overhang, width, height);
    context.clip();
    context.lineJoin = "round";
    context.lineWidth = Math.max(1, Math.floor(ratio));
    context.globalAlpha = ISO_OPACITY;
    context.strokeStyle = theme.axis;
    for (const level of levels) {
      context.stroke(isoF1Path(surface.path(), level, map));
    }
    this.#paintWithoutSkill(surface, map, theme);
    context.setLineDash([]);
    this.#paintSkillNames(surface, area, map, theme);
    context.lineWidth = ratio;
    for (const { color, curve } of earlier) {
      context.globalAlpha = EARLIER_OPACITY;
      context.strokeStyle = color;
      context.stroke(curvePath(surface.path(), curve, draws, map, [0, predictedUntil(curve)]));
    }
    const lit = curves.some(({ curve }) => curve === highlight);
    const order = (one: DrawnCurve) => (one.faded ? 0 : one.curve === highlight ? 3 : one.bold ? 2 : 1);
    for (const one of [...curves].sort((a, b) => order(a) - order(b))) {
      const isLit = one.curve === highlight;
      const opacity = one.faded ? FADED_OPACITY : lit && !isLit ? UNLIT_OPACITY : 1;
      const end = draws === "roc" ? one.curve.tp.length : predictedUntil(one.curve);
      context.globalAlpha = opacity;
      context.strokeStyle = one.color;
      context.lineWidth = ((one.bold ? BOLD_WIDTH : LINE_WIDTH) + (isLit ? HIGHLIGHT_WIDTH : 0)) * ratio;
      context.setLineDash(one.dash.map((length) => length * ratio));
      context.stroke(curvePath(surface.path(), one.curve, draws, map, [0, end]));
      if (end < one.curve.tp.length) {
        context.globalAlpha = opacity * UNPREDICTED_OPACITY;
        context.lineWidth = ratio;
        const rest: Range = [Math.max(0, end - 1), one.curve.tp.length];
        context.stroke(curvePath(surface.path(), one.curve, draws, map, rest));
      }
    }
    context.setLineDash([]);
    context.restore();
    if (threshold !== null) {
      this.#paintMarks(surface, threshold, map, theme);
    }
  }

  /** Names of the axes, outside of the square because curves may be anywhere within. */
  #paintNames({ context, ratio }: Surface, area: Rect, theme: ChartTheme): void {
    const isPR = this.#drawing.draws === "pr";
    context.font = labelFont(ratio);
    context.fillStyle = theme.label;
    context.textAlign = "left";
    context.textBaseline = "bottom";
    const room = this.#area.width;
    const left = area.left - NAME_LEFT * ratio;
    context.fillText(
      fittedName(isPR ? prCurveTexts().precision : prCurveTexts().trueRate, room),
      left,
      area.top - NAME_ABOVE * ratio,
    );
    context.textAlign = "right";
    context.textBaseline = "top";
    const name = fittedName(isPR ? prCurveTexts().recall : prCurveTexts().falseRate, this.#area.width);
    context.fillText(name, area.left + area.width, area.top + area.height + NAME_BELOW * ratio);
  }

  /** The numbers of lines of equal F1, where these end. */
  #paintNumbers(
    { context, ratio, forced }: Surface,
    area: Rect,
    map: Map,
    levels: readonly number[],
    theme: ChartTheme,
  ): void {
    const end = this.#x.range[1];
    const right = area.left + area.width + 4 * ratio;
    context.font = labelFont(ratio);
    context.fillStyle = theme.label;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.globalAlpha = forced ? 1 : 0.75;
    for (const level of levels) {
      const y = map.y(isoPrecision(level, end));
      if (end > level / 2 && y > area.top && y < area.top + area.height) {
        context.fillText(formatTick(level, 0.1), right, y);
      }
    }
    if (levels.length > 0) {
      context.textBaseline = "bottom";
      context.fillText(prCurveTexts().f1, right, area.top - NAME_ABOVE * ratio);
    }
    context.globalAlpha = 1;
  }

  /** Where a classifier without skill would be. */
  #paintWithoutSkill(surface: Surface, map: Map, theme: ChartTheme): void {
    const { context, ratio } = surface;
    context.setLineDash([4 * ratio, 3 * ratio]);
    context.globalAlpha = 0.8;
    const line = (from: number, to: number, color: string) => {
      const path = surface.path();
      path.moveTo(map.x(0), map.y(from));
      path.lineTo(map.x(1), map.y(to));
      context.strokeStyle = color;
      context.stroke(path);
    };
    if (this.#drawing.draws === "roc") {
      line(0, 1, theme.label);
      this.#paintUndefined(surface, map, theme);
      return;
    }
    const skills = this.#skills();
    for (const { share, color } of skills) {
      line(share, share, skills.length === 1 ? theme.label : color);
    }
  }

  /** Shares of positives that have a line, the largest first. */
  #skills(): readonly { readonly share: number; readonly color: string }[] {
    const skills: { share: number; color: string }[] = [];
    for (const { curve, color, faded } of this.#drawing.curves) {
      const share = positiveShare(curve);
      if (!faded && Number.isFinite(share) && !skills.some((other) => Math.abs(other.share - share) < SAME_SKILL)) {
        skills.push({ share, color });
      }
    }
    return skills.length > MAX_SKILLS ? [] : skills.sort((a, b) => b.share - a.share);
  }

  /** Names the lines without skill, behind the curves: at the right end below the line, or where fewer curves are. */
  #paintSkillNames(surface: Surface, area: Rect, map: Map, theme: ChartTheme): void {
    const { context, ratio } = surface;
    const gap = SKILL_GAP_PX * ratio;
    context.globalAlpha = 1;
    context.font = labelFont(ratio);
    context.textBaseline = "middle";
    context.lineWidth = SKILL_HALO_PX * ratio;
    context.strokeStyle = theme.paper;
    context.fillStyle = theme.label;
    const name = ({ text, x, y }: SkillName) => {
      context.strokeText(text, x, y);
      context.fillText(text, x, y);
    };
    if (this.#drawing.draws === "roc") {
      context.textAlign = "left";
      name({ text: prCurveTexts().noSkill, x: map.x(0.5) + gap, y: map.y(0.5) + gap });
      return;
    }
    context.textAlign = "left";
    this.#skillNames ??= this.#placeSkillNames(surface, area, map);
    this.#skillNames.forEach(name);
  }

  /** Where the names of the lines without skill stand. It takes points of all curves; a layout has one ratio. */
  #placeSkillNames({ context, ratio }: Surface, area: Rect, map: Map): SkillName[] {
    const gap = SKILL_GAP_PX * ratio;
    const names: SkillName[] = [];
    const foot = area.top + area.height;
    const drawn = this.#drawing.curves.filter(({ faded }) => !faded).map(({ curve }) => curve);
    let least = area.top;
    const skills = this.#skills();
    for (const { share } of skills) {
      const at = map.y(share);
      const onLines = (y: number) => skills.filter((one) => Math.abs(map.y(one.share) - y) < gap).length;
      const text = prCurveTexts().noSkillOf(percentOf(share));
      const width = context.measureText(text).width;
      const ends = [area.left + area.width - gap / 2 - width, area.left + gap / 2];
      const places = [at + gap, at - gap]
        .filter((y) => y >= least && y + gap <= foot)
        .flatMap((y) =>
          ends.map((x) => {
            const covered = onLines(y) + coveredBy(drawn, map, [x, y - gap, x + width, y + gap]);
            return { x, y, covered };
          }),
        );
      const [best] = places.sort((a, b) => a.covered - b.covered);
      // Lines close to one another share the name of the first.
      if (at <= foot && best !== undefined) {
        names.push({ text, x: best.x, y: best.y });
        least = Math.max(at, best.y) + 2 * gap;
      }
    }
    return names;
  }

  /** Says why the ROC chart is empty. */
  #paintUndefined({ context, ratio }: Surface, map: Map, theme: ChartTheme): void {
    const { curves } = this.#drawing;
    const isDefined = ({ curve }: DrawnCurve) => Number.isFinite(rocAuc(curve));
    if (curves.length === 0 || curves.some(isDefined)) {
      return;
    }
    context.font = labelFont(ratio);
    context.fillStyle = theme.label;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(fittedName(prCurveTexts().noRocCurve, this.#area.width), map.x(0.5), map.y(0.25));
  }

  #paintMarks({ context, ratio, path }: Surface, threshold: number, map: Map, theme: ChartTheme): void {
    for (const { curve, color, faded } of this.#drawing.curves) {
      const { x, y } = placesOf(curve, this.#drawing.draws);
      const i = nearestThreshold(curve, threshold);
      const [right, up] = [x[i] as number, y[i] as number];
      const inside = within(right, this.#x.range) && within(up, this.#y.range);
      if (faded || !inside) {
        continue;
      }
      const ring = path();
      ring.arc(map.x(right), map.y(up), MARK_RADIUS * ratio, 0, 2 * Math.PI);
      context.fillStyle = color;
      context.fill(ring);
      context.lineWidth = 1.5 * ratio;
      context.strokeStyle = theme.label;
      context.stroke(ring);
    }
  }

  hit(_plot: number, at: Position): Hit<readonly CurvePoint[]> | null {
    const { width, height } = this.#area;
    let best: { readonly one: DrawnCurve; readonly place: number; readonly away: number } | null = null;
    const front = this.#drawing.curves.filter(({ faded }) => !faded);
    for (const one of front) {
      const { x, y } = placesOf(one.curve, this.#drawing.draws);
      for (let i = 0; i < x.length; i += 1) {
        const right = (shareOf(this.#x, x[i] as number) - at.x) * width;
        const below = (shareOf(this.#y, y[i] as number) - at.y) * height;
        const away = right * right + below * below;
        if (best === null ? away - away === 0 : away < best.away) {
          best = { one, place: i, away };
        }
      }
    }
    if (best === null) {
      return null;
    }
    const hit = this.#hitAtThreshold(thresholdOf(best.one.curve, best.place), best.one);
    const on = front.length > 1 && best.away <= ON_CURVE ** 2;
    return hit && on ? { ...hit, highlight: best.one.curve } : hit;
  }

  /** Keys go to the right: to lower thresholds, and more recall. */
  next(_plot: number, from: number | null, direction: 1 | -1): number | null {
    const count = Math.max(0, ...this.#drawing.curves.map(({ curve }) => (curve.tp.length > 1 ? curve.tp.length : 1)));
    if (count === 0) {
      return null;
    }
    const stride = Math.ceil(count / MAX_STOPS);
    const last = Math.max(1, count - 1);
    const start = from === null ? (this.#drawing.threshold ?? 0.5) : -from;
    const place = Math.round(start * last) - (from === null ? 0 : direction * stride);
    const clamped = Math.max(0, Math.min(count - 1, place));
    return from !== null && clamped === Math.round(start * last) ? null : -clamped / last;
  }

  hitAt(_plot: number, stop: number): Hit<readonly CurvePoint[]> | null {
    return this.#hitAtThreshold(-stop, null);
  }

  /** All curves at one threshold, `first` before the others. */
  #hitAtThreshold(threshold: number, first: DrawnCurve | null): Hit<readonly CurvePoint[]> | null {
    const front = this.#drawing.curves.filter(({ faded }) => !faded);
    const ordered = first === null ? front : [first, ...front.filter((one) => one !== first)];
    const points = ordered.map((one) => this.#pointOf(one, threshold)).filter(({ x, y }) => Number.isFinite(x + y));
    const dots = points.map(({ x, y, color }) => ({ x: shareOf(this.#x, x), y: shareOf(this.#y, y), color }));
    const [point] = points;
    const [at] = dots;
    return point === undefined || at === undefined
      ? null
      : { step: point.step, details: points, at: { x: at.x, y: at.y }, dots, highlight: null };
  }

  #pointOf({ run, tag, name, color, step, wall, curve }: DrawnCurve, threshold: number): CurvePoint {
    const place = nearestThreshold(curve, threshold);
    const { x, y } = placesOf(curve, this.#drawing.draws);
    const [right, up] = [x[place] as number, y[place] as number];
    const value = { value: up, smoothed: up, isSmoothed: false, bucket: false, band: null, relative: 0 };
    return { run, tag, name, color, step, wall, curve, place, x: right, y: up, line: curve, ...value };
  }
}

/** A name of a line without skill, where it stands on the canvas. */
interface SkillName {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** From values to pixels of the canvas. */
interface Map {
  x(value: number): number;
  y(value: number): number;
}

/** Two digits of it. */
function percentOf(share: number): string {
  return formatValue(Number((100 * share).toPrecision(2)));
}

function within(value: number, [from, to]: Range): boolean {
  return value >= from && value <= to;
}

/** The first place from which on nothing is predicted; the number of thresholds where there is none. */
function predictedUntil({ tp, fp }: PRCurve): number {
  let end = tp.length;
  while (end > 0 && (tp[end - 1] as number) + (fp[end - 1] as number) === 0) {
    end -= 1;
  }
  return end;
}

/** The places [from, to) of a curve, towards higher thresholds, without points within half a pixel of the last one. */
function curvePath(
  path: PaintPath,
  curve: PRCurve,
  draws: CurvesDrawing["draws"],
  map: Map,
  [from, to]: Range,
): PaintPath {
  const { x, y } = placesOf(curve, draws);
  let [left, top] = [Number.NaN, Number.NaN];
  for (let i = from; i < to; i += 1) {
    const [right, up] = [map.x(x[i] as number), map.y(y[i] as number)];
    const near = Math.abs(right - left) < 0.5 && Math.abs(up - top) < 0.5;
    if (!Number.isFinite(right + up) || (near && i < to - 1)) {
      continue;
    }
    if (Number.isNaN(left)) {
      path.moveTo(right, up);
      // A lone threshold is a dot.
      path.lineTo(right + (x.length === 1 ? 0.5 : 0), up);
    } else {
      path.lineTo(right, up);
    }
    [left, top] = [right, up];
  }
  if (draws === "roc" && !Number.isNaN(left)) {
    // Above the highest threshold, nothing is predicted.
    path.lineTo(map.x(0), map.y(0));
  }
  return path;
}

/** The precision at which a recall has this F1. */
function isoPrecision(f1: number, recall: number): number {
  return (f1 * recall) / (2 * recall - f1);
}

function isoF1Path(path: PaintPath, f1: number, map: Map): PaintPath {
  // From where precision is 1.
  const least = f1 / (2 - f1);
  for (let i = 0; i <= ISO_POINTS; i += 1) {
    // Closer together where the line is steep.
    const recall = least + (1 - least) * (i / ISO_POINTS) ** 2;
    const [x, y] = [map.x(recall), map.y(isoPrecision(f1, recall))];
    if (i === 0) {
      path.moveTo(x, y);
    } else {
      path.lineTo(x, y);
    }
  }
  return path;
}
