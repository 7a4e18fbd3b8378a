// Labels of boxes: within them, at a size that can be read; of scopes whose title is out of sight, at their edge.

import { formatCount } from "../../../lib/format";
import { CAPTION } from "../layout/sizes";
import { BoxKind, isOpenable, type View } from "../model/view";
import { bodyColor, colorsOfBox, frontOf, lineOf, titleColor } from "./boxes";
import { BOLD_WIDTH, type Frame, fitted, fontOf, rectOnCanvas, widthOf } from "./frame";
import { graphDrawingTexts } from "./texts";

/** Font sizes of labels and of notes below them, in layout units. */
const LABEL_SIZE = 11;
const NOTE_SIZE = 9;
/** Preferred least font size, and the least one. */
const LEGIBLE_FONT_PX = 9;
export const MIN_FONT_PX = 6.5;
/** In a small drawing, labels may be this much larger to be legible: boxes have room for it beside nearly all of them. */
const MAX_ENLARGEMENT = 1.1;
/** Offset of the baseline from the middle, as a multiple of the font's size. */
const BASELINE = 0.35;
/** Gap between a text and the sides of its box: the smaller of these pixels and this share of the text's size. */
const PADDING_PX = 5;
const MAX_PADDING_SHARE = 0.3;
/** A short label may exceed its box by this at either side before it is cut. */
const MAX_EXCESS_PX = 3;
const FONT_WEIGHT = 600;
/** Least width and height of an opened scope whose title is written at its edge. */
const MIN_TITLED_PX = [72, 36] as const;

/** Text size for a title bar of this height in pixels; 0 where no text is legible. */
function titleSize({ k, ratio }: Frame, height: number): number {
  const size = Math.max(
    MIN_FONT_PX * ratio,
    Math.min(Math.max(LABEL_SIZE * k, LEGIBLE_FONT_PX * ratio), height / LINE_HEIGHT),
  );
  return size > height / MIN_LINE_HEIGHT ? 0 : size;
}

/** Labels of closed boxes, by their numbers. All have one size: smaller letters would say that a box matters less. */
export function drawLabels(frame: Frame, boxes: Int32Array): void {
  const { pen, k, ratio } = frame;
  const legible = Math.min(LEGIBLE_FONT_PX * ratio, MAX_ENLARGEMENT * LABEL_SIZE * k);
  const size = Math.max(LABEL_SIZE * k, legible, MIN_FONT_PX * ratio);
  pen.textAlign = "center";
  // Changing the font takes time.
  pen.font = fontOf(size);
  for (const box of boxes) {
    drawLabel(frame, box, size);
  }
}

function drawLabel(frame: Frame, box: number, size: number): void {
  const { pen, scene, colors, ratio } = frame;
  const { view, input, fills, note } = scene;
  const [x, y, w, h] = frontOf(frame, box);
  const { k } = frame;
  const noted = note[box] || (view.unordered[box] === 1 ? graphDrawingTexts().unordered : "");
  const noteSize = Math.max(NOTE_SIZE * k, MIN_FONT_PX * ratio);
  const hasNote = noted !== "" && h >= noteSize * LINE_HEIGHT + size * MIN_LINE_HEIGHT;
  const height = hasNote ? h - noteSize * LINE_HEIGHT : h;
  if (w < size) {
    return;
  }
  const padding = Math.min(PADDING_PX * ratio, size * MAX_PADDING_SHARE);
  const room = { width: w - 2 * padding, height, size, beyond: w + 2 * MAX_EXCESS_PX * ratio };
  const fit = fitLabel(input.label[box] as string, badgeOf(view, box), isOpenable(view, box), room);
  if (fit === null) {
    return;
  }
  const { lines, hasSign } = fit;
  const middle = y + height / 2;
  const right = x + w - padding - (hasSign ? SIGN_WIDTH * size : 0);
  const { text } = colorsOfBox(frame, box);
  pen.fillStyle = view.kind[box] === BoxKind.MISSING ? colors.quiet : text;
  const isFaint = scene.faint[box] === 1;
  if (isFaint) {
    pen.globalAlpha = 0.45;
  }
  for (const [i, line] of lines.entries()) {
    // In the middle of the box, unless the sign beside it needs that room.
    const at = hasSign ? Math.min(x + w / 2, right - (widthOf(line) * size) / 2) : x + w / 2;
    const baseline = middle + (i - (lines.length - 1) / 2) * LINE_HEIGHT * size + BASELINE * size;
    if ((fills[box]?.length ?? 0) > 1) {
      // On several colors the text has a rim of the opposite one.
      pen.strokeStyle = text === colors.ink ? colors.paper : colors.ink;
      pen.lineWidth = 2 * ratio;
      pen.strokeText(line, at, baseline);
    }
    pen.fillText(line, at, baseline);
  }
  if (hasSign) {
    drawSign(frame, right + (SIGN_WIDTH * size) / 2, y + h / 2, size, true);
  }
  if (hasNote) {
    pen.font = fontOf(noteSize);
    const below = middle + (lines.length * size * LINE_HEIGHT) / 2;
    pen.fillText(fitted(noted, room.width / noteSize), x + w / 2, below + (LINE_HEIGHT / 2 + BASELINE) * noteSize);
    pen.font = fontOf(size);
  }
  if (isFaint) {
    pen.globalAlpha = 1;
  }
}

