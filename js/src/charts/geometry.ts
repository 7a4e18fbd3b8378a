// Shapes and points that the modules of the charts share.

import type { ChartTheme } from "./theme";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle in a chart, in CSS or canvas pixels from the upper left corner. */
export interface Rect extends Size {
  readonly left: number;
  readonly top: number;
}

/** A point in CSS pixels from the upper left corner of an element, or a distance in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A place in a plot, as shares of its width and height from the upper left corner. */
export interface Position {
  readonly x: number;
  readonly y: number;
}

/** A point of the data, in the units of the axes. */
export interface DataPoint {
  readonly x: number;
  readonly y: number;
  readonly color: string;
  readonly step: bigint;
  /** The line that it is of, where the one near the pointer stands out. */
  readonly line?: object;
  /** Its line has no other point. */
  readonly isLone?: boolean;
}

/** A shape to be filled or stroked: a Path2D, or what an SVG is written from. */
export type PaintPath = Pick<Path2D, "moveTo" | "lineTo" | "closePath" | "rect" | "arc">;

type PaintState =
  | ("fillStyle" | "strokeStyle" | "globalAlpha" | "lineWidth" | "lineJoin" | "imageSmoothingEnabled")
  | ("font" | "textAlign" | "textBaseline");

type PaintMethod =
  | ("save" | "restore" | "clip" | "beginPath" | "setLineDash" | "fillRect" | "translate")
  | ("fillText" | "strokeText" | "measureText");

/** The part of a canvas context that charts use. */
export interface PaintContext extends PaintPath, Pick<CanvasRenderingContext2D, PaintState | PaintMethod> {
  clip(): void;
  fill(path?: PaintPath): void;
  stroke(path?: PaintPath): void;
  drawImage(image: HTMLCanvasElement, left: number, top: number, width: number, height: number): void;
}

/** A canvas or an SVG writer to paint on, and the number of its pixels per CSS pixel. */
export interface Surface {
  readonly context: PaintContext;
  readonly ratio: number;
  /** A new shape, empty. */
  readonly path: () => PaintPath;
  /** Colors of axes and labels that the user has chosen for all pages. */
  readonly forced?: ChartTheme | null;
}

export function canvasSurface(
  context: CanvasRenderingContext2D,
  ratio: number,
  forced: ChartTheme | null = null,
): Surface {
  return { context, ratio, path: () => new Path2D(), forced };
}

/** A rectangle of CSS pixels in whole pixels of the canvas. */
export function onCanvas({ left, top, width, height }: Rect, ratio: number): Rect {
  return {
    left: Math.round(left * ratio),
    top: Math.round(top * ratio),
    width: Math.max(1, Math.round(width * ratio)),
    height: Math.max(1, Math.round(height * ratio)),
  };
}

/** Gives a canvas the pixels for a size in CSS pixels. Setting them clears it, so they stay where they are right. */
export function fitCanvas(canvas: HTMLCanvasElement, { width, height }: Size, ratio: number): void {
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) {
    [canvas.width, canvas.height] = [across, down];
  }
}
