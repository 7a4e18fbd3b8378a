// Zoom in the tiles of the grid: all tiles of a tag show the same part of their images.

import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Size } from "../../../charts/geometry";
import { type Camera, panBy, WHOLE, zoomAt } from "./camera";
import { listen } from "./gestures";

/** A tile shows the whole image where the viewer shows it smaller than that. */
export function inTile(camera: Camera): Camera {
  return camera.zoom > 1 ? camera : WHOLE;
}

/** How many times as many pixels are decoded: powers of 2, so that little turns of the wheel need no others. */
export function pixelZoom(camera: Camera): number {
  return 2 ** Math.ceil(Math.log2(inTile(camera).zoom));
}

/** Handles the gestures on a picture of `image` pixels that fits into `stage` CSS pixels. */
export function useTileZoom(
  frame: RefObject<HTMLElement | null>,
  camera: Signal<Camera>,
  image: Size,
  stage: Size,
): void {
  const sizes = useRef({ image, stage });
  sizes.current = { image, stage };
  useEffect(() => {
    const element = frame.current;
    if (element === null) {
      return;
    }
    return listen(
      element,
      {
        zoomed: (factor, at) => {
          const { image, stage } = sizes.current;
          camera.value = inTile(zoomAt(inTile(camera.peek()), factor, at, image, stage));
        },
        moved: (by) => {
          const { image, stage } = sizes.current;
          camera.value = panBy(camera.peek(), by, image, stage);
        },
        reset: () => {
          camera.value = WHOLE;
        },
      },
      () => camera.peek().zoom > 1,
    );
  }, [frame, camera]);
}
