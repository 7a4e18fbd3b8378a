// Paints the stage: points, pictures where there is room, names of clusters and points, spokes to neighbors, and the axes.

import { fitCanvas, type Size } from "../../charts/geometry";
import { matrixOf, type Orbit, project } from "../../charts/orbit";
import { packed } from "../../charts/raster";
import { fittedName, labelFont, measureLabel } from "../../charts/text";
import { css, type PageColors, type Rgb } from "../../charts/theme";
import { RINGS } from "../../lib/tokens";
import { DotRaster, type Dots, dotRadius, MAX_DOTS } from "./dots";
import { type Box, placeLabels, type Scene, type SpritePlace, spritePlaces, wholeOrbit } from "./scene";
import { drawSprite, type Sheet } from "./sheet";

/** CSS pixels of a picture. */
const MIN_SPRITE_PX = 24;
const MAX_SPRITE_PX = 44;

/** CSS pixels of a line of text, the longest name, and the halo around it. */
const LINE_PX = 14;
const MAX_NAME_PX = 160;
const HALO_PX = 3;

/** Names of points up to which they are written. */
const MAX_NAMES = 400;

/** CSS pixels of the axes in the corner, and from there to the edges. */
const AXIS_PX = 30;
const CORNER_PX = 42;

/** CSS pixels within which the pointer is on a point. */
const NEAR_PX = 8;

/** The drawing of a stage. */
export interface StageDrawing {
  readonly scene: Scene;
  readonly orbit: Orbit;
  readonly sheet: Sheet | null;
  readonly page: PageColors;
  /** The part that buttons cover; null for none. */
  readonly covered: Box | null;
}

export class StagePainter {
  #raster: DotRaster | null = null;
  /** Canvas of the coarse drawing, before it is enlarged. */
  readonly #coarse = document.createElement("canvas");
  #places = new Float32Array(0);
  #scaled = new Float32Array(0);
  /** Pixels of the raster to a CSS pixel. */
  #ratio = 1;
  #count = 0;
  #sprites: readonly SpritePlace[] = [];

  /** Places of all points in CSS pixels: all x, then all y, then all depths. */
  get places(): Float32Array {
    return this.#places.subarray(0, 3 * this.#count);
  }

