// Mounts a chart in a card: connects its frame with the options, the view's cameras and the tooltip.

import { computed, effect, type ReadonlySignal, type Signal, untracked } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { timeXAxis, type XAxis } from "../charts/axis";
import type { Camera } from "../charts/camera";
import type { CutMark, FlatteningLine } from "../charts/cuts";
import { widened } from "../charts/extent";
import { ChartFrame } from "../charts/frame";
import type { ChartContent } from "../charts/layout";
import { pixelRatio } from "../charts/pixelratio";
import type { Plot } from "../charts/plot";
import { placesOfSteps, valuesBetween } from "../lib/scale";
import type { Range } from "../lib/search";
import { timeAxis } from "../lib/xaxis";
import type { OptionsOf } from "../options/declare";
import type { HoveredPoint } from "../options/hovered";
import type { Options } from "../options/options";
import { isSameRange, rangeNumbers, type StepRange, stepAt, timeAxisOptions } from "../options/shared";
import { uiTexts } from "./texts";
import { showTimes, tooltipId, type View } from "./view";
import type { ZoomLimits } from "./zoomed";

/** A chart in a card. It begins when the card comes onto the screen, and ends when it leaves. */
export interface MountedChart {
  showAll(): void;
  /** Shows all, with axes that fit it. */
  fit(): void;
  end(): void;
}

/** Reports of a chart to its card. */
export interface CardCallbacks {
  /** Null where it shows the part of the plane that the axes alone would. */
  zoomed(limits: ZoomLimits | null): void;
  /** The largest step on the screen, in the frame that drew it. */
  lastStep(step: bigint | null): void;
}

/** Explains a line or a color of a picture. */
export interface LegendEntry {
  readonly text: string;
  /** Null for words alone. */
  readonly color: string | null;
  /** Lengths of dashes and gaps in CSS pixels; empty for a solid line. */
  readonly dash?: readonly number[];
}

/** The interface that a panel's charts implement; `T` is the result of a hit test. */
export interface ChartSource<T> {
  readonly panel: string;
  readonly tag: string;
  /** All of them, where it draws several. */
  readonly tags?: readonly string[];
  /** Its name, if that is not the tag. */
  readonly name?: string;
  /** What its keys do, for assistive technology; by default, they go from step to step. */
  readonly keys?: string;
  /** Called when the chart is mounted; not for a picture of it. */
  start?(): void;
  /** Compose the content. A change of any signal that it reads composes it again. */
  content(): ChartContent<T>;
  /**
   * Receives the marks of values beyond the y axis, and the lines that flatten the others, when they are drawn; includes the
   * values when a mark is pressed.
   */
  readonly cuts?: { drawn(marks: readonly CutMark[], flattening: readonly FlatteningLine[]): void; include(): void };
  /** Called when a layout with these plots is on the screen. */
  drawn?(plots: readonly Plot[]): void;
  /** Explains the lines and colors. */
  legend(): readonly LegendEntry[];
  /** The x axis, where it is not the one of steps or times that the user chose. */
  xAxis?(): XAxis;
  /** Identifies the axis of values: its zoom is dropped when it changes. */
  valueAxis(): string;
  /** The limits that show this range of its axis of values; without it, no option can give them. */
  limitsAt?(places: Range): ZoomLimits;
  /** Removes limits that were fixed for this chart. */
  fit?(): void;
  tooltip(details: T, now: Date): ComponentChildren;
  /** The points that it is about, the nearest first: Python may observe them. */
  points(details: T): readonly HoveredPoint[];
  /** A click, the `times`-th of some in quick succession; without it, a click links the step. */
  clicked?(details: T, times: number): void;
  /** The tooltip in one sentence, to be read out. */
  describe(details: T): string;
  /** Takes the range that a drag selects; `always`: whether that needs no Ctrl or ⌘. */
  readonly select?: { readonly always: ReadonlySignal<boolean>; chosen(range: Range): void };
  /** Called when the chart is removed: frees its computed data. */
  release(): void;
}

/** The axes of a chart. */
interface Axes {
  readonly x: XAxis;
  /** The zoom of these axes: others have another. */
  readonly camera: Signal<Camera>;
}

/** Reads the signals that the axes depend on; `valueAxis` is what stands along the values. */
function axesOf<T>(view: View, source: ChartSource<T>, valueAxis: string): Axes {
  const { panel, tag, name = tag } = source;
  const x = source.xAxis?.() ?? timeXAxis(timeAxis(view.options.of(timeAxisOptions).x_axis.value));
  const key = `${x.kind} ${x.linksSteps} ${x.scale.key} ${x.name} ${valueAxis} ${name}`;
  return { x, camera: view.cameras.of(panel, key) };
}

/** The part of the data that a chart shows; where x is the step, all cards share its range. Does not read the camera's signal. */
export function cameraOf<T>(view: View, source: ChartSource<T>, valueAxis = source.valueAxis()): Camera {
  const { x, camera } = axesOf(view, source, valueAxis);
  const range = rangeNumbers(view.options.of(timeAxisOptions).step_range.value);
  return x.linksSteps ? { ...camera.peek(), x: range && placesOfSteps(x.scale, widened(range)) } : camera.peek();
}

/**
 * Show the part of the data that a chart's axes and the shared range of steps give, and again whenever these change. Return a
 * function that ends it.
 */
