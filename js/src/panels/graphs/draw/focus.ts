// The focus on the boxes of a graph. It comes by the mouse, by the Tab key, and from programs.

import type { Overlay } from "./overlay";
import type { Scroller } from "./scroller";

export interface FocusEvents {
  /** The list of all boxes got it, and no single box. */
  entered(): void;
  /** A box got it and is to be brought into sight; `isVisible`: the browser would draw a focus ring (`:focus-visible`). */
  came(path: string, isVisible: boolean): void;
  left(): void;
}

/** Follows it until the signal. */
export function followFocus(
  host: HTMLElement,
  overlay: Overlay,
  scroller: Scroller,
  events: FocusEvents,
  signal: AbortSignal,
): void {
  let isPressed = false;
  host.addEventListener(
    "mousedown",
    (event) => {
      const path = overlay.pathOf(event.target);
      if (path !== null) {
        // The browser would scroll what is pressed away from below the pointer, and a second click would miss it.
        event.preventDefault();
        isPressed = true;
        overlay.focus(path);
        isPressed = false;
      }
    },
    { signal },
  );
  host.addEventListener(
    "focusin",
    ({ target }) => {
      const path = overlay.pathOf(target);
      if (target === overlay.element || (path !== null && !overlay.isFocusing)) {
        scroller.ignore();
      }
      if (target === overlay.element) {
        events.entered();
      } else if (path !== null && !isPressed) {
        const isVisible = (target as Element).matches(":focus-visible");
        if (isVisible || !overlay.isFocusing) {
          events.came(path, isVisible);
        }
      }
    },
    { signal },
  );
  host.addEventListener("focusout", () => events.left(), { signal });
}
