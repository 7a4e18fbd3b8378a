// A software rasterizer for very many marks: lines and discs, blended into the pixels of an ImageData. A buffer of ids can tell
// which mark is on top at a pixel. The background is opaque, so that blending is one mix of two colors.

import type { Rgb } from "./theme";

/** Alpha is a whole number up to this one. */
export const OPAQUE = 256;

/** A color as ImageData holds it on all machines that browsers run on: red in the lowest byte. */
export function packed([red, green, blue]: Rgb): number {
  return 0xff000000 | (blue << 16) | (green << 8) | red;
}

/** Places across a line are in fixed point, with 16 bits behind the point. */
const ONE = 0x10000;

/** A mark that is covered by less than this, of OPAQUE, does not count as the one at a pixel. */
const COVERED = 128;

export class Raster {
  readonly width: number;
  readonly height: number;
  /** Packed colors, row by row from above. */
  readonly pixels: Int32Array;
  readonly #bytes: Uint8ClampedArray<ArrayBuffer>;
  /** The id of the mark on top, plus 1; 0 where there is none. */
  readonly #ids: Int32Array | null;
  // Where the line that is being drawn runs: see #prepare.
  #isSteep = false;
  #first = 0;
  #last = -1;
  #center = 0;
  #slope = 0;

  constructor(width: number, height: number, hasIds = false) {
    this.width = width;
    this.height = height;
    this.#bytes = new Uint8ClampedArray(4 * width * height);
    this.pixels = new Int32Array(this.#bytes.buffer);
    this.#ids = hasIds ? new Int32Array(width * height) : null;
  }

  /** Removes all marks. */
  clear(background: number): void {
    this.pixels.fill(background);
    this.#ids?.fill(0);
  }

  /** Removes all marks, and takes the pixels of a raster of the same size as the background. */
  clearTo(background: Raster): void {
    this.pixels.set(background.pixels);
    this.#ids?.fill(0);
  }

  put(context: Pick<CanvasRenderingContext2D, "putImageData">, left: number, top: number): void {
    context.putImageData(new ImageData(this.#bytes, this.width, this.height), left, top);
  }

  /** Draws a line of one pixel, not antialiased: half the time of a smooth one. Corners of pixels have whole coordinates. */
  hairline(x0: number, y0: number, x1: number, y1: number, color: number, alpha: number): void {
    this.#prepare(x0, y0, x1, y1, 0.5);
    const { pixels, width } = this;
    const redBlue = color & 0xff00ff;
    const green = color & 0x00ff00;
    const ahead = this.#isSteep ? width : 1;
    const across = this.#isSteep ? 1 : width;
    const breadth = this.#isSteep ? width : this.height;
    const last = this.#last;
    const step = Math.round(this.#slope * ONE);
    let at = Math.round(this.#center * ONE);
    for (let i = this.#first, row = i * ahead; i <= last; i += 1) {
      const j = at >> 16;
      if (j >= 0 && j < breadth) {
        blend(pixels, row + Math.imul(j, across), redBlue, green, alpha);
      }
      at += step;
      row += ahead;
    }
  }

  /** Draws an antialiased line `width` pixels wide. It ends where the longer of its two extents ends, without a cap. */
  line(x0: number, y0: number, x1: number, y1: number, width: number, color: number, alpha: number): void {
    const long = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));
    const thickness = long > 0 ? (width * Math.hypot(x1 - x0, y1 - y0)) / long : width;
    this.#prepare(x0, y0, x1, y1, thickness / 2);
    const { pixels } = this;
    const redBlue = color & 0xff00ff;
    const green = color & 0x00ff00;
    const ahead = this.#isSteep ? this.width : 1;
    const across = this.#isSteep ? 1 : this.width;
    const breadth = this.#isSteep ? this.width : this.height;
    const last = this.#last;
    const step = Math.round(this.#slope * ONE);
    const thick = Math.round(thickness * ONE);
    let low = Math.round((this.#center - thickness / 2) * ONE);
    for (let i = this.#first, row = i * ahead; i <= last; i += 1) {
      const high = low + thick;
      const begin = low >> 16;
      const end = high >> 16;
      if (begin === end) {
        if (begin >= 0 && begin < breadth) {
          blend(pixels, row + Math.imul(begin, across), redBlue, green, Math.imul(thick >> 8, alpha) >> 8);
        }
      } else {
        if (begin >= 0 && begin < breadth) {
          const share = Math.imul(OPAQUE - ((low >> 8) & 255), alpha) >> 8;
          blend(pixels, row + Math.imul(begin, across), redBlue, green, share);
        }
        for (let j = begin < 0 ? 0 : begin + 1; j < end && j < breadth; j += 1) {
          blend(pixels, row + Math.imul(j, across), redBlue, green, alpha);
        }
        if (end >= 0 && end < breadth) {
          blend(pixels, row + Math.imul(end, across), redBlue, green, Math.imul((high >> 8) & 255, alpha) >> 8);
        }
      }
      low += step;
      row += ahead;
    }
  }

  /** Draws an antialiased disc around a point. Where it covers most of a pixel, the pixel has its id. */
  disc(x: number, y: number, radius: number, color: number, alpha: number, id: number): void {
    const [redBlue, green] = [color & 0xff00ff, color & 0x00ff00];
    const { pixels, width } = this;
    const reach = radius + 0.5;
    const [left, right] = [Math.max(0, Math.floor(x - reach)), Math.min(width, Math.ceil(x + reach))];
    const [top, bottom] = [Math.max(0, Math.floor(y - reach)), Math.min(this.height, Math.ceil(y + reach))];
    const inner = Math.max(0, radius - 0.5) ** 2;
    for (let row = top; row < bottom; row += 1) {
      const down = (row + 0.5 - y) ** 2;
      for (let column = left; column < right; column += 1) {
        const square = (column + 0.5 - x) ** 2 + down;
        if (square < reach * reach) {
          const cover = square <= inner ? OPAQUE : Math.round((reach - Math.sqrt(square)) * OPAQUE);
          const index = row * width + column;
          blend(pixels, index, redBlue, green, (cover * alpha) >> 8);
          if (this.#ids !== null && cover >= COVERED) {
            this.#ids[index] = id + 1;
          }
        }
      }
    }
  }

  /** The id of the mark nearest to a point, at most `reach` pixels away; null for none. */
  idNear(x: number, y: number, reach: number): number | null {
    return idNear(this.#ids, this.width, this.height, x, y, reach);
  }

  /**
   * A line is drawn pixel by pixel along the axis in which it is longer, over the pixels whose centers are between its ends
   * and on the raster; `half` is half of its extent across that axis.
   */
  #prepare(x0: number, y0: number, x1: number, y1: number, half: number): void {
    const isSteep = Math.abs(y1 - y0) > Math.abs(x1 - x0);
    let [from, to, start, end] = isSteep ? [y0, y1, x0, x1] : [x0, x1, y0, y1];
    if (from > to) {
      [from, to, start, end] = [to, from, end, start];
    }
    const [length, breadth] = isSteep ? [this.height, this.width] : [this.width, this.height];
    const slope = to > from ? (end - start) / (to - from) : 0;
    let [first, last] = [Math.ceil(from - 0.5), Math.ceil(to - 0.5) - 1];
    if (!Number.isFinite(to - from + start + end)) {
      last = -1;
    } else if (slope === 0) {
      last = start + half > 0 && start - half < breadth ? last : -1;
    } else {
      const a = (-half - start) / slope + from - 0.5;
      const b = (breadth + half - start) / slope + from - 0.5;
      [first, last] = [Math.max(first, Math.ceil(Math.min(a, b))), Math.min(last, Math.floor(Math.max(a, b)))];
    }
    this.#isSteep = isSteep;
    this.#first = Math.max(0, first);
    this.#last = Math.min(length - 1, last);
    this.#slope = slope;
    this.#center = start + slope * (this.#first + 0.5 - from);
  }
}

/** Finds the id nearest to a point, within `reach` pixels, in a buffer of ids plus 1, where 0 is none. */
export function idNear(
  ids: Int32Array | null,
  width: number,
  height: number,
  x: number,
  y: number,
  reach: number,
): number | null {
  let [found, least] = [0, reach * reach];
  const [left, right] = [Math.max(0, Math.floor(x - reach)), Math.min(width - 1, Math.floor(x + reach))];
  const [top, bottom] = [Math.max(0, Math.floor(y - reach)), Math.min(height - 1, Math.floor(y + reach))];
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) {
      const mark = ids?.[row * width + column] ?? 0;
      // The distance to the nearest place of the pixel, not to its center: the pixel below the pointer comes first.
      const apart = (a: number, pixel: number) => Math.max(0, pixel - a, a - pixel - 1);
      const square = apart(x, column) ** 2 + apart(y, row) ** 2;
      if (mark !== 0 && (square < least || (found === 0 && square <= least))) {
        [found, least] = [mark, square];
      }
    }
  }
  return found === 0 ? null : found - 1;
}

/** Mixes a share, of OPAQUE, of a color into a pixel: red and blue at once, which do not reach each other. */
function blend(pixels: Int32Array, index: number, redBlue: number, green: number, share: number): void {
  const below = pixels[index] as number;
  const belowRedBlue = below & 0xff00ff;
  const belowGreen = below & 0x00ff00;
  pixels[index] =
    0xff000000 |
    ((belowRedBlue + (Math.imul(redBlue - belowRedBlue, share) >>> 8)) & 0xff00ff) |
    ((belowGreen + (Math.imul(green - belowGreen, share) >>> 8)) & 0x00ff00);
}
