// What drawing needs of a canvas: so that the same code draws on one and writes an SVG.

import { labelFont, measureLabel } from "../../../charts/text";
import { withEllipsis } from "../../../lib/names";

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
  | "fill"
  | "stroke"
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
>;

/** Pixels of the font that `measureLabel` measures. */
const MEASURED = 11;

/** Bold text is so much wider than what is measured. */
export const BOLD = 1.08;

/** Characters of a text that can be drawn at all. */
const MOST_CHARACTERS = 300;

const ROUNDING = 1e-6;

/** Letters of a text that is cut. */
const FEWEST = 3;

export function fontOf(pixels: number, weight = 400): string {
  return `${weight} ${labelFont(pixels / MEASURED)}`;
}

/** The width of a text, as a multiple of the font's size. */
export function widthOf(text: string): number {
  return measureLabel(text) / MEASURED;
}

/**
 * A text in at most `room` times the font's size: whole, or without its middle; "" where hardly a few letters have room.
 * The attribute in the brackets of a torch module, `Sequential[backbone]`, is kept whole: modules of a class differ in it.
 */
export function fitted(text: string, room: number): string {
  const whole = text.length > MOST_CHARACTERS ? text.slice(0, MOST_CHARACTERS) : text;
  const width = widthOf(whole);
  // Room that was made for it may be less by a rounding.
  if (width <= room + ROUNDING) {
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
  while (kept >= FEWEST) {
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
