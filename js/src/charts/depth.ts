// A software rasterizer with a depth buffer: opaque discs, lines and triangles in three dimensions. A mark covers a pixel if it
// contains the pixel's center and is nearer than other marks there. A smaller depth is nearer. A buffer of ids tells which is on top.

import { idNear } from "./raster";

/** Discs up to this radius are stamped around the center of the nearest pixel; larger ones are exact. */
const MAX_STAMP_RADIUS_PX = 3;

export class DepthRaster {
  readonly width: number;
  readonly height: number;
  /** Packed colors, row by row from above. */
  readonly pixels: Int32Array;
  readonly #bytes: Uint8ClampedArray<ArrayBuffer>;
  readonly #depths: Float32Array;
  /** The id of the mark on top, plus 1; 0 where there is none. */
  readonly #ids: Int32Array | null;
  // The last stamp: offsets of its pixels from its center.
  #stampRadius = -1;
  #stampReach = 0;
  #stamp = new Int32Array(0);

  constructor(width: number, height: number, hasIds = false) {
    this.width = width;
    this.height = height;
    this.#bytes = new Uint8ClampedArray(4 * width * height);
    this.pixels = new Int32Array(this.#bytes.buffer);
    this.#depths = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY);
    this.#ids = hasIds ? new Int32Array(width * height) : null;
  }

  /** Removes all marks. */
  clear(background: number): void {
    this.pixels.fill(background);
    this.#depths.fill(Number.POSITIVE_INFINITY);
    this.#ids?.fill(0);
  }

  put(context: Pick<CanvasRenderingContext2D, "putImageData">, left: number, top: number): void {
    context.putImageData(new ImageData(this.#bytes, this.width, this.height), left, top);
  }

  /** The depth at a pixel; infinity without a mark. */
  depthAt(column: number, row: number): number {
    return this.#depths[row * this.width + column] ?? Number.POSITIVE_INFINITY;
  }

  /** The id of the mark that is nearest to a point within `reach` pixels; null if there is none. */
  idNear(x: number, y: number, reach: number): number | null {
    return idNear(this.#ids, this.width, this.height, x, y, reach);
  }

  disc(x: number, y: number, z: number, radius: number, color: number, id: number): void {
    if (radius <= MAX_STAMP_RADIUS_PX) {
      if (radius !== this.#stampRadius) {
        this.#setStamp(radius);
      }
      const reach = this.#stampReach;
      if (x >= reach && y >= reach && x < this.width - reach && y < this.height - reach) {
        const stamp = this.#stamp;
        const depths = this.#depths;
        const ids = this.#ids;
        const pixels = this.pixels;
        const center = Math.floor(y) * this.width + Math.floor(x);
        for (let i = 0; i < stamp.length; i += 1) {
          const index = center + (stamp[i] as number);
          if (z < (depths[index] as number)) {
            depths[index] = z;
            pixels[index] = color;
            if (ids !== null) {
              ids[index] = id + 1;
            }
          }
        }
        return;
      }
      this.#exactDisc(Math.floor(x) + 0.5, Math.floor(y) + 0.5, z, radius, color, id);
    } else {
      this.#exactDisc(x, y, z, radius, color, id);
    }
  }

  /** Draws a line of one pixel, not antialiased. */
  line(x0: number, y0: number, z0: number, x1: number, y1: number, z1: number, color: number, id: number): void {
    const isWithin = this.#contains(x0, y0) && this.#contains(x1, y1);
    const [from, to] = isWithin ? [0, 1] : this.#clip(x0, y0, x1, y1);
    if (!(from <= to)) {
      return;
    }
    const [dx, dy, dz] = [(x1 - x0) * (to - from), (y1 - y0) * (to - from), (z1 - z0) * (to - from)];
    // Rounding of huge coordinates may make a line longer than the raster.
    const steps = Math.min(Math.ceil(Math.max(Math.abs(dx), Math.abs(dy))), this.width + this.height);
    const per = steps > 0 ? 1 / steps : 0;
    let [x, y, z] = [x0 + (x1 - x0) * from, y0 + (y1 - y0) * from, z0 + (z1 - z0) * from];
    for (let i = 0; i <= steps; i += 1) {
      if (this.#contains(x, y)) {
        this.#dot(Math.floor(y) * this.width + Math.floor(x), z, color, id);
      }
      x += dx * per;
      y += dy * per;
      z += dz * per;
    }
  }

  triangle(
    x0: number,
    y0: number,
    z0: number,
    x1: number,
    y1: number,
    z1: number,
    x2: number,
    y2: number,
    z2: number,
    color: number,
    id: number,
  ): void {
    this.shadedTriangle(x0, y0, z0, color, x1, y1, z1, color, x2, y2, z2, color, id);
  }

  /** Draws a triangle whose color changes evenly between its three corners. */
  shadedTriangle(
    x0: number,
    y0: number,
    z0: number,
    color0: number,
    x1: number,
    y1: number,
    z1: number,
    color1: number,
    x2: number,
    y2: number,
    z2: number,
    color2: number,
    id: number,
  ): void {
    const first = Math.max(0, Math.ceil(Math.min(y0, y1, y2) - 0.5));
    const last = Math.min(this.height, Math.ceil(Math.max(y0, y1, y2) - 0.5)) - 1;
    const leftmost = Math.max(0, Math.ceil(Math.min(x0, x1, x2) - 0.5));
    const rightmost = Math.min(this.width, Math.ceil(Math.max(x0, x1, x2) - 0.5)) - 1;
    const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    // The last claim is false for NaN, and for coordinates so large that doubles run out.
    if (first > last || leftmost > rightmost || !(area !== 0 && Math.abs(area) < Number.POSITIVE_INFINITY)) {
      return;
    }
    const { width, pixels } = this;
    const depths = this.#depths;
    const ids = this.#ids;
    const isFlat = color0 === color1 && color1 === color2;
    // How much nearer to corners 1 and 2 a pixel is than its left neighbor.
    const perColumn1 = (y2 - y0) / area;
    const perColumn2 = (y0 - y1) / area;
    const perColumn = (z1 - z0) * perColumn1 + (z2 - z0) * perColumn2;
    const perRow = ((z2 - z0) * (x1 - x0) - (z1 - z0) * (x2 - x0)) / area;
    for (let row = first; row <= last; row += 1) {
      const y = row + 0.5;
      let left = Number.POSITIVE_INFINITY;
      let right = Number.NEGATIVE_INFINITY;
      // Triangles that share an edge compute the same place on it: no pixel between them is left out or drawn twice.
      if (y0 <= y !== y1 <= y) {
        const at = y0 < y1 ? x0 + ((y - y0) * (x1 - x0)) / (y1 - y0) : x1 + ((y - y1) * (x0 - x1)) / (y0 - y1);
        left = Math.min(left, at);
        right = Math.max(right, at);
      }
      if (y1 <= y !== y2 <= y) {
        const at = y1 < y2 ? x1 + ((y - y1) * (x2 - x1)) / (y2 - y1) : x2 + ((y - y2) * (x1 - x2)) / (y1 - y2);
        left = Math.min(left, at);
        right = Math.max(right, at);
      }
      if (y2 <= y !== y0 <= y) {
        const at = y2 < y0 ? x2 + ((y - y2) * (x0 - x2)) / (y0 - y2) : x0 + ((y - y0) * (x2 - x0)) / (y2 - y0);
        left = Math.min(left, at);
        right = Math.max(right, at);
      }
      const begin = Math.max(leftmost, Math.ceil(left - 0.5));
      const end = Math.min(rightmost + 1, Math.ceil(right - 0.5));
      const across = begin + 0.5 - x0;
      let z = z0 + across * perColumn + (y - y0) * perRow;
      let index = row * width + begin;
      if (isFlat) {
        for (let column = begin; column < end; column += 1) {
          if (z < (depths[index] as number)) {
            depths[index] = z;
            pixels[index] = color0;
            if (ids !== null) {
              ids[index] = id + 1;
            }
          }
          z += perColumn;
          index += 1;
        }
      } else {
        let share1 = across * perColumn1 + ((y - y0) * (x0 - x2)) / area;
        let share2 = across * perColumn2 + ((y - y0) * (x1 - x0)) / area;
        for (let column = begin; column < end; column += 1) {
          if (z < (depths[index] as number)) {
            depths[index] = z;
            pixels[index] = mixed(color0, color1, color2, share1, share2);
            if (ids !== null) {
              ids[index] = id + 1;
            }
          }
          z += perColumn;
          share1 += perColumn1;
          share2 += perColumn2;
          index += 1;
        }
      }
    }
  }

  #contains(x: number, y: number): boolean {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  /** The part of a line within the raster, as shares of its length. */
  #clip(x0: number, y0: number, x1: number, y1: number): [from: number, to: number] {
    let [from, to] = [0, 1];
    for (const [start, change, limit] of [
      [x0, x1 - x0, this.width],
      [y0, y1 - y0, this.height],
    ] as const) {
      if (start >= 0 && start < limit && start + change >= 0 && start + change < limit) {
        continue;
      }
      const [a, b] = [-start / change, (limit - start) / change];
      [from, to] = [Math.max(from, Math.min(a, b)), Math.min(to, Math.max(a, b))];
    }
    return [from, to];
  }

  #exactDisc(x: number, y: number, z: number, radius: number, color: number, id: number): void {
    const [top, bottom] = [Math.max(0, Math.floor(y - radius)), Math.min(this.height, Math.ceil(y + radius))];
    for (let row = top; row < bottom; row += 1) {
      const half = Math.sqrt(radius * radius - (row + 0.5 - y) ** 2);
      // NaN where the row does not meet the disc: no column is drawn.
      const end = Math.min(this.width, Math.floor(x + half - 0.5) + 1);
      for (let column = Math.max(0, Math.ceil(x - half - 0.5)); column < end; column += 1) {
        this.#dot(row * this.width + column, z, color, id);
      }
    }
  }

  #dot(index: number, z: number, color: number, id: number): void {
    if (z < (this.#depths[index] as number)) {
      this.#depths[index] = z;
      this.pixels[index] = color;
      if (this.#ids !== null) {
        this.#ids[index] = id + 1;
      }
    }
  }

  #setStamp(radius: number): void {
    const reach = Math.floor(radius);
    const offsets: number[] = [];
    for (let down = -reach; down <= reach; down += 1) {
      for (let across = -reach; across <= reach; across += 1) {
        if (down * down + across * across <= radius * radius) {
          offsets.push(down * this.width + across);
        }
      }
    }
    this.#stamp = Int32Array.from(offsets);
    this.#stampReach = reach;
    this.#stampRadius = radius;
  }
}

/** The mean of three packed colors; the first has what the shares of the others leave. */
function mixed(color0: number, color1: number, color2: number, share1: number, share2: number): number {
  const share0 = 1 - share1 - share2;
  const red = share0 * (color0 & 255) + share1 * (color1 & 255) + share2 * (color2 & 255);
  const green = share0 * ((color0 >> 8) & 255) + share1 * ((color1 >> 8) & 255) + share2 * ((color2 >> 8) & 255);
  const blue = share0 * ((color0 >> 16) & 255) + share1 * ((color1 >> 16) & 255) + share2 * ((color2 >> 16) & 255);
  return 0xff000000 | (byte(blue) << 16) | (byte(green) << 8) | byte(red);
}

/** Rounding may lead a little out of what a byte holds. */
function byte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : (value + 0.5) | 0;
}
