// Keys that zoom and move an image. Pure.

import type { Key } from "../../../items/viewer/keys";
import type { Size } from "../picture";
import { actualSize, type Camera, type Point, panBy, WHOLE, zoomAt } from "./camera";

export type CameraAction =
  | { readonly does: "whole" | "actual" }
  | { readonly does: "zoom"; readonly factor: number }
  | { readonly does: "pan"; readonly by: Point };

/** Factor and CSS pixels for one press of a key. */
export const ZOOM = 1.25;
const PAN = 60;

const ACTIONS: Readonly<Record<string, CameraAction>> = {
  "+": { does: "zoom", factor: ZOOM },
  "=": { does: "zoom", factor: ZOOM },
  "-": { does: "zoom", factor: 1 / ZOOM },
  "0": { does: "whole" },
  "1": { does: "actual" },
};

const SHIFTED: Readonly<Record<string, CameraAction>> = {
  ArrowLeft: { does: "pan", by: { x: PAN, y: 0 } },
  ArrowRight: { does: "pan", by: { x: -PAN, y: 0 } },
  ArrowUp: { does: "pan", by: { x: 0, y: PAN } },
  ArrowDown: { does: "pan", by: { x: 0, y: -PAN } },
};

/** The action of a key; undefined for other keys. */
export function actionOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Key): CameraAction | undefined {
  if (ctrlKey || metaKey || altKey) {
    return undefined;
  }
  const actions = shiftKey && Object.hasOwn(SHIFTED, key) ? SHIFTED : ACTIONS;
  return Object.hasOwn(actions, key) ? actions[key] : undefined;
}

/** Return the camera after an action. */
export function aimed(camera: Camera, action: CameraAction, image: Size, stage: Size, pixelRatio: number): Camera {
  switch (action.does) {
    case "zoom":
      return zoomAt(camera, action.factor, { x: stage.width / 2, y: stage.height / 2 }, image, stage);
    case "pan":
      return panBy(camera, action.by, image, stage);
    case "actual":
      return actualSize(camera, image, stage, pixelRatio);
    case "whole":
      return WHOLE;
  }
}
