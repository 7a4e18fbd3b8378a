// A software rasterizer with a depth buffer: opaque discs, lines and triangles in three dimensions. A mark covers a pixel if it
// contains the pixel's center and is nearer than other marks there. A smaller depth is nearer.
//
// Marks are given by vertices, not by coordinates: numbers that are no small integers are slow to pass to a function that is
// called a million times.

/** Discs up to this radius are stamped around the center of the nearest pixel; larger ones are exact. */
const MAX_STAMP_RADIUS_PX = 3;

export class DepthRaster {
  readonly width: number;
  readonly height: number;
  /** Packed colors, row by row from above. */
  readonly pixels: Int32Array;
  readonly #bytes: Uint8ClampedArray<ArrayBuffer>;
  readonly #depths: Float32Array;
  #places: Float32Array = new Float32Array(0);
  #count = 0;
  // The last stamp: offsets of its pixels from its center.
  #stampRadius = -1;
  #stampReach = 0;
  #stamp = new Int32Array(0);

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#bytes = new Uint8ClampedArray(4 * width * height);
    this.pixels = new Int32Array(this.#bytes.buffer);
    this.#depths = new Float32Array(width * height);
  }

  /** Removes all marks. The vertices of new marks are at `places`: all x, then all y, in pixels, then all depths. */
  begin(places: Float32Array, background: number): void {
    this.#places = places;
    this.#count = places.length / 3;
    this.pixels.fill(background);
    this.#depths.fill(Number.POSITIVE_INFINITY);
  }