  /**
   * Paints all of it onto a canvas of this size in CSS pixels. `coarseness`: pixels of the canvas that one of the points'
   * pixels takes, across and down. Names stay sharp. Returns whether it shows the density of points.
   */
  paint(canvas: HTMLCanvasElement, size: Size, ratio: number, drawing: StageDrawing, coarseness = 1): boolean {
    const context = canvas.getContext("2d");
    if (context === null) {
      return false;
    }
    fitCanvas(canvas, size, ratio);
    const { scene, orbit, page } = drawing;
    const places = this.#project(scene, orbit, size);
    const raster = this.#rasterOf(Math.ceil(canvas.width / coarseness), Math.ceil(canvas.height / coarseness));
    const fine = ratio / coarseness;
    this.#ratio = fine;
    const hasDepth = scene.planes.length > 2;
    this.#sprites =
      drawing.sheet === null ? [] : spritePlaces(places, scene.layers, size, MIN_SPRITE_PX, MAX_SPRITE_PX);
    const zoom = orbit.scale / wholeOrbit(scene, size, orbit.rotation).scale;
    const dots: Dots = {
      places: fine === 1 ? places : this.#scale(places, fine),
      layers: scene.layers,
      colors: scene.colors,
      radius: fine * dotRadius(scene.drawn, size.width * size.height, zoom),
      hasDepth,
      background: packed(page.background),
    };
    const isDense = raster.draw(dots) > MAX_DOTS;
    if (coarseness === 1) {
      raster.put(context);
    } else {
      fitCanvas(this.#coarse, raster, 1);
      raster.put(this.#coarse.getContext("2d") as CanvasRenderingContext2D);
      context.drawImage(this.#coarse, 0, 0, raster.width * coarseness, raster.height * coarseness);
    }
    context.save();
    context.scale(ratio, ratio);
    this.#paintSpokes(context, drawing);
    this.#paintSprites(context, drawing);
    for (const point of scene.rings) {
      const place = scene.layers[point] === 0 ? null : this.placeOf(point);
      if (place !== null) {
        paintRing(context, ...place);
      }
    }
    this.#paintNames(context, size, drawing);
    paintAxes(context, size, drawing);
    context.restore();
    return isDense;
  }

  /** The point near a place in CSS pixels; a picture counts as its point. */
  pointAt(x: number, y: number): number | null {
    const sprite = this.#sprites.find((one) => Math.max(Math.abs(one.x - x), Math.abs(one.y - y)) <= one.side / 2);
    return sprite?.point ?? this.#raster?.pointNear(x * this.#ratio, y * this.#ratio, NEAR_PX * this.#ratio) ?? null;
  }

  /** Where a point is, in CSS pixels; null where it has no place. */
  placeOf(point: number): readonly [x: number, y: number] | null {
    const [x, y] = [this.#places[point], this.#places[this.#count + point]];
    return point < this.#count && x !== undefined && y !== undefined && Number.isFinite(x + y) ? [x, y] : null;
  }

  #project({ planes }: Scene, orbit: Orbit, size: Size): Float32Array {
    this.#count = planes[0]?.length ?? 0;
    if (this.#places.length < 3 * this.#count) {
      this.#places = new Float32Array(3 * this.#count);
    }
    const places = this.places;
    if (this.#count > 0) {
      project(orbit, size, planes, places);
    }
    return places;
  }

  #rasterOf(width: number, height: number): DotRaster {
    if (this.#raster?.width !== width || this.#raster.height !== height) {
      this.#raster = new DotRaster(Math.max(1, width), Math.max(1, height));
    }
    return this.#raster;
  }

  #scale(places: Float32Array, ratio: number): Float32Array {
    if (this.#scaled.length !== places.length) {
      this.#scaled = new Float32Array(places.length);
    }
    for (let i = 0; i < places.length; i += 1) {
      this.#scaled[i] = (places[i] as number) * ratio;
    }
    return this.#scaled;
  }

  #paintSpokes(context: CanvasRenderingContext2D, { scene, page }: StageDrawing): void {
    const from = scene.spokes === null ? null : this.placeOf(scene.spokes.point);
    if (scene.spokes === null || from === null) {
      return;
    }
    context.beginPath();
    for (const neighbor of scene.spokes.neighbors) {
      const to = scene.layers[neighbor] === 0 ? null : this.placeOf(neighbor);
      if (to !== null) {
        context.moveTo(...from);
        context.lineTo(...to);
      }
    }
    context.strokeStyle = css(page.foreground);
    context.globalAlpha = 0.35;
    context.lineWidth = 1;
    context.stroke();
    context.globalAlpha = 1;
  }

