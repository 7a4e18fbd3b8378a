// The frame of every chart: a canvas in device pixels, one or several plots on it, a camera, a crosshair. The content paints
// and finds points below the pointer.

import type { FrameScheduler } from "../lib/frames";
import type { Range } from "../lib/search";
import { type Camera, pan, pinch, WHOLE, zoom, zoomToBox, zoomToRange } from "./camera";
import { CutButtons } from "./cuts";
import { canvasSurface, type Position, type Size } from "./geometry";
import type { Command } from "./keyboard";
import type { ChartContent, Hit, Layout } from "./layout";
import { StepLabels } from "./linkedstep";
import { RangeButtons } from "./namedranges";
import { pixelRatio, watchPixelRatio } from "./pixelratio";
import { type Plot, valueAt } from "./plot";
import { PlotArea } from "./plotarea";
import { forcedTheme } from "./theme";
import "./charts.css";

/** The data at the crosshair; `left` and `top` are pixels of the window. */
interface Pointed<T> {
  readonly details: T;
  readonly left: number;
  readonly top: number;
  /** Moved there by keys, so that it is to be read out. */
  readonly byKeys: boolean;
}

interface ChartEvents<T> {
  /** The layout is on the screen. */
  drawn(layout: Layout<T>): void;
  pointed(pointed: Pointed<T> | null): void;
  /** `times` counts the clicks that follow quickly upon one another. */
  clicked(hit: Hit<T>, times: number): void;
  /** The user went to another part of the data. */
  moved(camera: Camera): void;
  /** The axes are to be fitted to the data, whatever limits were set. */
  fit(): void;
  /** A mark was pressed: the y axis is to include the values beyond it. */
  included?(): void;
  /** A drag has selected a range along x. Without this, drags select nothing. */
  readonly selected?: ((range: Range) => void) | undefined;
  /** Whether drags select without Ctrl or ⌘, too. */
  selecting?(): boolean;
}

interface ChartOptions {
  /** The name of the chart and its keys, for assistive technology. */
  readonly label: string;
  readonly keys: string;
  /** Id of the element that shows the data at the crosshair. */
  readonly tooltipId: string;
}

/** Where the crosshair is: below the pointer, or at a step or time that keys have chosen. */
type Cursor =
  | { readonly plot: number; readonly at: Position; readonly stop?: undefined }
  | { readonly plot: number; readonly stop: number };

/** CSS pixels that two fingers are apart along an axis to zoom there. */
const PINCH = 40;

export class ChartFrame<T> {
  readonly #host: HTMLElement;
  readonly #options: ChartOptions;
  readonly #frames: FrameScheduler;
  readonly #compose: () => ChartContent<T>;
  readonly #events: ChartEvents<T>;
  readonly #canvas: HTMLCanvasElement;
  readonly #labels: StepLabels;
  readonly #cuts: CutButtons;
  readonly #ranges: RangeButtons;
  readonly #sizes: ResizeObserver;
  readonly #ends: (() => void)[] = [];
  readonly #areas: PlotArea[] = [];
  /** In CSS pixels; 0 while the chart is hidden. */
  #size: Size = { width: 0, height: 0 };
  /** In device pixels, where the browser reports them. */
  #device: Size | null = null;
  #content: ChartContent<T> | null = null;
  #layout: Layout<T> | null = null;
  /** Whether the layout is out of date: data, options, camera or size have changed. */
  #moved = true;
  /** Canvas pixels to one CSS pixel, of the layout. */
  #ratio = 1;
  #camera: Camera = WHOLE;
  /** When a drag or a pinch began. */
  #start: { readonly camera: Camera; readonly plot: Plot } | null = null;
  #cursor: Cursor | null = null;
  #hit: Hit<T> | null = null;
  /** The last `pointed` event was not null. */
  #isPointing = false;
  /** The object painted boldly now. */
  #highlighted: object | null = null;

