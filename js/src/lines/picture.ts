// A picture of all lines of a chart, kept while the pointer moves over it: then nothing changes but which line stands out.

import { canvasSurface, type PaintContext, type Rect, type Surface } from "../charts/geometry";

interface Kept {
  readonly image: HTMLCanvasElement;
  /** What it shows, and where: while all of this stays the same, so does the picture. */
  readonly parts: readonly unknown[];
}

/** Of the chart that the pointer is on: those of all would take too much memory. */
const kept = new WeakMap<PaintContext, Kept>();

/**
 * Paints what `paint` paints into an area of a canvas, or the picture of it from the time before; `parts` is all that it
 * depends on.
 */
export function paintPicture(
  surface: Surface,
  area: Rect,
  parts: readonly unknown[],
  paint: (surface: Surface) => void,
): void {
  const { context, ratio } = surface;
  const [left, top] = [Math.floor(area.left), Math.floor(area.top)];
  const width = Math.ceil(area.left + area.width) - left;
  const height = Math.ceil(area.top + area.height) - top;
  const all = [...parts, left, top, width, height, ratio];
  let image = kept.get(context)?.image;
  if (image === undefined || !all.every((part, i) => Object.is(part, kept.get(context)?.parts[i]))) {
    image ??= document.createElement("canvas");
    [image.width, image.height] = [width, height];
    const inside = image.getContext("2d");
    if (inside === null) {
      // There is no memory for it.
      paint(surface);
      return;
    }
    inside.translate(-left, -top);
    paint(canvasSurface(inside, ratio));
    kept.set(context, { image, parts: all });
  }
  context.globalAlpha = 1;
  context.drawImage(image, left, top, width, height);
}

/** Drops the picture of a canvas: the pointer has left it. */
export function dropPicture(context: PaintContext): void {
  const image = kept.get(context)?.image;
  if (image !== undefined) {
    // Browsers keep the pixels of a canvas until it is collected.
    image.width = image.height = 0;
    kept.delete(context);
  }
}
