// The fonts of axes, labels and titles, and how wide texts are in it.

import { splitsCharacter } from "../lib/names";

const SIZE = 11;
const TITLE_SIZE = 13;
const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

/** CSS pixels per character where nothing can be measured. */
const ESTIMATE = 6.5;

/** Texts whose widths are remembered. */
const MOST_WIDTHS = 4000;

/** The width of a text, in CSS pixels. */
export type Measure = (text: string) => number;

/** The font on a canvas with so many pixels to one CSS pixel. */
export function labelFont(ratio: number): string {
  return `${SIZE * ratio}px ${FAMILY}`;
}

/** The font of what stands above charts, likewise. */
export function titleFont(ratio: number): string {
  return `500 ${TITLE_SIZE * ratio}px ${FAMILY}`;
}

const widths = new Map<string, number>();
let context: CanvasRenderingContext2D | null | undefined;

export const measureLabel: Measure = (text) => {
  let width = widths.get(text);
  if (width === undefined) {
    if (widths.size >= MOST_WIDTHS) {
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

/** A name in at most `room` CSS pixels: whole, or its end, which is where names mostly differ. */
export function fittedName(name: string, room: number, measure: Measure = measureLabel): string {
  if (measure(name) <= room) {
    return name;
  }
  let from = 0;
  const cut = () => (from === 0 ? name : `…${name.slice(from)}`);
  while (from < name.length && (splitsCharacter(name, from) || measure(cut()) > room)) {
    from += splitsCharacter(name, from) ? 1 : 1 + Math.floor((name.length - from) / 12);
  }
  return cut();
}
