// The linked step: a line where it is, a dot on each run, and labels with each run's true step.

import { chartTexts } from "../lib/commontexts";
import { formatCount } from "../lib/format";
import type { Measure } from "../lib/names";
import { lineWidth } from "./axes";
import type { DataPoint, Rect, Surface } from "./geometry";
import { measureLabel } from "./text";

/** Radius of the dots, in CSS pixels. */
const DOT = 3.5;

/** More lines than this are faint: along times each run has its own, and they must not hide the data. */
const MAX_OPAQUE_LINES = 3;
const FAINT = 0.3;

/** CSS pixels: height of a label, room beside its text, and between labels. */
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

/** CSS pixels between a label and the upper edge. */
const BELOW_EDGE = 2;

/** One label, of the steps between two lines. */
interface Flag {
  readonly first: bigint;
  readonly last: bigint;
  /** The middles of the two lines, in CSS pixels from the left edge of the plot. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly left: number;
  readonly width: number;
}

/** Labels at the top of a plot: at its foot, the axis names other steps. Labels that would cover each other are one. */
export function labelsInside(
  linked: readonly Pick<DataPoint, "x" | "step">[],
  { left, top, width }: Rect,
  shareOf: ShareOf,
  measure: Measure = measureLabel,
): StepLabel[] {
  const flagOf = (flag: Omit<Flag, "text" | "left" | "width">): Flag => {
    const { first, last, from, to } = flag;
    const ends = [formatCount(first), formatCount(last)] as const;
    const text = first === last ? chartTexts().atLinked(ends[0]) : chartTexts().fromLinked(...ends);
    const own = labelWidth(text, measure);
    const start = Math.max(0, Math.min(width - own, (from + to - own) / 2));
    return { ...flag, text, left: start, width: own };
  };
  const placed: Flag[] = [];
  const lines = new Map(linked.map(({ x, step }) => [`${x} ${step}`, { at: shareOf(x) * width, step }]));
  for (const { at, step } of [...lines.values()].sort((one, other) => one.at - other.at)) {
    if (!(at >= 0 && at <= width)) {
      continue;
    }
    let flag = flagOf({ first: step, last: step, from: at, to: at });
    for (let before = placed.at(-1); before !== undefined; before = placed.at(-1)) {
      if (flag.left >= before.left + before.width + BETWEEN) {
        break;
      }
      placed.pop();
      const first = before.first < flag.first ? before.first : flag.first;
      const last = before.last > flag.last ? before.last : flag.last;
      flag = flagOf({ first, last, from: before.from, to: flag.to });
    }
    placed.push(flag);
  }
  return placed.map(({ text, left: from, width: own }) => ({
    ...{ text, left: left + from, top: top + BELOW_EDGE, width: own },
  }));
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