  #paintSprites(context: CanvasRenderingContext2D, { sheet, scene }: StageDrawing): void {
    if (sheet === null) {
      return;
    }
    for (const { point, x, y, side } of this.#sprites) {
      const [left, top, inner] = [x - side / 2, y - side / 2, side - 4];
      // The color of the point is the frame of its picture.
      context.fillStyle = css(unpacked(scene.colors[point] as number));
      context.fillRect(left + 1, top + 1, side - 2, side - 2);
      drawSprite(context, sheet, point, left + 2, top + 2, inner);
    }
  }

  #paintNames(context: CanvasRenderingContext2D, size: Size, { scene, orbit, page, covered }: StageDrawing): void {
    const { clusters, labelOf, layers } = scene;
    const taken: Box[] = covered === null ? [] : [covered];
    const out = new Float32Array(3);
    const ofClusters = [...clusters]
      .sort((a, b) => b.count - a.count)
      .map(({ text, at }) => {
        project(
          orbit,
          size,
          at.map((value) => Float32Array.of(value)),
          out,
        );
        const name = fittedName(text, MAX_NAME_PX, bold);
        const [width, x, y] = [bold(name), out[0] as number, out[1] as number];
        // A name is whole, also at the edge.
        const within = Math.max(width / 2 + 2, Math.min(size.width - width / 2 - 2, x));
        return {
          at: [x, y] as const,
          text: name,
          width,
          tries: [y, y - LINE_PX, y + LINE_PX, ...(covered === null ? [] : [covered[1] - LINE_PX])].map(
            (middle) => [within, middle] as const,
          ),
        };
      });
    const placed = placeLabels(
      ofClusters.filter(({ at }) => isIn(at, size)),
      LINE_PX,
      taken,
    );
    const ofPoints = labelOf === null ? [] : this.#names(size, labelOf, layers);
    taken.push(
      ...this.#sprites.map(({ x, y, side }) => [x - side / 2, y - side / 2, x + side / 2, y + side / 2] as const),
      ...placed.map(({ text, left, top }) => [left, top, left + bold(text), top + LINE_PX] as const),
    );
    const names = placeLabels(ofPoints, LINE_PX, taken);
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = HALO_PX;
    context.strokeStyle = css(page.background);
    context.fillStyle = css(page.foreground);
    for (const [font, labels] of [
      [labelFont(1), names],
      [`600 ${labelFont(1)}`, placed],
    ] as const) {
      context.font = font;
      context.globalAlpha = labels === placed && scene.isLit ? 0.55 : 1;
      for (const { text, left, top } of labels) {
        context.strokeText(text, left, top + LINE_PX / 2);
        context.fillText(text, left, top + LINE_PX / 2);
      }
    }
    context.globalAlpha = 1;
  }

  /** Labels of the visible points: of the highlighted ones, or of all; none if they are too many. */
  #names(size: Size, labelOf: (point: number) => string, layers: Uint8Array) {
    const found: number[] = [];
    for (let i = 0; i < layers.length; i += 1) {
      if ((layers[i] as number) > 1 && isIn(this.placeOf(i), size)) {
        found.push(i);
        if (found.length > MAX_NAMES) {
          return [];
        }
      }
    }
    return found.map((point) => {
      const text = fittedName(labelOf(point), MAX_NAME_PX);
      const [x, y] = this.placeOf(point) as readonly [number, number];
      const [width, apart] = [measureLabel(text), 7];
      const beside = apart + width / 2;
      return { text, width, tries: [[x + beside, y] as const, [x - beside, y] as const] };
    });
  }

  clear(): void {
    this.#raster = null;
    this.#sprites = [];
  }
}

function bold(text: string): number {
  return 1.1 * measureLabel(text);
}

function isIn(at: readonly [x: number, y: number] | null | undefined, { width, height }: Size): boolean {
  return at != null && at[0] >= 0 && at[1] >= 0 && at[0] <= width && at[1] <= height;
}

function unpacked(color: number): Rgb {
  return [color & 255, (color >> 8) & 255, (color >> 16) & 255];
}

/** Where the axes lead, in the lower left corner. */
function paintAxes(context: CanvasRenderingContext2D, { height }: Size, { scene, orbit, page }: StageDrawing): void {
  const matrix = matrixOf(orbit.rotation);
  const [left, top] = [CORNER_PX, height - CORNER_PX];
  context.font = labelFont(1);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 1;
  context.strokeStyle = context.fillStyle = css(page.foreground);
  context.globalAlpha = 0.65;
  for (const [i, name] of scene.axes.entries()) {
    const [x, y] = [matrix[i] as number, -(matrix[3 + i] as number)];
    context.beginPath();
    context.moveTo(left, top);
    context.lineTo(left + AXIS_PX * x, top + AXIS_PX * y);
    context.stroke();
    // A name that points to the left would be cut at the edge.
    const middle = Math.max(left + (AXIS_PX + 11) * x, measureLabel(name) / 2 + 4);
    context.fillText(name, middle, top + (AXIS_PX + 8) * y);
  }
  context.globalAlpha = 1;
}

/** Rings around a point: a dark line in a light one, seen on any color. */
const RING_PX = 7;

/** Marks the points that are pointed at or selected. */
export function paintRing(context: CanvasRenderingContext2D, x: number, y: number): void {
  for (const [color, width] of RINGS) {
    context.beginPath();
    context.arc(x, y, RING_PX, 0, 2 * Math.PI);
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke();
  }
}
