// Mouse, pen and fingers on the stage: a drag moves or turns the picture, or draws a shape around points.

import { WheelZoom } from "./keyboard";

type Corner = readonly [x: number, y: number];

export interface GestureEvents {
  /** The effect of a drag that begins with this event; a drag with another button always moves. */
  tool(event: PointerEvent): "move" | "lasso" | "box";
  /** Whether a drag moves as with another button. */
  pans?(event: PointerEvent): boolean;
  /** Places are in CSS pixels from the upper left corner of the element. `isOther`: with another button, or it pans. */
  moved(right: number, down: number, isOther: boolean): void;
  zoomed(factor: number, at: Corner): void;
  /** Null: the pointer has left, or does something else than point. */
  hovered?(at: Corner | null): void;
  clicked?(at: Corner, isAdding: boolean): void;
  doubleClicked(): void;
  /** A shape while it is drawn: corners of a lasso, or two of a box. */
  drawing?(shape: readonly Corner[], isBox: boolean): void;
  /** It is complete, or (null) was given up. */
  drawn?(shape: readonly Corner[] | null, isBox: boolean, isAdding: boolean): void;
}

/** CSS pixels of a drag at least, and between corners of a lasso. */
const DRAG_PX = 4;
const MIN_LASSO_STEP_PX = 3;

/** Listens until the function that is returned is called. `isFree`: the wheel zooms without Alt. */
export function listen(element: HTMLElement, events: GestureEvents, isFree = false): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const held = new Map<number, Corner>();
  let tool: ReturnType<GestureEvents["tool"]> = "move";
  let shape: Corner[] = [];
  let [isDrag, isOther] = [false, false];
  const at = ({ clientX, clientY }: MouseEvent): Corner => {
    const { left, top } = element.getBoundingClientRect();
    return [clientX - left, clientY - top];
  };
  const on = <K extends keyof HTMLElementEventMap>(type: K, listener: (event: HTMLElementEventMap[K]) => void) =>
    element.addEventListener(type, listener, { signal });
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
    element.toggleAttribute("data-dragged", false);
    if (isDrag && tool !== "move") {
      events.drawn?.(isDone ? shape : null, tool === "box", event.altKey);
      [tool, shape] = ["move", []];
    }
    if (event.pointerType === "touch") {
      events.hovered?.(null);
    }
  };
  on("pointerdown", (event) => {
    if (held.size > 1) {
      return;
    }
    const now = at(event);
    if (held.size === 1) {
      // A second finger: no shape is drawn with two.
      giveUp();
      isDrag = true;
    } else {
      isDrag = false;
      isOther = event.button !== 0;
      tool = isOther ? "move" : events.tool(event);
      shape = [now];
    }
    held.set(event.pointerId, now);
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
    const begin = shape[0] ?? now;
    if (!isDrag && Math.hypot(now[0] - begin[0], now[1] - begin[1]) < DRAG_PX) {
      return;
    }
    if (!element.hasPointerCapture(event.pointerId)) {
      element.setPointerCapture(event.pointerId);
      element.toggleAttribute("data-dragged", true);
      events.hovered?.(null);
      isDrag = true;
    }
    if (tool !== "move") {
      const last = shape.at(-1) ?? now;
      if (tool === "box") {
        shape = [begin, now];
      } else if (Math.hypot(now[0] - last[0], now[1] - last[1]) >= MIN_LASSO_STEP_PX) {
        shape.push(now);
      }
      events.drawing?.(shape, tool === "box");
      return;
    }
    held.set(event.pointerId, now);
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
    if (other !== undefined) {
      const apart = ([x, y]: Corner) => Math.hypot(x - other[0], y - other[1]);
      events.zoomed(apart(now) / Math.max(1, apart(before)), other);
    } else {
      events.moved(now[0] - before[0], now[1] - before[1], isOther || events.pans?.(event) === true);
    }
  });
  on("pointerup", (event) => release(event, true));
  on("pointercancel", (event) => release(event, false));
  on("pointerleave", () => events.hovered?.(null));
  on("click", (event) => {
    if (!isDrag) {
      events.clicked?.(at(event), event.shiftKey || event.ctrlKey || event.metaKey);
    }
  });
  on("dblclick", () => events.doubleClicked());
  // The right button moves: on some systems its menu opens before that. The middle one would let the page scroll along.
  on("contextmenu", (event) => {
    event.preventDefault();
    event.stopPropagation();
  });
  on("mousedown", (event) => event.button === 1 && event.preventDefault());
  const wheel = new WheelZoom(element, (factor, _vertical, event) => events.zoomed(1 / factor, at(event)), isFree);
  return () => {
    ended.abort();
    wheel.end();
  };
}
