// The menu of a column. It is above everything else: a table is often too low to hold it.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** CSS pixels to the button, and to the edges of the window. */
const APART = 2;
const EDGE = 6;

interface Props {
  readonly anchor: HTMLElement;
  close(): void;
  readonly children: ComponentChildren;
}

export function ColumnMenu({ anchor, close, children }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const closing = useRef(close);
  closing.current = close;
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) {
      return;
    }
    const { ownerDocument } = element;
    const end = new AbortController();
    const until = { signal: end.signal, capture: true };
    const isOutside = ({ target }: Event) =>
      target instanceof Node && !element.contains(target) && !anchor.contains(target);
    // Old browsers have no popovers: there the menu is fixed all the same.
    element.showPopover?.();
    element.querySelector<HTMLElement>("input:not([type=checkbox]), input, button")?.focus({ preventScroll: true });
    ownerDocument.addEventListener("pointerdown", (event) => isOutside(event) && closing.current(), until);
    ownerDocument.addEventListener("scroll", (event) => isOutside(event) && closing.current(), until);
    ownerDocument.defaultView?.addEventListener("resize", () => closing.current(), until);
    element.addEventListener(
      "keydown",
      (event) => {
        if (event.key === "Escape") {
          event.stopPropagation();
          event.preventDefault();
          closing.current();
          anchor.focus();
        }
      },
      until,
    );
    return () => end.abort();
  }, [anchor]);
  useLayoutEffect(() => {
    const element = root.current;
    const view = element?.ownerDocument.documentElement;
    if (element === null || view === undefined) {
      return;
    }
    const { left, top, bottom } = anchor.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = element;
    const isAbove = bottom + APART + height > view.clientHeight - EDGE && top > view.clientHeight - bottom;
    const room = (isAbove ? top : view.clientHeight - bottom) - APART - EDGE;
    Object.assign(element.style, {
      left: `${Math.max(EDGE, Math.min(left, view.clientWidth - EDGE - width))}px`,
      top: `${isAbove ? Math.max(EDGE, top - APART - Math.min(height, room)) : bottom + APART}px`,
      maxHeight: `${room}px`,
    });
  });
  return (
    <div
      ref={root}
      class="tbwidget-popover-list tbwidget-column-menu"
      popover="manual"
      role="dialog"
      data-lm-suppress-shortcuts="true"
    >
      {children}
    </div>
  );
}
