// What is written on boxes: within them, at a size that can be read; of scopes whose title is out of sight, at their edge.

import { formatCount } from "../../../lib/format";
import { CAPTION } from "../layout/sizes";
import { BoxKind, isOpenable, type View } from "../model/view";
import { bodyColor, colorsOfBox, frontOf, titleColor } from "./boxes";
import { type Frame, rectOnCanvas } from "./frame";
import { fitLabel, LINE, LOWEST, SIGN } from "./labelfit";
import { BOLD, fitted, fontOf, widthOf } from "./pen";
import { graphDrawingTexts } from "./texts";

/** Units of the layout: the sizes of labels and of notes below them. */
const SIZE = 11;
const NOTE = 9;
/** CSS pixels: labels are that large where there is room, and at least that large. */
const LEGIBLE = 9;
export const LEAST = 6.5;
/** Where the text stands on its line. */
const BASELINE = 0.35;
/** Pixels between a text and the sides of its box, or a share of the text's size where that is less. */
const PADDING = 5;
const NARROW = 0.3;
/** Rather than cut, a short label stands out of its box by so many pixels at either side. */
const BEYOND = 3;
const WEIGHT = 600;
/** CSS pixels that an opened scope covers at least for its title to be written at its edge. */
const TITLED = [72, 36] as const;

/** The size of the text in a box that has so many pixels of height; 0 where none can be read. */
function sizeIn({ k, ratio }: Frame, height: number): number {
  const size = Math.min(Math.max(SIZE * k, LEGIBLE * ratio), height / LINE);
  return Math.max(size, LEAST * ratio) > height / LOWEST ? 0 : Math.max(size, LEAST * ratio);
}

/** Labels of closed boxes, by their numbers. */
export function drawLabels(frame: Frame, boxes: Int32Array): void {
  frame.pen.textAlign = "center";
  // Changing the font takes time.
  let font = 0;
  for (const box of boxes) {
    font = drawLabel(frame, box, font);
  }
}

