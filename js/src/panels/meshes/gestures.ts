// Pointer, wheel and keys on a mesh: a drag orbits, with Shift or another button it moves, two fingers or the wheel zoom, a
// double-click fits.

import { ZOOM_STEP } from "../../charts/keyboard";
import { type Orbit, pan, rotate, type View, zoomAt } from "../../charts/orbit";
import { listen as stageGestures } from "../../charts/stagegestures";

/** Radians for a CSS pixel, and for a press of a key; CSS pixels for one. */
const PER_PIXEL = 0.008;
const TURN = 0.15;
const PAN = 30;

export interface Stage {
  /** In CSS pixels. */
  readonly view: View;
  /** The camera as it is now; null where there is nothing to see. */
  camera(): Orbit | null;
  /** Null: fitted. */
  look(camera: Orbit | null): void;
}

/**
 * Turns, moves and zooms by pointer, wheel and keys until the returned function is called. `keys`: the element that takes the
 * keys. Where that is a dialog, its own arrow keys go through the steps: with Shift they turn the mesh, and the wheel zooms
 * without Alt.
 */
export function listen(element: HTMLElement, stage: () => Stage, keys: HTMLElement | null): () => void {
  const isTile = keys === element;
  const change = (next: (camera: Orbit, view: View) => Orbit) => {
    const { camera, view, look } = stage();
    const before = camera();
    if (before !== null) {
      look(next(before, view));
    }
  };
  const pressed = (event: KeyboardEvent) => {
    if (!isTile && (event.target as Element).closest("input, select") !== null) {
      return;
    }
    const next = ofKey(event, isTile);
    if (next !== undefined) {
      event.preventDefault();
      change(next);
    } else if (event.key === "0" && !event.ctrlKey && !event.metaKey && !event.altKey) {
      stage().look(null);
    }
  };
  keys?.addEventListener("keydown", pressed);
  const end = stageGestures(
    element,
    {
      pans: ({ shiftKey }) => shiftKey,
      moved: ({ x: right, y: down }, isOther) =>
        change((camera, view) =>
          isOther ? pan(camera, view, right, down) : rotate(camera, right * PER_PIXEL, down * PER_PIXEL, true),
        ),
      zoomed: (factor, { x, y }) => change((camera, view) => zoomAt(camera, view, factor, x, y)),
      doubleClicked: () => stage().look(null),
    },
    { hasRightDrag: true, wheel: isTile ? null : { zooms: () => true, pinchGain: 1 } },
  );
  return () => {
    end();
    keys?.removeEventListener("keydown", pressed);
  };
}

/** The action of a key; undefined for other keys. */
function ofKey({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent, isTile: boolean) {
  const isArrow = key.startsWith("Arrow");
  if (ctrlKey || metaKey || altKey || (isArrow && !isTile && !shiftKey)) {
    return undefined;
  }
  const right = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  const down = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
  const zoom = key === "+" || key === "=" ? ZOOM_STEP : key === "-" ? 1 / ZOOM_STEP : 0;
  if (right !== 0 || down !== 0) {
    return (camera: Orbit, view: View) =>
      shiftKey && isTile ? pan(camera, view, right * PAN, down * PAN) : rotate(camera, right * TURN, down * TURN, true);
  }
  return zoom === 0
    ? undefined
    : (camera: Orbit, view: View) => zoomAt(camera, view, zoom, view.width / 2, view.height / 2);
}
