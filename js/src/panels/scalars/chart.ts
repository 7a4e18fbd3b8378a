// One chart: uPlot gives canvas, axes, cursor and zoom; the lines are drawn here, each from its own steps.

import uPlot from "uplot";
import { furniture, type Theme } from "../../lib/colours";
import type { Series } from "../../wire/series";
import { Axis, type Range } from "./axis";
import { nearestIndex, stepRange, valueRange, visibleSpan } from "./extent";
import { type Pen, trace } from "./trace";

export interface Line {
  readonly run: string;
  readonly colour: string;
  readonly series: Series;
  /** Another line is being pointed out. */
  readonly faded: boolean;
}

export interface HoverRow {
  readonly run: string;
  readonly colour: string;
  readonly step: string;
  readonly value: number;
}

/** Where the pointer is, in pixels of the chart's element, and what is near it, nearest first. */
export interface Hover {
  readonly left: number;
  readonly width: number;
  readonly rows: readonly HoverRow[];
}

export interface ChartEvents {
  /** The lines stand on the screen; the largest step among them. */
  drawn(lastStep: bigint | null): void;
  hovered(hover: Hover | null): void;
  zoomed(zoomed: boolean): void;
}

interface Zoom {
  readonly x: Range;
  /** Null: fits the values within x. */
  readonly y: Range | null;
}

const LINE_WIDTH = 1.5;
/** Many lines are drawn finer. */
const FINE_WIDTH = 1;
const MANY_LINES = 12;
const FADED = 0.18;
const DOT_RADIUS = 2;
const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
/** Pixels beyond its ends within which a line still counts as near the pointer. */
const REACH = 12;
/** Pixels that a drag must cover across an axis to zoom on that axis too. */
const BOX_DRAG = 30;

export class Chart {
  readonly #events: ChartEvents;
  readonly #plot: uPlot;
  readonly #resizing: ResizeObserver;
  #lines: readonly Line[] = [];
  #theme: Theme = "light";
  #zoom: Zoom | null = null;
  /** Steps are whole numbers. */
  readonly #x = new Axis(1);
  readonly #y = new Axis(0);
  #frame = 0;

