// Ranges of steps with names, along an axis of a plot: bands behind the data, and their names, at the upper edge unless steps go
// down.

import { chartTexts, commonTexts } from "../lib/commontexts";
import { formatCount } from "../lib/format";
import type { Measure } from "../lib/names";
import type { Range } from "../lib/search";
import { isolated } from "../lib/texts";
import { lineWidth } from "./axes";
import type { Rect, Surface } from "./geometry";
import { fittedName, labelFont, measureLabel } from "./text";
import type { ChartTheme } from "./theme";

/** A range on an axis. */
export interface PlacedRange {
  readonly name: string;
  readonly steps: readonly [first: number | bigint, last: number | bigint];
  /** Along times, runs may be there at different times: ascending, and apart from one another. */
  readonly spans: readonly Range[];
}

/** The name of a range or its strip on the edge of a plot, in CSS pixels from the upper left corner of the chart. */
export interface RangeMark extends Rect {
  /** As much of the name as there is room for; null for a strip. */
  readonly text: string | null;
  /** Its name and its steps; and what a click does. */
  readonly label: string;
  readonly hint: string;
  /** Its place along the axis. */
  readonly span: Range;
  /** Its strip stands upright, along an axis that goes down. */
  readonly isUpright?: boolean;
  /** The object that the canvas emphasizes while the pointer is on the mark. */
  readonly highlight?: object;
}

/** CSS pixels of the strip, half of which is painted, of the narrowest one, and of a line of names. */
export const STRIP_PX = 4;
export const MIN_STRIP_LENGTH_PX = 5;
export const LINE_PX = 15;
const MAX_LINES = 3;
/** Share of a plot's height for names. */
const MAX_NAMES_SHARE = 0.4;
export const MAX_NAME_WIDTH_PX = 140;
/** A name with less room begins left of its band; a narrower plot has no names. */
const MIN_NAME_WIDTH_PX = 56;
/** Between a name and the edge of its band, and the next name. */
const GAP_PX = 4;
export const NAME_GAP_PX = 8;

type ShareOf = (place: number) => number;

/** The texts of the marks of a range. */
export function wordsOf({ name, steps }: Pick<PlacedRange, "name" | "steps">): Pick<RangeMark, "label" | "hint"> {
  const [first, last] = [formatCount(steps[0]), formatCount(steps[1])];
  const where = first === last ? chartTexts().atLinked(first) : chartTexts().fromLinked(first, last);
  return {
    label: commonTexts().labeled(name, where),
    hint: chartTexts().rangeHint(commonTexts().labeled(isolated(name), where)),
  };
}

/** The marks of ranges in a plot, names last. A name that would cover another name or mark is left out. */
export function rangeMarks(
  ranges: readonly PlacedRange[],
  area: Rect,
  shareOf: ShareOf,
  taken: readonly Omit<Rect, "height">[] = [],
  measure: Measure = measureLabel,
): RangeMark[] {
  const strips: RangeMark[] = [];
  const wanted: { readonly name: string; readonly mark: RangeMark }[] = [];
  for (const range of ranges) {
    const { name, spans } = range;
    const words = wordsOf(range);
    const own = spans.flatMap((span) => {
      const [from, to] = [Math.max(0, shareOf(span[0])), Math.min(1, shareOf(span[1]))];
      const width = Math.max(MIN_STRIP_LENGTH_PX, (to - from) * area.width);
      const left = area.left + Math.min(from * area.width, area.width - width);
      return from <= 1 && to >= 0 ? [{ left, width, top: area.top, height: STRIP_PX, text: null, ...words, span }] : [];
    });
    strips.push(...own);
    if (own[0] !== undefined) {
      wanted.push({ name, mark: own[0] });
    }
  }
  // The narrow ones can be pressed, too.
  strips.sort((a, b) => b.width - a.width);
  const lines = Math.min(MAX_LINES, Math.floor((area.height * MAX_NAMES_SHARE) / LINE_PX));
  const right = area.left + area.width;
  const names: RangeMark[] = [];
  for (const { name, mark } of wanted.sort((a, b) => a.mark.left - b.mark.left)) {
    const room = Math.min(MAX_NAME_WIDTH_PX, Math.max(MIN_NAME_WIDTH_PX, right - mark.left - GAP_PX));
    const text = fittedName(name, room, measure);
    const width = Math.ceil(measure(text));
    const left = Math.min(mark.left + GAP_PX, right - width);
    for (let line = 0; area.width >= MIN_NAME_WIDTH_PX && line < lines; line += 1) {
      const place = { left, width, top: area.top + STRIP_PX + line * LINE_PX, height: LINE_PX };
      if (![...taken, ...names].some((other) => isMet(place, other))) {
        names.push({ ...mark, ...place, text });
        break;
      }
    }
  }
  return [...strips, ...names];
}

export function isMet(one: Omit<Rect, "height">, other: Omit<Rect, "height">): boolean {
  const isApart =
    one.left >= other.left + other.width + NAME_GAP_PX || other.left >= one.left + one.width + NAME_GAP_PX;
  return !isApart && Math.abs(one.top - other.top) < LINE_PX;
}

