// The visible part of an image, in fractions of the image, so that one camera serves all runs and steps of a tag. Pure.

import type { Signal } from "@preact/signals";
import type { Point, Size } from "../../../charts/geometry";
import {
  clamp,
  filling,
  fitZoom,
  middleOf,
  movedBy,
  type PlaneCamera,
  toContent,
  within,
  zoomedAbout,
} from "../../../charts/planecamera";
import { KeyedSignals } from "../../../ui/keyed";
import type { View } from "../../../ui/view";

export interface Camera {
  /** The image's point in the middle of the stage, as fractions of its width and height. */
  readonly x: number;
  readonly y: number;
  /** How much larger the image is than where all of it fits. */
  readonly zoom: number;
}

export const WHOLE: Camera = { x: 0.5, y: 0.5, zoom: 1 };

/** Largest width of an image's pixel, in CSS pixels; a whole image that fits may exceed it. */
const MAX_PIXEL_PX = 64;

/** Where an image is on the screen, in CSS pixels from the upper left corner of the stage. */
export interface Placement extends Size {
  readonly left: number;
  readonly top: number;
  /** CSS pixels of a pixel of the image. */
  readonly scale: number;
}

/** CSS pixels of each side at least: a picture of 5,000 by 1 pixels would be too thin to be seen. */
const MIN_SIDE_PX = 1;

/** The image as the stage shows it, in its own pixels. */
function onStage(camera: Camera, image: Size, stage: Size): PlaneCamera {
  const zoom = fitZoom(image, stage) * camera.zoom;
  // Fractions of the enlarged size, so that images of one shape but other sizes are at the very same place.
  const x = stage.width / 2 - camera.x * (image.width * zoom);
  const y = stage.height / 2 - camera.y * (image.height * zoom);
  return within({ x, y, zoom }, image, stage, filling);
}

/** The camera that shows what another one shows; `zoom` is that of the result. */
function cameraFrom(shown: PlaneCamera, zoom: number, image: Size, stage: Size): Camera {
  const { x, y } = toContent(within(shown, image, stage, filling), middleOf(stage));
  const isWider = image.width * shown.zoom > stage.width;
  const isHigher = image.height * shown.zoom > stage.height;
  // Where all of it fits, rounding must not move it.
  return { x: isWider ? x / image.width : WHOLE.x, y: isHigher ? y / image.height : WHOLE.y, zoom };
}

export function place(camera: Camera, image: Size, stage: Size): Placement {
  const { x, y, zoom } = onStage(camera, image, stage);
  const [width, height] = [Math.max(MIN_SIDE_PX, image.width * zoom), Math.max(MIN_SIDE_PX, image.height * zoom)];
  return {
    left: x - (width - image.width * zoom) / 2,
    top: y - (height - image.height * zoom) / 2,
    width,
    height,
    scale: zoom,
  };
}

/**
 * Makes the image `factor` times as large; its point at `at` of the stage stays there. If all of it fits, its pixels may
 * become as small as `smallest` CSS pixels.
 */
export function zoomAt(camera: Camera, factor: number, at: Point, image: Size, stage: Size, smallest = 1): Camera {
  const fit = fitZoom(image, stage);
  const [least, most] = [Math.min(1, smallest / fit, camera.zoom), Math.max(1, MAX_PIXEL_PX / fit)];
  const zoom = clamp(camera.zoom * factor, least, most);
  return cameraFrom(zoomedAbout(onStage(camera, image, stage), fit * zoom, at), zoom, image, stage);
}

/** Moves the image by CSS pixels. */
export function panBy(camera: Camera, by: Point, image: Size, stage: Size): Camera {
  return cameraFrom(movedBy(onStage(camera, image, stage), by), camera.zoom, image, stage);
}

/** One pixel of the image on one of the screen. */
export function actualSize(camera: Camera, image: Size, stage: Size, devicePixelRatio: number): Camera {
  const factor = 1 / (devicePixelRatio * fitZoom(image, stage) * camera.zoom);
  return zoomAt(camera, factor, middleOf(stage), image, stage, 1 / devicePixelRatio);
}

/** The pixel of the image at a point of the stage; null beside the image. */
export function pixelAt(at: Point, placed: Placement, image: Size): Point | null {
  const x = Math.floor(((at.x - placed.left) * image.width) / placed.width);
  const y = Math.floor(((at.y - placed.top) * image.height) / placed.height);
  return x >= 0 && y >= 0 && x < image.width && y < image.height ? { x, y } : null;
}

const cameras = new WeakMap<View, KeyedSignals<Camera>>();

export function cameraOf(view: View, tag: string): Signal<Camera> {
  let ofView = cameras.get(view);
  if (ofView === undefined) {
    ofView = new KeyedSignals(WHOLE);
    cameras.set(view, ofView);
  }
  return ofView.of("images", tag);
}
