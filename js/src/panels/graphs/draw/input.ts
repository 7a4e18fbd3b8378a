// Wheel, mouse, pen, fingers and keys on a graph: a drag moves it, two fingers and the wheel zoom, a click selects.
//
// The wheel alone scrolls the page, unless the graph has the focus; with Ctrl or ⌘, and as a pinch on a touchpad, which
// comes as a wheel with Ctrl, it zooms.

import type { Point } from "../../../charts/geometry";
import { actionAmong, type Key, ZOOM_ACTIONS } from "../../../charts/keyboard";
import { FINGER_DRAG_PX, type GestureEvents, listen as stageGestures } from "../../../charts/stagegestures";
import type { Direction } from "./steps";

interface GraphEvents extends Required<Pick<GestureEvents, "zoomed" | "moved" | "hovered" | "menu">> {
  clicked(at: Point, target: EventTarget | null): void;
  doubleClicked(at: Point, target: EventTarget | null): void;
  hasFocus(): boolean;
}

const PINCH_GAIN = 4;
/** Milliseconds within which a second click makes a double click. */
const DOUBLE_CLICK_MS = 500;

/** Listens until what it returns is called. */
export function listen(element: HTMLElement, events: GraphEvents): () => void {
  let double: ReturnType<typeof setTimeout> | undefined;
  const end = stageGestures(
    element,
    {
      zoomed: events.zoomed,
      moved: events.moved,
      hovered: events.hovered,
      menu: events.menu,
      clicked: (at, { target }) => {
        // An element that the first click shows over the graph lets the second click through.
        element.toggleAttribute("data-clicked", true);
        clearTimeout(double);
        double = setTimeout(() => element.toggleAttribute("data-clicked", false), DOUBLE_CLICK_MS);
        events.clicked(at, target);
      },
      doubleClicked: (at, { target }) => events.doubleClicked(at, target),
    },
    {
      fingerPx: FINGER_DRAG_PX,
      wheel: {
        zooms: ({ ctrlKey, metaKey }) => ctrlKey || metaKey || events.hasFocus(),
        pinchGain: PINCH_GAIN,
      },
    },
  );
  return () => {
    clearTimeout(double);
    end();
  };
}

// Maps keys to actions on a graph. Pure.

export type KeyAction =
  | { readonly does: "step"; readonly to: Direction }
  | { readonly does: "zoom"; readonly factor: number }
  | { readonly does: "toggle" | "fit" | "begin" | "search" | "menu" };

const ACTIONS: Readonly<Record<string, KeyAction>> = {
  ArrowUp: { does: "step", to: "up" },
  ArrowDown: { does: "step", to: "down" },
  ArrowLeft: { does: "step", to: "left" },
  ArrowRight: { does: "step", to: "right" },
  Enter: { does: "toggle" },
  " ": { does: "toggle" },
  ...ZOOM_ACTIONS,
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

/** Undefined for keys that the graph does not handle. */
export function actionOf(key: Key): KeyAction | undefined {
  return actionAmong(key, ACTIONS, SHIFTED);
}
