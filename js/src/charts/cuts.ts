// Marks on the edges of a plot where its lines are cut: each names the farthest value, and includes all when pressed.

import { chartTexts } from "../lib/commontexts";
import { formatCount, formatValue } from "../lib/format";
import type { Measure } from "../lib/names";
import type { Rect } from "./geometry";
import { labelWidth, type StepLabel } from "./linkedstep";
import { measureLabel } from "./text";

/** The values beyond one end of a y axis. */
export interface Cut {
  /** Number of values. A bucket counts as one: it does not tell how many of its values lie there. */
  readonly count: number;
  /** There may be more: some are in buckets. */
  readonly isAtLeast: boolean;
  /** Place of the farthest of them along the steps or times, and its value. */
  readonly x: number;
  readonly value: number;
  /** Lines that end there, with their newest values, the farthest first. */
  readonly ends?: readonly CutEnd[];
}

/** A line, and its newest value. */
export interface LineEnd {
  readonly name: string;
  readonly value: number;
}

/** A line that flattens the others: it ends above them or below. */
export interface FlatteningLine extends LineEnd {
  readonly side: keyof Cuts;
}

export interface CutEnd extends LineEnd {
  readonly x: number;
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
/** CSS pixels from a mark to the middle of the arrow at the end of a line. */
const ARROW_OFFSET_PX = 9;
const BETWEEN = 4;

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
    const { value, x, count, isAtLeast, ends: [end] = [] } = cut;
    const written = writtenOf(value);
    const markOf = (text: string, fromOf: (own: number) => number, of: Cut) => {
      const own = labelWidth(text, measure);
      const hint = chartTexts().cutHint[side](count, formatCount(count), isAtLeast, written);
      const at = left + Math.max(0, Math.min(width - own, fromOf(own)));
      const edge = side === "above" ? top + INSIDE.above - CUT_HEIGHT : top + height - INSIDE.below;
      return { text, hint, left: at, top: edge, width: own, cut: of };
    };
    const farthest = chartTexts().cutAt[side](written);
    const middle = shareOf(x) * width;
    if (end === undefined) {
      return [markOf(farthest, (own) => middle - own / 2, cut)];
    }
    // An arrow stands there already.
    const at = shareOf(end.x) * width;
    const atEnd = markOf(
      writtenOf(end.value),
      (own) => (at > width / 2 ? at - own - ARROW_OFFSET_PX : at + ARROW_OFFSET_PX),
      cut,
    );
    if (end.value === value) {
      return [atEnd];
    }
    const { ends: _, ...rest } = { ...cut, count: 0 };
    const before = atEnd.left - left - BETWEEN;
    const behind = atEnd.left - left + atEnd.width + BETWEEN;
    // If the label does not fit before the end's mark, it stands behind; a plot too narrow for both keeps the end's alone.
    const own = labelWidth(farthest, measure);
    return own > before && behind + own > width
      ? [atEnd]
      : [
          atEnd,
          markOf(
            farthest,
            () => (own > before ? Math.max(middle - own / 2, behind) : Math.min(middle - own / 2, before - own)),
            rest,
          ),
        ];
  });
}

function writtenOf(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? formatCount(value) : formatValue(value);
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
      button.style.cssText = `left:${left}px;top:${top}px;width:${width}px`;
    }
  }
}
