// Boxes: opened scopes, which are behind everything in them, and closed ones.

import { BoxKind } from "../model/view";
import type { BoxColors } from "./colors";
import { type Frame, rectOnCanvas } from "./frame";
import type { Fill } from "./scene";

/** Corner radii of scopes and of ops, which are pills, in layout units. */
const SCOPE_RADIUS = 5;
const OP_RADIUS = 11;
/** Offset between the boxes of a stack, in layout units. */
const STACK_GAP = 3;
/** A lower box is a plain rectangle. */
const MIN_ROUNDED_HEIGHT_PX = 7;
const FAINT_ALPHA = 0.3;
const DASH_PX = [3, 2.5];

/** Whether what stands in a box is single nodes, which are drawn as pills. */
function isPill({ view }: Frame["scene"], box: number): boolean {
  const kind = view.kind[box];
  return (
    kind === BoxKind.NODE ||
    kind === BoxKind.MISSING ||
    (kind === BoxKind.STACK && (view.nodes[box] as number) <= (view.copies[box] as number))
  );
}

/** Colors of a closed box, of the first of what fills it. */
export function colorsOfBox({ scene, colors }: Frame, box: number): BoxColors {
  const fill = scene.fills[box]?.[0];
  return fill === undefined ? (isPill(scene, box) ? colors.op : colors.scope) : colors.filled(fill.color);
}

/** Where the front one of a stack's things is within the box: the others stand out behind it. In pixels of the canvas. */
export function frontOf(frame: Frame, box: number): readonly [x: number, y: number, w: number, h: number] {
  const { scene, prepared, k } = frame;
  const [x, y, w, h] = rectOnCanvas(frame, box);
  if (scene.view.kind[box] !== BoxKind.STACK) {
    return [x, y, w, h];
  }
  const behind = 2 * STACK_GAP * k;
  return prepared.connected[box] === 1 ? [x, y + behind, w, h - behind] : [x, y, w - behind, h];
}

/** Background of the contents of an opened scope. */
export function bodyColor({ colors, prepared, scene }: Frame, box: number): string {
  return colors.opened(prepared.depth[box] as number, scene.fills[box]?.[0]?.color);
}

/** Background of the title of an opened scope. */
export function titleColor({ colors, scene }: Frame, box: number): string {
  const fill = scene.fills[box]?.[0];
  return fill === undefined ? colors.scope.fill : colors.title(fill.color);
}

export function drawOpened(frame: Frame, box: number): void {
  const { pen, places, scene, colors, k, ratio } = frame;
  const [x, y, w, h] = rectOnCanvas(frame, box);
  const title = (places.title[box] as number) * k;
  const corner = SCOPE_RADIUS * k;
  pen.fillStyle = bodyColor(frame, box);
  pen.strokeStyle = scene.faint[box] === 1 ? colors.faint : colors.openedBorder;
  if (h < MIN_ROUNDED_HEIGHT_PX * ratio) {
    pen.fillRect(x, y, w, h);
    return;
  }
  pen.lineWidth = lineOf(frame);
  pen.beginPath();
  pen.roundRect(x, y, w, h, corner);
  pen.fill();
  drawAuxiliaryArea(frame, box);
  if (title >= 2) {
    pen.fillStyle = titleColor(frame, box);
    pen.beginPath();
    pen.roundRect(x, y, w, Math.min(h, title), [corner, corner, 0, 0]);
    pen.fill();
  }
  pen.beginPath();
  pen.roundRect(x, y, w, h, corner);
  pen.stroke();
}

/** The area at the right in a scope; that of the whole drawing has the number behind those of boxes. */
export function drawAuxiliaryArea({ pen, colors, places, k, dx, dy }: Frame, box: number): void {
  const [x = 0, y = 0, w = 0, h = 0] = places.auxiliary.subarray(4 * box, 4 * box + 4);
  if (w > 0) {
    pen.fillStyle = colors.auxiliary;
    pen.beginPath();
    pen.roundRect(x * k + dx, y * k + dy, w * k, h * k, SCOPE_RADIUS * k);
    pen.fill();
  }
}

/** Lines around boxes, in pixels of the canvas: thinner where all is small. */
export function lineOf({ k, ratio }: Frame): number {
  return Math.max(ratio * 0.75, Math.min(k, 1.5 * ratio));
}

export function drawClosed(frame: Frame, box: number): void {
  const { pen, scene, prepared, colors, k, ratio } = frame;
  const { view, faint, fills } = scene;
  const own = colorsOfBox(frame, box);
  const [x, y, w, h] = frontOf(frame, box);
  const isFaint = faint[box] === 1;
  if (isFaint) {
    pen.globalAlpha = FAINT_ALPHA;
  }
  if (h < MIN_ROUNDED_HEIGHT_PX * ratio || w < MIN_ROUNDED_HEIGHT_PX * ratio) {
    pen.fillStyle = own.border;
    pen.fillRect(x, y, w, h);
    pen.fillStyle = own.fill;
    pen.fillRect(x + ratio, y + ratio, w - 2 * ratio, h - 2 * ratio);
  } else {
    const corner = isPill(scene, box) ? Math.min(h / 2, OP_RADIUS * k) : SCOPE_RADIUS * k;
    pen.lineWidth = lineOf(frame);
    pen.strokeStyle = own.border;
    if (view.kind[box] === BoxKind.STACK) {
      const step = STACK_GAP * k;
      const [right, up] = prepared.connected[box] === 1 ? [0, -step] : [step, 0];
      for (let behind = 2; behind > 0; behind--) {
        shape(frame, x + right * behind, y + up * behind, w, h, corner, own.fill);
      }
    }
    if (view.kind[box] === BoxKind.MISSING) {
      pen.setLineDash(DASH_PX.map((length) => length * ratio));
      shape(frame, x, y, w, h, corner, colors.paper);
      pen.setLineDash([]);
    } else {
      shape(frame, x, y, w, h, corner, own.fill);
    }
    drawShares(frame, fills[box] ?? [], x, y, w, h, corner, isPill(scene, box));
    if (view.kind[box] === BoxKind.LAYER && w > 16 * ratio) {
      // Boxes that folding joined by name: a line along its left side, like the back of a folder.
      pen.beginPath();
      pen.moveTo(x + 4 * k, y);
      pen.lineTo(x + 4 * k, y + h);
      pen.stroke();
    }
  }
  if (isFaint) {
    pen.globalAlpha = 1;
  }
}

