// The lines between neighboring axes, in a raster for each gap: what has not changed is not drawn again. A brush changes the lit
// lines alone, an axis that is dragged the gaps beside it.

import { fitCanvas } from "../../../charts/geometry";
import { OPAQUE, packed, Raster } from "../../../charts/raster";
import type { Rgb } from "../../../charts/theme";

/** The same rows, in one style. A layer that has changed is another object. */
export interface Layer {
  /** In the order in which they are drawn. */
  readonly rows: readonly number[];
  /** Packed colors by row, or one for all. */
  readonly colors: Int32Array | number;
  /** From 0 to 1. */
  readonly alpha: number;
}

export interface Layers {
  readonly background: Rgb;
  /** Below the others; null: there are none. */
  readonly faint: Layer | null;
  readonly lit: Layer;
}

/** A gap in pixels of the canvas. */
export interface Gap {
  /** Equal for the gap of the same two axes. */
  readonly key: string;
  readonly left: number;
  readonly width: number;
  readonly height: number;
  /** Heights of all rows on the two axes; others where something has changed. */
  readonly from: Float64Array;
  readonly to: Float64Array;
}

/** With more lines than this, each is one pixel wide and not antialiased. */
export const MAX_SMOOTH = 1200;

/** CSS pixels. */
const LINE_WIDTH_PX = 1.2;

interface Held {
  readonly gap: Gap;
  readonly background: number;
  readonly ratio: number;
  /** Its layer, and the faint lines alone. */
  faint: { readonly of: Layer; readonly raster: Raster } | null;
  lit: { readonly of: Layer; readonly below: Raster | null } | null;
  readonly raster: Raster;
  /** The last frame in which its lines were up to date; 0: it has none yet. */
  frame: number;
}

type GapContext = Pick<CanvasRenderingContext2D, "putImageData" | "drawImage">;

export class GapRasters {
  #held = new Map<string, Held>();
  #canvas: HTMLCanvasElement | null = null;
  #frame = 0;
  /** Gaps that the last frame drew rather than took from its cache. */
  drawn = 0;

  /**
   * Puts gaps onto a canvas, in rasters of `ratio` pixels to one CSS pixel, which it enlarges `scale` times. Gaps that are not
   * among them are forgotten. After `budgetMs` of drawing, gaps keep the lines that they had, and it returns false: the next
   * call draws those first.
   */
  paint(
    context: GapContext,
    gaps: readonly Gap[],
    layers: Layers,
    ratio: number,
    scale = 1,
    budgetMs = Number.POSITIVE_INFINITY,
  ): boolean {
    const begin = performance.now();
    this.drawn = 0;
    this.#frame += 1;
    const all = gaps.map((gap) => this.#heldOf(gap, packed(layers.background), ratio));
    let isWhole = true;
    for (const held of [...all].sort((a, b) => a.frame - b.frame)) {
      if (held.frame === 0 || this.drawn === 0 || performance.now() - begin < budgetMs) {
        this.#draw(held, layers);
        held.frame = this.#frame;
      } else {
        isWhole = false;
      }
    }
    for (const held of all) {
      if (scale === 1) {
        held.raster.put(context, held.gap.left, 0);
      } else {
        this.#putScaled(context, held, scale);
      }
    }
    this.#held = new Map(all.map((held) => [held.gap.key, held]));
    return isWhole;
  }

  clear(): void {
    this.#held.clear();
    if (this.#canvas !== null) {
      // Browsers keep the pixels of a canvas until it is collected.
      this.#canvas.width = this.#canvas.height = 0;
    }
  }

  #putScaled(context: GapContext, { gap, raster }: Held, scale: number): void {
    this.#canvas ??= document.createElement("canvas");
    fitCanvas(this.#canvas, raster, 1);
    const own = this.#canvas.getContext("2d");
    if (own !== null) {
      raster.put(own, 0, 0);
      context.drawImage(this.#canvas, gap.left * scale, 0, gap.width * scale, gap.height * scale);
    }
  }

  #heldOf(gap: Gap, background: number, ratio: number): Held {
    const known = this.#held.get(gap.key);
    if (
      known !== undefined &&
      known.gap.width === gap.width &&
      known.gap.height === gap.height &&
      known.gap.from === gap.from &&
      known.gap.to === gap.to &&
      known.background === background &&
      known.ratio === ratio
    ) {
      return known;
    }
    return { gap, background, ratio, faint: null, lit: null, raster: new Raster(gap.width, gap.height), frame: 0 };
  }

  #draw(held: Held, { faint, lit }: Layers): void {
    const { gap, background, ratio, raster } = held;
    // Kept without a brush, too: the next one begins with it.
    if (faint !== null && held.faint?.of !== faint) {
      const below = held.faint?.raster ?? new Raster(gap.width, gap.height);
      below.clear(background);
      drawLines(below, gap, faint, ratio);
      held.faint = { of: faint, raster: below };
      held.lit = null;
    }
    const below = faint === null ? null : (held.faint?.raster ?? null);
    if (held.lit?.of !== lit || held.lit.below !== below) {
      if (below === null) {
        raster.clear(background);
      } else {
        raster.clearTo(below);
      }
      drawLines(raster, gap, lit, ratio);
      held.lit = { of: lit, below };
      this.drawn += 1;
    }
  }
}

function drawLines(raster: Raster, { width, from, to }: Gap, { rows, colors, alpha }: Layer, ratio: number): void {
  const share = Math.max(1, Math.round(alpha * OPAQUE));
  const isSmooth = rows.length <= MAX_SMOOTH;
  for (const row of rows) {
    const color = typeof colors === "number" ? colors : (colors[row] as number);
    const [start, end] = [from[row] as number, to[row] as number];
    if (isSmooth) {
      raster.line(0, start, width, end, LINE_WIDTH_PX * ratio, color, share);
    } else {
      raster.hairline(0, start, width, end, color, share);
    }
  }
}

/** Opacity of each of `count` lines: all together stay translucent. */
export function litAlpha(count: number): number {
  return 0.92 * Math.min(1, (40 / Math.max(1, count)) ** 0.35);
}

export function faintAlpha(count: number): number {
  return 0.3 * Math.min(1, (30 / Math.max(1, count)) ** 0.5);
}

/** The row whose line is nearest to a point of a gap, at most so far away; of equally near ones the topmost. */
export function rowNear(gap: Gap, rows: readonly number[], x: number, y: number, reach: number): number | null {
  let [found, least]: [number | null, number] = [null, reach];
  const share = (x - gap.left) / gap.width;
  for (const row of rows) {
    const [from, to] = [gap.from[row] as number, gap.to[row] as number];
    const apart = Math.abs(from + (to - from) * share - y) / Math.hypot(1, (to - from) / gap.width);
    if (apart <= least) {
      [found, least] = [row, apart];
    }
  }
  return found;
}
