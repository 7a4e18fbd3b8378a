// One picture of a scene: from where it is seen, and with what it is drawn.

import { labelFont, measureLabel } from "../../../charts/text";
import { withEllipsis } from "../../../lib/names";
import type { Layout } from "../layout/types";
import type { Colors } from "./colors";
import type { Prepared, Scene } from "./scene";

export interface Frame {
  readonly pen: Pen;
  readonly scene: Scene;
  readonly prepared: Prepared;
  /** Where everything is now: the scene's layout, or on the way to it. */
  readonly places: Layout;
  readonly colors: Colors;
  /** Pixels of the canvas per unit of the layout, and where the layout's origin is. */
  readonly k: number;
  readonly dx: number;
  readonly dy: number;
  /** Pixels of the canvas per CSS pixel, and its size. */
  readonly ratio: number;
  readonly width: number;
  readonly height: number;
  /** The selected box, and the box with the keyboard focus; -1 for none. */
  readonly selected: number;
  readonly focused: number;
  /** Without texts, marks and outlines, as on a map. */
  readonly isMap: boolean;
  /** Caption of auxiliary areas. */
  readonly auxiliary: string;
}

/** Margin around the canvas, in its pixels: shadows, arrows and outlines of boxes there reach into it. */
export const CANVAS_MARGIN_PX = 12;

/** Whether a rectangle of the layout may touch the canvas. */
export function inSight({ k, dx, dy, width, height }: Frame, x: number, y: number, w: number, h: number): boolean {
  const [left, top] = [x * k + dx, y * k + dy];
  return (
    left <= width + CANVAS_MARGIN_PX &&
    top <= height + CANVAS_MARGIN_PX &&
    left + w * k >= -CANVAS_MARGIN_PX &&
    top + h * k >= -CANVAS_MARGIN_PX
  );
}

/** Where a box is, in pixels of the canvas. */
export function rectOnCanvas({ places, k, dx, dy }: Frame, box: number): readonly [number, number, number, number] {
  const [x, y] = [(places.x[box] as number) * k + dx, (places.y[box] as number) * k + dy];
  return [x, y, (places.w[box] as number) * k, (places.h[box] as number) * k];
}

// The part of a canvas context that drawing uses: so that the same code draws on one and writes an SVG.

export type Pen = Pick<
  CanvasRenderingContext2D,
  | "beginPath"
  | "moveTo"
  | "lineTo"
  | "quadraticCurveTo"
  | "bezierCurveTo"
  | "closePath"
  | "rect"
  | "roundRect"
  | "fillRect"
  | "fillText"
  | "strokeText"
  | "setLineDash"
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "globalAlpha"
  | "font"
  | "textAlign"
> & { fill(): void; stroke(): void };

/** Pixels of the font that `measureLabel` measures. */
const MEASURED_FONT_PX = 11;

/** Width of bold text, as a multiple of the measured width. */
export const BOLD_WIDTH = 1.08;

/** Characters of a text that can be drawn at all. */
const MAX_CHARACTERS = 300;

const ROUNDING_PX = 1e-6;

/** Letters of a text that is cut. */
const MIN_CUT_CHARACTERS = 3;

export function fontOf(pixels: number, weight = 400): string {
  return `${weight} ${labelFont(pixels / MEASURED_FONT_PX)}`;
}

/** The width of a text, as a multiple of the font's size. */
export function widthOf(text: string): number {
  return measureLabel(text) / MEASURED_FONT_PX;
}

/**
 * A text in at most `room` times the font's size: whole, or without its middle; "" where hardly a few letters have room.
 * The attribute in the brackets of a torch module, `Sequential[backbone]`, is kept whole: modules of a class differ in it.
 */
export function fitted(text: string, room: number): string {
  const whole = text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text;
  const width = widthOf(whole);
  // Room that was made for it may be less by a rounding.
  if (width <= room + ROUNDING_PX) {
    return whole;
  }
  const bracket = whole.lastIndexOf("[");
  const attribute = whole.slice(bracket);
  if (bracket > 0 && widthOf(withEllipsis("", attribute)) <= room) {
    const before = [...whole.slice(0, bracket)];
    let cut = withEllipsis("", attribute);
    for (let ahead = 1; ahead < before.length; ahead += 1) {
      const longer = withEllipsis(before.slice(0, ahead).join(""), attribute);
      if (widthOf(longer) > room) {
        break;
      }
      cut = longer;
    }
    return cut;
  }
  const letters = [...whole];
  let kept = Math.floor(((room - 0.8) / width) * letters.length);
  while (kept >= MIN_CUT_CHARACTERS) {
    // Names differ at their ends: these are the longer part.
    const ahead = kept >>> 1;
    const cut = withEllipsis(letters.slice(0, ahead).join(""), letters.slice(letters.length - (kept - ahead)).join(""));
    if (widthOf(cut) <= room) {
      return cut;
    }
    kept -= 1;
  }
  return "";
}