function shape({ pen }: Frame, x: number, y: number, w: number, h: number, corner: number, fill: string): void {
  pen.fillStyle = fill;
  pen.beginPath();
  pen.roundRect(x, y, w, h, corner);
  pen.fill();
  pen.stroke();
}

/** Fills a box in proportion, side by side. */
function drawShares(
  { pen, colors }: Frame,
  fills: readonly Fill[],
  x: number,
  y: number,
  w: number,
  h: number,
  corner: number,
  pill: boolean,
): void {
  const total = fills.reduce((sum, { share }) => sum + share, 0);
  if (fills.length === 0 || (fills.length === 1 && total > 0.999)) {
    return;
  }
  let from = 0;
  const rest = { color: "", share: Math.max(0, 1 - total) };
  for (const { color, share } of [...fills, rest]) {
    const to = Math.min(1, from + share);
    if (to > from) {
      pen.fillStyle = color === "" ? (pill ? colors.op : colors.scope).fill : colors.filled(color).fill;
      const [left, right] = [from === 0 ? corner : 0, to > 0.999 ? corner : 0];
      pen.beginPath();
      pen.roundRect(x + from * w, y, (to - from) * w, h, [left, right, right, left]);
      pen.fill();
    }
    from = to;
  }
  pen.beginPath();
  pen.roundRect(x, y, w, h, corner);
  pen.stroke();
}

/** An outline around a box, such as the selected one; `away` CSS pixels farther out. */
export function drawRing(frame: Frame, box: number, color: string, width: number, away = 0): void {
  const { pen, k, ratio } = frame;
  const gap = (width / 2 + 1 + away) * ratio;
  const [x, y, w, h] = rectOnCanvas(frame, box);
  const corner = (isPill(frame.scene, box) ? Math.min(h / 2, OP_RADIUS * k) : SCOPE_RADIUS * k) + gap;
  pen.strokeStyle = color;
  pen.lineWidth = width * ratio;
  pen.beginPath();
  pen.roundRect(x - gap, y - gap, w + 2 * gap, h + 2 * gap, corner);
  pen.stroke();
}

// Boxes of a few pixels: a large graph has very many.

/** A lower box is a rectangle without a border. */
const MIN_BORDERED_HEIGHT_PX = 3.5;
/** Most boxes that are filled as one path: one by one, they take a third longer. */
const MAX_PATH_BOXES = 100;

/** Draws the closed boxes that are a few pixels large, grouped by color. Returns the others. */
export function drawTiny(frame: Frame, boxes: Int32Array): Int32Array {
  const { pen, scene, colors, k, dx, dy, ratio, width, height } = frame;
  const { x, y, w, h } = frame.places;
  const columns = Math.ceil(width) + 1;
  /** 1 for pixels that have a box: where boxes are smaller than pixels, many share one. */
  const taken = new Uint8Array(columns * (Math.ceil(height) + 1));
  const tiny = new Map<string, number[]>();
  const others = boxes.filter((box) => {
    if ((h[box] as number) * k >= MIN_BORDERED_HEIGHT_PX * ratio) {
      return true;
    }
    // At whole pixels, which are filled faster.
    const [left, top] = [Math.round((x[box] as number) * k + dx), Math.round((y[box] as number) * k + dy)];
    const wide = Math.max(1, Math.round((w[box] as number) * k));
    const high = Math.max(1, Math.round((h[box] as number) * k));
    const pixel = left >= 0 && left < columns ? top * columns + left : -1;
    if (wide * high > 1 || taken[pixel] !== 1) {
      taken[pixel] = 1;
      const color = scene.faint[box] === 1 ? colors.faint : colorsOfBox(frame, box).tiny;
      const alike = tiny.get(color);
      if (alike === undefined) {
        tiny.set(color, [left, top, wide, high]);
      } else {
        alike.push(left, top, wide, high);
      }
    }
    return false;
  });
  for (const [color, alike] of tiny) {
    pen.fillStyle = color;
    for (let at = 0; at < alike.length; ) {
      pen.beginPath();
      for (const end = Math.min(alike.length, at + 4 * MAX_PATH_BOXES); at < end; at += 4) {
        pen.rect(alike[at] as number, alike[at + 1] as number, alike[at + 2] as number, alike[at + 3] as number);
      }
      pen.fill();
    }
  }
  return others;
}