  put(context: Pick<CanvasRenderingContext2D, "putImageData">, left: number, top: number): void {
    context.putImageData(new ImageData(this.#bytes, this.width, this.height), left, top);
  }

  disc(vertex: number, radius: number, color: number): void {
    const places = this.#places;
    const x = places[vertex] as number;
    const y = places[this.#count + vertex] as number;
    const z = places[2 * this.#count + vertex] as number;
    if (radius > MAX_STAMP_RADIUS_PX) {
      this.#exactDisc(x, y, z, radius, color);
      return;
    }
    if (radius !== this.#stampRadius) {
      this.#setStamp(radius);
    }
    const reach = this.#stampReach;
    if (!(x >= reach && y >= reach && x < this.width - reach && y < this.height - reach)) {
      this.#exactDisc(Math.floor(x) + 0.5, Math.floor(y) + 0.5, z, radius, color);
      return;
    }
    const stamp = this.#stamp;
    const depths = this.#depths;
    const { pixels } = this;
    const center = Math.floor(y) * this.width + Math.floor(x);
    for (let i = 0; i < stamp.length; i += 1) {
      const index = center + (stamp[i] as number);
      if (z < (depths[index] as number)) {
        depths[index] = z;
        pixels[index] = color;
      }
    }
  }

  /** Draws a line of one pixel, not antialiased. */
  line(a: number, b: number, color: number): void {
    const places = this.#places;
    const count = this.#count;
    const x0 = places[a] as number;
    const y0 = places[count + a] as number;
    const z0 = places[2 * count + a] as number;
    const x1 = places[b] as number;
    const y1 = places[count + b] as number;
    const z1 = places[2 * count + b] as number;
    if (!(this.#contains(x0, y0) && this.#contains(x1, y1))) {
      this.#clippedLine(x0, y0, z0, x1, y1, z1, color);
      return;
    }
    const { width, pixels } = this;
    const depths = this.#depths;
    const steps = Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)));
    const per = steps > 0 ? 1 / steps : 0;
    const [dx, dy, dz] = [(x1 - x0) * per, (y1 - y0) * per, (z1 - z0) * per];
    let [x, y, z] = [x0, y0, z0];
    for (let i = 0; i <= steps; i += 1) {
      // Truncated, not rounded down: the sum may end a little below 0, and −1 would be a pixel of the row above.
      const index = Math.trunc(y) * width + Math.trunc(x);
      if (z < (depths[index] as number)) {
        depths[index] = z;
        pixels[index] = color;
      }
      x += dx;
      y += dy;
      z += dz;
    }
  }

  /** Draws a triangle whose color changes evenly between its three corners. */
  triangle(a: number, b: number, c: number, colorA: number, colorB: number, colorC: number): void {
    const places = this.#places;
    const count = this.#count;
    let x0 = places[a] as number;
    let y0 = places[count + a] as number;
    let x1 = places[b] as number;
    let y1 = places[count + b] as number;
    let x2 = places[c] as number;
    let y2 = places[count + c] as number;
    const { width, height, pixels } = this;
    // Most of very many triangles contain no center of a pixel.
    const first = Math.max(0, Math.ceil(Math.min(y0, y1, y2) - 0.5));
    const last = Math.min(height, Math.ceil(Math.max(y0, y1, y2) - 0.5)) - 1;
    if (!(first <= last)) {
      return;
    }
    const leftmost = Math.max(0, Math.ceil(Math.min(x0, x1, x2) - 0.5));
    const rightmost = Math.min(width, Math.ceil(Math.max(x0, x1, x2) - 0.5)) - 1;
    const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    // The last claim is false for NaN, and for coordinates so large that doubles run out.
    if (!(leftmost <= rightmost && area !== 0 && Math.abs(area) < Number.POSITIVE_INFINITY)) {
      return;
    }
    const depths = this.#depths;
    const z0 = places[2 * count + a] as number;
    const z1 = (places[2 * count + b] as number) - z0;
    const z2 = (places[2 * count + c] as number) - z0;
    // How much nearer to corners b and c a pixel is than its left neighbor, and than the one above.
    const column1 = (y2 - y0) / area;
    const column2 = (y0 - y1) / area;
    const row1 = (x0 - x2) / area;
    const row2 = (x1 - x0) / area;
    const zColumn = z1 * column1 + z2 * column2;
    const zRow = z1 * row1 + z2 * row2;
    const isFlat = colorA === colorB && colorB === colorC;
    const red = colorA & 255;
    const green = (colorA >> 8) & 255;
    const blue = (colorA >> 16) & 255;
    let redColumn = 0;
    let redRow = 0;
    let greenColumn = 0;
    let greenRow = 0;
    let blueColumn = 0;
    let blueRow = 0;
    if (!isFlat) {
      const red1 = (colorB & 255) - red;
      const red2 = (colorC & 255) - red;
      redColumn = red1 * column1 + red2 * column2;
      redRow = red1 * row1 + red2 * row2;
      const green1 = ((colorB >> 8) & 255) - green;
      const green2 = ((colorC >> 8) & 255) - green;
      greenColumn = green1 * column1 + green2 * column2;
      greenRow = green1 * row1 + green2 * row2;
      const blue1 = ((colorB >> 16) & 255) - blue;
      const blue2 = ((colorC >> 16) & 255) - blue;
      blueColumn = blue1 * column1 + blue2 * column2;
      blueRow = blue1 * row1 + blue2 * row2;
    }
    const originX = x0;
    const originY = y0;
    // From above: corner 0, then 1, then 2.
    if (y0 > y1) {
      [x0, y0, x1, y1] = [x1, y1, x0, y0];
    }
    if (y1 > y2) {
      [x1, y1, x2, y2] = [x2, y2, x1, y1];
      if (y0 > y1) {
        [x0, y0, x1, y1] = [x1, y1, x0, y0];
      }
    }
    // Triangles that share an edge compute the same place on it: no pixel between them is left out or drawn twice.
    const longSlope = (x2 - x0) / (y2 - y0);
    const upperSlope = (x1 - x0) / (y1 - y0);
    const lowerSlope = (x2 - x1) / (y2 - y1);
    for (let row = first; row <= last; row += 1) {
      const y = row + 0.5;
      const long = x0 + (y - y0) * longSlope;
      const short = y < y1 ? x0 + (y - y0) * upperSlope : x1 + (y - y1) * lowerSlope;
      const begin = Math.max(leftmost, Math.ceil(Math.min(long, short) - 0.5));
      const end = Math.min(rightmost + 1, Math.ceil(Math.max(long, short) - 0.5));
      const across = begin + 0.5 - originX;
      const down = y - originY;
      const rowStart = row * width;
      let z = z0 + across * zColumn + down * zRow;
      if (isFlat) {
        for (let index = rowStart + begin; index < rowStart + end; index += 1) {
          if (z < (depths[index] as number)) {
            depths[index] = z;
            pixels[index] = colorA;
          }
          z += zColumn;
        }
      } else {
        // Rounded by being cut off.
        let r = red + across * redColumn + down * redRow + 0.5;
        let g = green + across * greenColumn + down * greenRow + 0.5;
        let b = blue + across * blueColumn + down * blueRow + 0.5;
        for (let index = rowStart + begin; index < rowStart + end; index += 1) {
          if (z < (depths[index] as number)) {
            depths[index] = z;
            pixels[index] = 0xff000000 | ((b & 255) << 16) | ((g & 255) << 8) | (r & 255);
          }
          z += zColumn;
          r += redColumn;
          g += greenColumn;
          b += blueColumn;
        }
      }
    }
  }

  #contains(x: number, y: number): boolean {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  #clippedLine(x0: number, y0: number, z0: number, x1: number, y1: number, z1: number, color: number): void {
    const [from, to] = this.#clip(x0, y0, x1, y1);
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
        this.#dot(Math.floor(y) * this.width + Math.floor(x), z, color);
      }
      x += dx * per;
      y += dy * per;
      z += dz * per;
    }
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

  #exactDisc(x: number, y: number, z: number, radius: number, color: number): void {
    const [top, bottom] = [Math.max(0, Math.floor(y - radius)), Math.min(this.height, Math.ceil(y + radius))];
    for (let row = top; row < bottom; row += 1) {
      const half = Math.sqrt(radius * radius - (row + 0.5 - y) ** 2);
      // NaN where the row does not meet the disc: no column is drawn.
      const end = Math.min(this.width, Math.floor(x + half - 0.5) + 1);
      for (let column = Math.max(0, Math.ceil(x - half - 0.5)); column < end; column += 1) {
        this.#dot(row * this.width + column, z, color);
      }
    }
  }

  #dot(index: number, z: number, color: number): void {
    if (z < (this.#depths[index] as number)) {
      this.#depths[index] = z;
      this.pixels[index] = color;
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
