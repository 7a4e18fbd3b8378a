// The canvas of parallel coordinates: it follows the sessions, their columns and brushes, and finds the line below the pointer.

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { canvasSurface, fitCanvas, type Size } from "../../../charts/geometry";
import { pixelRatio, watchPixelRatio } from "../../../charts/pixelratio";
import { packed } from "../../../charts/raster";
import { forcedTheme, pageColors, rgbOf } from "../../../charts/theme";
import { chartColors, type Theme } from "../../../lib/tokens";
import type { View } from "../../../ui/view";
import { packedColors } from "../colorkey";
import type { Column } from "../columns";
import { rankedRows } from "../ranking";
import type { HParamsState } from "../sessions";
import { AxisCache, AxisSpace, type ParallelAxis } from "./axes";
import { faintAlpha, type Gap, GapRasters, type Layer, litAlpha, MAX_SMOOTH, rowNear } from "./gaps";
import { type AxisLook, type Drawn, type Places, paintAxes, paintOnTop, placesOf } from "./paint";

/** CSS pixels from a line that still mean it. */
const REACH_PX = 6;

/** Milliseconds of drawing lines in a frame while a brush is dragged. Gaps that are left over follow in the next frames. */
const FRAME_MS = 12;

/** CSS pixels between the labels of an axis and its neighbor. */
const LABEL_MARGIN_PX = 14;

/** An axis that is being dragged, and where it is in CSS pixels. */
export interface DraggedAxis {
  readonly key: string;
  readonly x: number;
}

/** The axes from left to right, as they are drawn. */
interface Arranged {
  readonly axes: readonly ParallelAxis[];
  readonly places: Places;
}

export class ParallelPlot {
  readonly size: Signal<Size> = signal({ width: 0, height: 0 });
  /** CSS pixels that it is scrolled sideways. */
  readonly scrolled = signal(0);
  readonly dragged: Signal<DraggedAxis | null> = signal(null);
  readonly axes: ReadonlySignal<readonly ParallelAxis[]>;
  readonly space: ReadonlySignal<AxisSpace>;
  /** In their order, or that which a drag gives them. */
  readonly arranged: ReadonlySignal<Arranged>;
  /** Shown rows, the best last: it is drawn on top. */
  readonly rows: ReadonlySignal<readonly number[]>;

  readonly #view: View;
  readonly #state: HParamsState;
  readonly #rasters = new GapRasters();
  /** Rasters of one pixel to a CSS pixel for many lines while a brush is dragged: half the time on a fine screen. */
  readonly #coarse = new GapRasters();
  readonly #isBrushing: ReadonlySignal<boolean>;
  readonly #colors: ReadonlySignal<Int32Array>;
  readonly #lit: ReadonlySignal<Layer>;
  readonly #faint: ReadonlySignal<Layer | null>;
  readonly #cache = new AxisCache();
  /** Heights of all rows on an axis, in pixels of the canvas. */
  readonly #heights = new WeakMap<ParallelAxis, Map<number, { readonly key: string; readonly ys: Float64Array }>>();
  #gaps: readonly Gap[] = [];
  /** Pixels of the rasters to one CSS pixel. */
  #ratio = 1;

