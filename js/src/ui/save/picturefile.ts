// A picture as a file: SVG, or PNG in as many pixels as browsers can make.

import { canvasSurface } from "../../charts/geometry";
import { svgOf } from "../../charts/svg";
import type { Picture } from "./picture";

export const PICTURE_FORMATS = ["png", "svg"] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** Pixels that a PNG has at most along a side, and in all; browsers refuse larger canvases. */
const LONGEST = 16384;
const MOST_PIXELS = 64e6;

/** Pixels to one CSS pixel where that is possible. */
const SCALE = 2;

/** As many pixels to one CSS pixel as there may be. */
export function pngScale(width: number, height: number): number {
  return Math.min(SCALE, LONGEST / Math.max(width, height), Math.sqrt(MOST_PIXELS / (width * height)));
}

export function toSvg(picture: Picture): Blob {
  const text = svgOf(picture, picture.title, (surface) => picture.paint(surface));
  // Whatever it is: a browser saves this type, and never shows it.
  return new Blob([text], { type: "application/octet-stream" });
}

/** Null where the browser has no room for it. */
export async function toPng(picture: Picture): Promise<Blob | null> {
  const { width, height } = picture;
  const scale = pngScale(width, height);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale))];
  const context = canvas.getContext("2d", { alpha: false });
  if (context === null) {
    return null;
  }
  picture.paint(canvasSurface(context, scale));
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  // Browsers keep the pixels of a canvas until it is collected.
  canvas.width = canvas.height = 0;
  return blob;
}
