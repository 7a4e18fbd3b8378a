// Mouse, pen, fingers and the wheel on a stage: a drag moves or turns the picture, or draws a shape around points, two fingers
// and the wheel zoom. Graphs, images, embeddings and meshes share it; charts, whose axes zoom apart, have `plotarea.ts`.

import type { Point } from "./geometry";
import { type WheelOptions, WheelZoom } from "./keyboard";

type Corner = readonly [x: number, y: number];

/** Points are in CSS pixels from the upper left corner of the element. */
export interface GestureEvents {
  /** The effect of a drag that begins with this event; a drag with another button always moves. By default it moves. */
  tool?(event: PointerEvent): "move" | "lasso" | "box";
  /** Whether a drag moves as with another button. */
  pans?(event: PointerEvent): boolean;
  /** `isOther`: with another button, or it pans. */
  moved(by: Point, isOther: boolean): void;
  zoomed(factor: number, at: Point): void;
  /** Null: the pointer has left, or does something else than point. */
  hovered?(at: Point | null): void;
  clicked?(at: Point, event: MouseEvent): void;
  doubleClicked(at: Point, event: MouseEvent): void;
  /** A right click or a long press; true if something has come of it. */
  menu?(at: Point, target: EventTarget | null): boolean;
  /** A shape while it is drawn: corners of a lasso, or two of a box. */
  drawing?(shape: readonly Corner[], isBox: boolean): void;
  /** It is complete, or (null) was given up. */
  drawn?(shape: readonly Corner[] | null, isBox: boolean, isAdding: boolean): void;
}

export interface GestureOptions {
  /** When the wheel zooms; null: with Alt. */
  readonly wheel?: WheelOptions | null;
  /** CSS pixels that a drag by a finger covers at least. */
  readonly fingerPx?: number;
  /** The right button drags, too, and opens no menu. */
  readonly hasRightDrag?: boolean;
  /**
   * A press is captured and moves the picture at once, and hovering goes on meanwhile. Says whether there is something to be
   * moved; where there is not, fingers are followed nevertheless, since two zoom.
   */
  readonly dragsAtOnce?: () => boolean;
}

/** CSS pixels that a drag covers at least, of a mouse or pen, and of a finger. */
export const DRAG_PX = 4;
export const FINGER_DRAG_PX = 8;
/** CSS pixels between corners of a lasso at least. */
const MIN_LASSO_STEP_PX = 3;
/** Milliseconds of a long press. */
const PRESS_MS = 500;

