// The image with the pictures of all points, decoded once.

import { type Signal, signal } from "@preact/signals";
import type { Sprites } from "./codec";

/** Pixels of a decoded image, at 4 bytes each: of a larger one the pictures are scaled down. */
const MAX_PIXELS = 16e6;

export interface Sheet {
  readonly sprites: Sprites;
  readonly bitmap: ImageBitmap;
  /** Pixels of the bitmap to one of the image. */
  readonly scale: number;
}

export type SheetState = Sheet | "waits" | "broken";

const sheets = new WeakMap<Sprites, Signal<SheetState>>();

/** The decoded image; reading it within a component or an effect subscribes to it. */
export function sheetOf(sprites: Sprites): SheetState {
  let found = sheets.get(sprites);
  if (found === undefined) {
    found = signal<SheetState>("waits");
    sheets.set(sprites, found);
    void decode(sprites, found);
  }
  return found.value;
}

async function decode(sprites: Sprites, state: Signal<SheetState>): Promise<void> {
  const { image, type, width, height, columns, count } = sprites;
  const size = { width: width * columns, height: height * Math.ceil(count / columns) };
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / Math.max(1, size.width * size.height)));
  try {
    const options = scale < 1 ? { resizeWidth: Math.max(1, Math.round(size.width * scale)) } : {};
    state.value = { sprites, bitmap: await createImageBitmap(new Blob([image], { type }), options), scale };
  } catch {
    state.value = "broken";
  }
}

/** Draws the picture of a point as large as a square of `side` pixels allows; false if it has none. */
export function drawSprite(
  context: Pick<CanvasRenderingContext2D, "drawImage" | "imageSmoothingEnabled">,
  { sprites, bitmap, scale }: Sheet,
  point: number,
  left: number,
  top: number,
  side: number,
): boolean {
  const { width, height, columns, count } = sprites;
  if (point >= count) {
    return false;
  }
  const factor = side / Math.max(width, height);
  const [across, down] = [width * factor, height * factor];
  const [column, row] = [point % columns, Math.floor(point / columns)];
  context.imageSmoothingEnabled = factor < 2;
  context.drawImage(
    bitmap,
    ...([column * width * scale, row * height * scale, width * scale, height * scale] as const),
    ...([left + (side - across) / 2, top + (side - down) / 2, across, down] as const),
  );
  return true;
}
