// Marks on the edges of a plot where its lines are cut: each names the farthest value, and includes all when pressed.

import { formatCount, formatValue } from "../lib/format";
import { strings } from "../lib/strings";
import type { Rect } from "./geometry";
import { labelWidth, type StepLabel } from "./linkedstep";
import { type Measure, measureLabel } from "./text";

/** The values beyond one end of a y axis. */
export interface Cut {
  /** Number of values. A bucket counts as one: it does not tell how many of its values lie there. */
  readonly count: number;
  /** There may be more: some are in buckets. */
  readonly isAtLeast: boolean;
  /** Place of the farthest of them along the steps or times, and its value. */
  readonly x: number;
  readonly value: number;
}

/** The values beyond both ends. */
export type Cuts = { readonly [side in "above" | "below"]: Cut | null };

export const NO_CUTS: Cuts = { above: null, below: null };

/** A mark, in CSS pixels from the upper left corner of the chart. */
export interface CutMark extends StepLabel {
  readonly hint: string;
  readonly cut: Cut;
}

/** CSS pixels of a mark's height, and by how much it overlaps the plot at its upper and its lower edge. */
export const CUT_HEIGHT = 16;
const INSIDE = { above: 9, below: 17 };

/** The marks on the edges of a plot; `shareOf`: where along x. */
export function cutMarks(
  cuts: Cuts,
  { left, top, width, height }: Rect,
  shareOf: (x: number) => number,
  measure: Measure = measureLabel,
): CutMark[] {
  return (["above", "below"] as const).flatMap((side) => {
    const cut = cuts[side];
    if (cut === null) {
      return [];
    }
    const { value, x, count, isAtLeast } = cut;
    const isWhole = Number.isInteger(value) && Math.abs(value) < 1e15;
    const written = isWhole ? formatCount(value) : formatValue(value);
    const text = strings.cutAt[side](written);
    const own = labelWidth(text, measure);
    const from = Math.max(0, Math.min(width - own, shareOf(x) * width - own / 2));
    return [
      {
        text,
        hint: strings.cutHint[side](count, formatCount(count), isAtLeast, written),
        left: left + from,
        top: side === "above" ? top + INSIDE.above - CUT_HEIGHT : top + height - INSIDE.below,
        width: own,
        cut,
      },
    ];
  });
}

/** Shows marks over a chart, as buttons. */
export class CutButtons {
  readonly #host: HTMLElement;
  readonly #pressed: () => void;
  readonly #buttons: HTMLButtonElement[] = [];

  constructor(host: HTMLElement, pressed: () => void) {
    this.#host = host;
    this.#pressed = pressed;
  }

  show(marks: readonly CutMark[]): void {
    for (const button of this.#buttons.splice(marks.length)) {
      button.remove();
    }
    while (this.#buttons.length < marks.length) {
      const button = this.#host.ownerDocument.createElement("button");
      button.type = "button";
      button.className = "tbwidget-cut";
      // JupyterLab would take Enter for its own.
      button.dataset.lmSuppressShortcuts = "true";
      button.addEventListener("click", () => {
        // The mark goes away: those who came by the keyboard stay at its chart.
        if (button.matches(":focus-visible")) {
          this.#host.querySelector<HTMLElement>(".tbwidget-plot-area")?.focus();
        }
        this.#pressed();
      });
      this.#host.append(button);
      this.#buttons.push(button);
    }
    for (const [i, { text, hint, left, top, width }] of marks.entries()) {
      const button = this.#buttons[i] as HTMLButtonElement;
      button.textContent = text;
      button.title = hint;
      button.setAttribute("aria-label", hint);
      button.style.cssText = `left:${left}px;top:${top}px;width:${width}px`;
    }
  }
}
