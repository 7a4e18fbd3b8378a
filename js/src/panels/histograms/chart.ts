// One card's drawing: a canvas, with a plot for each run or for all, and what the pointer does there.

import { furniture, type Theme } from "../../lib/colours";
import type { Frames } from "../../lib/frames";
import { lastUpTo } from "../../lib/search";
import type { AxisKind } from "../scalars/axis";
import { makeReachable } from "../scalars/chart";
import { Gestures } from "../scalars/gestures";
import { drawBottom, drawTitle, drawUpright } from "./axes";
import { type Along, placesSpanned, positionsOf, valueRange } from "./choose";
import { type Facet, facetsOf, type Margins } from "./facets";
import { type Found, foundInMap, foundInRidges } from "./found";
import { type Heatmap, heatHeights, heatmapOf, pixelsOf } from "./heatmap";
import type { Heights } from "./heights";
import { type Box, type Ground, paintRidges } from "./paint";
import { Pointer } from "./pointer";
import type { Range } from "./profile";
import { footOf, type Look, type Mode, type Ridge, type Ridges, type RunSeries, ridgesOf } from "./ridges";
import { parseColour } from "./shades";

/** All that a drawing depends on. Zoomed parts of the plane are the chart's own. */
export interface Scene {
  readonly runs: readonly RunSeries[];
  readonly look: Omit<Look, "steps" | "values">;
  readonly mode: Mode | "heatmap";
  /** All runs in one plot, where the mode allows that. */
  readonly together: boolean;
  readonly theme: Theme;
}

export interface ChartEvents {
  /** The histograms stand on the screen; the largest step among them. */
  drawn(lastStep: bigint | null): void;
  hovered(hover: Hover | null): void;
  clicked(step: bigint): void;
  /** The user went to another part of the plane: along steps or times, and along values; null for all. */
  moved(steps: Range | null, values: Range | null): void;
}

/** Where the pointer is, in pixels of the window, and what is there. */
export interface Hover {
  readonly left: number;
  readonly top: number;
  readonly found: Found;
  readonly along: Along;
}

const KINDS: Record<Along, AxisKind> = { step: "whole", relative: "duration", wall: "clock" };
const TITLE = 18;
const MARGINS: Record<Mode | "heatmap", Margins> = {
  offset: { left: 12, right: 56, top: 4, bottom: 24 },
  overlay: { left: 12, right: 14, top: 4, bottom: 24 },
  heatmap: { left: 52, right: 12, top: 6, bottom: 24 },
};

/** One plot: its place, its runs, and what is drawn of them. */
interface Plot {
  readonly facet: Facet;
  readonly runs: readonly RunSeries[];
  readonly ridges: Ridges | null;
  readonly map: Heatmap | null;
}

export class HistogramChart {
  readonly #host: HTMLElement;
  readonly #label: string;
  readonly #canvas: HTMLCanvasElement;
  readonly #frames: Frames;
  readonly #compose: () => Scene;
  readonly #events: ChartEvents;
  readonly #resizing: ResizeObserver;
  /** In CSS pixels, when it was last to be seen: the page may hide it for a moment, while its theme changes. */
  #size = { width: 0, height: 0 };
  #scene: Scene | null = null;
  #plots: readonly Plot[] = [];
  #overs: { readonly element: HTMLElement; readonly ends: readonly (() => void)[] }[] = [];
  #values: Range = [0, 1];
  #steps: Range = [0, 1];
  #zoomValues: Range | null = null;
  #zoomSteps: Range | null = null;
  #hovered: Ridge | null = null;

  /** `label` says what it shows, to those who do not see it. */
  constructor(host: HTMLElement, label: string, frames: Frames, compose: () => Scene, events: ChartEvents) {
    this.#host = host;
    this.#label = label;
    this.#frames = frames;
    this.#compose = compose;
    this.#events = events;
    this.#canvas = host.ownerDocument.createElement("canvas");
    host.append(this.#canvas);
    this.#measure();
    this.#resizing = new ResizeObserver(() => this.#measure());
    this.#resizing.observe(host);
  }

  /** Draws anew, soon: what the scene is made of has changed. */
  refresh(): void {
    this.#scene = null;
    this.#drawSoon();
  }

  /** Shows these steps or times only, or all; without telling anybody. */
  showSteps(range: Range | null): void {
    this.#zoomSteps = range;
    this.#drawSoon();
  }

  showValues(range: Range | null): void {
    this.#zoomValues = range;
    this.#drawSoon();
  }

  /** Shows all again, and tells it. */
  showAll(): void {
    this.#moveTo(null, null);
  }

  destroy(): void {
    this.#frames.cancel(this);
    this.#resizing.disconnect();
    this.#fit(0);
    this.#canvas.remove();
  }

  #measure(): void {
    const { clientWidth: width, clientHeight: height } = this.#host;
    if (width > 0 && height > 0) {
      this.#size = { width, height };
      this.refresh();
    }
  }

