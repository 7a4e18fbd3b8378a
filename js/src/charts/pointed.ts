// What stands at the linked step: a rule with its true step, and a dot on each run.

import { formatCount } from "../lib/format";
import { strings } from "../lib/strings";
import type { Axis } from "./axis";
import type { Box, Near } from "./chart";

/** Radius of the dots, in CSS pixels. */
const DOT = 3.5;

/** More rules than this are faint: along times each run has its own, and they must not hide the runs. */
const FEW_RULES = 3;
const FAINT = 0.3;

/** CSS pixels of a character of a label, of what is around its text, and between labels. */
const CHARACTER = 6;
const AROUND = 10;
const APART = 4;

/** Rules through all that is at the linked step, and dots on it. */
export function paintPointed(
  context: CanvasRenderingContext2D,
  box: Box,
  linked: readonly Near[],
  x: Axis,
  y: Axis,
  colour: string,
): void {
  const ratio = devicePixelRatio;
  context.save();
  context.beginPath();
  context.rect(box.left, box.top, box.width, box.height);
  context.clip();
  const rules = new Set(linked.map((point) => point.x));
  context.fillStyle = colour;
  context.globalAlpha = rules.size > FEW_RULES ? FAINT : 1;
  for (const at of rules) {
    context.fillRect(Math.round(box.left + x.position(at) * box.width), box.top, ratio, box.height);
  }
  context.globalAlpha = 1;
  for (const point of linked) {
    context.fillStyle = point.colour;
    context.beginPath();
    const [left, top] = [x.position(point.x) * box.width, (1 - y.position(point.y)) * box.height];
    context.arc(box.left + left, box.top + top, DOT * ratio, 0, 2 * Math.PI);
    context.fill();
  }
  context.restore();
}

export interface Label {
  readonly text: string;
  /** CSS pixels from the left end of the plot, and those that it takes. */
  readonly left: number;
  readonly width: number;
}

/** The true steps of the rules: of those that would cover each other, the step of the most runs, or else the last. */
export function labelsOf(linked: readonly Near[], x: Axis, width: number): Label[] {
  const rules = new Map<number, { step: bigint; runs: number }>();
  for (const { x: at, step } of linked) {
    rules.set(at, { step, runs: (rules.get(at)?.runs ?? 0) + 1 });
  }
  const placed: Label[] = [];
  for (const [at, { step }] of [...rules].sort(([a, one], [b, other]) => other.runs - one.runs || b - a)) {
    const centre = x.position(at) * width;
    const text = strings.atLinked(formatCount(step));
    const size = CHARACTER * text.length + AROUND;
    const left = Math.max(0, Math.min(width - size, centre - size / 2));
    const free = placed.every((other) => left >= other.left + other.width + APART || left + size + APART <= other.left);
    if (centre >= 0 && centre <= width && free) {
      placed.push({ text, left, width: size });
    }
  }
  return placed;
}

/** Writes labels over a plot. */
export class Labels {
  readonly #over: HTMLElement;
  readonly #written: HTMLElement[] = [];

  constructor(over: HTMLElement) {
    this.#over = over;
  }

  show(labels: readonly Label[]): void {
    while (this.#written.length < labels.length) {
      const element = this.#over.ownerDocument.createElement("span");
      element.className = "tbwidget-at-step";
      this.#over.append(element);
      this.#written.push(element);
    }
    for (const [i, element] of this.#written.entries()) {
      const label = labels[i];
      element.hidden = label === undefined;
      element.textContent = label?.text ?? "";
      element.style.cssText = label === undefined ? "" : `left:${label.left}px;width:${label.width}px`;
    }
  }
}