  constructor(host: HTMLElement, events: ChartEvents) {
    this.#events = events;
    this.#plot = new uPlot(this.#options(host), [[0, 1]], host);
    this.#resizing = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = host;
      if (width > 0 && (width !== this.#plot.width || height !== this.#plot.height)) {
        this.#plot.setSize({ width, height });
      }
    });
    this.#resizing.observe(host);
  }

  /** Shows these lines from the next frame on. */
  update(lines: readonly Line[], theme: Theme): void {
    this.#lines = lines;
    this.#theme = theme;
    this.#redrawSoon();
  }

  resetZoom(): void {
    this.#setZoom(null);
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
    this.#resizing.disconnect();
    this.#plot.destroy();
  }

  #redrawSoon(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      const all = this.#lines.map((line) => line.series);
      this.#x.range = this.#zoom?.x ?? stepRange(all);
      this.#y.range = this.#zoom?.y ?? valueRange(all, this.#x.range);
      // To uPlot nothing has changed but the ticks.
      this.#plot.redraw(false, true);
    });
  }

  #setZoom(zoom: Zoom | null): void {
    this.#zoom = zoom;
    this.#events.zoomed(zoom !== null);
    this.#redrawSoon();
  }

  #options(host: HTMLElement): uPlot.Options {
    const colours = () => furniture[this.#theme];
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
      padding: [8, 10, 0, 0],
      legend: { show: false },
      scales: {
        x: { time: false, range: () => [0, 1] },
        y: { range: () => [0, 1] },
      },
      axes: [
        { ...axis, ...this.#x.options, size: 26, space: 64 },
        { ...axis, ...this.#y.options, scale: "y", size: 52, space: 26 },
      ],
      series: [{}],
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: true, y: true, uni: BOX_DRAG, dist: 4, setScale: false },
        bind: {
          dblclick: () => () => {
            this.resetZoom();
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
    const { ctx, bbox } = plot;
    const [firstStep, lastStep] = this.#x.range;
    const [low, high] = this.#y.range;
    const xScale = bbox.width / (lastStep - firstStep);
    const yScale = -bbox.height / (high - low);
    const map = {
      xScale,
      xOffset: bbox.left - firstStep * xScale,
      yScale,
      yOffset: bbox.top + bbox.height - low * yScale,
    };
    ctx.save();
    ctx.beginPath();
    // Points at the very end of the steps are drawn whole.
    const overhang = this.#zoom === null ? 2 * DOT_RADIUS * devicePixelRatio : 0;
    ctx.rect(bbox.left - overhang, bbox.top - overhang, bbox.width + 2 * overhang, bbox.height + 2 * overhang);
    ctx.clip();
    ctx.lineWidth = (this.#lines.length > MANY_LINES ? FINE_WIDTH : LINE_WIDTH) * devicePixelRatio;
    ctx.lineJoin = "round";
    // A line that is pointed out lies above the others.
    for (const line of [...this.#lines].sort((a, b) => Number(b.faded) - Number(a.faded))) {
      const [from, to] = visibleSpan(line.series, this.#x.range);
      const path = new Path2D();
      const dots = new Path2D();
      trace(line.series.steps.drawn, line.series.values, from, to, map, penFor(path, dots));
      ctx.globalAlpha = line.faded ? FADED : 1;
      ctx.strokeStyle = line.colour;
      ctx.fillStyle = line.colour;
      ctx.stroke(path);
      ctx.fill(dots);
    }
    ctx.restore();
    this.#events.drawn(largest(this.#lines));
  }

  #hover(plot: uPlot): void {
    const { left, top } = plot.cursor;
    if (left === undefined || left < 0 || top === undefined || this.#lines.length === 0) {
      this.#events.hovered(null);
      return;
    }
    const step = this.#x.value(plot.posToVal(left, "x"));
    const reach = this.#x.value(plot.posToVal(left + REACH, "x")) - step;
    const near: { row: HoverRow; distance: number }[] = [];
    for (const { run, colour, series, faded } of this.#lines) {
      const i = nearestIndex(series, step);
      const value = series.values[i];
      if (value !== undefined && !faded && reaches(series, step, reach)) {
        const drawnAt = Number.isFinite(value) ? plot.valToPos(this.#y.position(value), "y") : Number.POSITIVE_INFINITY;
        const text = (series.steps.exact?.[i] ?? BigInt(series.steps.drawn[i] ?? 0)).toString();
        near.push({ row: { run, colour, step: text, value }, distance: Math.abs(drawnAt - top) });
      }
    }
    near.sort((a, b) => a.distance - b.distance);
    this.#events.hovered({
      left: left + plot.bbox.left / devicePixelRatio,
      width: plot.width,
      rows: near.map(({ row }) => row),
    });
  }

  #select(plot: uPlot): void {
    const { left, top, width, height } = plot.select;
    if (width === 0 && height === 0) {
      return;
    }
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    const drag = plot.cursor.drag as { _x?: boolean; _y?: boolean } | undefined;
    const step = (pixel: number) => this.#x.value(plot.posToVal(pixel, "x"));
    const value = (pixel: number) => this.#y.value(plot.posToVal(pixel, "y"));
    const x: Range = drag?._x ? [step(left), step(left + width)] : this.#x.range;
    const y: Range | null = drag?._y ? [value(top + height), value(top)] : null;
    if (x[0] < x[1] && (y === null || y[0] < y[1])) {
      this.#setZoom({ x, y });
    }
  }
}

function reaches({ stepExtent }: Series, step: number, reach: number): boolean {
  return stepExtent !== null && step >= stepExtent.min - reach && step <= stepExtent.max + reach;
}

function penFor(path: Path2D, dots: Path2D): Pen {
  const radius = DOT_RADIUS * devicePixelRatio;
  return {
    moveTo: (x, y) => path.moveTo(x, y),
    lineTo: (x, y) => path.lineTo(x, y),
    dot: (x, y) => {
      dots.moveTo(x + radius, y);
      dots.arc(x, y, radius, 0, 2 * Math.PI);
    },
  };
}

function largest(lines: readonly Line[]): bigint | null {
  let last: bigint | null = null;
  for (const { series } of lines) {
    if (series.lastStep !== null && (last === null || series.lastStep > last)) {
      last = series.lastStep;
    }
  }
  return last;
}
