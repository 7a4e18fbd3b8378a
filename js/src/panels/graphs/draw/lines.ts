// Lines between boxes: curves along their points, with an arrow head where the data arrive.

import { LEVELS, type Lines, lineWidth } from "../layout/types";
import { edgeStyle } from "./edgestyles";
import { CANVAS_MARGIN_PX, type Frame, type Pen } from "./frame";
import { type Prepared, Tone } from "./scene";

/** Lines in a path that is stroked at once: more would cost more, for a path is sorted as a whole. */
const MAX_IN_PATH = 60;
/** Below this zoom, in CSS pixels per unit, lines are straight and have no heads. */
const CURVED = 0.3;
/** Canvas pixels: a shorter line lies between boxes that are smaller than pixels. */
const SHORTEST = 1.5;
/** CSS pixels: lines are that thin at least, thinner ones would be pale; and that thick at most. */
const THINNEST = 0.75;
const THICKEST = 18;
/** Length of an arrow head in layout units, and the share of the line's width added to it. */
const HEAD = 5;
const HEAD_BY_WIDTH = 1.5;
/** Their width, as a share of their length, and the share of the way to the next line that they take at most. */
const HEAD_WIDTH = 0.9;
const MAX_OF_ROOM = 0.95;
/** How far a curve goes straight out of a box, as a share of the way to its next point. */
const UPRIGHT = 0.45;
/** Units of the layout from a corner at which a line begins to turn, at most. */
const ROUND = 30;

/** The least and greatest x and y of the points of each line: left, top, right, bottom. */
export function boundsOf({ count, start, points }: Lines): Float32Array {
  const bounds = new Float32Array(4 * count);
  for (let line = 0; line < count; line++) {
    // Plain variables: this runs over all lines before it was compiled well.
    let left = Infinity;
    let top = Infinity;
    let right = -Infinity;
    let bottom = -Infinity;
    for (let i = start[line] as number; i < (start[line + 1] as number); i++) {
      const x = points[2 * i] as number;
      const y = points[2 * i + 1] as number;
      left = x < left ? x : left;
      right = x > right ? x : right;
      top = y < top ? y : top;
      bottom = y > bottom ? y : bottom;
    }
    bounds[4 * line] = left;
    bounds[4 * line + 1] = top;
    bounds[4 * line + 2] = right;
    bounds[4 * line + 3] = bottom;
  }
  return bounds;
}

/** Lines that may be seen, in the order in which they are drawn. */
export function linesInSight(frame: Frame, bounds: Float32Array): Int32Array {
  const { k, dx, dy, width, height, prepared } = frame;
  const [left, top] = [(-CANVAS_MARGIN_PX - dx) / k, (-CANVAS_MARGIN_PX - dy) / k];
  const [right, bottom] = [(width + CANVAS_MARGIN_PX - dx) / k, (height + CANVAS_MARGIN_PX - dy) / k];
  const shortest = SHORTEST / k;
  const found = new Int32Array(prepared.lineOrder.length);
  let count = 0;
  for (const line of prepared.lineOrder) {
    const at = 4 * line;
    const [x, y] = [bounds[at] as number, bounds[at + 1] as number];
    const [endX, endY] = [bounds[at + 2] as number, bounds[at + 3] as number];
    const isSeen = endX - x >= shortest || endY - y >= shortest;
    if (isSeen && x <= right && y <= bottom && endX >= left && endY >= top) {
      found[count++] = line;
    }
  }
  return found.subarray(0, count);
}

/** Draws lines that stand in the order of drawing; all in one color, if one is given. */
export function drawLines(frame: Frame, lines: Int32Array, color?: string): void {
  const { pen, prepared, k, ratio } = frame;
  const { arrow, back } = frame.places.lines;
  const curved = k >= CURVED * ratio;
  let from = 0;
  while (from < lines.length) {
    const first = lines[from] as number;
    let to = from + 1;
    while (to < lines.length && to - from < MAX_IN_PATH && isAlike(prepared, first, lines[to] as number)) {
      to += 1;
    }
    const group = lines.subarray(from, to);
    const width = widthOnCanvas(frame, first, color !== undefined);
    pen.strokeStyle = color ?? colorOf(frame, first);
    pen.lineWidth = width;
    const style = edgeStyle(prepared.lineKind, first);
    const isDashed = curved && style.dash.length > 0;
    if (isDashed) {
      pen.setLineDash(style.dash.map((length) => length * ratio));
    }
    const hasHead = curved && style.hasHead;
    const tail = curved ? style.tail : null;
    pen.beginPath();
    for (const line of group) {
      const within = 0.8 * headLength(frame, line, width);
      trace(frame, line, curved, hasHead && arrow[line] === 1 ? within : 0, tail ? within : 0);
    }
    pen.stroke();
    if (isDashed) {
      pen.setLineDash([]);
    }
    if (hasHead) {
      drawHeads(frame, group, pen.strokeStyle, width, false);
      // Edges that lead back have a head where the line begins.
      drawHeads(
        frame,
        group.filter((line) => back[line] === 1),
        pen.strokeStyle,
        width,
        true,
      );
    }
    if (tail) {
      drawHeads(frame, group, color ?? frame.colors[tail], width, true);
    }
    from = to;
  }
}

function isAlike({ lineKind, lineTone, lineLevel }: Prepared, a: number, b: number): boolean {
  return lineKind[a] === lineKind[b] && lineTone[a] === lineTone[b] && lineLevel[a] === lineLevel[b];
}

