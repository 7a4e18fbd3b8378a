// What keys do to an image, and in the viewer. Pure.

import type { Size } from "../picture";
import { actualSize, type Camera, type Point, panBy, WHOLE, zoomAt } from "./camera";

export type KeyAction =
  | { readonly does: "step" | "run"; readonly by: number }
  | { readonly does: "first" | "last" | "whole" | "actual" | "swap" }
  | { readonly does: "zoom"; readonly factor: number }
  | { readonly does: "pan"; readonly by: Point };

/** Steps that a page key goes; what a press of a key zooms and moves by. */
const PAGE = 10;
export const ZOOM = 1.25;
const PAN = 60;

const ACTIONS: Readonly<Record<string, KeyAction>> = {
  ArrowLeft: { does: "step", by: -1 },
  ArrowRight: { does: "step", by: 1 },
  PageUp: { does: "step", by: -PAGE },
  PageDown: { does: "step", by: PAGE },
  ArrowUp: { does: "run", by: -1 },
  ArrowDown: { does: "run", by: 1 },
  Home: { does: "first" },
  End: { does: "last" },
  "+": { does: "zoom", factor: ZOOM },
  "=": { does: "zoom", factor: ZOOM },
  "-": { does: "zoom", factor: 1 / ZOOM },
  "0": { does: "whole" },
  "1": { does: "actual" },
  x: { does: "swap" },
};

const SHIFTED: Readonly<Record<string, KeyAction>> = {
  ArrowLeft: { does: "pan", by: { x: PAN, y: 0 } },
  ArrowRight: { does: "pan", by: { x: -PAN, y: 0 } },
  ArrowUp: { does: "pan", by: { x: 0, y: PAN } },
  ArrowDown: { does: "pan", by: { x: 0, y: -PAN } },
};

type Key = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** Undefined for what is not ours. */
export function actionOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Key): KeyAction | undefined {
  if (ctrlKey || metaKey || altKey) {
    return undefined;
  }
  const actions = shiftKey && Object.hasOwn(SHIFTED, key) ? SHIFTED : ACTIONS;
  return Object.hasOwn(actions, key) ? actions[key] : undefined;
}

/** The camera after what was done to it; the same one where that does nothing to cameras. */
export function aimed(camera: Camera, action: KeyAction, image: Size, stage: Size, pixelRatio: number): Camera {
  switch (action.does) {
    case "zoom":
      return zoomAt(camera, action.factor, { x: stage.width / 2, y: stage.height / 2 }, image, stage);
    case "pan":
      return panBy(camera, action.by, image, stage);
    case "actual":
      return actualSize(camera, image, stage, pixelRatio);
    case "whole":
      return WHOLE;
    default:
      return camera;
  }
}
