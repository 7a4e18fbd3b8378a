// All of a scene as an image: SVG, whose texts stay texts, or PNG.

import { strings } from "../../../lib/strings";
import type { Colors } from "./colors";
import type { Frame } from "./frame";
import { LineLabels } from "./linelabels";
import { boundsOf } from "./lines";
import { paint } from "./painter";
import type { Pen } from "./pen";
import { prepare } from "./prepared";
import type { Scene } from "./scene";
import { SvgPen } from "./svgpen";

/** Units of the layout around the graph. */
const MARGIN = 16;
/** Pixels that a PNG has at most along a side, and in all; browsers refuse larger canvases. */
const LONGEST = 16384;
const MOST_PIXELS = 64e6;
/** Pixels per unit of the layout that a PNG has where that is possible. */
const SCALE = 2;

function draw(pen: Pen, scene: Scene, colors: Colors, auxiliary: string, k: number): void {
  const { layout } = scene;
  const frame: Frame = {
    pen,
    scene,
    prepared: prepare(scene),
    places: layout,
    colors,
    k,
    dx: MARGIN * k,
    dy: MARGIN * k,
    ratio: k,
    width: (layout.width + 2 * MARGIN) * k,
    height: (layout.height + 2 * MARGIN) * k,
    selected: -1,
    focused: -1,
    isMap: false,
    auxiliary,
  };
  paint(frame, boundsOf(layout.lines), new LineLabels(scene));
}

export function toSvg(scene: Scene, colors: Colors, auxiliary: string): string {
  const pen = new SvgPen();
  draw(pen, scene, colors, auxiliary, 1);
  const { width, height } = scene.layout;
  return pen.document(width + 2 * MARGIN, height + 2 * MARGIN, colors.paper);
}

/** Pixels per unit: as many as there may be. */
export function pngScale(width: number, height: number): number {
  return Math.min(SCALE, LONGEST / Math.max(width, height), Math.sqrt(MOST_PIXELS / (width * height)));
}

export interface Picture {
  /** Null where the browser has no room for it. */
  readonly blob: Blob | null;
  /** Pixels per unit of the layout, where there might be too few. */
  readonly scale?: number;
}

/** The message about a picture that is smaller than the drawing, or could not be made. */
export function messageOf({ blob, scale = 1 }: Picture): string | null {
  if (blob === null) {
    return strings.graphs.pngTooLarge;
  }
  return scale < 1 ? strings.graphs.pngScaled(Math.max(1, Math.round(100 * scale))) : null;
}

export async function toPng(scene: Scene, colors: Colors, auxiliary: string, page: Document): Promise<Picture> {
  const [width, height] = [scene.layout.width + 2 * MARGIN, scene.layout.height + 2 * MARGIN];
  const k = pngScale(width, height);
  const canvas = page.createElement("canvas");
  [canvas.width, canvas.height] = [Math.max(1, Math.floor(width * k)), Math.max(1, Math.floor(height * k))];
  const context = canvas.getContext("2d", { alpha: false });
  if (context === null) {
    return { blob: null, scale: k };
  }
  context.fillStyle = colors.paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  draw(context, scene, colors, auxiliary, k);
  return { blob: await new Promise((resolve) => canvas.toBlob(resolve, "image/png")), scale: k };
}
