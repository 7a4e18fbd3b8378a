// Sizes of boxes and icons before the layout, by their labels.

import { BoxKind } from "../model/view";
import { type LayoutInput, MARK_HEIGHT } from "./types";

// All in layout units.

/** Gap between the border of an opened box and its content, and height of its title bar. */
export const PADDING = 14;
export const TITLE = 22;
/** Margin around the graph. */
export const MARGIN = 20;
/** Gap between a box and the icons beside it. */
export const MARK_GAP = 4;
/** Padding of an auxiliary area: at the top, for its caption, and at the other sides. */
export const CAPTION = 20;
export const AUXILIARY_PADDING = 8;
/** Least width of an auxiliary area, for its caption. */
export const CAPTION_WIDTH = 132;

/** Mean widths of a letter of a label, of a wide letter, and of a letter beside an icon. */
const CHARACTER_WIDTH = 6.3;
const WIDE_CHARACTER_WIDTH = 11;
const MARK_CHARACTER_WIDTH = 5;
const OP_HEIGHT = 22;
/** Least width of a stack that says that its order is unknown. */
const MIN_UNORDERED_WIDTH = 100;
const MIN_SCOPE_HEIGHT = 28;
const MAX_SCOPE_HEIGHT = 60;

/** About how wide a text of 11 pixels is; of scripts whose characters are about as wide as high, each counts so. */
function textWidth(text: string): number {
  let width = 0;
  for (const character of text.length > 100 ? text.slice(0, 100) : text) {
    width += (character.codePointAt(0) as number) >= 0x1100 ? WIDE_CHARACTER_WIDTH : CHARACTER_WIDTH;
  }
  return width;
}

function between(least: number, value: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

/** Width and height of a box that is not open, with the edges of its copies if it is a stack. Whole pixels. */
export function boxSize(input: LayoutInput, box: number): readonly [number, number] {
  const kind = input.kind[box];
  const text = textWidth(input.label[box] as string);
  if (kind === BoxKind.NODE || kind === BoxKind.MISSING) {
    return [Math.ceil(between(40, text + 18, 180)), OP_HEIGHT];
  }
  const inside = Math.log10(Math.max(1, input.nodes[box] as number));
  const height = between(MIN_SCOPE_HEIGHT, MIN_SCOPE_HEIGHT + 7 * inside, MAX_SCOPE_HEIGHT);
  if (kind === BoxKind.STACK) {
    const badge = textWidth(`×${input.copies[box]}`) + 8;
    const least = input.unordered[box] === 1 ? MIN_UNORDERED_WIDTH : 64;
    return [Math.ceil(between(least, text + badge + 28, 240)), Math.round(height) + 6];
  }
  return [Math.ceil(between(56, text + 26, 220)), Math.round(height)];
}

/** Least width of an opened box: its title and the buttons beside that. */
export function titleWidth(input: LayoutInput, box: number): number {
  // With how many there are, in bold letters.
  const order = input.unordered[box] === 1 ? 1.4 * MIN_UNORDERED_WIDTH : 0;
  return Math.ceil(between(80, textWidth(input.label[box] as string) + order + 64, 320));
}

/** Room for the icons beside each box. */
export interface MarkRoom {
  /** Width of each icon. */
  readonly width: Float32Array;
  /** Width of each box's icons at its left and right, and the height of the higher column. */
  readonly left: Float64Array;
  readonly right: Float64Array;
  readonly height: Float64Array;
}

export function markRoom({ count, marks }: LayoutInput): MarkRoom {
  const width = new Float32Array(marks.count);
  const side = [new Float64Array(count), new Float64Array(count)] as const;
  const rows = [new Float64Array(count), new Float64Array(count)] as const;
  for (let i = 0; i < marks.count; i++) {
    const box = marks.box[i] as number;
    const at = marks.side[i] ? 1 : 0;
    width[i] = Math.ceil(
      between(12, (textWidth(marks.label[i] as string) * MARK_CHARACTER_WIDTH) / CHARACTER_WIDTH + 16, 70),
    );
    side[at][box] = Math.max(side[at][box] as number, (width[i] as number) + MARK_GAP);
    (rows[at][box] as number)++;
  }
  const height = rows[0].map((one, box) => MARK_HEIGHT * Math.max(one, rows[1][box] as number));
  return { width, left: side[0], right: side[1], height };
}
