// The options of the images. Twins of the traits in tbwidget/panels/images.py.

import { defineOptions, flag, numberFrom, wholeFrom } from "../../options/declare";

export const MIN_TILE_PX = 32;
export const MAX_TILE_PX = 1024;
/** The most that brightness and contrast are multiplied by. */
export const MAX_LEVEL = 4;

export const imagesOptions = defineOptions({
  /** The longer side of an image in CSS pixels. */
  image_size: wholeFrom(MIN_TILE_PX, MAX_TILE_PX, 160),
  /** One pixel of an image is one of the screen. */
  actual_size: flag(false),
  pixelated: flag(true),
  brightness: numberFrom(0, MAX_LEVEL, 1),
  contrast: numberFrom(0, MAX_LEVEL, 1),
});
