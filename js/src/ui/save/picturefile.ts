// Saves pictures: as an SVG, or as a PNG in as many pixels as browsers can make.

import { canvasSurface, type Size } from "../../charts/geometry";
import { svgOf } from "../../charts/svg";
import type { Theme } from "../../lib/tokens";
import { saveFile } from "../savefile";
import type { View } from "../view";
import { pictureColors, type SavableCard } from "./cards";
import { type Picture, pictureOf } from "./picture";
import { saveTexts } from "./texts";

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

export type PictureTarget = "png" | "svg" | "copy";

/** Returns a message for the user, or null. `name`: of the file, without its extension. */
export async function savePicture(
  target: PictureTarget,
  cards: readonly SavableCard[],
  name: string,
  title: string,
  view: View,
  theme: Theme,
): Promise<string | null> {
  const drawn = cards.flatMap((card) => card.picture(theme) ?? []);
  try {
    if (drawn.length === 0) {
      return saveTexts().nothing;
    }
    const page = pictureColors(cards[0]?.element() ?? null, theme, view);
    const picture = pictureOf(drawn, title, view.width.peek(), page);
    if (target === "svg") {
      const text = svgOf(picture, picture.title, (surface) => picture.paint(surface));
      // Browsers save this type, whatever the bytes are, and never show it.
      saveFile(new Blob([text], { type: "application/octet-stream" }), `${name}.svg`);
      return null;
    }
    return target === "copy" ? await copied(picture) : await saved(picture, name);
  } finally {
    for (const { release } of drawn) {
      release();
    }
  }
}

function toPng(picture: Picture): Promise<Blob | null> {
  return pngOf(picture, (context, scale) => picture.paint(canvasSurface(context, scale)));
}

async function saved(picture: Picture, name: string): Promise<string | null> {
  const blob = await toPng(picture);
  if (blob === null) {
    return saveTexts().pngTooLarge;
  }
  saveFile(new Blob([blob], { type: "application/octet-stream" }), `${name}.png`);
  return scaleNote(picture);
}

async function copied(picture: Picture): Promise<string> {
  try {
    const blob = toPng(picture).then((made) => made ?? Promise.reject(new Error(saveTexts().pngTooLarge)));
    // Browsers allow a copy only while they handle a click: the item is made now, of a promise of its bytes.
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    return scaleNote(picture) ?? saveTexts().pictureCopied;
  } catch {
    return saveTexts().notCopied;
  }
}

function scaleNote(picture: Picture): string | null {
  const scale = pngScale(picture);
  return scale < 1 ? saveTexts().pngScaled(Math.max(1, Math.round(100 * scale))) : null;
}