/** How many things are in a stack, as it stands behind its label. */
function badgeOf({ copies }: View, box: number): string {
  const count = copies[box] as number;
  return count > 1 ? ` ${graphDrawingTexts().copies(formatCount(count))}` : "";
}

/** Plus or minus. */
function drawSign(frame: Frame, x: number, y: number, size: number, plus: boolean): void {
  const { pen, ratio } = frame;
  const [long, thick] = [size * 0.7, Math.max(ratio, size * 0.11)];
  pen.globalAlpha *= 0.55;
  pen.fillRect(x - long / 2, y - thick / 2, long, thick);
  if (plus) {
    pen.fillRect(x - thick / 2, y - long / 2, thick, long);
  }
  pen.globalAlpha /= 0.55;
}

/** A title that is not in the bar of its box: upper end, right end of its text, and whether it is at the edge of the stage. */
interface Crumb {
  readonly top: number;
  readonly right: number;
  readonly isSticky: boolean;
}

/** Stands before the title of a scope, behind the title of the scope around it. */
const BETWEEN_CRUMBS = "› ";

/**
 * Titles of opened boxes: in their bars, or, where a bar is out of sight or too small, at the upper edge of what is in sight
 * of the box. Those of scopes in one another stand there in one row.
 */
export function drawTitles(frame: Frame, boxes: Int32Array): void {
  const { pen, scene, places, colors, k, ratio, width, height } = frame;
  const { view, input } = scene;
  const crumbs = new Map<number, Crumb>();
  pen.textAlign = "left";
  for (const box of boxes) {
    const [x, y, w, h] = rectOnCanvas(frame, box);
    const bar = (places.title[box] as number) * k;
    const within = titleSize(frame, bar);
    const [left, end] = [Math.max(x, 0), Math.min(x + w, width)];
    const small = Math.min(within || h, LABEL_SIZE * ratio, h / 2);
    const line = small * 1.5;
    const around = crumbAround(crumbs, view, box);
    const isInRow = around !== null && Math.max(0, y) < around.top + line;
    const inBar = within > 0 && y > -bar / 2 && !isInRow;
    if (!inBar && (w < MIN_TITLED_PX[0] * ratio || h < MIN_TITLED_PX[1] * ratio)) {
      continue;
    }
    const size = inBar ? within : small;
    const padding = Math.min(PADDING_PX * ratio, size * 0.45);
    const from = Math.max(left, isInRow ? around.right : 0) + padding;
    const unordered = view.unordered[box] === 1 ? graphDrawingTexts().notOrdered : "";
    const sign = inBar ? SIGN_WIDTH * size : 0;
    const before = isInRow ? BETWEEN_CRUMBS : "";
    const room = (end - padding - from - sign) / size / BOLD_WIDTH - widthOf(before);
    const own = fitted(`${input.label[box]}${badgeOf(view, box)}${unordered}`, room);
    const top = inBar ? y : isInRow ? around.top : Math.max(0, y);
    if (own === "" || top + Math.max(line, size * 1.5) > Math.min(height, y + h)) {
      continue;
    }
    const text = before + own;
    const right = from + widthOf(text) * BOLD_WIDTH * size;
    pen.font = fontOf(size, FONT_WEIGHT);
    if (inBar) {
      // Edges that cross the bar are hidden there: through the title they would be hard to read, through a minus a plus.
      pen.fillStyle = titleColor(frame, box);
      const border = lineOf(frame) / 2;
      pen.fillRect(from - padding / 2, y + border, right - from + padding, bar - border);
      pen.fillRect(end - padding - sign, y + border, sign, bar - border);
      pen.fillStyle = colors.ink;
      pen.fillText(text, from, y + bar / 2 + BASELINE * size);
      drawSign(frame, end - padding - sign / 2, y + bar / 2, size, false);
    } else {
      // At the edge of the stage, it is the bar of the scope: nothing is to look out behind it.
      const isSticky = isInRow ? around.isSticky : y < 0;
      pen.fillStyle = isSticky ? titleColor(frame, box) : bodyColor(frame, box);
      pen.fillRect(from - padding, top, (isSticky ? end : right + padding) - from + padding, line);
      pen.fillStyle = colors.ink;
      pen.fillText(text, from, top + line / 2 + BASELINE * size);
      crumbs.set(box, { top, right: right + padding, isSticky });
    }
  }
}