  #moveTo(steps: Range | null, values: Range | null): void {
    this.#zoomSteps = steps;
    this.#zoomValues = values;
    this.#events.moved(steps, values);
    this.#drawSoon();
  }

  #drawSoon(): void {
    this.#frames.request(this, () => {
      this.#scene ??= this.#compose();
      this.#hovered = null;
      this.#layOut(this.#scene);
      this.#paint(this.#scene);
      this.#events.drawn(largest(this.#plots));
    });
  }

  /** Works out what is where. */
  #layOut(scene: Scene): void {
    const { runs, mode } = scene;
    const { width, height } = this.#size;
    const look: Look = { ...scene.look, steps: this.#zoomSteps, values: this.#zoomValues };
    const together = scene.together && mode !== "heatmap";
    const usual = MARGINS[mode];
    const margins = runs.length > 1 && !together ? { ...usual, top: usual.top + TITLE } : usual;
    const facets = facetsOf(runs.length, together, width, height, margins);
    const shown = runs.slice(0, together ? runs.length : facets.length);
    const of = (facet: Facet) => facet.runs.flatMap((i) => shown[i] ?? []);
    const columns = facets[0]?.width ?? 1;
    if (mode === "heatmap") {
      const rows = shown.flatMap(({ series }) => series.rows);
      this.#steps = look.steps ?? placesSpanned(shown, look.along);
      this.#values = look.values ?? valueRange(rows, look.ignoreOutliers);
      this.#plots = facets.map((facet) => {
        const held = of(facet);
        const map = held[0] && this.#mapOf(held[0], look.along, columns, facet.height);
        return { facet, runs: held, ridges: null, map: map ?? null };
      });
    } else {
      const all = ridgesOf(shown, look, mode, columns, together ? shown.length : 1);
      this.#steps = look.steps ?? all.steps;
      this.#values = all.values;
      this.#plots = facets.map((facet) => {
        const held = of(facet);
        const ridges = facets.length === 1 ? all.ridges : all.ridges.filter(({ run }) => held.includes(run));
        return { facet, runs: held, ridges: { ...all, ridges }, map: null };
      });
    }
    this.#fit(facets.length);
    for (const [i, { facet }] of this.#plots.entries()) {
      const over = this.#overs[i]?.element;
      if (over !== undefined) {
        over.style.cssText = `left:${facet.left}px;top:${facet.top}px;width:${facet.width}px;height:${facet.height}px`;
      }
    }
  }

  #mapOf(run: RunSeries, along: Along, columns: number, cells: number): Heatmap {
    return heatmapOf(run, positionsOf(run.series, along), this.#steps, this.#values, columns, cells);
  }

  #paint(scene: Scene): void {
    const ratio = devicePixelRatio;
    const canvas = this.#canvas;
    canvas.width = Math.max(1, Math.round(this.#size.width * ratio));
    canvas.height = Math.max(1, Math.round(this.#size.height * ratio));
    const context = canvas.getContext("2d");
    if (context === null) {
      return;
    }
    const style = getComputedStyle(this.#host);
    const ground = { paper: parseColour(style.backgroundColor), ink: parseColour(style.color) };
    const maps = this.#plots.flatMap(({ map }) => map ?? []);
    const heights = heatHeights(maps, scene.look);
    for (const plot of this.#plots) {
      const { left, top, width, height } = plot.facet;
      const box = { left: left * ratio, top: top * ratio, width: width * ratio, height: height * ratio };
      this.#paintPlot(context, box, plot, scene, ground, heights, ratio);
    }
  }

  #paintPlot(
    context: CanvasRenderingContext2D,
    box: Box,
    { runs, ridges, map }: Plot,
    { mode, look, theme }: Scene,
    ground: Ground,
    heights: Heights,
    ratio: number,
  ): void {
    const colours = furniture[theme];
    const kind = KINDS[look.along];
    if (map !== null) {
      drawBottom(context, box, this.#steps, kind, colours, ratio);
      drawUpright(context, box, this.#values, "number", (v) => 1 - share(v, this.#values), false, colours, ratio);
      paintMap(context, box, map, heights, ground);
      this.#paintLink(context, box, map, look.linked, ground, ratio);
    }
    if (ridges !== null) {
      drawBottom(context, box, ridges.values, "number", colours, ratio);
      if (mode === "offset" && ridges.ridges.length > 0) {
        const plain = { ...colours, grid: "transparent" };
        drawUpright(context, box, ridges.steps, kind, (at) => footOf(ridges, at), true, plain, ratio);
      }
      paintRidges(context, box, ridges, ground, this.#hovered, ratio);
    }
    const [only] = runs;
    if (this.#plots.length > 1 && only !== undefined) {
      drawTitle(context, box, only.run, only.colour, colours, ratio);
    }
  }

  /** The column of the linked step. */
  #paintLink(
    context: CanvasRenderingContext2D,
    box: Box,
    { run }: Heatmap,
    linked: number | null,
    { ink }: Ground,
    ratio: number,
  ): void {
    const row = linked === null ? -1 : lastUpTo(positionsOf(run.series, "step"), linked);
    const at = positionsOf(run.series, this.#scene?.look.along ?? "step")[row];
    const x = at === undefined ? -1 : share(at, this.#steps);
    if (x >= 0 && x <= 1) {
      context.fillStyle = `rgb(${ink.join(" ")})`;
      context.fillRect(Math.round(box.left + x * box.width - ratio / 2), box.top, ratio, box.height);
    }
  }

  /** Makes as many places for the pointer as there are plots. */
  #fit(count: number): void {
    while (this.#overs.length > count) {
      const over = this.#overs.pop();
      for (const end of over?.ends ?? []) {
        end();
      }
      over?.element.remove();
    }
    while (this.#overs.length < count) {
      const element = this.#host.ownerDocument.createElement("div");
      element.className = "tbwidget-over";
      makeReachable(element, this.#label);
      this.#host.append(element);
      const at = this.#overs.length;
      const pointer = new Pointer(element, {
        hovered: (place) => this.#hover(at, place),
        clicked: (x, y) => {
          const found = this.#find(at, x, y);
          if (found !== null) {
            this.#events.clicked(found.row.step);
          }
        },
        selected: (x, y) => this.#select(x, y),
        reset: () => this.showAll(),
      });
      const gestures = new Gestures(element, {
        ranges: () => this.#ranges(),
        move: (x, y) => this.#moveBy(x, y),
        showAll: () => this.showAll(),
      });
      this.#overs.push({ element, ends: [() => pointer.end(), () => gestures.end()] });
    }
  }

  /** What is at the left and the right end of a plot, and at its lower and upper one. */
  #ranges(): [Range, Range] {
    if (this.#scene?.mode === "heatmap") {
      return [this.#steps, this.#values];
    }
    return [this.#values, [this.#steps[1], this.#atTop()]];
  }

  /** Ridges begin below the upper end. */
  #atTop(): number {
    const [first, last] = this.#steps;
    const tallest = this.#plots[0]?.ridges?.tallest ?? 0;
    return tallest < 1 ? first - ((last - first) * tallest) / (1 - tallest) : first;
  }

  #moveBy(x: Range, y: Range | null): void {
    if (this.#scene?.mode === "heatmap") {
      this.#moveTo(x, y ?? this.#zoomValues);
      return;
    }
    const tallest = this.#plots[0]?.ridges?.tallest ?? 1;
    const downwards = this.#scene?.mode === "offset" && y !== null && tallest < 1;
    const steps: Range | null = downwards ? [y[1] + (y[0] - y[1]) * tallest, y[0]] : this.#zoomSteps;
    this.#moveTo(steps, x);
  }

  #select(x: Range | null, y: Range | null): void {
    const [across, up] = this.#ranges();
    const along = (range: Range, [from, to]: Range): Range => [at(range, from), at(range, to)];
    const first = x === null ? null : along(across, x);
    const second = y === null ? null : along([up[1], up[0]], y);
    if (this.#scene?.mode === "heatmap") {
      this.#moveTo(first ?? this.#zoomSteps, second === null ? this.#zoomValues : [second[1], second[0]]);
    } else {
      const steps = this.#scene?.mode === "offset" ? second : null;
      this.#moveTo(steps ?? this.#zoomSteps, first ?? this.#zoomValues);
    }
  }

  #find(i: number, x: number, y: number): Found | null {
    const plot = this.#plots[i];
    if (plot?.map) {
      return foundInMap(plot.map, this.#values, x, y);
    }
    return plot?.ridges ? foundInRidges(plot.ridges, x, y) : null;
  }

  #hover(i: number, place: { x: number; y: number; left: number; top: number } | null): void {
    const found = place === null ? null : this.#find(i, place.x, place.y);
    const scene = this.#scene;
    if (found === null || place === null || scene === null) {
      this.#frames.release(this);
      this.#events.hovered(null);
    } else {
      this.#frames.prefer(this);
      this.#events.hovered({ left: place.left, top: place.top, found, along: scene.look.along });
    }
    const ridge = found?.ridge ?? null;
    if (ridge !== this.#hovered && scene !== null) {
      this.#hovered = ridge;
      this.#paint(scene);
    }
  }
}

function paintMap(context: CanvasRenderingContext2D, box: Box, map: Heatmap, heights: Heights, ground: Ground): void {
  const picture = context.canvas.ownerDocument.createElement("canvas");
  picture.width = map.columns;
  picture.height = map.cells;
  picture.getContext("2d")?.putImageData(pixelsOf(map, heights, ground.paper, ground.ink), 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(picture, box.left, box.top, box.width, box.height);
}

function share(value: number, [min, max]: Range): number {
  return (value - min) / (max - min);
}

function at([min, max]: Range, part: number): number {
  return min + part * (max - min);
}

function largest(plots: readonly Plot[]): bigint | null {
  let last: bigint | null = null;
  for (const { series } of plots.flatMap(({ runs }) => runs)) {
    for (const { step } of series.rows) {
      last = last === null || step > last ? step : last;
    }
  }
  return last;
}
