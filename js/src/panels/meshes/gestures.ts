// Pointer, wheel and keys on a mesh: a drag orbits, with Shift it moves, two fingers or Alt and the wheel zoom, a double-click
// fits.

import { type Orbit, pan, rotate, type View, zoomAt } from "../../charts/orbit";
import { WheelZoom } from "../../charts/wheel";

/** Radians for a CSS pixel, and for a press of a key; CSS pixels, and a factor, for one. */
const PER_PIXEL = 0.008;
const TURN = 0.15;
const PAN = 30;
const ZOOM = 1.25;

export interface Stage {
  /** In CSS pixels. */
  readonly view: View;
  /** The camera as it is now; null where there is nothing to see. */
  camera(): Orbit | null;
  /** Null: fitted. */
  look(camera: Orbit | null): void;
}

/** Listens until what it returns is called. */
export function listen(element: HTMLElement, stage: () => Stage): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const change = (next: (camera: Orbit, view: View) => Orbit) => {
    const { camera, view, look } = stage();
    const before = camera();
    if (before !== null) {
      look(next(before, view));
    }
  };
  const wheel = new WheelZoom(element, (factor, _vertical, event) => {
    const { left, top } = element.getBoundingClientRect();
    change((camera, view) => zoomAt(camera, view, 1 / factor, event.clientX - left, event.clientY - top));
  });
  /** Where the buttons or fingers that are down were last, in CSS pixels of the window. */
  const held = new Map<number, readonly [x: number, y: number]>();
  const on = <K extends keyof HTMLElementEventMap>(type: K, listener: (event: HTMLElementEventMap[K]) => void) =>
    element.addEventListener(type, listener, { signal });
  on("pointerdown", ({ button, pointerId, clientX, clientY }) => {
    if ((button === 0 || button === 1) && held.size < 2) {
      element.setPointerCapture(pointerId);
      held.set(pointerId, [clientX, clientY]);
    }
  });
  on("pointermove", ({ pointerId, clientX, clientY, shiftKey, buttons }) => {
    const before = held.get(pointerId);
    if (before === undefined) {
      return;
    }
    held.set(pointerId, [clientX, clientY]);
    const other = [...held].find(([id]) => id !== pointerId)?.[1];
    const [right, down] = [clientX - before[0], clientY - before[1]];
    if (other !== undefined) {
      // What is below the finger that rests stays there. Two that move together turn by turn move the mesh.
      const { left, top } = element.getBoundingClientRect();
      const apart = (x: number, y: number) => Math.max(1, Math.hypot(x - other[0], y - other[1]));
      const factor = apart(clientX, clientY) / apart(...before);
      change((camera, view) => zoomAt(camera, view, factor, other[0] - left, other[1] - top));
    } else {
      change((camera, view) =>
        shiftKey || buttons === 4
          ? pan(camera, view, right, down)
          : rotate(camera, right * PER_PIXEL, down * PER_PIXEL, true),
      );
    }
  });
  for (const type of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
    on(type, ({ pointerId }) => held.delete(pointerId));
  }
  on("dblclick", () => stage().look(null));
  on("keydown", (event) => {
    const next = ofKey(event);
    if (next !== undefined) {
      event.preventDefault();
      change(next);
    } else if (event.key === "0" && !event.ctrlKey && !event.metaKey && !event.altKey) {
      stage().look(null);
    }
  });
  return () => {
    wheel.end();
    ended.abort();
  };
}

/** Undefined for what is not ours. */
function ofKey({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent) {
  if (ctrlKey || metaKey || altKey) {
    return undefined;
  }
  const right = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  const down = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
  const zoom = key === "+" || key === "=" ? ZOOM : key === "-" ? 1 / ZOOM : 0;
  if (right !== 0 || down !== 0) {
    return (camera: Orbit, view: View) =>
      shiftKey ? pan(camera, view, right * PAN, down * PAN) : rotate(camera, right * TURN, down * TURN, true);
  }
  return zoom === 0
    ? undefined
    : (camera: Orbit, view: View) => zoomAt(camera, view, zoom, view.width / 2, view.height / 2);
}