export function followCamera<T>(view: View, source: ChartSource<T>, show: (camera: Camera) => void): () => void {
  // It may read the data, which every message changes: shown again, the chart would jump back while the user moves it.
  const valueAxis = computed(() => source.valueAxis());
  return effect(() => {
    const camera = cameraOf(view, source, valueAxis.value);
    untracked(() => show(camera));
  });
}

/**
 * Compute a value, and call `changed` once, at the first change of a signal that `compute` has read. Return a function that
 * gives the value, or throws the error of `compute`, and a function that stops following.
 */
export function followed<T>(compute: () => T, changed: () => void): readonly [get: () => T, stop: () => void] {
  let get: (() => T) | null = null;
  const stop = effect(() => {
    if (get !== null) {
      untracked(changed);
      return;
    }
    try {
      const value = compute();
      get = () => value;
    } catch (error) {
      get = () => {
        throw error;
      };
    }
  });
  return [get as unknown as () => T, stop];
}

export function mountChart<T>(
  host: HTMLElement,
  view: View,
  source: ChartSource<T>,
  callbacks: CardCallbacks,
): MountedChart {
  const { options } = view;
  const { panel, tag, tags = [tag], name = tag } = source;
  const steps = new StepRangeSync(options);
  const axes = () => untracked(() => axesOf(view, source, source.valueAxis()));
  /** Stores the camera of these axes; the range of steps is stored for all cards together. */
  const storeCamera = (next: Camera) => {
    const { x, camera } = axes();
    camera.value = x.linksSteps ? { ...next, x: null } : next;
    const limits = next.y === null ? undefined : source.limitsAt?.(next.y);
    callbacks.zoomed(next.y !== null || (next.x !== null && !x.linksSteps) ? (limits ?? new Map()) : null);
    const inTimes = x.kind === "duration" || x.kind === "clock";
    showTimes(view, tags, inTimes && next.x ? valuesBetween(x.scale, next.x) : null);
  };
  const frameOptions = { label: name, keys: source.keys ?? uiTexts().chartKeys, tooltipId: tooltipId(view) };
  let stopFollowing = () => {};
  const compose = () => {
    stopFollowing();
    const [content, stop] = followed(
      () => source.content(),
      () => chart.refresh(),
    );
    stopFollowing = stop;
    return content();
  };
  const chart = new ChartFrame<T>(host, frameOptions, view.frames, compose, {
    drawn: ({ lastStep, bytes, plots, cuts = [], flattening = [] }) => {
      callbacks.lastStep(lastStep);
      source.cuts?.drawn(cuts, flattening);
      source.drawn?.(plots);
      view.channel.store.account(host, bytes);
      const width = Math.max(0, ...plots.map(({ area }) => area.width));
      view.channel.store.drawnIn(host, tags, Math.ceil(width * pixelRatio()));
    },
    pointed: (pointed) => {
      options.hovered.set(panel, tag, pointed === null ? [] : source.points(pointed.details));
      if (pointed === null) {
        view.tooltip.value = null;
        return;
      }
      const { details, left, top, byKeys } = pointed;
      const content = source.tooltip(details, new Date());
      view.tooltip.value = { left, top, content, spoken: byKeys ? source.describe(details) : "" };
    },
    clicked: ({ step, details }, times) =>
      source.clicked === undefined ? view.clickStep(step, times) : source.clicked(details, times),
    selected: source.select && ((range) => source.select?.chosen(valuesBetween(axes().x.scale, range))),
    selecting: () => source.select?.always.peek() === true,
    moved: (next) => {
      const { x } = axes();
      storeCamera(next);
      if (x.linksSteps) {
        steps.move(next.x && valuesBetween(x.scale, next.x));
      }
    },
    fit: () => source.fit?.(),
    included: () => source.cuts?.include(),
  });
  source.start?.();
  const stopMoving = followCamera(view, source, (next) => {
    storeCamera(next);
    chart.show(next);
  });
  return {
    showAll: () => chart.showAll(),
    fit: () => chart.fit(),
    end: () => {
      stopFollowing();
      stopMoving();
      steps.end();
      chart.end();
      source.release();
      view.channel.store.account(host, 0);
      view.channel.store.drawnIn(host, tags, 0);
      showTimes(view, tags, null);
    },
  };
}

/** Milliseconds without movement that count as a pause. */
const SHARE_PAUSE_MS = 180;

/** Sets the shared range of steps to the range of one card. */
export class StepRangeSync {
  readonly #axis: OptionsOf<typeof timeAxisOptions>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: Options) {
    this.#axis = options.of(timeAxisOptions);
  }

  /** The card shows this range; null for all steps. */
  move(range: Range | null): void {
    clearTimeout(this.#timer);
    if (timeAxis(this.#axis.x_axis.peek()) !== "step") {
      return;
    }
    if (range === null) {
      this.#set(null);
    } else {
      this.#timer = setTimeout(() => this.#set(range), SHARE_PAUSE_MS);
    }
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #set(range: Range | null): void {
    const steps: StepRange | null = range && [stepAt(Math.floor(range[0])), stepAt(Math.ceil(range[1]))];
    if (!isSameRange(steps, this.#axis.step_range.peek())) {
      this.#axis.step_range.set(steps);
    }
  }
}
