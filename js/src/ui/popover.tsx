// A button of the toolbar with a list that it opens below itself, with whatever it holds.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import "./popover.css";

interface Props {
  readonly label: ComponentChildren;
  readonly title: string;
  /** Something of it is in effect. */
  readonly active?: boolean;
  readonly disabled?: boolean;
  /** Made while it is open; `close` closes it. */
  children(close: () => void): ComponentChildren;
}

/** Pixels to the edge of the dashboard. */
const EDGE = 6;

/** Pixels between the button and its list, and of the lowest list. */
const GAP_PX = 3;
const LOWEST = 120;

/**
 * Puts the list above its button where there is more room than below; where it is too high for both, it scrolls. To the
 * left or right it is moved to where nothing of it is cut off, its beginning at least.
 */
function placeList(list: HTMLElement, button: DOMRect, within: DOMRect): void {
  Object.assign(list.style, { top: "", bottom: "", maxHeight: "", transform: "" });
  const { height, left, right } = list.getBoundingClientRect();
  const shift = Math.max(within.left + EDGE - left, Math.min(0, within.right - EDGE - right));
  list.style.transform = shift === 0 ? "" : `translateX(${shift}px)`;
  const above = button.top - within.top - GAP_PX - EDGE;
  const below = within.bottom - button.bottom - GAP_PX - EDGE;
  if (height > below) {
    const up = above > below;
    Object.assign(list.style, up ? { top: "auto", bottom: `calc(100% + ${GAP_PX}px)` } : {});
    list.style.maxHeight = `${Math.max(LOWEST, Math.min(height, Math.max(above, below)))}px`;
  }
}

/** Places the list of a popover, if it is open. */
function place(popover: HTMLElement | null): void {
  const list = popover?.querySelector<HTMLElement>(".tbwidget-popover-list");
  const around = popover?.closest("dialog, .tbwidget-main, .tbwidget");
  // Nothing is measured for a closed one: each card has one, and each measurement lays the page out.
  if (popover && list && around) {
    placeList(list, popover.getBoundingClientRect(), around.getBoundingClientRect());
  }
}

export function Popover({ label, title, active = false, disabled = false, children }: Props) {
  const open = useSignal(false);
  const root = useRef<HTMLSpanElement>(null);
  const shown = open.value && !disabled;
  // Before the next paint: an Escape before it would close the dialog around the list.
  useLayoutEffect(() => {
    const element = root.current;
    if (!shown || element === null) {
      return;
    }
    const outside = ({ target }: Event) => {
      if (target instanceof Node && !element.contains(target)) {
        open.value = false;
      }
    };
    const key = (event: KeyboardEvent) => {
      if (event.key === "Escape") {
        event.stopPropagation();
        event.preventDefault();
        open.value = false;
        element.querySelector("button")?.focus();
      }
    };
    const resized = () => place(element);
    element.ownerDocument.addEventListener("pointerdown", outside, true);
    element.addEventListener("keydown", key);
    window.addEventListener("resize", resized);
    return () => {
      element.ownerDocument.removeEventListener("pointerdown", outside, true);
      element.removeEventListener("keydown", key);
      window.removeEventListener("resize", resized);
    };
  }, [shown, open]);
  useLayoutEffect(() => place(root.current));
  const close = () => {
    open.value = false;
    root.current?.querySelector("button")?.focus();
  };
  return (
    <span ref={root} class="tbwidget-popover">
      <button
        type="button"
        class="tbwidget-button"
        title={title}
        disabled={disabled}
        aria-expanded={shown}
        data-active={active ? "" : undefined}
        onClick={() => {
          open.value = !open.peek();
        }}
      >
        {label}
      </button>
      {shown && <div class="tbwidget-popover-list">{children(close)}</div>}
    </span>
  );
}
