// Decodes pictures for tiles: as many pixels as the tile has on the screen, a few pictures at a time.

import { addressOf, needsElement, type Picture, pixelsOf, type Size, THUMBNAIL } from "./picture";
import { imageTexts } from "./texts";

/** Bytes of all decoded pictures at most, tiles' and the viewer's. Where there are more, tiles have fewer pixels. */
export const MOST_DECODED = 128e6;

/** Pictures that are decoded at once: more would only wait for one another. */
const MOST_AT_ONCE = 6;

const BYTES_A_PIXEL = 4;

/** Of the room that is left, what a picture gets of which only a part is in sight: there are others beside it. */
const ZOOMED_PART = 0.25;

/** What a tile shows: pixels, or what only an `img` element shows. */
export type Decoded =
  | ({ readonly bitmap: ImageBitmap; readonly url: null } & Size)
  | ({ readonly bitmap: null; readonly url: string } & Size);

/** Counts the pixels that are held. */
export class PixelBudget {
  readonly #most: number;
  #held = 0;

  constructor(most = MOST_DECODED) {
    this.#most = most;
  }

  get held(): number {
    return this.#held;
  }

  /**
   * Takes room for a picture, and returns the size that there is room for: the one that is wanted, or a smaller one.
   *
   * What it takes the place of will be given back. It gets `part` of the room; there is always room for a thumbnail.
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

  /** Takes room for so many pixels if there is as much; whether there is. `instead`: pixels that will be given back. */
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

/** Of the page: that of all tiles, and of the viewer. */
export const budget = new PixelBudget();

/** The pixels to decode of a picture that is shown in so many: not more than it has. */
export function decodedSize(picture: Pick<Picture, "width" | "height" | "scaled">, shown: Size): Size {
  const own = pixelsOf(picture);
  const share = Math.min(1, shown.width / own.width, shown.height / own.height);
  return { width: Math.max(1, Math.round(share * own.width)), height: Math.max(1, Math.round(share * own.height)) };
}

/**
 * Decodes a picture for `shown` device pixels, which takes the place of what `before` returns. `zoomed`: not all of them
 * are in sight.
 *
 * Rejects where it is broken, or `until` was aborted; the caller releases it.
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
      throw new Error(imageTexts().brokenImage);
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

/** Lets go of what a tile showed. */
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
  if (running >= MOST_AT_ONCE) {
    await new Promise<void>((resolve) => (first ? queue.unshift(resolve) : queue.push(resolve)));
  } else {
    running += 1;
  }
  if (until.aborted) {
    next();
    throw new Error("not wanted any more");
  }
}

/** Whoever waits first takes the place. */
function next(): void {
  const first = queue.shift();
  if (first === undefined) {
    running -= 1;
  } else {
    first();
  }
}
