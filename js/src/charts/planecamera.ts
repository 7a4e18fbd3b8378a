// The camera of flat content, such as a graph or an image: it is moved, and scaled equally along both axes. Pure: a camera is
// never changed, only replaced.

import type { Point, Size } from "./geometry";

/** A point u of the content is at x + zoom · u on the stage, in CSS pixels from its upper left corner. */
export interface PlaneCamera extends Point {
  readonly zoom: number;
}

/** The zoom at which all of the content fits the stage, less a margin in CSS pixels at each side. */
export function fitZoom(content: Size, stage: Size, margin = 0): number {
  const across = (stage.width - 2 * margin) / Math.max(1, content.width);
  const down = (stage.height - 2 * margin) / Math.max(1, content.height);
  return Math.min(across, down);
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

export function middleOf({ width, height }: Size): Point {
  return { x: width / 2, y: height / 2 };
}

/** A camera of this zoom with a point of the content in the middle of the stage. */
export function centeredOn(point: Point, zoom: number, stage: Size): PlaneCamera {
  return { x: stage.width / 2 - zoom * point.x, y: stage.height / 2 - zoom * point.y, zoom };
}

/** The camera with another zoom; what is at a point of the stage stays there. */
export function zoomedAbout(camera: PlaneCamera, zoom: number, at: Point): PlaneCamera {
  const by = zoom / camera.zoom;
  return { x: at.x - (at.x - camera.x) * by, y: at.y - (at.y - camera.y) * by, zoom };
}

/** Moves the content by CSS pixels. */
export function movedBy<C extends PlaneCamera>(camera: C, by: Point): C {
  return { ...camera, x: camera.x + by.x, y: camera.y + by.y };
}

/** The point of the content at a point of the stage. */
export function toContent(camera: PlaneCamera, at: Point): Point {
  return { x: (at.x - camera.x) / camera.zoom, y: (at.y - camera.y) / camera.zoom };
}

/** The point of the stage where a point of the content is. */
export function toStage(camera: PlaneCamera, point: Point): Point {
  return { x: camera.x + camera.zoom * point.x, y: camera.y + camera.zoom * point.y };
}

/** Where content of a length may begin, along one axis of a stage, if it was to begin at `origin`. All in CSS pixels. */
type Limit = (origin: number, length: number, stage: number) => number;

/** The camera moved to within a limit along both axes. */
export function within({ x, y, zoom }: PlaneCamera, content: Size, stage: Size, limit: Limit): PlaneCamera {
  return {
    x: limit(x, content.width * zoom, stage.width),
    y: limit(y, content.height * zoom, stage.height),
    zoom,
  };
}

/** Leaves no room beside content that could fill the stage; content that fits is in the middle. */
export const filling: Limit = (origin, length, stage) =>
  length <= stage ? (stage - length) / 2 : clamp(origin, stage - length, 0);

/** Keeps this many CSS pixels of the content on the stage, or as many as there are. */
export const keeping =
  (pixels: number): Limit =>
  (origin, length, stage) => {
    const kept = Math.min(pixels, length, stage / 2);
    return clamp(origin, kept - length, stage - kept);
  };
