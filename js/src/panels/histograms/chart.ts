// One card's drawing: a canvas, with a plot for each run or for all, and what the pointer does there.

import type { Along } from "../../charts/along";
import { makeReachable } from "../../charts/chart";
import { Gestures } from "../../charts/gestures";
import type { Frames } from "../../lib/frames";
import { drawPlots } from "./draw";
import { type Found, foundInMap, foundInRidges } from "./found";
import { type Layout, layOut, type Scene, type Zoom } from "./layout";
import { Pointer } from "./pointer";
import type { Range } from "./profile";
import type { Ridge } from "./ridges";
import { parseColour } from "./shades";

export interface ChartEvents {
  /** The histograms stand on the screen; the largest step among them. */
  drawn(lastStep: bigint | null): void;
  hovered(hover: Hover | null): void;
  clicked(step: bigint, times: number): void;
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

/** The pointer on one of the plots: shares of its width and height, and pixels of the window. */
interface Place {
  readonly plot: number;
  readonly x: number;
  readonly y: number;
  readonly left: number;
  readonly top: number;
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
  #layout: Layout | null = null;
  #overs: { readonly element: HTMLElement; readonly ends: readonly (() => void)[] }[] = [];
  #zoom: Zoom = { steps: null, values: null };
  #place: Place | null = null;
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
  showSteps(steps: Range | null): void {
    this.#zoom = { ...this.#zoom, steps };
    this.#drawSoon();
  }

  showValues(values: Range | null): void {
    this.#zoom = { ...this.#zoom, values };
    this.#drawSoon();
  }

  /** Shows all again, and tells it. */
  showAll(): void {
    this.#moveTo({ steps: null, values: null });
  }

  destroy(): void {
    this.#frames.cancel(this);
    this.#resizing.disconnect();
    this.#fit({ plots: [] });
    this.#canvas.remove();
  }

  #measure(): void {
    const { clientWidth: width, clientHeight: height } = this.#host;
    if (width > 0 && height > 0) {
      this.#size = { width, height };
      this.refresh();
    }
  }