/** The title of the nearest scope around a box that stands not in its bar; null if there is none. */
function crumbAround(crumbs: ReadonlyMap<number, Crumb>, { parent }: View, box: number): Crumb | null {
  let scope = parent[box] as number;
  while (scope >= 0 && !crumbs.has(scope)) {
    scope = parent[scope] as number;
  }
  return crumbs.get(scope) ?? null;
}

/** Captions of auxiliary areas, of which that of the whole drawing has the number behind those of boxes. */
export function drawCaptions({ pen, places, colors, auxiliary, scene, k, dx, dy, ratio }: Frame, boxes: Int32Array) {
  const size = Math.max(NOTE_SIZE * k, MIN_FONT_PX * ratio);
  const line = CAPTION * k;
  if (size > line) {
    return;
  }
  pen.font = fontOf(size);
  pen.fillStyle = colors.quiet;
  pen.textAlign = "left";
  for (const box of [...boxes, scene.view.count]) {
    const [left = 0, top = 0, width = 0] = places.auxiliary.subarray(4 * box, 4 * box + 4);
    if (width > 0) {
      const padding = Math.min(PADDING_PX * ratio, line * MAX_PADDING_SHARE);
      const room = (width * k - 2 * padding) / size;
      // A small drawing has smaller areas, but letters stay legible.
      const text = widthOf(auxiliary) <= room ? auxiliary : fitted(graphDrawingTexts().auxiliaryShort, room);
      pen.fillText(text, left * k + dx + padding, top * k + dy + line / 2 + BASELINE * size);
    }
  }
}

// How a label stands in its box: on one line rather than on two, on two lines rather than cut.

/** Height of a line of text, as a multiple of its size. */
export const LINE_HEIGHT = 1.15;
/** The same where there is less room: most letters have no descender. */
export const MIN_LINE_HEIGHT = 0.95;
/** Width of the sign that opens and closes a box, as a multiple of the label's size. */
export const SIGN_WIDTH = 1.3;

export interface LabelFit {
  /** Lines of text; the last one with the badge. */
  readonly lines: readonly string[];
  /** There is room for the sign at its right. */
  readonly hasSign: boolean;
}

/** Room for a label, and the size of its letters, in pixels. */
export interface LabelRoom {
  readonly width: number;
  readonly height: number;
  readonly size: number;
  /** Width that a label may take rather than be cut. */
  readonly beyond: number;
}

/** `badge`, which is never cut, stands behind the label; null where hardly a few letters have room. */
export function fitLabel(label: string, badge: string, wantsSign: boolean, room: LabelRoom): LabelFit | null {
  const { width, height, size, beyond } = room;
  if (height < MIN_LINE_HEIGHT * size) {
    return null;
  }
  const ems = width / size;
  const broken = height >= 2 * LINE_HEIGHT * size ? breakInTwo(label) : null;
  const texts = broken === null ? [[label + badge]] : [[label + badge], [broken[0], broken[1] + badge]];
  for (const lines of texts) {
    const wide = Math.max(...lines.map(widthOf));
    if (wide <= ems) {
      return { lines, hasSign: wantsSign && wide + SIGN_WIDTH <= ems };
    }
  }
  if (widthOf(label + badge) * size <= beyond) {
    return { lines: [label + badge], hasSign: false };
  }
  const cut = (text: string, behind: string) => {
    const own = fitted(text, ems - widthOf(behind));
    return own === "" ? "" : own + behind;
  };
  const both = broken === null ? [] : [cut(broken[0], ""), cut(broken[1], badge)];
  const lines = both.length > 0 && both.every((text) => text !== "") ? both : [cut(label, badge) || cut(label, "")];
  return lines[0] === "" ? null : { lines, hasSign: false };
}

/** A separator, a capital or a number begins what stands on the second line. */
const BREAK = /(?<=[\p{L}\p{N}])(?=[\s_./:-])|(?<=[\s/:])(?=\S)|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=[[(])/gu;

/** Characters of a label that has room on two lines at most. */
const MAX_CHARACTERS = 120;

/** At the place that makes the longer one shortest; null where there is none. */
function breakInTwo(label: string): readonly [string, string] | null {
  if (label.length > MAX_CHARACTERS) {
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