/** Listens until the function that is returned is called. */
export function listen(element: HTMLElement, events: GestureEvents, options: GestureOptions = {}): () => void {
  const { wheel = null, fingerPx = DRAG_PX, hasRightDrag = false, dragsAtOnce } = options;
  const ended = new AbortController();
  const { signal } = ended;
  const held = new Map<number, Point>();
  let begin: Point = { x: 0, y: 0 };
  let tool: ReturnType<NonNullable<GestureEvents["tool"]>> = "move";
  let shape: Corner[] = [];
  /** `isDrag`: what has been pressed has become a drag, or a menu, so the click that follows is none. */
  let [isDrag, isOther] = [false, false];
  let press: ReturnType<typeof setTimeout> | undefined;
  const at = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = element.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const on = <K extends keyof HTMLElementEventMap>(type: K, listener: (event: HTMLElementEventMap[K]) => void) =>
    element.addEventListener(type, listener, { signal });
  const markDragged = () => {
    element.toggleAttribute("data-dragged", held.size > 0 && (dragsAtOnce === undefined ? isDrag : dragsAtOnce()));
  };
  const giveUp = () => {
    if (isDrag && tool !== "move") {
      events.drawn?.(null, tool === "box", false);
    }
    [tool, shape] = ["move", []];
  };
  /** The end of a press; `isDone`: of one that counts. */
  const release = (event: PointerEvent, isDone: boolean) => {
    if (!held.delete(event.pointerId)) {
      return;
    }
    clearTimeout(press);
    markDragged();
    if (isDrag && tool !== "move") {
      events.drawn?.(isDone ? shape : null, tool === "box", event.altKey);
      [tool, shape] = ["move", []];
    }
    if (event.pointerType === "touch") {
      events.hovered?.(null);
    }
  };
  on("pointerdown", (event) => {
    const isTouch = event.pointerType === "touch";
    if (held.size === 0) {
      isDrag = false;
    }
    if (held.size > 1 || (event.button > 1 && !hasRightDrag) || (dragsAtOnce?.() === false && !isTouch)) {
      return;
    }
    const now = at(event);
    clearTimeout(press);
    if (held.size === 1) {
      // A second finger: no shape is drawn with two.
      giveUp();
      isDrag = true;
    } else {
      [begin, isOther] = [now, event.button !== 0];
      tool = isOther ? "move" : (events.tool?.(event) ?? "move");
      shape = [[now.x, now.y]];
      const { menu } = events;
      if (isTouch && menu !== undefined) {
        press = setTimeout(() => {
          isDrag = menu(now, event.target);
        }, PRESS_MS);
      }
    }
    held.set(event.pointerId, now);
    if (dragsAtOnce !== undefined) {
      element.setPointerCapture(event.pointerId);
      markDragged();
    }
  });
  on("pointermove", (event) => {
    const now = at(event);
    // The button was released without an event, as over a menu of the browser.
    if (event.buttons === 0) {
      release(event, false);
    }
    const before = held.get(event.pointerId);
    if (before === undefined) {
      if (event.pointerType !== "touch") {
        events.hovered?.(now);
      }
      return;
    }
    const isFar = distance(now, begin) >= (event.pointerType === "touch" ? fingerPx : DRAG_PX);
    if (dragsAtOnce !== undefined) {
      isDrag ||= isFar;
    } else if (!isDrag && !isFar) {
      return;
    } else if (!element.hasPointerCapture(event.pointerId)) {
      // Not from the beginning: clicks would go to this element, wherever the pointer is.
      element.setPointerCapture(event.pointerId);
      clearTimeout(press);
      isDrag = true;
      markDragged();
      events.hovered?.(null);
    }
    if (tool !== "move") {
      const [x, y] = shape.at(-1) ?? [begin.x, begin.y];
      if (tool === "box") {
        shape = [
          [begin.x, begin.y],
          [now.x, now.y],
        ];
      } else if (distance(now, { x, y }) >= MIN_LASSO_STEP_PX) {
        shape.push([now.x, now.y]);
      }
      events.drawing?.(shape, tool === "box");
      return;
    }
    held.set(event.pointerId, now);
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
    if (other !== undefined) {
      // The point under the resting finger stays there. Two that move by turns move the picture.
      events.zoomed(distance(now, other) / Math.max(1, distance(before, other)), other);
      return;
    }
    events.moved({ x: now.x - before.x, y: now.y - before.y }, isOther || events.pans?.(event) === true);
    if (dragsAtOnce !== undefined) {
      events.hovered?.(now);
    }
  });
  on("pointerup", (event) => release(event, true));
  on("pointercancel", (event) => release(event, false));
  on("pointerleave", () => events.hovered?.(null));
  on("click", (event) => {
    if (isDrag) {
      event.stopPropagation();
    } else {
      events.clicked?.(at(event), event);
    }
  });
  on("dblclick", (event) => events.doubleClicked(at(event), event));
  on("contextmenu", (event) => {
    // Where the right button moves, some systems open the menu before that. A long press has been answered already. With Shift
    // one gets the browser's own menu.
    const opensOwn = () => !event.shiftKey && events.menu?.(at(event), event.target) === true;
    if (hasRightDrag || (events.menu !== undefined && isDrag) || opensOwn()) {
      event.preventDefault();
      // JupyterLab would open its own.
      event.stopPropagation();
    }
  });
  // The middle button would let the page scroll along.
  on("mousedown", (event) => event.button === 1 && event.preventDefault());
  on("auxclick", (event) => event.preventDefault());
  const zoom = new WheelZoom(element, (factor, _vertical, event) => events.zoomed(1 / factor, at(event)), wheel);
  return () => {
    clearTimeout(press);
    ended.abort();
    zoom.end();
  };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
