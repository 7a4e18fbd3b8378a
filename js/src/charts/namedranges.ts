// Ranges of steps with names, along the horizontal axis of a plot: bands behind the data, and their names at the upper edge.

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

/** The name of a range or its strip on the upper edge of a plot, in CSS pixels from the upper left corner of the chart. */
export interface RangeMark extends Rect {
  /** As much of the name as there is room for; null for a strip. */
  readonly text: string | null;
  /** Its name and its steps; and what a click does. */
  readonly label: string;
  readonly hint: string;
  /** Its place along the axis. */
  readonly span: Range;
}

/** CSS pixels of the strip, half of which is painted, of the narrowest one, and of a line of names. */
const STRIP_PX = 4;
const MIN_STRIP_WIDTH_PX = 5;
const LINE_PX = 15;
const MAX_LINES = 3;
/** Share of a plot's height for names. */
const MAX_NAMES_SHARE = 0.4;
const MAX_NAME_WIDTH_PX = 140;
/** A name with less room begins left of its band; a narrower plot has no names. */
const MIN_NAME_WIDTH_PX = 56;
/** Between a name and the edge of its band, and the next name. */
const GAP_PX = 4;
const NAME_GAP_PX = 8;

type ShareOf = (place: number) => number;

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
  for (const { name, steps, spans } of ranges) {
    const [first, last] = [formatCount(steps[0]), formatCount(steps[1])];
    const where = first === last ? chartTexts().atLinked(first) : chartTexts().fromLinked(first, last);
    const label = commonTexts().labeled(name, where);
    const hint = chartTexts().rangeHint(commonTexts().labeled(isolated(name), where));
    const own = spans.flatMap((span) => {
      const [from, to] = [Math.max(0, shareOf(span[0])), Math.min(1, shareOf(span[1]))];
      const width = Math.max(MIN_STRIP_WIDTH_PX, (to - from) * area.width);
      const left = area.left + Math.min(from * area.width, area.width - width);
      return from <= 1 && to >= 0
        ? [{ left, width, top: area.top, height: STRIP_PX, text: null, label, hint, span }]
        : [];
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

function isMet(one: Omit<Rect, "height">, other: Omit<Rect, "height">): boolean {
  const isApart =
    one.left >= other.left + other.width + NAME_GAP_PX || other.left >= one.left + one.width + NAME_GAP_PX;
  return !isApart && Math.abs(one.top - other.top) < LINE_PX;
}

const BAND_OPACITY = 0.08;
const EDGE_OPACITY = 0.3;
const STRIP_OPACITY = 0.65;
/** For a range of one step: unlike the linked step, its line is dashed. */
const LINE_DASHES = [2, 3];

/** Paints the bands of ranges behind the data; `shareOf` gives shares of the area's width. */
export function paintRanges(
  { context, ratio }: Surface,
  area: Rect,
  ranges: readonly PlacedRange[],
  shareOf: ShareOf,
  theme: ChartTheme,
): void {
  context.save();
  context.fillStyle = context.strokeStyle = theme.label;
  context.lineWidth = ratio;
  context.setLineDash(LINE_DASHES.map((length) => length * ratio));
  for (const [first, last] of ranges.flatMap(({ spans }) => spans)) {
    const [from, to] = [shareOf(first), shareOf(last)];
    if (from > 1 || to < 0) {
      continue;
    }
    const left = area.left + Math.max(0, from) * area.width;
    const width = (Math.min(1, to) - Math.max(0, from)) * area.width;
    if (first < last) {
      context.globalAlpha = BAND_OPACITY;
      context.fillRect(left, area.top, Math.max(ratio, width), area.height);
      context.globalAlpha = EDGE_OPACITY;
      for (const share of [from, to].filter((edge) => edge >= 0 && edge <= 1)) {
        context.fillRect(
          Math.round(area.left + share * area.width - ratio / 2),
          area.top,
          lineWidth(ratio),
          area.height,
        );
      }
    } else {
      context.globalAlpha = STRIP_OPACITY;
      context.beginPath();
      context.moveTo(left, area.top);
      context.lineTo(left, area.top + area.height);
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
  for (const { left, top, width, height, text } of marks) {
    context.globalAlpha = text === null ? STRIP_OPACITY : 1;
    if (text === null) {
      context.fillRect(left * ratio, top * ratio, width * ratio, (height / 2) * ratio);
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
  readonly #buttons: HTMLButtonElement[] = [];
  #marks: readonly RangeMark[] = [];

  constructor(host: HTMLElement, pressed: (span: Range) => void) {
    this.#host = host;
    this.#pressed = pressed;
  }

  show(marks: readonly RangeMark[]): void {
    this.#marks = marks;
    for (const button of this.#buttons.splice(marks.length)) {
      button.remove();
    }
    for (const [i, { left, top, width, height, label, hint, text }] of marks.entries()) {
      const button = this.#buttons[i] ?? this.#added(i);
      button.title = hint;
      button.setAttribute("aria-label", label);
      // Else there would be two buttons of one name.
      button.ariaHidden = text === null ? "true" : null;
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
    this.#host.append(button);
    this.#buttons.push(button);
    return button;
  }
}