  constructor(
    host: HTMLElement,
    options: ChartOptions,
    frames: FrameScheduler,
    compose: () => ChartContent<T>,
    events: ChartEvents<T>,
  ) {
    this.#host = host;
    this.#options = options;
    this.#frames = frames;
    this.#compose = compose;
    this.#events = events;
    this.#canvas = host.ownerDocument.createElement("canvas");
    this.#canvas.className = "tbwidget-canvas";
    // The plot area has its name, and tells its steps.
    this.#canvas.setAttribute("aria-hidden", "true");
    host.append(this.#canvas);
    this.#labels = new StepLabels(host);
    this.#cuts = new CutButtons(host, () => this.#events.included?.());
    this.#ranges = new RangeButtons(
      host,
      (span) =>
        this.#move(0, (camera, { horizontal }) => zoomToRange(camera, this.#layout?.stepScale ?? horizontal, span)),
      () => this.#drawSoon(),
    );
    this.#canvas.addEventListener("contextrestored", () => this.#drawSoon());
    measureTogether(host, ({ width, height }) => this.#measure(width, height));
    this.#sizes = new ResizeObserver((entries) => this.#resized(entries));
    this.#sizes.observe(host);
    try {
      this.#sizes.observe(this.#canvas, { box: "device-pixel-content-box" });
    } catch {
      // Safari does not know this box.
    }
    this.#ends.push(watchPixelRatio(() => this.#relayout()));
  }

  /** Draws again in the next frame, because the content's data or options have changed. */
  refresh(): void {
    this.#content = null;
    this.#relayout();
  }

  /** Shows another part of the data, without telling anybody. */
  show(camera: Camera): void {
    if (camera.x !== this.#camera.x || camera.y !== this.#camera.y) {
      this.#camera = camera;
      this.#relayout();
    }
  }

  /** Shows all of the data again, and reports the camera. */
  showAll(): void {
    this.#moveTo(WHOLE);
  }

  /** Shows all, with axes that fit it. */
  fit(): void {
    this.#events.fit();
    this.showAll();
  }

  end(): void {
    unmeasured.delete(this.#host);
    this.#point(null);
    this.#frames.cancel(this);
    this.#sizes.disconnect();
    for (const end of this.#ends) {
      end();
    }
    this.#fit([]);
    this.#labels.show([]);
    this.#cuts.show([]);
    this.#ranges.show([]);
    this.#canvas.remove();
    // Browsers keep the pixels of a canvas until it is collected.
    this.#canvas.width = this.#canvas.height = 0;
  }

  #resized(entries: readonly ResizeObserverEntry[]): void {
    for (const { target, contentRect, devicePixelContentBoxSize } of entries) {
      const device = target === this.#canvas ? devicePixelContentBoxSize?.[0] : undefined;
      if (device !== undefined && device.inlineSize > 0 && device.blockSize > 0) {
        this.#device = { width: device.inlineSize, height: device.blockSize };
        if (device.inlineSize !== this.#canvas.width || device.blockSize !== this.#canvas.height) {
          this.#drawSoon();
        }
      } else if (target === this.#host) {
        this.#measure(contentRect.width, contentRect.height);
      }
    }
  }

  #measure(width: number, height: number): void {
    if (width !== this.#size.width || height !== this.#size.height) {
      this.#size = { width, height };
      this.#relayout();
    }
  }

