// A picture as a PNG, in as many pixels as browsers can make.

import type { Size } from "../../charts/geometry";

/** Pixels that a PNG has at most along a side, and in all; browsers refuse larger canvases. */
const MAX_SIDE_PX = 16384;
const MAX_PIXELS = 64e6;

/** Pixels to one CSS pixel where that is possible. */
const SCALE = 2;

/** As many pixels to one CSS pixel as there may be. */
export function pngScale({ width, height }: Size): number {
  return Math.min(SCALE, MAX_SIDE_PX / Math.max(width, height), Math.sqrt(MAX_PIXELS / (width * height)));
}

/** Null where the browser has not enough memory. `paint` gets the number of pixels to one CSS pixel. */
export async function pngOf(
  size: Size,
  paint: (context: CanvasRenderingContext2D, scale: number) => void,
  page = document,
): Promise<Blob | null> {
  const scale = pngScale(size);
  const canvas = page.createElement("canvas");
  canvas.width = Math.max(1, Math.floor(size.width * scale));
  canvas.height = Math.max(1, Math.floor(size.height * scale));
  const context = canvas.getContext("2d", { alpha: false });
  if (context === null) {
    return null;
  }
  paint(context, scale);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  // Browsers keep the pixels of a canvas until it is collected.
  canvas.width = canvas.height = 0;
  return blob;
}
