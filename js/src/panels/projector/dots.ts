// Draws very many points into pixels: antialiased dots, those behind first, or, where there are too many for dots, how dense
// they are. A buffer of ids tells which point is at a pixel.

import { idNear } from "../../charts/raster";

/** The dots to draw. Positions are in pixels: all x, then all y, then all depths, which grow away from the viewer. */
export interface Dots {
  readonly places: Float32Array;
  /** 0: not drawn; 1: faint; 2: drawn; 3: drawn above all others. */
  readonly layers: Uint8Array;
  /** Packed. */
  readonly colors: Int32Array;
  /** Pixels. */
  readonly radius: number;
  /** Points farther away are fainter. */
  readonly hasDepth: boolean;
  /** Packed. */
  readonly background: number;
}

/** Opacity, of 256, of dots: as a rule, the farthest ones, faint ones. */
const NEAREST_ALPHA = 224;
const FARTHEST_ALPHA = 110;
const FAINT_ALPHA = 40;

/** Opacity of a pixel with a single point where density is drawn, of one with as many as any. */
const SPARSE = 90;
const DENSEST = 256;

/** Points from which on their density is drawn. */
export const MAX_DOTS = 150_000;

/** Number of positions that a dot's center can have across a pixel. */
const PHASES = 4;

/** Number of depths that are told apart. */
const DEPTHS = 2048;

/** The pixels that a dot covers, for each place of its center across a pixel. */
interface Stamp {
  readonly radius: number;
  /** Pixels from the one of the center that a dot reaches. */
  readonly reach: number;
  /** Where the pixels of each place of the center begin in the following arrays. */
  readonly begins: Int32Array;
  /** From the pixel of the center. */
  readonly columns: Int8Array;
  readonly rows: Int8Array;
  /** The same as indices in the raster. */
  readonly offsets: Int32Array;
  /** Coverages, of 256. */
  readonly covers: Uint16Array;
}

