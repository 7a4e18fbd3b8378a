// Wheel, mouse, pen, fingers and keys on an image: the wheel and two fingers zoom, a drag moves, a double-click shows all.

import type { Point, Size } from "../../../charts/geometry";
import { actionAmong, type Key, ZOOM_ACTIONS } from "../../../charts/keyboard";
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

const ACTIONS: Readonly<Record<string, CameraAction>> = {
  ...ZOOM_ACTIONS,
  "0": { does: "whole" },
  "1": { does: "actual" },
};

const SHIFTED: Readonly<Record<string, CameraAction>> = {
  ArrowLeft: { does: "pan", by: { x: PAN_PX, y: 0 } },
  ArrowRight: { does: "pan", by: { x: -PAN_PX, y: 0 } },
  ArrowUp: { does: "pan", by: { x: 0, y: PAN_PX } },
  ArrowDown: { does: "pan", by: { x: 0, y: -PAN_PX } },
};

/** The action of a key; undefined for other keys. */
export function actionOf(key: Key): CameraAction | undefined {
  return actionAmong(key, ACTIONS, SHIFTED);
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