  #relayout(): void {
    this.#moved = true;
    this.#drawSoon();
  }

  #drawSoon(): void {
    this.#frames.request(this, () => this.#draw());
  }

  #draw(): void {
    const { width, height } = this.#size;
    if (!(width >= 1 && height >= 1)) {
      // Hidden; it is drawn when it has a size again.
      return;
    }
    const ratio = pixelRatio();
    if (this.#moved || this.#layout === null || ratio !== this.#ratio) {
      this.#ratio = ratio;
      this.#content ??= this.#compose();
      this.#layout = this.#content.layOut(
        { width: Math.floor(width), height: Math.floor(height) },
        this.#camera,
        ratio,
      );
      this.#moved = false;
      this.#fit(this.#layout.plots);
      this.#labels.show(this.#layout.stepLabels);
      this.#cuts.show(this.#layout.cuts ?? []);
      this.#ranges.show(this.#layout.rangeMarks ?? []);
      // The nearest point may have moved away below the pointer.
      this.#find();
    }
    this.#paint(this.#layout, ratio);
    this.#events.drawn(this.#layout);
  }

  #paint(layout: Layout<T>, ratio: number): void {
    const { width, height } = this.#pixels(ratio);
    const canvas = this.#canvas;
    if (canvas.width !== width || canvas.height !== height) {
      [canvas.width, canvas.height] = [width, height];
    }
    const context = canvas.getContext("2d");
    this.#highlighted = this.#highlight;
    if (context !== null) {
      context.save();
      context.clearRect(0, 0, width, height);
      layout.paint(canvasSurface(context, ratio, forcedTheme(this.#host)), this.#highlighted);
      context.restore();
    }
  }

  get #highlight(): object | null {
    return this.#hit?.highlight ?? this.#ranges.highlight;
  }

  /** As many pixels as the screen has for the canvas. */
  #pixels(ratio: number): Size {
    const [width, height] = [this.#size.width, this.#size.height].map((side) => Math.max(1, Math.round(side * ratio)));
    const guess: Size = { width: width as number, height: height as number };
    // The browser's measurement may be of an earlier size or screen.
    const near = (a: number, b: number) => Math.abs(a - b) <= 1;
    const measured = this.#device;
    return measured !== null && near(measured.width, guess.width) && near(measured.height, guess.height)
      ? measured
      : guess;
  }

  /** Makes an element over each plot. */
  #fit(plots: readonly Plot[]): void {
    for (const area of this.#areas.splice(plots.length)) {
      area.end();
    }
    while (this.#areas.length < plots.length) {
      this.#areas.push(this.#area(this.#areas.length));
    }
    for (const [i, plot] of plots.entries()) {
      this.#areas[i]?.place(plot, this.#options);
    }
    if (this.#cursor !== null && this.#cursor.plot >= plots.length) {
      this.#point(null);
    }
  }

  #area(i: number): PlotArea {
    return new PlotArea(this.#host, i === 0, {
      hovered: (at) => this.#point(at === null ? null : { plot: i, at }),
      clicked: (at, times) => {
        const hit = this.#layout?.hit(i, at) ?? null;
        if (hit !== null) {
          this.#events.clicked(hit, times);
        }
      },
      reset: () => this.showAll(),
      boxed: (across, down) => this.#move(i, (camera, plot) => zoomToBox(camera, plot, across, down)),
      selects: (byKey) => this.#events.selected !== undefined && (byKey || this.#events.selecting?.() === true),
      selected: (across) => {
        const scale = this.#layout?.plots[i]?.horizontal;
        if (scale !== undefined) {
          const [a, b] = [valueAt(scale, across[0]), valueAt(scale, across[1])];
          this.#events.selected?.([Math.min(a, b), Math.max(a, b)]);
        }
      },
      moveBegan: () => {
        const plot = this.#layout?.plots[i];
        this.#start = plot === undefined ? null : { camera: this.#camera, plot };
      },
      moved: (right, down) => this.#moveOn((camera, plot) => pan(camera, plot, right, down)),
      pinched: (began, now) =>
        this.#moveOn((camera, plot) => {
          const least = { x: PINCH / plot.area.width, y: PINCH / plot.area.height };
          return pinch(camera, plot, began, now, least);
        }),
      isZoomed: () => this.#camera.x !== null || this.#camera.y !== null,
      zoomed: (factor, vertical, at) =>
        this.#move(i, (camera, { horizontal, vertical: upright }) => {
          const scale = vertical ? upright : horizontal;
          return scale === null ? camera : zoom(camera, scale, factor, vertical ? at.y : at.x);
        }),
      commanded: (command) => this.#command(i, command),
      blurred: () => {
        // Hosts move the focus about; only what keys have chosen goes with it.
        if (this.#cursor?.stop !== undefined) {
          this.#point(null);
        }
      },
    });
  }

  /** Whether it means something here. */
  #command(i: number, command: Command): boolean {
    const alongSteps = this.#layout?.plots[i]?.horizontal.axis === "x";
    switch (command.name) {
      case "pan":
        if (alongSteps && this.#camera.x === null) {
          // All steps are visible: the key can only move the crosshair from one step to the next.
          this.#step(i, command.by > 0 ? 1 : -1);
          break;
        }
        this.#move(i, (camera, plot) => pan(camera, plot, -command.by, 0));
        break;
      case "zoom":
        this.#move(i, (camera, { horizontal }) => zoom(camera, horizontal, command.factor, middle(horizontal.ends)));
        break;
      case "all":
        this.showAll();
        break;
      case "upright":
        if (alongSteps) {
          return false;
        }
        this.#step(i, command.direction);
        break;
      case "fit":
        this.fit();
        break;
      case "step":
        this.#step(i, command.direction);
        break;
      case "link":
        if (this.#hit !== null) {
          this.#events.clicked(this.#hit, 1);
        }
        break;
      case "hide":
        if (this.#cursor === null) {
          // Escape closes what the chart is in, then.
          return false;
        }
        this.#point(null);
        break;
    }
    return true;
  }

  /** The crosshair goes from where it is to the next point. */
  #step(i: number, direction: 1 | -1): void {
    const cursor = this.#cursor;
    const from = cursor?.plot === i && cursor.stop !== undefined ? cursor.stop : null;
    const stop = this.#layout?.next(i, from, direction) ?? null;
    if (stop !== null) {
      this.#point({ plot: i, stop });
    }
  }

  #move(i: number, change: (camera: Camera, plot: Plot) => Camera): void {
    const plot = this.#layout?.plots[i];
    if (plot !== undefined) {
      this.#moveTo(change(this.#camera, plot));
    }
  }

  /** Goes on with a drag: its changes are counted from where it began. */
  #moveOn(change: (camera: Camera, plot: Plot) => Camera): void {
    if (this.#start !== null) {
      this.#moveTo(change(this.#start.camera, this.#start.plot));
    }
  }

  #moveTo(camera: Camera): void {
    if (camera.x !== this.#camera.x || camera.y !== this.#camera.y) {
      this.#camera = camera;
      this.#events.moved(camera);
      this.#relayout();
    }
  }

  #point(cursor: Cursor | null): void {
    this.#cursor = cursor;
    if (cursor === null) {
      this.#frames.release(this);
    } else {
      this.#frames.prefer(this);
    }
    this.#find();
    if (this.#highlight !== this.#highlighted) {
      this.#drawSoon();
    }
  }

  /** Finds what the crosshair is at, and reports it. */
  #find(): void {
    const cursor = this.#cursor;
    const layout = this.#layout;
    if (cursor === null || layout === null) {
      this.#hit = null;
    } else if (cursor.stop === undefined) {
      this.#hit = layout.hit(cursor.plot, cursor.at);
    } else {
      this.#hit = layout.hitAt(cursor.plot, cursor.stop);
    }
    const hit = this.#hit;
    // Before the crosshair is written: else the browser would lay out the page for this alone, with each move of the pointer.
    const place = this.#placeInWindow(cursor, hit);
    for (const [i, area] of this.#areas.entries()) {
      const here = cursor?.plot === i;
      const at = here && cursor.stop === undefined ? cursor.at : (hit?.at ?? null);
      area.showCrosshair(here && layout?.crosshair ? (at?.x ?? null) : null, here ? (hit?.dots ?? []) : []);
      area.describeBy(here && cursor.stop !== undefined && hit !== null ? this.#options.tooltipId : null);
    }
    if (cursor !== null && hit !== null && place !== null) {
      this.#isPointing = true;
      this.#events.pointed({ details: hit.details, ...place, byKeys: cursor.stop !== undefined });
    } else if (this.#isPointing) {
      this.#isPointing = false;
      this.#events.pointed(null);
    }
  }

  /** Where the tooltip points to. */
  #placeInWindow(cursor: Cursor | null, hit: Hit<T> | null): { left: number; top: number } | null {
    const area = cursor === null ? undefined : this.#areas[cursor.plot];
    return cursor === null || hit === null || area === undefined
      ? null
      : area.inWindow(cursor.stop === undefined ? cursor.at : hit.at);
  }
}

/** Charts whose size is not known yet. */
const unmeasured = new Map<HTMLElement, (size: Size) => void>();

/** Measures all charts that are mounted in one task together: measured one by one, each would lay out the page. */
function measureTogether(host: HTMLElement, take: (size: Size) => void): void {
  if (unmeasured.size === 0) {
    queueMicrotask(() => {
      const measured = [...unmeasured].map(([host, take]) => ({ take, size: host.getBoundingClientRect() }));
      unmeasured.clear();
      for (const { take, size } of measured) {
        take(size);
      }
    });
  }
  unmeasured.set(host, take);
}

function middle([from, to]: readonly [number, number]): number {
  return (from + to) / 2;
}