export class DotRaster {
  readonly width: number;
  readonly height: number;
  readonly #image: ImageData;
  readonly #pixels: Int32Array;
  readonly #ids: Int32Array;
  #stamp: Stamp | null = null;
  #order = new Int32Array(0);
  #keys = new Uint16Array(0);

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#image = new ImageData(width, height);
    this.#pixels = new Int32Array(this.#image.data.buffer);
    this.#ids = new Int32Array(width * height);
  }

  put(context: Pick<CanvasRenderingContext2D, "putImageData">): void {
    context.putImageData(this.#image, 0, 0);
  }

  /** The point nearest to a position, at most `reach` pixels away; null for none. */
  pointNear(x: number, y: number, reach: number): number | null {
    return idNear(this.#ids, this.width, this.height, x, y, reach);
  }

  /** Replaces the drawing. Returns the number of points within the raster. */
  draw(dots: Dots): number {
    this.#pixels.fill(dots.background);
    this.#ids.fill(0);
    const found = this.#select(dots);
    if (found.length > MAX_DOTS) {
      this.#drawDensity(dots, found);
    } else {
      this.#drawDots(dots, this.#sorted(dots, found));
    }
    return found.length;
  }

  /** The points that touch the raster. */
  #select({ places, layers, radius }: Dots): Int32Array {
    const count = layers.length;
    if (this.#order.length < count) {
      this.#order = new Int32Array(count);
      this.#keys = new Uint16Array(count);
    }
    const [order, reach] = [this.#order, radius + 1];
    const [right, bottom] = [this.width + reach, this.height + reach];
    let found = 0;
    for (let i = 0; i < count; i += 1) {
      const x = places[i] as number;
      const y = places[count + i] as number;
      if (layers[i] !== 0 && x > -reach && y > -reach && x < right && y < bottom) {
        order[found] = i;
        found += 1;
      }
    }
    return order.subarray(0, found);
  }

  /** The order of drawing: layer by layer, in each the farthest first. A counting sort; equal ones keep their order. */
  #sorted({ places, layers, hasDepth }: Dots, found: Int32Array): Int32Array {
    const count = layers.length;
    const keys = this.#keys;
    let [near, far] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let at = 0; hasDepth && at < found.length; at += 1) {
      const depth = places[2 * count + (found[at] as number)] as number;
      near = depth < near ? depth : near;
      far = depth > far ? depth : far;
    }
    const factor = far > near ? (DEPTHS - 1) / (far - near) : 0;
    const begins = new Int32Array(4 * DEPTHS + 1);
    for (let at = 0; at < found.length; at += 1) {
      const i = found[at] as number;
      const depth = factor === 0 ? 0 : Math.trunc((far - (places[2 * count + i] as number)) * factor);
      const key = (layers[i] as number) * DEPTHS + depth;
      keys[at] = key;
      (begins[key + 1] as number) += 1;
    }
    for (let key = 0; key < 4 * DEPTHS; key += 1) {
      (begins[key + 1] as number) += begins[key] as number;
    }
    const sorted = new Int32Array(found.length);
    for (let at = 0; at < found.length; at += 1) {
      const key = keys[at] as number;
      sorted[begins[key] as number] = at;
      (begins[key] as number) += 1;
    }
    return sorted;
  }

  #drawDots({ places, layers, colors, radius, hasDepth }: Dots, sorted: Int32Array): void {
    const count = layers.length;
    const { reach, begins, columns, rows, offsets, covers } = this.#stampOf(radius);
    const { width, height } = this;
    const [pixels, ids, order, keys] = [this.#pixels, this.#ids, this.#order, this.#keys];
    // Loops over points and pixels make no arrays.
    for (let at = 0; at < sorted.length; at += 1) {
      const found = sorted[at] as number;
      const i = order[found] as number;
      const x = places[i] as number;
      const y = places[count + i] as number;
      const share = ((keys[found] as number) & (DEPTHS - 1)) / DEPTHS;
      const alpha =
        layers[i] === 1
          ? FAINT_ALPHA
          : hasDepth
            ? Math.round(FARTHEST_ALPHA + (NEAREST_ALPHA - FARTHEST_ALPHA) * share)
            : NEAREST_ALPHA;
      const column = Math.floor(x);
      const row = Math.floor(y);
      const phase = Math.floor((y - row) * PHASES) * PHASES + Math.floor((x - column) * PHASES);
      const isInside = column >= reach && row >= reach && column < width - reach && row < height - reach;
      const color = colors[i] as number;
      const redBlue = color & 0xff00ff;
      const green = color & 0x00ff00;
      const center = row * width + column;
      const end = begins[phase + 1] as number;
      for (let cell = begins[phase] as number; cell < end; cell += 1) {
        if (!isInside) {
          const across = column + (columns[cell] as number);
          const down = row + (rows[cell] as number);
          if (across < 0 || down < 0 || across >= width || down >= height) {
            continue;
          }
        }
        const index = center + (offsets[cell] as number);
        const cover = covers[cell] as number;
        const mix = Math.imul(cover, alpha) >> 8;
        const below = pixels[index] as number;
        const belowRedBlue = below & 0xff00ff;
        const belowGreen = below & 0x00ff00;
        pixels[index] =
          0xff000000 |
          ((belowRedBlue + (Math.imul(redBlue - belowRedBlue, mix) >>> 8)) & 0xff00ff) |
          ((belowGreen + (Math.imul(green - belowGreen, mix) >>> 8)) & 0x00ff00);
        if (cover >= 128) {
          ids[index] = i + 1;
        }
      }
    }
  }

  /** Each pixel has the mean color of its points, the more opaque the more there are. */
  #drawDensity({ places, layers, colors, background }: Dots, found: Int32Array): void {
    const count = layers.length;
    const { width, height } = this;
    const sums = new Float32Array(4 * width * height);
    const ids = this.#ids;
    for (let at = 0; at < found.length; at += 1) {
      const i = found[at] as number;
      const column = Math.floor(places[i] as number);
      const row = Math.floor(places[count + i] as number);
      if (column >= 0 && row >= 0 && column < width && row < height) {
        const index = row * width + column;
        const color = colors[i] as number;
        const weight = layers[i] === 1 ? FAINT_ALPHA / 256 : 1;
        (sums[4 * index] as number) += weight * (color & 255);
        (sums[4 * index + 1] as number) += weight * ((color >> 8) & 255);
        (sums[4 * index + 2] as number) += weight * ((color >> 16) & 255);
        (sums[4 * index + 3] as number) += weight;
        ids[index] = i + 1;
      }
    }
    let most = 1;
    for (let index = 3; index < sums.length; index += 4) {
      const weight = sums[index] as number;
      most = weight > most ? weight : most;
    }
    const factor = (DENSEST - SPARSE) / Math.log2(most + 1);
    const pixels = this.#pixels;
    const red = background & 255;
    const green = (background >> 8) & 255;
    const blue = (background >> 16) & 255;
    for (let index = 0; index < width * height; index += 1) {
      const weight = sums[4 * index + 3] as number;
      if (weight > 0) {
        const share = Math.min(1, weight, (SPARSE + factor * Math.log2(weight + 1)) / 256);
        const part = share / weight;
        pixels[index] =
          0xff000000 |
          (Math.round(blue * (1 - share) + (sums[4 * index + 2] as number) * part) << 16) |
          (Math.round(green * (1 - share) + (sums[4 * index + 1] as number) * part) << 8) |
          Math.round(red * (1 - share) + (sums[4 * index] as number) * part);
      }
    }
  }

  #stampOf(radius: number): Stamp {
    if (this.#stamp?.radius !== radius) {
      this.#stamp = makeStamp(radius, this.width);
    }
    return this.#stamp as Stamp;
  }
}

