// All of a scene as an image: SVG, whose texts stay texts, or PNG.

import type { Size } from "../../../charts/geometry";
import { svgOf } from "../../../charts/svg";
import { pngOf, pngScale } from "../../../ui/save/picturefile";
import { saveTexts } from "../../../ui/save/texts";
import { graphTexts } from "../texts";
import type { Colors } from "./colors";
import type { Frame, Pen } from "./frame";
import { paint } from "./painter";
import { RouteLabels } from "./routelabels";
import { boundsOf } from "./routes";
import { prepare, type Scene } from "./scene";

/** Units of the layout around the graph. */
const MARGIN = 16;

function draw(pen: Pen, scene: Scene, colors: Colors, auxiliary: string, k: number): void {
  const { layout } = scene;
  const { width, height } = sizeOf(scene);
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
    width: width * k,
    height: height * k,
    selected: -1,
    focused: -1,
    isMap: false,
    auxiliary,
  };
  paint(frame, boundsOf(layout.routes), new RouteLabels(scene));
}

/** One unit of the layout is a CSS pixel. */
function sizeOf({ layout }: Scene): Size {
  return { width: layout.width + 2 * MARGIN, height: layout.height + 2 * MARGIN };
}

export function toSvg(scene: Scene, colors: Colors, auxiliary: string): string {
  const size = sizeOf(scene);
  return svgOf(size, null, ({ context }) => {
    context.fillStyle = colors.paper;
    context.fillRect(0, 0, size.width, size.height);
    draw(context, scene, colors, auxiliary, 1);
  });
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
    return saveTexts().pngTooLarge;
  }
  return scale < 1 ? graphTexts().pngScaled(Math.max(1, Math.round(100 * scale))) : null;
}

export async function toPng(scene: Scene, colors: Colors, auxiliary: string, page: Document): Promise<Picture> {
  const size = sizeOf(scene);
  const paintAll = (context: CanvasRenderingContext2D, k: number) => {
    context.fillStyle = colors.paper;
    context.fillRect(0, 0, k * size.width, k * size.height);
    draw(context, scene, colors, auxiliary, k);
  };
  return { blob: await pngOf(size, paintAll, page), scale: pngScale(size) };
}