  constructor(view: View, state: HParamsState, isBrushing: ReadonlySignal<boolean>) {
    this.#isBrushing = isBrushing;
    this.#view = view;
    this.#state = state;
    const { hparams_flipped } = state.options;
    this.rows = computed(() => [...rankedRows(state, state.shown.value)].reverse());
    this.axes = computed(() => {
      const [rows, flipped] = [state.shown.value, hparams_flipped.value];
      return state.axes.value.map((column) =>
        this.#cache.of(column, rows, state.scaleOf(column), flipped.includes(column.key)),
      );
    });
    this.space = computed(() => new AxisSpace(this.axes.value, this.size.value.height));
    const placed = computed(() => placesOf(this.axes.value, this.space.value, this.size.value.width));
    this.arranged = computed(() => arranged(this.axes.value, placed.value, this.dragged.value));
    this.#colors = computed(() => packedColors(state.sessions.value.rows.length, (row) => state.colorOf(row)));
    this.#lit = computed(() => {
      const [rows, brushed] = [this.rows.value, state.brushed.value];
      const lit = brushed === null ? rows : rows.filter((row) => brushed.has(row));
      return { rows: lit, colors: this.#colors.value, alpha: litAlpha(lit.length) };
    });
    const all = computed(() => {
      const rows = this.rows.value;
      const color = packed(rgbOf(chartColors[view.theme.value].label));
      return { rows, colors: color, alpha: faintAlpha(rows.length) };
    });
    const hasBrush = computed(() => state.brushed.value !== null);
    this.#faint = computed(() => (hasBrush.value ? all.value : null));
  }

  /** Draws on a canvas whenever something has changed, until what it returns is called. */
  mount(canvas: HTMLCanvasElement, root: HTMLElement): () => void {
    const { frames } = this.#view;
    const drawSoon = () => frames.request(this, () => this.#draw(canvas, root));
    const endWatch = watchPixelRatio(drawSoon);
    const { brushes, goalBest, goal, lit } = this.#state;
    const own = [this.#isBrushing, this.size, this.scrolled, this.arranged, this.space, this.#lit, this.#faint];
    const followed: readonly ReadonlySignal<unknown>[] = [...own, brushes, goal, goalBest, lit, this.#view.theme];
    const stop = computed(() => followed.map((one) => one.value)).subscribe(drawSoon);
    canvas.addEventListener("contextrestored", drawSoon);
    return () => {
      stop();
      endWatch();
      canvas.removeEventListener("contextrestored", drawSoon);
      frames.cancel(this);
      this.#rasters.clear();
      this.#coarse.clear();
      // Browsers keep the pixels of a canvas until it is collected.
      canvas.width = canvas.height = 0;
    };
  }

  /** The row of the line at a place of the stage, in CSS pixels; of the brushed ones where some are. */
  rowAt(x: number, y: number): number | null {
    const at = (x - this.scrolled.peek()) * this.#ratio;
    const gap = this.#gaps.find(({ left, width }) => at >= left && at <= left + width);
    const { rows } = this.#lit.peek();
    return gap === undefined ? null : rowNear(gap, rows, at, y * this.#ratio, REACH_PX * this.#ratio);
  }

  /** Parts of a picture. */
  drawn(theme: Theme): Drawn {
    const state = this.#state;
    const [goal, colorAt] = [state.goal.value, state.colorsIn(theme)];
    return {
      axes: this.axes.value,
      brushes: state.brushes.value,
      rows: this.rows.value,
      brushed: state.brushed.value,
      goal: goal?.key ?? null,
      colorAt,
      colorOf: (row) => colorAt(goal?.values[row]),
    };
  }

  #draw(canvas: HTMLCanvasElement, root: HTMLElement): void {
    const { width, height } = this.size.peek();
    const context = canvas.getContext("2d");
    if (!(width >= 1 && height >= 1) || context === null) {
      return;
    }
    const ratio = pixelRatio();
    const isBrushing = this.#isBrushing.peek();
    const isCoarse = ratio > 1 && isBrushing && this.rows.peek().length > MAX_SMOOTH;
    this.#ratio = isCoarse ? 1 : ratio;
    fitCanvas(canvas, { width, height }, ratio);
    const theme = this.#view.theme.peek();
    const page = pageColors(root, theme);
    const [left, space, lit] = [this.scrolled.peek(), this.space.peek(), this.#lit.peek()];
    const { axes, places } = this.arranged.peek();
    const xs = places.xs.map((x) => x - left);
    const isNear = (i: number) => (xs[i] ?? 0) > -places.gap && (xs[i] ?? 0) < width + places.gap;
    this.#gaps = axes.slice(1).flatMap((axis, i) => {
      const before = axes[i];
      return before !== undefined && isNear(i) && isNear(i + 1)
        ? this.#gap(before, axis, xs[i] ?? 0, xs[i + 1] ?? 0, space, this.#ratio)
        : [];
    });
    context.clearRect(0, 0, canvas.width, canvas.height);
    const layers = { background: page.background, faint: this.#faint.peek(), lit };
    const rasters = isCoarse ? this.#coarse : this.#rasters;
    const budget = isBrushing ? FRAME_MS : Number.POSITIVE_INFINITY;
    if (!rasters.paint(context, this.#gaps, layers, this.#ratio, ratio / this.#ratio, budget)) {
      this.#view.frames.request(this, () => this.#draw(canvas, root));
    }
    const surface = canvasSurface(context, ratio, forcedTheme(root));
    const goal = this.#state.goal.peek();
    const colorAt = this.#state.colorsIn(theme);
    const looks = axes.flatMap((axis, i): AxisLook[] => {
      const { key } = axis.column;
      const brushes = this.#state.brushes.peek().get(key) ?? [];
      return isNear(i) ? [{ axis, x: xs[i] ?? 0, brushes, colorAt: key === goal?.key ? colorAt : null }] : [];
    });
    const row = this.#state.lit.peek();
    if (row !== null && lit.rows.length > 0 && this.#isShown(row)) {
      const ys = axes.map((axis) => space.yOf(axis.places[row] ?? 0));
      paintOnTop(surface, xs, ys, this.#state.colorOf(row), page);
    }
    paintAxes(surface, looks, { space, theme, page, room: places.gap - LABEL_MARGIN_PX });
  }

  #isShown(row: number): boolean {
    return this.#state.shown.peek().includes(row);
  }

  #gap(before: ParallelAxis, axis: ParallelAxis, from: number, to: number, space: AxisSpace, ratio: number): Gap[] {
    const [left, right] = [Math.round(from * ratio), Math.round(to * ratio)];
    const height = Math.round(space.height * ratio);
    const key = JSON.stringify([before.column.key, axis.column.key]);
    const [start, end] = [this.#heightsOf(before, space, ratio), this.#heightsOf(axis, space, ratio)];
    return right > left ? [{ key, left, width: right - left, height, from: start, to: end }] : [];
  }

  #heightsOf(axis: ParallelAxis, space: AxisSpace, ratio: number): Float64Array {
    const byRatio = this.#heights.get(axis) ?? new Map();
    const known = byRatio.get(ratio);
    if (known?.key === space.key) {
      return known.ys;
    }
    const ys = axis.places.map((place) => space.yOf(place) * ratio);
    this.#heights.set(axis, byRatio.set(ratio, { key: space.key, ys }));
    return ys;
  }
}

/** The dragged axis is where the pointer is, the others make room for it. */
function arranged(axes: readonly ParallelAxis[], places: Places, dragged: DraggedAxis | null): Arranged {
  const own = axes.find(({ column }) => column.key === dragged?.key);
  if (dragged === null || own === undefined) {
    return { axes, places };
  }
  const others = axes.filter((axis) => axis !== own);
  const at = placeOf(dragged.x, places, others.length);
  const xs = [...places.xs];
  xs[at] = Math.min(xs[at + 1] ?? Number.POSITIVE_INFINITY, Math.max(xs[at - 1] ?? 0, dragged.x));
  return { axes: [...others.slice(0, at), own, ...others.slice(at)], places: { ...places, xs } };
}

/** The place in the order of axes that is nearest. */
function placeOf(x: number, { xs, gap }: Places, last: number): number {
  return Math.min(last, Math.max(0, Math.round((x - (xs[0] ?? 0)) / gap)));
}

export function keysOf(axes: readonly { readonly column: Column }[]): string[] {
  return axes.map(({ column }) => column.key);
}
