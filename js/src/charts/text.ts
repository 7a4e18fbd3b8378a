// The fonts of axes, labels and titles, and how wide texts are in it.

import { type Elision, fittedNames, type Measure } from "../lib/names";

const FONT_PX = 11;
const TITLE_FONT_PX = 13;
const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

/** CSS pixels per character where nothing can be measured. */
const ESTIMATE = 6.5;

/** Texts whose widths are remembered. */
const MAX_WIDTHS = 4000;

/** The font of labels on a canvas with `ratio` pixels per CSS pixel. */
export function labelFont(ratio: number): string {
  return `${FONT_PX * ratio}px ${FAMILY}`;
}

/** The font of titles above charts, on such a canvas. */
export function titleFont(ratio: number): string {
  return `500 ${TITLE_FONT_PX * ratio}px ${FAMILY}`;
}

const widths = new Map<string, number>();
let context: CanvasRenderingContext2D | null | undefined;

export const measureLabel: Measure = (text) => {
  let width = widths.get(text);
  if (width === undefined) {
    if (widths.size >= MAX_WIDTHS) {
      widths.clear();
    }
    width = measured(text);
    widths.set(text, width);
  }
  return width;
};

function measured(text: string): number {
  if (context === undefined) {
    context = typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");
    if (context !== null) {
      context.font = labelFont(1);
    }
  }
  return context === null ? ESTIMATE * text.length : context.measureText(text).width;
}

/** A name in at most `room` CSS pixels: whole, or without its middle. A list of names takes `fittedNames`, which stay apart. */
export function fittedName(name: string, room: number, measure: Measure = measureLabel): string {
  return (fittedNames([name], room, measure).get(name) as Elision).text;
}
