// Wheel, mouse, pen, fingers and keys on an image: the wheel and two fingers zoom, a drag moves, a double-click shows all.

import type { Key } from "../../../items/viewer/state";
import type { Size } from "../picture";
import { actualSize, type Camera, type Point, panBy, WHOLE, zoomAt } from "./camera";

export interface GestureEvents {
  /** Places are in CSS pixels from the upper left corner of the element. */
  zoomed(factor: number, at: Point): void;
  moved(by: Point): void;
  /** Null: the pointer has left. */
  hovered?(at: Point | null): void;
  reset(): void;
}

/** Change of the zoom per pixel of scrolling; lines and pages count as the pixels below. */
const PER_PIXEL = 0.002;
const LINE = 16;
const PAGE = 400;
/** Pixels that count of one event. */
const MAX_EVENT_PX = 300;
/** Pinching on a touchpad comes as small turns of the wheel with Ctrl, so that they are fractions of a notch. */
const PINCH = 5;
const MAX_PINCH_PX = 40;
/** CSS pixels after which a press is a drag, which is no click. */
const SLOP = 4;

/**
 * Listens until the returned function is called.
 *
 * With `isZoomed`, the image is part of a page that scrolls: the wheel zooms with Ctrl, ⌘ or Alt, and a drag moves a zoomed
 * image.
 */
export function listen(
  element: HTMLElement,
  events: GestureEvents,
  isZoomed: (() => boolean) | null = null,
): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const held = new Map<number, Point>();
  /** CSS pixels that the pointer went since it was pressed. */
  let way = 0;
  const at = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = element.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const drags = () => isZoomed === null || isZoomed();
  const release = ({ pointerId, pointerType }: PointerEvent) => {
    held.delete(pointerId);
    element.toggleAttribute("data-dragged", held.size > 0 && drags());
    if (pointerType === "touch") {
      events.hovered?.(null);
    }
  };
  const move = (event: PointerEvent) => {
    const now = at(event);
    const before = held.get(event.pointerId);
    if (before === undefined) {
      events.hovered?.(now);
      return;
    }
    held.set(event.pointerId, now);
    way += distance(before, now);
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
    if (other !== undefined) {
      // The point below the resting finger stays there. Two fingers that move by turns move the image.
      events.zoomed(distance(now, other) / Math.max(1, distance(before, other)), other);
    } else if (drags()) {
      events.moved({ x: now.x - before.x, y: now.y - before.y });
      events.hovered?.(now);
    }
  };
  element.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button > 1 || held.size > 1) {
        return;
      }
      if (held.size === 0) {
        way = 0;
      }
      // One of two fingers may be on another image by now.
      if (drags() || event.pointerType === "touch") {
        element.setPointerCapture(event.pointerId);
        held.set(event.pointerId, at(event));
        element.toggleAttribute("data-dragged", drags());
      }
    },
    { signal },
  );
  element.addEventListener("pointermove", move, { signal });
  element.addEventListener("pointerup", release, { signal });
  element.addEventListener("pointercancel", release, { signal });
  element.addEventListener("pointerleave", () => events.hovered?.(null), { signal });
  element.addEventListener("dblclick", () => events.reset(), { signal });
  element.addEventListener("click", (event) => way > SLOP && event.stopPropagation(), { signal });
  element.addEventListener(
    "wheel",
    (event) => {
      const { deltaY, deltaMode, ctrlKey, metaKey, altKey } = event;
      if (isZoomed !== null && !(ctrlKey || metaKey || altKey)) {
        return;
      }
      event.preventDefault();
      const unit = deltaMode === 1 ? LINE : deltaMode === 2 ? PAGE : 1;
      const pixels = deltaY * unit * (ctrlKey && Math.abs(deltaY) < MAX_PINCH_PX ? PINCH : 1);
      events.zoomed(Math.exp(-Math.max(-MAX_EVENT_PX, Math.min(MAX_EVENT_PX, pixels)) * PER_PIXEL), at(event));
    },
    { signal, passive: false },
  );
  // Two fingers would scroll the page, where one may.
  element.addEventListener("touchmove", (event) => event.touches.length > 1 && event.preventDefault(), {
    signal,
    passive: false,
  });
  // The middle button would let the page scroll along.
  element.addEventListener("mousedown", (event) => event.button === 1 && event.preventDefault(), { signal });
  return () => ended.abort();
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

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
