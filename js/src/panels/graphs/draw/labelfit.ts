// How a label stands in its box: smaller rather than on two lines, on two lines rather than cut.

import { fitted, widthOf } from "./pen";

/** Height of a line of text, as a multiple of its size. */
export const LINE = 1.15;
/** Room that the smallest letters need at least, likewise: most of them have nothing below the line. */
export const LOWEST = 0.95;
/** Width of the sign that opens and closes a box, as a multiple of the label's size. */
export const SIGN = 1.3;
/** Rather than smaller than the first share of its usual size a label is without the sign, than the second on two lines. */
const [SIGNED, SMALLER] = [0.85, 0.72];
/** Sizes below the usual one come in steps of so many pixels: a canvas takes long to change its font. */
const STEP = 0.5;

export interface LabelFit {
  /** Lines of text; the last one with the badge. */
  readonly lines: readonly string[];
  /** Pixels. */
  readonly size: number;
  /** There is room for the sign at its right. */
  readonly hasSign: boolean;
}

/** Room for a label, and sizes of its letters, in pixels. */
export interface LabelRoom {
  readonly width: number;
  readonly height: number;
  readonly usual: number;
  /** Smaller letters cannot be read. */
  readonly least: number;
  /** Width that the smallest letters may take rather than be cut. */
  readonly beyond: number;
}

/** `badge`, which is never cut, stands behind the label; null where hardly a few letters have room. */
export function fitLabel(label: string, badge: string, wantsSign: boolean, room: LabelRoom): LabelFit | null {
  const { width, height, usual, least, beyond } = room;
  if (height < LOWEST * least) {
    return null;
  }
  const broken = height >= 2 * LINE * least ? breakInTwo(label) : null;
  const texts = broken === null ? [[label + badge]] : [[label + badge], [broken[0], broken[1] + badge]];
  let best: LabelFit | null = null;
  for (const lines of texts) {
    const wide = Math.max(...lines.map(widthOf));
    const most = Math.min(usual, Math.max(least, height / lines.length / LINE));
    for (const hasSign of wantsSign ? [true, false] : [false]) {
      const size = Math.min(most, width / (wide + (hasSign ? SIGN : 0)));
      const shown = { lines, size: Math.max(least, stepped(size, usual)), hasSign };
      if (size >= Math.max(least, (hasSign ? SIGNED : SMALLER) * usual)) {
        return shown;
      }
      if (size > (best?.size ?? least)) {
        best = shown;
      }
    }
  }
  if (best !== null) {
    return best;
  }
  if (widthOf(label + badge) * least <= beyond) {
    return { lines: [label + badge], size: least, hasSign: false };
  }
  const ems = width / least;
  const cut = (text: string, behind: string) => {
    const own = fitted(text, ems - widthOf(behind));
    return own === "" ? "" : own + behind;
  };
  const both = broken === null ? [] : [cut(broken[0], ""), cut(broken[1], badge)];
  const lines = both.length > 0 && both.every((text) => text !== "") ? both : [cut(label, badge) || cut(label, "")];
  return lines[0] === "" ? null : { lines, size: least, hasSign: false };
}

function stepped(size: number, usual: number): number {
  return size < usual ? Math.floor(size / STEP) * STEP : size;
}

/** A separator, a capital or a number begins what stands on the second line. */
const BREAK = /(?<=[\p{L}\p{N}])(?=[\s_./:-])|(?<=[\s/:])(?=\S)|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=[[(])/gu;

/** Characters of a label that has room on two lines at most. */
const MOST_CHARACTERS = 120;

/** At the place that makes the longer one shortest; null where there is none. */
function breakInTwo(label: string): readonly [string, string] | null {
  if (label.length > MOST_CHARACTERS) {
    return null;
  }
  const middle = label.length / 2;
  let found = -1;
  for (const { index } of label.matchAll(BREAK)) {
    if (found < 0 || Math.abs(index - middle) < Math.abs(found - middle)) {
      found = index;
    }
  }
  return found < 0 ? null : [label.slice(0, found).trim(), label.slice(found).trim()];
}