const BAND_OPACITY = 0.08;
const EDGE_OPACITY = 0.3;
const STRIP_OPACITY = 0.65;
/** For a range of one step: unlike the linked step, its line is dashed. */
const LINE_DASHES = [2, 3];

/**
 * Paints the bands of ranges behind the data; `shareOf` gives shares of the area's width. Where steps go down, it gives shares of
 * its height. `downFrom` is the share of the first step.
 */
export function paintRanges(
  { context, ratio }: Surface,
  area: Rect,
  ranges: readonly PlacedRange[],
  shareOf: ShareOf,
  theme: ChartTheme,
  downFrom: number | null = null,
): void {
  const least = downFrom ?? 0;
  const [start, length] = downFrom === null ? [area.left, area.width] : [area.top, area.height];
  const fill = (at: number, thickness: number) =>
    downFrom === null
      ? context.fillRect(at, area.top, thickness, area.height)
      : context.fillRect(area.left, at, area.width, thickness);
  context.save();
  context.fillStyle = context.strokeStyle = theme.label;
  context.lineWidth = ratio;
  context.setLineDash(LINE_DASHES.map((length) => length * ratio));
  for (const [first, last] of ranges.flatMap(({ spans }) => spans)) {
    const [from, to] = [shareOf(first), shareOf(last)];
    if (from > 1 || to < least) {
      continue;
    }
    const begin = start + Math.max(least, from) * length;
    if (first < last) {
      context.globalAlpha = BAND_OPACITY;
      fill(begin, Math.max(ratio, start + Math.min(1, to) * length - begin));
      context.globalAlpha = EDGE_OPACITY;
      for (const share of [from, to].filter((edge) => edge >= least && edge <= 1)) {
        fill(Math.round(start + share * length - ratio / 2), lineWidth(ratio));
      }
    } else {
      context.globalAlpha = STRIP_OPACITY;
      context.beginPath();
      if (downFrom === null) {
        context.moveTo(begin, area.top);
        context.lineTo(begin, area.top + area.height);
      } else {
        context.moveTo(area.left, begin);
        context.lineTo(area.left + area.width, begin);
      }
      context.stroke();
    }
  }
  context.restore();
}

/** Paints strips and names upon the data. */
export function paintRangeMarks({ context, ratio }: Surface, marks: readonly RangeMark[], theme: ChartTheme): void {
  context.save();
  context.font = labelFont(ratio);
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 3 * ratio;
  context.strokeStyle = theme.paper;
  context.fillStyle = theme.label;
  for (const { left, top, width, height, text, isUpright } of marks) {
    context.globalAlpha = text === null ? STRIP_OPACITY : 1;
    if (text === null) {
      const [across, down] = isUpright ? [width / 2, height] : [width, height / 2];
      context.fillRect(left * ratio, top * ratio, across * ratio, down * ratio);
    } else {
      const [x, y] = [left * ratio, (top + height / 2) * ratio];
      context.strokeText(text, x, y);
      context.fillText(text, x, y);
    }
  }
  context.restore();
}

/** Shows marks over a chart, as buttons that zoom to their ranges. */
export class RangeButtons {
  readonly #host: HTMLElement;
  readonly #pressed: (span: Range) => void;
  readonly #pointed: () => void;
  readonly #buttons: HTMLButtonElement[] = [];
  #marks: readonly RangeMark[] = [];
  /** The button below the pointer. */
  #hovered: HTMLButtonElement | null = null;

  /** `pointed`: the highlight has changed. */
  constructor(host: HTMLElement, pressed: (span: Range) => void, pointed: () => void) {
    this.#host = host;
    this.#pressed = pressed;
    this.#pointed = pointed;
  }

  /** The object that the mark below the pointer emphasizes; null for none. */
  get highlight(): object | null {
    return this.#marks.find((_, i) => this.#buttons[i] === this.#hovered)?.highlight ?? null;
  }

  show(marks: readonly RangeMark[]): void {
    this.#marks = marks;
    for (const button of this.#buttons.splice(marks.length)) {
      button.remove();
    }
    for (const [i, { left, top, width, height, label, hint, text, isUpright = false }] of marks.entries()) {
      const button = this.#buttons[i] ?? this.#added(i);
      button.title = hint;
      button.setAttribute("aria-label", label);
      // Else there would be two buttons of one name.
      button.ariaHidden = text === null ? "true" : null;
      button.toggleAttribute("data-upright", isUpright);
      button.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
    }
  }

  #added(i: number): HTMLButtonElement {
    const button = this.#host.ownerDocument.createElement("button");
    button.type = "button";
    button.className = "tbwidget-range-mark";
    // Keys go from chart to chart; the table of values lists the ranges.
    button.tabIndex = -1;
    button.addEventListener("click", () => {
      const mark = this.#marks[i];
      if (mark !== undefined) {
        this.#pressed(mark.span);
      }
    });
    const hover = (hovered: HTMLButtonElement | null) => () => {
      this.#hovered = hovered;
      this.#pointed();
    };
    button.addEventListener("pointerenter", hover(button));
    button.addEventListener("pointerleave", hover(null));
    this.#host.append(button);
    this.#buttons.push(button);
    return button;
  }
}