function colorOf({ prepared, colors }: Frame, line: number): string {
  const tone = prepared.lineTone[line];
  if (tone !== Tone.PLAIN) {
    return tone === Tone.FAINT ? colors.faint : colors.accent;
  }
  const color = colors[edgeStyle(prepared.lineKind, line).color];
  return typeof color === "string" ? color : color((prepared.lineLevel[line] as number) / (LEVELS - 1));
}

function widthOnCanvas({ prepared, k, ratio }: Frame, line: number, highlighted: boolean): number {
  const width = Math.min(edgeStyle(prepared.lineKind, line).maxWidth, lineWidth(prepared.lineLevel[line] as number));
  const least = highlighted || prepared.lineTone[line] === Tone.EMPHASIZED ? 1.75 : THINNEST;
  return Math.max(least * ratio, Math.min(THICKEST * ratio, width * k));
}

/** Adds a line to the path: straight from point to point, or curved, leaving and reaching boxes upright. */
function trace(frame: Frame, line: number, curved: boolean, headed: number, tailed: number): void {
  const { pen, k, dx, dy } = frame;
  const { start, points } = frame.places.lines;
  const [from, to] = [start[line] as number, start[line + 1] as number];
  const last = to - 1;
  if (last <= from) {
    return;
  }
  const startX = (points[2 * from] as number) * k + dx;
  const endX = (points[2 * last] as number) * k + dx;
  const [nextY, previousY] = [points[2 * from + 3] as number, points[2 * last - 1] as number];
  const [firstY, finalY] = [points[2 * from + 1] as number, points[2 * last + 1] as number];
  // Where there is a head, the line ends within it: its own end would be broader than the tip.
  const startY = firstY * k + dy + shortened((nextY - firstY) * k, tailed);
  const endY = finalY * k + dy + shortened((previousY - finalY) * k, headed);
  pen.moveTo(startX, startY);
  if (!curved || (to - from === 2 && Math.abs(endX - startX) < 0.5)) {
    for (let i = from + 1; i < last; i++) {
      pen.lineTo((points[2 * i] as number) * k + dx, (points[2 * i + 1] as number) * k + dy);
    }
    pen.lineTo(endX, endY);
    return;
  }
  if (to - from === 2) {
    pen.bezierCurveTo(startX, (startY + endY) / 2, endX, (startY + endY) / 2, endX, endY);
    return;
  }
  // Round at its points, and at two more that hold its ends upright.
  let [beforeX, beforeY] = [startX, startY];
  let [x, y] = [startX, startY + (nextY * k + dy - startY) * UPRIGHT];
  const turn = (toX: number, toY: number) => {
    const [back, on] = [Math.hypot(x - beforeX, y - beforeY), Math.hypot(toX - x, toY - y)];
    const [a, b] = [Math.min(0.5, (ROUND * k) / (back || 1)), Math.min(0.5, (ROUND * k) / (on || 1))];
    pen.lineTo(x + (beforeX - x) * a, y + (beforeY - y) * a);
    pen.quadraticCurveTo(x, y, x + (toX - x) * b, y + (toY - y) * b);
    [beforeX, beforeY, x, y] = [x, y, toX, toY];
  };
  for (let i = from + 1; i < last; i++) {
    turn((points[2 * i] as number) * k + dx, (points[2 * i + 1] as number) * k + dy);
  }
  turn(endX, endY + (y - endY) * UPRIGHT);
  turn(endX, endY);
  pen.lineTo(endX, endY);
}

/** How far an upright end is moved back, towards what comes before it. */
function shortened(away: number, length: number): number {
  return Math.sign(away) * Math.min(Math.abs(away) / 2, length);
}

/** Keeps a head from covering its neighbor. */
function headLength({ k, places }: Frame, line: number, width: number): number {
  const room = (places.lines.room[line] as number) * k * MAX_OF_ROOM;
  return Math.min(HEAD * k + HEAD_BY_WIDTH * width, Math.max(room / HEAD_WIDTH, HEAD_BY_WIDTH * width));
}

/** Adds triangles at the ends that lines point to; with `back`, at the ends where they begin. */
function drawHeads(frame: Frame, lines: Int32Array, color: Pen["fillStyle"], width: number, back: boolean): void {
  const { pen, k, dx, dy } = frame;
  const { start, points, arrow } = frame.places.lines;
  pen.fillStyle = color;
  pen.beginPath();
  for (const line of lines) {
    const [from, to] = [start[line] as number, start[line + 1] as number];
    if (to - from < 2 || (!back && arrow[line] !== 1)) {
      continue;
    }
    const [tip, other] = back ? [from, from + 1] : [to - 1, to - 2];
    const [x, y] = [(points[2 * tip] as number) * k + dx, (points[2 * tip + 1] as number) * k + dy];
    const awayX = (points[2 * other] as number) * k + dx - x;
    const awayY = (points[2 * other + 1] as number) * k + dy - y;
    const length = headLength(frame, line, width);
    const half = (length * HEAD_WIDTH) / 2;
    // Curves end upright.
    const isUpright = Math.abs(awayY) >= 2;
    const [ux, uy] = isUpright ? [0, Math.sign(awayY)] : [Math.sign(awayX), 0];
    pen.moveTo(x, y);
    pen.lineTo(x + ux * length - uy * half, y + uy * length + ux * half);
    pen.lineTo(x + ux * length + uy * half, y + uy * length - ux * half);
    pen.closePath();
  }
  pen.fill();
}