function makeStamp(radius: number, width: number): Stamp {
  const reach = Math.ceil(radius + 0.5);
  const begins = new Int32Array(PHASES * PHASES + 1);
  const cells: { readonly column: number; readonly row: number; readonly cover: number }[] = [];
  for (let phase = 0; phase < PHASES * PHASES; phase += 1) {
    const x = ((phase % PHASES) + 0.5) / PHASES;
    const y = (Math.floor(phase / PHASES) + 0.5) / PHASES;
    for (let row = -reach; row <= reach; row += 1) {
      for (let column = -reach; column <= reach; column += 1) {
        const away = Math.hypot(column + 0.5 - x, row + 0.5 - y);
        const cover = Math.round(256 * Math.max(0, Math.min(1, radius + 0.5 - away)));
        if (cover > 0) {
          cells.push({ column, row, cover });
        }
      }
    }
    begins[phase + 1] = cells.length;
  }
  return {
    ...{ radius, reach, begins },
    columns: Int8Array.from(cells, ({ column }) => column),
    rows: Int8Array.from(cells, ({ row }) => row),
    offsets: Int32Array.from(cells, ({ column, row }) => row * width + column),
    covers: Uint16Array.from(cells, ({ cover }) => cover),
  };
}

/** Radii of dots in CSS pixels. */
const MIN_RADIUS_PX = 1;
const MAX_RADIUS_PX = 4.5;

/** Share of the stage that dots cover about. */
const COVERED = 0.22;

/** CSS pixels of a dot: the fewer points, and the farther one zooms in, the larger. `zoom`: 1 shows all points. */
export function dotRadius(count: number, area: number, zoom: number): number {
  const even = Math.sqrt((COVERED * area) / (Math.PI * Math.max(1, count)));
  const radius = Math.max(MIN_RADIUS_PX, Math.min(MAX_RADIUS_PX, even)) * Math.max(1, zoom) ** 0.3;
  // Stamps are made for each radius.
  return Math.round(4 * Math.min(7, radius)) / 4;
}
