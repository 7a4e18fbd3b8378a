// Boxes of a few pixels, of which there are very many.

import { colorsOfBox } from "./boxes";
import type { Frame } from "./frame";

/** Below so many CSS pixels of height a box is a rectangle without a border. */
const TINY = 3.5;
/** Boxes in a path that is filled at once: one by one, they take a third longer. */
const MOST_IN_PATH = 100;

/** Draws the closed boxes that are a few pixels large, those of one color together. Returns the others. */
export function drawTiny(frame: Frame, boxes: Int32Array): Int32Array {
  const { pen, scene, colors, k, dx, dy, ratio, width, height } = frame;
  const { x, y, w, h } = frame.places;
  const columns = Math.ceil(width) + 1;
  /** 1 for pixels that have a box: where boxes are smaller than pixels, many share one. */
  const taken = new Uint8Array(columns * (Math.ceil(height) + 1));
  const tiny = new Map<string, number[]>();
  const others = boxes.filter((box) => {
    if ((h[box] as number) * k >= TINY * ratio) {
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
      for (const end = Math.min(alike.length, at + 4 * MOST_IN_PATH); at < end; at += 4) {
        pen.rect(alike[at] as number, alike[at + 1] as number, alike[at + 2] as number, alike[at + 3] as number);
      }
      pen.fill();
    }
  }
  return others;
}
