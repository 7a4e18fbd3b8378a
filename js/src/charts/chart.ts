// One chart: uPlot gives canvas, axes and cursor; the lines are painted here, each from its own rows.

import uPlot from "uplot";
import { furniture, type Theme } from "../lib/colours";
import type { Frames } from "../lib/frames";
import { byDistance } from "../lib/search";
import { strings } from "../lib/strings";
import { type Along, KINDS } from "./along";
import { Axis, type Range, widthOf } from "./axis";
import { type Drawn, xRange, yRange } from "./extent";
import { Gestures } from "./gestures";
import { Labels, labelsOf, paintPointed } from "./pointed";

/** A point of what is drawn, in the units of the axes. */
export interface Near {
  readonly x: number;
  readonly y: number;
  readonly colour: string;
  readonly step: bigint;
}

/** A part of a canvas, in its pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** What is drawn between the axes. */
export interface Content<R extends Near> {
  /** What the axes are fitted to. */
  readonly drawn: readonly Drawn[];
  /** The largest step drawn. */
  readonly lastStep: bigint | null;
  /** Of each run, what stands at the linked step. */
  readonly linked: readonly Near[];
  /** Paints into a box whose edges stand for the two ranges. */
  paint(context: CanvasRenderingContext2D, box: Box, x: Range, y: Range, zoomed: boolean): void;
  /** Of each run what is nearest to `x`; nothing of those that end more than `reach` away. */
  near(x: number, reach: number): readonly R[];
}

/** All that a drawing depends on. */
export interface Scene<R extends Near> {
  readonly content: Content<R>;
  readonly xAxis: Along;
  readonly log: boolean;
  readonly ignoreOutliers: boolean;
  readonly theme: Theme;
}

/** Where the pointer is, in pixels of the window, and what is near it, nearest first. */
export interface Hover<R extends Near> {
  readonly left: number;
  readonly top: number;
  readonly rows: readonly R[];
  readonly xAxis: Along;
}

export interface ChartEvents<R extends Near> {
  /** The lines stand on the screen; the largest step among them. */
  drawn(lastStep: bigint | null): void;
  hovered(hover: Hover<R> | null): void;
  /** `times` counts the clicks that follow quickly upon one another. */
  clicked(step: bigint, times: number): void;
  /** The user went to another part of the plane; null for all of it. */
  moved(x: Range | null, y: Range | null): void;
}

const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
/** Pixels beyond its ends within which a line still counts as near the pointer. */
const REACH = 12;
/** Pixels that a drag must cover across an axis to zoom on that axis too. */
const BOX_DRAG = 30;
/** Dots on the lines at most, where the pointer is. */
const MOST_DOTS = 10;
/** Pixels left of an axis whose values are not written there. */
const UNLABELLED = 8;

export class Chart<R extends Near> {
  readonly #events: ChartEvents<R>;
  readonly #frames: Frames;
  readonly #plot: uPlot;
  readonly #resizing: ResizeObserver;
  readonly #gestures: Gestures;
  readonly #labels: Labels;
  readonly #x = new Axis("whole");
  readonly #y = new Axis("number");
  readonly #compose: () => Scene<R>;
  #scene: Scene<R> | null = null;
  /** What the scene is made of has changed; until the next frame it is still what stands on the screen. */
  #stale = false;
  #zoomX: Range | null = null;
  #zoomY: Range | null = null;
  /** Values are written beside their axis; else they stand beside another chart's. */
  #labelled = true;
  readonly #dots: HTMLElement[] = [];
  #nearest: Near | null = null;
  #hovered = false;