  #moveTo(zoom: Zoom): void {
    this.#zoom = zoom;
    this.#events.moved(zoom.steps, zoom.values);
    this.#drawSoon();
  }

  #drawSoon(): void {
    this.#frames.request(this, () => {
      this.#scene ??= this.#compose();
      this.#layout = layOut(this.#scene, this.#zoom, this.#size, devicePixelRatio);
      this.#fit(this.#layout);
      this.#hovered = this.#stillThere(this.#hovered);
      if (this.#place !== null && this.#hovered === null) {
        this.#hover(this.#place);
      }
      this.#paint();
      this.#events.drawn(largest(this.#layout));
    });
  }

  /** The ridge of the same histogram, if it is drawn. */
  #stillThere(ridge: Ridge | null): Ridge | null {
    const all = this.#layout?.plots.flatMap(({ ridges }) => ridges?.ridges ?? []) ?? [];
    const same = ({ run, row }: Ridge) => run.run === ridge?.run.run && row.place === ridge.row.place;
    return all.find(same) ?? null;
  }

  #paint(): void {
    const canvas = this.#canvas;
    const ratio = devicePixelRatio;
    canvas.width = Math.max(1, Math.round(this.#size.width * ratio));
    canvas.height = Math.max(1, Math.round(this.#size.height * ratio));
    const context = canvas.getContext("2d");
    if (context !== null && this.#scene !== null && this.#layout !== null) {
      const style = getComputedStyle(this.#host);
      const ground = { paper: parseColour(style.backgroundColor), ink: parseColour(style.color) };
      drawPlots(context, this.#scene, this.#layout, ground, this.#hovered, ratio);
    }
  }

  /** Makes a place for the pointer over each plot. */
  #fit({ plots }: Pick<Layout, "plots">): void {
    while (this.#overs.length > plots.length) {
      const over = this.#overs.pop();
      for (const end of over?.ends ?? []) {
        end();
      }
      over?.element.remove();
    }
    while (this.#overs.length < plots.length) {
      const element = this.#host.ownerDocument.createElement("div");
      element.className = "tbwidget-over";
      makeReachable(element, { label: this.#label, stop: this.#overs.length === 0 });
      this.#host.append(element);
      const at = this.#overs.length;
      const pointer = new Pointer(element, {
        hovered: (place) => this.#hover(place && { ...place, plot: at }),
        clicked: (x, y, times) => {
          const found = this.#find(at, x, y);
          if (found !== null) {
            this.#events.clicked(found.row.step, times);
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
    for (const [i, { facet }] of plots.entries()) {
      const { left, top, width, height } = facet;
      const over = this.#overs[i]?.element;
      if (over !== undefined) {
        over.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
      }
    }
  }

  /** What is at the left and the right end of a plot, and at its lower and upper one. */
  #ranges(): [Range, Range] {
    const { steps, values } = this.#layout ?? { steps: [0, 1], values: [0, 1] };
    return this.#scene?.mode === "heatmap" ? [steps, values] : [values, [steps[1], this.#atTop(steps)]];
  }

  /** Ridges begin below the upper end; 0 where they all stand on one line. */
  get #tallest(): number {
    const ridges = this.#layout?.plots[0]?.ridges ?? null;
    return ridges === null || ridges.mode === "overlay" || ridges.steps[0] === ridges.steps[1] ? 0 : ridges.tallest;
  }

  #atTop([first, last]: Range): number {
    const tallest = this.#tallest;
    return first - ((last - first) * tallest) / (1 - tallest);
  }

  #moveBy(x: Range, y: Range | null): void {
    if (this.#scene?.mode === "heatmap") {
      this.#moveTo({ steps: x, values: y ?? this.#zoom.values });
      return;
    }
    const tallest = this.#tallest;
    const downwards = tallest > 0 && y !== null;
    const steps: Range | null = downwards ? [y[1] + (y[0] - y[1]) * tallest, y[0]] : this.#zoom.steps;
    this.#moveTo({ steps, values: x });
  }

  #select(x: Range | null, y: Range | null): void {
    const [across, up] = this.#ranges();
    const along = (range: Range, [from, to]: Range): Range => [at(range, from), at(range, to)];
    const first = x === null ? null : along(across, x);
    const second = y === null ? null : along([up[1], up[0]], y);
    const { steps, values } = this.#zoom;
    if (this.#scene?.mode === "heatmap") {
      this.#moveTo({ steps: first ?? steps, values: second === null ? values : [second[1], second[0]] });
    } else {
      const chosen = this.#tallest > 0 ? second : null;
      this.#moveTo({ steps: chosen ?? steps, values: first ?? values });
    }
  }

  #find(i: number, x: number, y: number): Found | null {
    const plot = this.#layout?.plots[i];
    if (plot?.map && this.#layout) {
      return foundInMap(plot.map, this.#layout.values, x, y);
    }
    return plot?.ridges ? foundInRidges(plot.ridges, x, y) : null;
  }

  #hover(place: Place | null): void {
    this.#place = place;
    const found = place === null ? null : this.#find(place.plot, place.x, place.y);
    if (found === null || place === null || this.#scene === null) {
      this.#frames.release(this);
      this.#events.hovered(null);
    } else {
      this.#frames.prefer(this);
      this.#events.hovered({ left: place.left, top: place.top, found, along: this.#scene.look.along });
    }
    const ridge = found?.ridge ?? null;
    if (ridge !== this.#hovered) {
      this.#hovered = ridge;
      this.#paint();
    }
  }
}

function at([min, max]: Range, part: number): number {
  return min + part * (max - min);
}

function largest({ plots }: Layout): bigint | null {
  let last: bigint | null = null;
  for (const { series } of plots.flatMap(({ runs }) => runs)) {
    for (const { step } of series.rows) {
      last = last === null || step > last ? step : last;
    }
  }
  return last;
}
