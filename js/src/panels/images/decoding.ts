// Decodes pictures for tiles: as many pixels as the tile has on the screen, a few pictures at a time.

import type { Size } from "../../charts/geometry";
import { WordedError } from "../../wire/reasons";
import { addressOf, needsElement, type Picture, pixelsOf, THUMBNAIL } from "./picture";
import { imageTexts } from "./texts";

/** Bytes of all decoded pictures at most, tiles' and the viewer's. Where there are more, tiles have fewer pixels. */
export const MAX_DECODED = 128e6;

/** Pictures that are decoded at once: more would only wait for one another. */
const MAX_AT_ONCE = 6;

const BYTES_A_PIXEL = 4;

/** Share of the free budget for a picture that is only partly visible: others share the rest. */
const ZOOMED_PART = 0.25;

/** A tile's content: pixels, or a picture that only an `img` element shows. */
export type Decoded =
  | ({ readonly bitmap: ImageBitmap; readonly url: null } & Size)
  | ({ readonly bitmap: null; readonly url: string } & Size);

/** Counts the pixels that are held. */
export class PixelBudget {
  readonly #most: number;
  #held = 0;

  constructor(most = MAX_DECODED) {
    this.#most = most;
  }

  get held(): number {
    return this.#held;
  }

  /**
   * Reserves pixels for a picture, and returns the size that fits: the wanted one, or a smaller one.
   *
   * The pixels of `instead` will be given back. The picture gets `part` of the free budget; a thumbnail always fits.
   */
  take({ width, height }: Size, instead: Size | null = null, part = 1): Size {
    const wanted = BYTES_A_PIXEL * width * height;
    const room = this.#most - this.#held + (instead === null ? 0 : BYTES_A_PIXEL * instead.width * instead.height);
    const least = THUMBNAIL / Math.max(width, height);
    const share = Math.min(1, Math.max(Math.sqrt((part * Math.max(0, room)) / wanted), least));
    const taken = { width: Math.max(1, Math.floor(share * width)), height: Math.max(1, Math.floor(share * height)) };
    this.#held += BYTES_A_PIXEL * taken.width * taken.height;
    return taken;
  }

  /** Reserves pixels if they fit, and returns whether they do. `instead`: pixels that will be given back. */
  takeAll(pixels: number, instead = 0): boolean {
    const fits = this.#held + BYTES_A_PIXEL * (pixels - instead) <= this.#most;
    this.#held += fits ? BYTES_A_PIXEL * pixels : 0;
    return fits;
  }

  give({ width, height }: Size): void {
    this.giveAll(width * height);
  }

  giveAll(pixels: number): void {
    this.#held -= BYTES_A_PIXEL * pixels;
  }
}

/** The page's budget, for all tiles and the viewer. */
export const budget = new PixelBudget();

/** The size to decode for a picture shown in `shown` pixels: at most its own. */
export function decodedSize(picture: Pick<Picture, "width" | "height" | "scaled">, shown: Size): Size {
  const own = pixelsOf(picture);
  const share = Math.min(1, shown.width / own.width, shown.height / own.height);
  return { width: Math.max(1, Math.round(share * own.width)), height: Math.max(1, Math.round(share * own.height)) };
}

/**
 * Decodes a picture for `shown` device pixels, to replace the one that `before` returns. `zoomed`: only a part of them is
 * visible.
 *
 * Rejects if it is broken, or `until` was aborted; the caller releases it.
 */
export async function decode(
  picture: Picture,
  shown: Size,
  zoomed: boolean,
  before: () => Decoded | null,
  until: AbortSignal,
): Promise<Decoded> {
  return inTurn(until, async () => {
    try {
      if (needsElement(picture)) {
        return await load(picture);
      }
      const old = before();
      // An element's picture was not counted.
      const instead = old === null || old.bitmap === null ? null : old;
      return await draw(picture, budget.take(decodedSize(picture, shown), instead, zoomed ? ZOOMED_PART : 1));
    } catch {
      throw new WordedError(() => imageTexts().brokenImage);
    }
  });
}

/** Unlike an `img` element, this rejects images that are cut off. */
async function draw({ data, type }: Picture, size: Size): Promise<Decoded> {
  try {
    const bitmap = await createImageBitmap(new Blob([data], { type }), {
      resizeWidth: size.width,
      resizeHeight: size.height,
      resizeQuality: "high",
    });
    return { bitmap, url: null, ...size };
  } catch (error) {
    budget.give(size);
    throw error;
  }
}

async function load(picture: Picture): Promise<Decoded> {
  const { width, height } = picture;
  const url = addressOf(picture);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return { bitmap: null, url, width, height };
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
}

/** Disposes of a tile's picture. */
export function release(decoded: Decoded): void {
  if (decoded.bitmap === null) {
    URL.revokeObjectURL(decoded.url);
  } else {
    // Nothing is left in it, if a canvas has taken it.
    decoded.bitmap.close();
    budget.give(decoded);
  }
}

let running = 0;
const queue: (() => void)[] = [];

/**
 * Does what decodes a picture once few others are being decoded; `first`: before those that wait. Rejects where `until`
 * was aborted before that.
 */
export async function inTurn<T>(until: AbortSignal, work: () => Promise<T>, first = false): Promise<T> {
  await turn(until, first);
  try {
    return await work();
  } finally {
    next();
  }
}

async function turn(until: AbortSignal, first: boolean): Promise<void> {
  if (running >= MAX_AT_ONCE) {
    await new Promise<void>((resolve) => (first ? queue.unshift(resolve) : queue.push(resolve)));
  } else {
    running += 1;
  }
  if (until.aborted) {
    next();
    throw new Error("not wanted any more");
  }
}

/** Lets the first waiting decoding begin. */
function next(): void {
  const first = queue.shift();
  if (first === undefined) {
    running -= 1;
  } else {
    first();
  }
}