/** Returns the size of the font that is set. */
function drawLabel(frame: Frame, box: number, font: number): number {
  const { pen, scene, colors, ratio } = frame;
  const { view, input, fills, note } = scene;
  const [x, y, w, h] = frontOf(frame, box);
  const { k } = frame;
  const noted = note[box] || (view.unordered[box] === 1 ? graphDrawingTexts().unordered : "");
  const noteSize = Math.max(NOTE * k, LEAST * ratio);
  const hasNote = noted !== "" && h >= (noteSize + LEAST * ratio) * LINE;
  const height = hasNote ? h - noteSize * LINE : h;
  const usual = sizeIn(frame, height);
  if (usual === 0 || w < usual) {
    return font;
  }
  const padding = Math.min(PADDING * ratio, usual * NARROW);
  const badge = badgeOf(view, box);
  const room = { width: w - 2 * padding, height, usual, least: LEAST * ratio, beyond: w + 2 * BEYOND * ratio };
  const fit = fitLabel(input.label[box] as string, badge, isOpenable(view, box), room);
  if (fit === null) {
    return font;
  }
  const { lines, size, hasSign } = fit;
  if (size !== font) {
    pen.font = fontOf(size);
  }
  const middle = y + height / 2;
  const right = x + w - padding - (hasSign ? SIGN * size : 0);
  const { text } = colorsOfBox(frame, box);
  pen.fillStyle = view.kind[box] === BoxKind.MISSING ? colors.quiet : text;
  const isFaint = scene.faint[box] === 1;
  if (isFaint) {
    pen.globalAlpha = 0.45;
  }
  for (const [i, line] of lines.entries()) {
    // In the middle of the box, unless the sign beside it needs that room.
    const at = hasSign ? Math.min(x + w / 2, right - (widthOf(line) * size) / 2) : x + w / 2;
    const baseline = middle + (i - (lines.length - 1) / 2) * LINE * size + BASELINE * size;
    if ((fills[box]?.length ?? 0) > 1) {
      // On several colors the text has a rim of the opposite one.
      pen.strokeStyle = text === colors.ink ? colors.paper : colors.ink;
      pen.lineWidth = 2 * ratio;
      pen.strokeText(line, at, baseline);
    }
    pen.fillText(line, at, baseline);
  }
  if (hasSign) {
    drawSign(frame, right + (SIGN * size) / 2, y + h / 2, size, true);
  }
  if (hasNote) {
    pen.font = fontOf(noteSize);
    const below = middle + (lines.length * size * LINE) / 2;
    pen.fillText(fitted(noted, room.width / noteSize), x + w / 2, below + (LINE / 2 + BASELINE) * noteSize);
  }
  if (isFaint) {
    pen.globalAlpha = 1;
  }
  return hasNote ? 0 : size;
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

/** Rectangles that texts have taken: left, top, right, bottom. */
type Taken = (readonly [number, number, number, number])[];

/**
 * Titles of opened boxes: in their bars, or, where a bar is out of sight or too small, at the upper left of what is in
 * sight of the box.
 */
export function drawTitles(frame: Frame, boxes: Int32Array): void {
  const { pen, scene, places, colors, k, ratio, width, height } = frame;
  const { view, input } = scene;
  const taken: Taken = [];
  pen.textAlign = "left";
  for (const box of boxes) {
    const [x, y, w, h] = rectOnCanvas(frame, box);
    const bar = (places.title[box] as number) * k;
    const within = sizeIn(frame, bar);
    const inBar = within > 0 && y > -bar / 2;
    if (!inBar && (w < TITLED[0] * ratio || h < TITLED[1] * ratio)) {
      continue;
    }
    const size = inBar ? within : Math.min(SIZE * ratio, h / 2);
    const padding = Math.min(PADDING * ratio, size * 0.45);
    // Of a wide scope whose left end is out of sight, where its right end begins to be.
    const [from, to] = [Math.max(x, 0) + padding, Math.min(x + w, width) - padding];
    const unordered = view.unordered[box] === 1 ? `, ${graphDrawingTexts().unordered}` : "";
    const badge = badgeOf(view, box) + unordered;
    const sign = inBar ? SIGN * size : 0;
    const text = fitted(`${input.label[box]}${badge}`, (to - from - sign) / size / BOLD);
    const line = size * 1.5;
    const top = inBar ? y : Math.max(0, y);
    const right = from + widthOf(text) * BOLD * size;
    if (text === "" || top + line > Math.min(height, y + h)) {
      continue;
    }
    pen.font = fontOf(size, WEIGHT);
    if (inBar) {
      // Lines that pass through the bar would run through the title.
      pen.fillStyle = titleColor(frame, box);
      pen.fillRect(from - padding / 2, y + bar * 0.15, right - from + padding, bar * 0.7);
      pen.fillStyle = colors.ink;
      pen.fillText(text, from, y + bar / 2 + BASELINE * size);
      drawSign(frame, Math.min(x + w, width) - padding - sign / 2, y + bar / 2, size, false);
    } else {
      const place = freePlace(taken, from - padding, top, right + padding, line, Math.min(height, y + h));
      if (place === null) {
        continue;
      }
      pen.globalAlpha = 0.88;
      pen.fillStyle = bodyColor(frame, box);
      pen.beginPath();
      pen.roundRect(from - padding, place, right - from + 2 * padding, line, [0, 0, 4 * ratio, 0]);
      pen.fill();
      pen.globalAlpha = 1;
      pen.fillStyle = colors.ink;
      pen.fillText(text, from, place + line / 2 + BASELINE * size);
      taken.push([from - padding, place, right + padding, place + line]);
    }
  }
}

/** The title of a scope within another one goes below the other's; null where that leads out of it. */
function freePlace(
  taken: Taken,
  left: number,
  top: number,
  right: number,
  line: number,
  bottom: number,
): number | null {
  let at = top;
  for (const [l, t, r, b] of taken) {
    if (l < right && r > left && t < at + line && b > at) {
      at = b;
    }
  }
  return at > top + 3 * line || at + line > bottom ? null : at;
}

/** Captions of auxiliary areas, of which that of the whole drawing has the number behind those of boxes. */
export function drawCaptions({ pen, places, colors, auxiliary, scene, k, dx, dy, ratio }: Frame, boxes: Int32Array) {
  const size = Math.max(NOTE * k, LEAST * ratio);
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
      const padding = Math.min(PADDING * ratio, line * NARROW);
      const room = (width * k - 2 * padding) / size;
      // A small drawing has smaller areas, but letters stay legible.
      const text = widthOf(auxiliary) <= room ? auxiliary : fitted(graphDrawingTexts().auxiliaryShort, room);
      pen.fillText(text, left * k + dx + padding, top * k + dy + line / 2 + BASELINE * size);
    }
  }
}
