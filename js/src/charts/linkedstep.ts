// The linked step: a line where it is, a dot on each run, and a label with the true steps of the runs.

import { chartTexts } from "../lib/commontexts";
import { formatCount } from "../lib/format";
import type { Measure } from "../lib/names";
import { lineWidth } from "./axes";
import type { Tick } from "./axis";
import type { DataPoint, Rect, Surface } from "./geometry";
import { measureLabel } from "./text";

/** Radius of the dots, in CSS pixels. */
const DOT = 3.5;

/** More lines than this are faint: along times each run has its own, and they must not hide the data. */
const MAX_OPAQUE_LINES = 3;
const FAINT = 0.3;

/** CSS pixels: height of a label, padding on each side of its text, and gap between a label and the label of a tick. */
export const LABEL_HEIGHT = 16;
const PADDING = 5;
const BETWEEN = 4;

type ShareOf = (value: number) => number;

/** Lines through all points at the linked step, and dots on them. */
export function paintLinked(
  { context, ratio }: Surface,
  area: Rect,
  linked: readonly DataPoint[],
  across: ShareOf,
  down: ShareOf,
  color: string,
): void {
  const lines = new Set(linked.map(({ x }) => x));
  context.save();
  context.beginPath();
  context.rect(area.left, area.top, area.width, area.height);
  context.clip();
  context.fillStyle = color;
  context.globalAlpha = lines.size > MAX_OPAQUE_LINES ? FAINT : 1;
  const width = lineWidth(ratio);
  for (const x of lines) {
    context.fillRect(Math.round(area.left + across(x) * area.width - width / 2), area.top, width, area.height);
  }
  context.globalAlpha = 1;
  for (const point of linked) {
    const [x, y] = [area.left + across(point.x) * area.width, area.top + down(point.y) * area.height];
    context.fillStyle = point.color;
    context.beginPath();
    context.arc(x, y, DOT * ratio, 0, 2 * Math.PI);
    context.fill();
  }
  context.restore();
}

/** A text in a box, whose size and position are in CSS pixels from the upper left corner of the chart. */
export interface StepLabel {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

export function labelWidth(text: string, measure: Measure = measureLabel): number {
  return Math.ceil(measure(text)) + 2 * PADDING;
}

/** CSS pixels from the axis to a label, which stands in the row of the ticks' labels. */
const BELOW_AXIS_PX = 5;

/** Points at the linked step, of lines with other points, too: of a lone point the axis names the step. */
type LinkedPoint = Pick<DataPoint, "x" | "step" | "isLone">;

/**
 * Return the label of the linked step of a plot: all steps of its lines there, below the greatest of them. Over the plot it would
 * cover data. None where only lone points are visible.
 */
export function labelAtAxis(
  linked: readonly LinkedPoint[],
  { left, top, width, height }: Rect,
  shareOf: ShareOf,
  measure: Measure = measureLabel,
): StepLabel[] {
  const visible = linked
    .map(({ x, step, isLone }) => ({ at: shareOf(x), step, isLone }))
    .filter(({ at, isLone }) => at >= 0 && at <= 1 && isLone !== true)
    .sort((a, b) => (a.step < b.step ? -1 : a.step > b.step ? 1 : 0));
  const [first, last] = [visible[0], visible.at(-1)];
  if (first === undefined || last === undefined) {
    return [];
  }
  const text =
    first.step === last.step
      ? chartTexts().atLinked(formatCount(last.step))
      : chartTexts().fromLinked(formatCount(first.step), formatCount(last.step));
  const own = labelWidth(text, measure);
  const start = Math.max(0, Math.min(width - own, last.at * width - own / 2));
  return [{ text, left: left + start, top: top + height + BELOW_AXIS_PX, width: own }];
}

/** The labels of several plots; each text once. */
export function eachTextOnce(labels: readonly StepLabel[]): StepLabel[] {
  return labels.filter(({ text }, i) => labels.findIndex((label) => label.text === text) === i);
}

/** The ticks of a plot, without the labels that a label of the linked step would cover; `placeOf` gives CSS pixels of the chart. */
export function ticksBeside(
  ticks: readonly Tick[],
  labels: readonly StepLabel[],
  area: Rect,
  placeOf: (value: number) => number,
  measure: Measure = measureLabel,
): readonly Tick[] {
  const beside = labels.filter(({ top }) => top === area.top + area.height + BELOW_AXIS_PX);
  return ticks.map((tick) => {
    const [place, half] = [placeOf(tick.value), measure(tick.label) / 2 + BETWEEN];
    const isCovered = beside.some(({ left, width }) => place + half > left && place - half < left + width);
    return isCovered ? { ...tick, label: "" } : tick;
  });
}

/** Shows labels over a chart. */
export class StepLabels {
  readonly #host: HTMLElement;
  readonly #elements: HTMLElement[] = [];

  constructor(host: HTMLElement) {
    this.#host = host;
  }

  show(labels: readonly StepLabel[]): void {
    for (const element of this.#elements.splice(labels.length)) {
      element.remove();
    }
    while (this.#elements.length < labels.length) {
      const element = this.#host.ownerDocument.createElement("span");
      element.className = "tbwidget-at-step";
      this.#host.append(element);
      this.#elements.push(element);
    }
    for (const [i, { text, left, top, width }] of labels.entries()) {
      const element = this.#elements[i] as HTMLElement;
      element.textContent = text;
      element.style.cssText = `left:${left}px;top:${top}px;width:${width}px`;
    }
  }
}
