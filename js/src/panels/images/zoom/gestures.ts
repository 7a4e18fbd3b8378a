// Wheel, mouse, pen, fingers and keys on an image: the wheel and two fingers zoom, a drag moves, a double-click shows all.

import type { Point, Size } from "../../../charts/geometry";
import { actionAmong, type Key, type KeyMap, ZOOM_KEYS } from "../../../charts/keyboard";
import { middleOf } from "../../../charts/planecamera";
import { type GestureEvents, listen as stageGestures } from "../../../charts/stagegestures";
import { actualSize, type Camera, panBy, WHOLE, zoomAt } from "./camera";

interface ImageEvents extends Pick<GestureEvents, "zoomed" | "hovered"> {
  moved(by: Point): void;
  reset(): void;
}

const PINCH_GAIN = 5;

/**
 * Listens until the returned function is called.
 *
 * With `isZoomed`, the image is part of a page that scrolls: the wheel zooms with Ctrl, ⌘ or Alt, and a drag moves a zoomed
 * image.
 */
export function listen(
  element: HTMLElement,
  { zoomed, moved, hovered, reset }: ImageEvents,
  isZoomed: (() => boolean) | null = null,
): () => void {
  const dragsAtOnce = () => isZoomed === null || isZoomed();
  const end = stageGestures(
    element,
    { zoomed, moved: (by) => dragsAtOnce() && moved(by), doubleClicked: reset, ...(hovered && { hovered }) },
    {
      dragsAtOnce,
      wheel: {
        zooms: ({ ctrlKey, metaKey, altKey }) => isZoomed === null || ctrlKey || metaKey || altKey,
        pinchGain: PINCH_GAIN,
      },
    },
  );
  // Two fingers would scroll the page, where one may.
  const touchmove = (event: TouchEvent) => event.touches.length > 1 && event.preventDefault();
  element.addEventListener("touchmove", touchmove, { passive: false });
  return () => {
    end();
    element.removeEventListener("touchmove", touchmove);
  };
}

export type CameraAction =
  | { readonly does: "whole" | "actual" }
  | { readonly does: "zoom"; readonly factor: number }
  | { readonly does: "pan"; readonly by: Point };

/** CSS pixels for one press of a key. */
const PAN_PX = 60;

const pan = (right: number, down: number): CameraAction => ({
  does: "pan",
  by: { x: right * PAN_PX, y: down * PAN_PX },
});

/** The keys of an image. */
export const IMAGE_KEYS = {
  zoom: ZOOM_KEYS,
  whole: { "0": { does: "whole" } },
  actual: { "1": { does: "actual" } },
  move: {
    "Shift+ArrowLeft": pan(1, 0),
    "Shift+ArrowRight": pan(-1, 0),
    "Shift+ArrowUp": pan(0, 1),
    "Shift+ArrowDown": pan(0, -1),
  },
} as const satisfies KeyMap<CameraAction>;

/** The action of a key; undefined for other keys. */
export function actionOf(key: Key): CameraAction | undefined {
  return actionAmong<CameraAction>(key, IMAGE_KEYS);
}

/** Return the camera after an action. */
export function aimed(camera: Camera, action: CameraAction, image: Size, stage: Size, pixelRatio: number): Camera {
  switch (action.does) {
    case "zoom":
      return zoomAt(camera, action.factor, middleOf(stage), image, stage);
    case "pan":
      return panBy(camera, action.by, image, stage);
    case "actual":
      return actualSize(camera, image, stage, pixelRatio);
    case "whole":
      return WHOLE;
  }
}
