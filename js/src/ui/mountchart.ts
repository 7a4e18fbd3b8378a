// Mounts a chart in a card: connects its frame with the options, the view's cameras and the tooltip.

import { effect, type ReadonlySignal, type Signal, untracked } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Camera } from "../charts/camera";
import { widened } from "../charts/extent";
import { ChartFrame } from "../charts/frame";
import type { ChartContent } from "../charts/layout";
import { pixelRatio } from "../charts/pixelratio";
import type { Range } from "../lib/range";
import { type AxisScale, LINEAR, placesOfSteps, valuesBetween } from "../lib/scale";
import { strings } from "../lib/strings";
import { timeAxis, type XAxisOption } from "../lib/xaxis";
import type { HoveredPoint } from "../options/hovered";
import { rangeNumbers, timeAxisOptions } from "../options/shared";
import { StepRangeSync } from "./steprange";
import { showTimes, tooltipId, type View } from "./view";

/** A chart in a card. It begins when the card comes onto the screen, and ends when it leaves. */
export interface MountedChart {
  showAll(): void;
  /** Shows all, with axes that fit it. */
  fit(): void;
  end(): void;
}

/** What a chart reports to its card. */
export interface CardCallbacks {
  /** Whether it shows another part of the plane than the axes alone would. */
  zoomed(is: boolean): void;
  /** The largest step on the screen, in the frame that drew it. */
  lastStep(step: bigint | null): void;
}

/** What a line or a colour of a picture stands for. */
export interface LegendEntry {
  readonly text: string;
  /** Null for words alone. */
  readonly colour: string | null;
  /** Lengths of dashes and gaps in CSS pixels; empty for a solid line. */
  readonly dash?: readonly number[];
}

/** What a panel's charts are made of; `T` is what is found below the pointer. */
export interface ChartSource<T> {
  readonly panel: string;
  readonly tag: string;
  /** All of them, where it draws several. */
  readonly tags?: readonly string[];
  /** What it is called, where that is not the tag. */
  readonly name?: string;
  /** What is drawn now. */
  content(): ChartContent<T>;
  /** What the lines and colours stand for. */
  legend(): readonly LegendEntry[];
  /** Reads every signal that the content depends on, but for those that all charts depend on. */
  watch(): void;
  /** What stands along x where it is not the axis of steps or times that was chosen. */
  along?(): XAxisOption;
  /** What stands along the values: a zoom there is dropped when it changes. */
  valueAxis(): string;
  /** How steps or times are spread from left to right; evenly by default. */
  xScale?(): AxisScale;
  /** Removes limits that were fixed for this chart. */
  fit?(): void;
  tooltip(details: T, now: Date): ComponentChildren;
  /** The points that it is about, the nearest first: Python may observe them. */
  points(details: T): readonly HoveredPoint[];
  /** The tooltip in one sentence, to be read out. */
  describe(details: T): string;
  /** What becomes of a range that a drag selects; `always`: whether it takes no Ctrl or ⌘. */
  readonly select?: { readonly always: ReadonlySignal<boolean>; chosen(range: Range): void };
  /** Called when the chart is removed: frees what was computed for it. */
  release(): void;
}

/** The axes of a chart. */
interface Axes {
  readonly along: XAxisOption;
  readonly scale: AxisScale;
  /** The zoom of these axes: others have another. */
  readonly camera: Signal<Camera>;
}

/** Reads the signals that the axes depend on. */
function axesOf<T>(view: View, source: ChartSource<T>): Axes {
  const { panel, tag, name = tag } = source;
  const along = source.along?.() ?? timeAxis(view.options.of(timeAxisOptions).x_axis.value);
  const scale = source.xScale?.() ?? LINEAR;
  return { along, scale, camera: view.cameras.of(panel, `${along} ${scale.key} ${source.valueAxis()} ${name}`) };
}

/** The part of the data that a chart shows; where x is the step, all cards share its range. Does not read the camera's signal. */
export function cameraOf<T>(view: View, source: ChartSource<T>): Camera {
  const { along, scale, camera } = axesOf(view, source);
  const range = rangeNumbers(view.options.of(timeAxisOptions).step_range.value);
  return along === "step" ? { ...camera.peek(), x: range && placesOfSteps(scale, widened(range)) } : camera.peek();
}

export function mountChart<T>(
  host: HTMLElement,
  view: View,
  source: ChartSource<T>,
  callbacks: CardCallbacks,
): MountedChart {
  const { options } = view;
  const { panel, tag, tags = [tag], name = tag } = source;
  const { x_axis, linked_step, ignore_outliers } = options.of(timeAxisOptions);
  const steps = new StepRangeSync(options);
  const axes = () => untracked(() => axesOf(view, source));
  /** Stores the camera of these axes; the range of steps is stored for all cards together. */
  const storeCamera = (next: Camera) => {
    const { along, scale, camera } = axes();
    const inSteps = along === "step";
    camera.value = inSteps ? { ...next, x: null } : next;
    callbacks.zoomed(next.y !== null || (next.x !== null && !inSteps));
    const inTimes = along === "relative" || along === "wall";
    showTimes(view, tags, inTimes && next.x ? valuesBetween(scale, next.x) : null);
  };
  const frameOptions = { label: strings.chartHint(name), tooltipId: tooltipId(view) };
  const chart = new ChartFrame<T>(host, frameOptions, view.frames, () => untracked(() => source.content()), {
    drawn: ({ lastStep, bytes, plots }) => {
      callbacks.lastStep(lastStep);
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
    clicked: (step, times) => view.clickStep(Number(step), times),
    selected: source.select && ((range) => source.select?.chosen(valuesBetween(axes().scale, range))),
    selecting: () => source.select?.always.peek() === true,
    moved: (next) => {
      const { along, scale } = axes();
      storeCamera(next);
      if (along === "step") {
        steps.move(next.x && valuesBetween(scale, next.x));
      }
    },
    fit: () => source.fit?.(),
  });
  const ends = [
    effect(() => {
      source.watch();
      void [x_axis.value, ignore_outliers.value, linked_step.value, view.theme.value];
      void axesOf(view, source);
      chart.refresh();
    }),
    effect(() => {
      const next = cameraOf(view, source);
      untracked(() => storeCamera(next));
      chart.show(next);
    }),
  ];
  return {
    showAll: () => chart.showAll(),
    fit: () => chart.fit(),
    end: () => {
      for (const end of ends) {
        end();
      }
      steps.end();
      chart.end();
      source.release();
      view.channel.store.account(host, 0);
      view.channel.store.drawnIn(host, tags, 0);
      showTimes(view, tags, null);
    },
  };
}
