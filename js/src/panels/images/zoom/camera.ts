// The visible part of an image, in fractions of the image, so that one camera serves all runs and steps of a tag. Pure.

import type { Signal } from "@preact/signals";
import { KeyedSignals } from "../../../ui/keyed";
import type { View } from "../../../ui/view";
import type { Size } from "../picture";

/** Or a distance. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

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

/** CSS pixels of a pixel of the image where all of it fits. */
export function fitScale(image: Size, stage: Size): number {
  return Math.min(stage.width / image.width, stage.height / image.height);
}

/** CSS pixels of each side at least: a picture of 5,000 by 1 pixels would be too thin to be seen. */
const MIN_SIDE_PX = 1;

function sizeAt({ width, height }: Size, scale: number): Size {
  return { width: Math.max(MIN_SIDE_PX, width * scale), height: Math.max(MIN_SIDE_PX, height * scale) };
}

export function place(camera: Camera, image: Size, stage: Size): Placement {
  const scale = fitScale(image, stage) * camera.zoom;
  const { width, height } = sizeAt(image, scale);
  return {
    left: stage.width / 2 - centered(camera.x, width, stage.width) * width,
    top: stage.height / 2 - centered(camera.y, height, stage.height) * height,
    width,
    height,
    scale,
  };
}

/** The fraction in the middle: such that no room is left beside an image that could fill it. */
function centered(wanted: number, image: number, stage: number): number {
  const half = stage / (2 * image);
  return half >= 0.5 ? 0.5 : Math.min(1 - half, Math.max(half, wanted));
}

/**
 * Makes the image `factor` times as large; its point at `at` of the stage stays there. If all of it fits, its pixels may
 * become as small as `smallest` CSS pixels.
 */
export function zoomAt(camera: Camera, factor: number, at: Point, image: Size, stage: Size, smallest = 1): Camera {
  const fit = fitScale(image, stage);
  const [least, most] = [Math.min(1, smallest / fit, camera.zoom), Math.max(1, MAX_PIXEL_PX / fit)];
  const zoom = Math.min(most, Math.max(least, camera.zoom * factor));
  const before = place(camera, image, stage);
  const { width, height } = sizeAt(image, fit * zoom);
  const x = (at.x - before.left) / before.width + (stage.width / 2 - at.x) / width;
  const y = (at.y - before.top) / before.height + (stage.height / 2 - at.y) / height;
  return settled({ x, y, zoom }, image, stage);
}

/** Moves the image by CSS pixels. */
export function panBy(camera: Camera, by: Point, image: Size, stage: Size): Camera {
  const { width, height } = place(camera, image, stage);
  const { x, y, zoom } = settled(camera, image, stage);
  return settled({ x: x - by.x / width, y: y - by.y / height, zoom }, image, stage);
}

/** One pixel of the image on one of the screen. */
export function actualSize(camera: Camera, image: Size, stage: Size, devicePixelRatio: number): Camera {
  const factor = 1 / (devicePixelRatio * fitScale(image, stage) * camera.zoom);
  return zoomAt(camera, factor, { x: stage.width / 2, y: stage.height / 2 }, image, stage, 1 / devicePixelRatio);
}

/** The pixel of the image at a point of the stage; null beside the image. */
export function pixelAt(at: Point, placed: Placement, image: Size): Point | null {
  const x = Math.floor(((at.x - placed.left) * image.width) / placed.width);
  const y = Math.floor(((at.y - placed.top) * image.height) / placed.height);
  return x >= 0 && y >= 0 && x < image.width && y < image.height ? { x, y } : null;
}

/** The camera at what it shows, wherever it was to look. */
function settled({ x, y, zoom }: Camera, image: Size, stage: Size): Camera {
  const { width, height } = sizeAt(image, fitScale(image, stage) * zoom);
  return { x: centered(x, width, stage.width), y: centered(y, height, stage.height), zoom };
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
