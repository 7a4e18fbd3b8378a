// Wheel, mouse, pen and fingers on a graph: a drag moves it, two fingers and the wheel zoom, a click selects.
//
// The wheel alone scrolls the page, unless the graph has the focus; with Ctrl or ⌘, and as a pinch on a touchpad, which
// comes as a wheel with Ctrl, it zooms. A listener that may prevent scrolling makes all scrolling wait for it: so there is
// one only while the pointer is on the graph.

import type { Point } from "./camera";
import type { Direction } from "./steps";

export interface GestureEvents {
  /** Places are in CSS pixels from the upper left corner of the element. */
  zoomed(factor: number, at: Point): void;
  moved(by: Point): void;
  /** Null: the pointer has left, or does something else than point. */
  hovered(at: Point | null): void;
  clicked(at: Point, target: EventTarget | null): void;
  doubleClicked(at: Point, target: EventTarget | null): void;
  /** A right click or a long press; true if something has come of it. */
  menu(at: Point, target: EventTarget | null): boolean;
  hasFocus(): boolean;
}

/** Effect of a scrolled pixel on the zoom; pixels that a line or a page counts as. */
const PER_PIXEL = 0.002;
const LINE = 16;
const PAGE = 400;
/** Pixels that count of one event. */
const MAX_EVENT_PX = 300;
/** Pinching on a touchpad comes as small turns of the wheel with Ctrl. */
const PINCH = 4;
/** CSS pixels that a drag covers at least, of a mouse or of a finger. */
const DRAG = 4;
const FINGER = 8;
/** Milliseconds of a long press, and within which a second click makes a double click. */
const PRESS = 500;
const DOUBLE = 500;

/** Listens until what it returns is called. */
export function listen(element: HTMLElement, events: GestureEvents): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const held = new Map<number, Point>();
  let from: Point = { x: 0, y: 0 };
  /** What has been pressed has become a drag, or a menu: the click that follows is none. */
  let isDrag = false;
  let press: ReturnType<typeof setTimeout> | undefined;
  let double: ReturnType<typeof setTimeout> | undefined;
  const on = <K extends keyof HTMLElementEventMap>(type: K, listener: (event: HTMLElementEventMap[K]) => void) =>
    element.addEventListener(type, listener, { signal });
  const at = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = element.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const release = ({ pointerId, pointerType }: PointerEvent) => {
    clearTimeout(press);
    held.delete(pointerId);
    element.toggleAttribute("data-dragged", false);
    if (pointerType === "touch") {
      events.hovered(null);
    }
  };
  on("pointerdown", (event) => {
    if (event.button > 1 || held.size > 1) {
      return;
    }
    const now = at(event);
    held.set(event.pointerId, now);
    clearTimeout(press);
    if (held.size > 1) {
      isDrag = true;
      return;
    }
    [from, isDrag] = [now, false];
    if (event.pointerType === "touch") {
      press = setTimeout(() => {
        isDrag = events.menu(now, event.target);
      }, PRESS);
    }
  });
  on("pointermove", (event) => {
    const now = at(event);
    const before = held.get(event.pointerId);
    if (before === undefined) {
      if (event.pointerType !== "touch") {
        events.hovered(now);
      }
      return;
    }
    const far = event.pointerType === "touch" ? FINGER : DRAG;
    if (!isDrag && Math.hypot(now.x - from.x, now.y - from.y) < far) {
      return;
    }
    if (!element.hasPointerCapture(event.pointerId)) {
      // Not from the beginning: clicks would go to this element, wherever the pointer is.
      element.setPointerCapture(event.pointerId);
      element.toggleAttribute("data-dragged", true);
      clearTimeout(press);
      isDrag = true;
      events.hovered(null);
    }
    held.set(event.pointerId, now);
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
    if (other !== undefined) {
      // The point under the resting finger stays there. Two that move together turn by turn move the graph.
      const distance = (point: Point) => Math.hypot(point.x - other.x, point.y - other.y);
      events.zoomed(distance(now) / Math.max(1, distance(before)), other);
    } else {
      events.moved({ x: now.x - before.x, y: now.y - before.y });
    }
  });
  on("pointerup", release);
  on("pointercancel", release);
  on("pointerleave", () => events.hovered(null));
  on("click", (event) => {
    if (!isDrag) {
      // An element that the first click shows over the graph lets the second click through.
      element.toggleAttribute("data-clicked", true);
      clearTimeout(double);
      double = setTimeout(() => element.toggleAttribute("data-clicked", false), DOUBLE);
      events.clicked(at(event), event.target);
    }
  });
  on("dblclick", (event) => events.doubleClicked(at(event), event.target));
  on("contextmenu", (event) => {
    // A long press has been answered already; with Shift one gets the browser's own menu.
    if (isDrag || (!event.shiftKey && events.menu(at(event), event.target))) {
      event.preventDefault();
      // JupyterLab would open its own.
      event.stopPropagation();
    }
  });
  // The middle button would let the page scroll along.
  on("mousedown", (event) => event.button === 1 && event.preventDefault());
  on("auxclick", (event) => event.preventDefault());
  const turned = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey && !events.hasFocus()) {
      return;
    }
    event.preventDefault();
    const unit = event.deltaMode === 1 ? LINE : event.deltaMode === 2 ? PAGE : 1;
    const isPinch = event.ctrlKey && event.deltaMode === 0 && Math.abs(event.deltaY) < 40;
    const pixels = (event.deltaY || event.deltaX) * unit * (isPinch ? PINCH : 1);
    events.zoomed(Math.exp(-Math.max(-MAX_EVENT_PX, Math.min(MAX_EVENT_PX, pixels)) * PER_PIXEL), at(event));
  };
  on("pointerenter", () => element.addEventListener("wheel", turned, { signal, passive: false }));
  on("pointerleave", () => element.removeEventListener("wheel", turned));
  return () => {
    clearTimeout(press);
    clearTimeout(double);
    ended.abort();
  };
}

// Maps keys to actions on a graph. Pure.

export type KeyAction =
  | { readonly does: "step"; readonly to: Direction }
  | { readonly does: "zoom"; readonly factor: number }
  | { readonly does: "toggle" | "fit" | "begin" | "search" | "menu" };

const ZOOM = 1.25;

const ACTIONS: Readonly<Record<string, KeyAction>> = {
  ArrowUp: { does: "step", to: "up" },
  ArrowDown: { does: "step", to: "down" },
  ArrowLeft: { does: "step", to: "left" },
  ArrowRight: { does: "step", to: "right" },
  Enter: { does: "toggle" },
  " ": { does: "toggle" },
  "+": { does: "zoom", factor: ZOOM },
  "=": { does: "zoom", factor: ZOOM },
  "-": { does: "zoom", factor: 1 / ZOOM },
  "0": { does: "fit" },
  Home: { does: "begin" },
  "/": { does: "search" },
  ContextMenu: { does: "menu" },
};

const SHIFTED: Readonly<Record<string, KeyAction>> = {
  ArrowUp: { does: "step", to: "out" },
  ArrowDown: { does: "step", to: "in" },
  F10: { does: "menu" },
};

type Key = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** Undefined for keys that the graph does not handle. */
export function actionOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Key): KeyAction | undefined {
  if (ctrlKey || metaKey || altKey) {
    return undefined;
  }
  const actions = shiftKey && Object.hasOwn(SHIFTED, key) ? SHIFTED : ACTIONS;
  return Object.hasOwn(actions, key) ? actions[key] : undefined;
}