  constructor(host: HTMLElement, reach: Reach, frames: Frames, compose: () => Scene<R>, events: ChartEvents<R>) {
    this.#events = events;
    this.#frames = frames;
    this.#compose = compose;
    this.#plot = new uPlot(this.#options(host), [[0, 1]], host);
    this.#gestures = new Gestures(this.#plot.over, {
      ranges: () => [this.#x.range, this.#y.range],
      move: (x, y) => this.#moveTo(x, y ?? this.#zoomY),
      showAll: () => this.showAll(),
    });
    const { over } = this.#plot;
    this.#labels = new Labels(over);
    // Drags end in clicks too, but uPlot keeps these to itself.
    over.addEventListener("click", ({ detail }) => {
      if (this.#nearest !== null) {
        this.#events.clicked(this.#nearest.step, detail);
      }
    });
    makeReachable(over, reach);
    this.#resizing = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = host;
      if (width > 0 && (width !== this.#plot.width || height !== this.#plot.height)) {
        this.#plot.setSize({ width, height });
      }
    });
    this.#resizing.observe(host);
  }

  /** Draws anew, soon: what the scene is made of has changed. */
  refresh(): void {
    this.#stale = true;
    this.#drawSoon();
  }

  /** Shows this part of the plane, along either axis all of it where there is none; without telling anybody. */
  show(x: Range | null, y: Range | null): void {
    this.#zoomX = x;
    this.#zoomY = y;
    this.#drawSoon();
  }

  /** Whether values are written beside their axis. */
  label(values: boolean): void {
    if (values !== this.#labelled) {
      this.#labelled = values;
      this.#drawSoon();
    }
  }

  /** Shows all again, and tells it. */
  showAll(): void {
    this.#moveTo(null, null);
  }

  destroy(): void {
    this.#frames.cancel(this);
    this.#gestures.end();
    this.#resizing.disconnect();
    this.#plot.destroy();
  }

  #moveTo(x: Range | null, y: Range | null): void {
    this.#zoomX = x;
    this.#zoomY = y;
    this.#events.moved(x, y);
    this.#drawSoon();
  }

  #drawSoon(): void {
    this.#frames.request(this, () => {
      const scene = this.#scene === null || this.#stale ? this.#compose() : this.#scene;
      this.#scene = scene;
      this.#stale = false;
      const { content, xAxis, log, ignoreOutliers } = scene;
      this.#x.kind = KINDS[xAxis];
      this.#y.kind = log ? "log" : "number";
      this.#x.range = this.#zoomX ?? xRange(content.drawn);
      this.#y.range = this.#zoomY ?? yRange(content.drawn, this.#x.range, { log, ignoreOutliers });
      // To uPlot nothing has changed but the ticks.
      this.#plot.batch(() => this.#plot.redraw(false, true));
    });
  }

  #options(host: HTMLElement): uPlot.Options {
    const colours = () => furniture[this.#scene?.theme ?? "light"];
    const axis: uPlot.Axis = {
      font: FONT,
      stroke: () => colours().label,
      grid: { stroke: () => colours().grid, width: 1 },
      ticks: { stroke: () => colours().axis, width: 1, size: 4 },
      gap: 4,
    };
    return {
      width: Math.max(1, host.clientWidth),
      height: Math.max(1, host.clientHeight),
      padding: [8, 12, 0, 0],
      legend: { show: false },
      scales: {
        x: { time: false, range: () => [0, 1] },
        y: { range: () => [0, 1] },
      },
      axes: [
        {
          ...axis,
          ...this.#x.options,
          size: 26,
          space: (_plot, _axis, _min, _max, length) => this.#x.space(length, 64),
        },
        {
          ...axis,
          ...this.#y.options,
          values: (plot, splits, at) => {
            const labels = this.#y.options.values(plot, splits, at);
            return this.#labelled ? labels : labels.map(() => "");
          },
          scale: "y",
          size: (_plot, labels) => (this.#labelled ? widthOf(labels ?? []) : UNLABELLED),
          space: 26,
        },
      ],
      series: [{}],
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: true, y: true, uni: BOX_DRAG, dist: 4, setScale: false },
        bind: {
          dblclick: () => () => {
            this.showAll();
            return null;
          },
        },
      },
      hooks: {
        draw: [(plot) => this.#draw(plot)],
        setCursor: [(plot) => this.#hover(plot)],
        setSelect: [(plot) => this.#select(plot)],
      },
    };
  }

  #draw(plot: uPlot): void {
    if (this.#scene === null) {
      return;
    }
    const { content, theme } = this.#scene;
    const zoomed = this.#zoomX !== null || this.#zoomY !== null;
    content.paint(plot.ctx, plot.bbox, this.#x.range, this.#y.range, zoomed);
    paintPointed(plot.ctx, plot.bbox, content.linked, this.#x, this.#y, furniture[theme].label);
    this.#labels.show(labelsOf(content.linked, this.#x, plot.bbox.width / devicePixelRatio));
    this.#events.drawn(content.lastStep);
    // What the pointer is near may have moved away below it.
    if (this.#hovered) {
      this.#hover(plot);
    }
  }

  #hover(plot: uPlot): void {
    const { left, top } = plot.cursor;
    const scene = this.#scene;
    const away = scene === null || left === undefined || left < 0 || top === undefined;
    if (away || plot.select.width > 0 || plot.select.height > 0) {
      this.#hovered = false;
      this.#nearest = null;
      this.#frames.release(this);
      this.#events.hovered(null);
      this.#mark(plot, []);
      return;
    }
    this.#hovered = true;
    this.#frames.prefer(this);
    const x = this.#x.value(plot.posToVal(left, "x"));
    const reach = this.#x.value(plot.posToVal(left + REACH, "x")) - x;
    const near = scene.content.near(x, reach);
    const rows = byDistance(near, (row) => Math.abs(plot.valToPos(this.#y.position(row.y), "y") - top));
    const box = plot.over.getBoundingClientRect();
    this.#events.hovered({ left: box.left + left, top: box.top + top, rows, xAxis: scene.xAxis });
    this.#nearest = rows[0] ?? null;
    this.#mark(plot, rows.slice(0, MOST_DOTS));
  }

  /** Puts dots where the rows are drawn. */
  #mark(plot: uPlot, rows: readonly Near[]): void {
    const inSight = rows
      .map((row) => ({ ...row, left: this.#x.position(row.x), top: 1 - this.#y.position(row.y) }))
      .filter(({ left, top }) => left >= 0 && left <= 1 && top >= 0 && top <= 1);
    while (this.#dots.length < inSight.length) {
      const dot = plot.over.ownerDocument.createElement("i");
      dot.className = "tbwidget-dot";
      plot.over.append(dot);
      this.#dots.push(dot);
    }
    for (const [i, dot] of this.#dots.entries()) {
      const row = inSight[i];
      dot.hidden = row === undefined;
      if (row !== undefined) {
        dot.style.cssText = `left:${100 * row.left}%;top:${100 * row.top}%;background:${row.colour}`;
      }
    }
  }

  #select(plot: uPlot): void {
    const { left, top, width, height } = plot.select;
    if (width === 0 && height === 0) {
      return;
    }
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.#hovered = true;
    // A box along one axis covers the other one whole.
    const { clientWidth, clientHeight } = plot.over;
    const across = (pixel: number) => this.#x.value(plot.posToVal(pixel, "x"));
    const up = (pixel: number) => this.#y.value(plot.posToVal(pixel, "y"));
    const x: Range | null = width < clientWidth ? [across(left), across(left + width)] : this.#zoomX;
    const y: Range | null = height < clientHeight ? [up(top + height), up(top)] : null;
    if ((x === null || x[0] < x[1]) && (y === null || y[0] < y[1])) {
      this.#moveTo(x, y);
    }
  }
}

/** How those come to a plot who do not see it, or do not point. */
export interface Reach {
  /** What it shows. */
  readonly label: string;
  /** Keys lead there; else to another plot, whose keys move this one too. */
  readonly stop: boolean;
}

/** Lets a plot be reached by keys, and says what it is. */
export function makeReachable(over: HTMLElement, { label, stop }: Reach): void {
  over.tabIndex = stop ? 0 : -1;
  for (const [name, value] of Object.entries({
    role: "group",
    "aria-roledescription": strings.chart,
    "aria-label": label,
    // Keys that mean something here mean something else to the notebook.
    "data-lm-suppress-shortcuts": "true",
  })) {
    over.setAttribute(name, value);
  }
}
