// A button of the toolbar with a list that it opens below itself, with whatever it holds. The list is in the top
// layer of the page: a low dashboard does not cut it off.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Box, place, windowBox } from "../lib/place";
import "./popover.css";

interface Props {
  readonly label: ComponentChildren;
  readonly title: string;
  /** Class of the button in place of the usual one. */
  readonly class?: string;
  /** Something of it is in effect. */
  readonly active?: boolean;
  readonly disabled?: boolean;
  /** Made while it is open; `close` closes it. */
  children(close: () => void): ComponentChildren;
}

/** CSS pixels between the list and the edges of dashboard and window, and its button. */
const MARGIN_PX = 6;
const GAP_PX = 3;
/** Least height of a list that scrolls, in CSS pixels. */
const MIN_HEIGHT_PX = 120;

/** Put the list below its button, or above where there is more room; where it is too high for both, it scrolls. */
function placeList(list: HTMLElement, button: DOMRect, boundary: Box, atEnd: boolean): void {
  list.style.maxHeight = "";
  const size = { width: list.offsetWidth, height: list.offsetHeight };
  const start = atEnd ? button.right - size.width : button.left;
  const anchor = { left: start, top: button.top, right: start + size.width, bottom: button.bottom };
  const { left, top, side, maxHeight } = place({
    ...{ anchor, boundary, size, side: "below", gap: GAP_PX, margin: MARGIN_PX },
  });
  // Above by its lower edge, which stays at the button while the content changes.
  const isAbove = side === "above";
  Object.assign(list.style, {
    ...{ left: `${left}px`, top: isAbove ? "auto" : `${top}px` },
    bottom: isAbove ? `${boundary.bottom - button.top + GAP_PX}px` : "auto",
  });
  if (size.height > maxHeight) {
    list.style.maxHeight = `${Math.max(MIN_HEIGHT_PX, maxHeight)}px`;
  }
}

/** Place the list of an open popover. Nothing is measured for a closed one: each card has one, and it lays the page out. */
function placeOpen(popover: HTMLElement | null): void {
  const list = popover?.querySelector<HTMLElement>(".tbwidget-popover-list");
  const around = popover?.closest("dialog, .tbwidget-main, .tbwidget");
  if (popover && list && around) {
    const { left, right } = around.getBoundingClientRect();
    const isLeftToRight = getComputedStyle(list).direction === "ltr";
    const atEnd = (popover.closest(".tbwidget-card-buttons") !== null) === isLeftToRight;
    placeList(list, popover.getBoundingClientRect(), { ...windowBox(list.ownerDocument), left, right }, atEnd);
  }
}

export function Popover(props: Props) {
  const { label, title, active = false, disabled = false, children } = props;
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
    const moved = () => placeOpen(element);
    // Old browsers have no popovers: there the list is fixed all the same.
    element.querySelector<HTMLElement>(".tbwidget-popover-list")?.showPopover?.();
    const end = new AbortController();
    const until = { signal: end.signal, capture: true };
    for (const type of ["pointerdown", "wheel", "touchmove"]) {
      element.ownerDocument.addEventListener(type, outside, until);
    }
    // The page scrolls by itself, too: the list stays with its button.
    element.ownerDocument.addEventListener(
      "scroll",
      ({ target }) => element.contains(target as Node) || moved(),
      until,
    );
    element.addEventListener("keydown", key, end);
    window.addEventListener("resize", moved, end);
    return () => end.abort();
  }, [shown, open]);
  useLayoutEffect(() => {
    if (shown) {
      placeOpen(root.current);
    }
  });
  const close = () => {
    open.value = false;
    root.current?.querySelector("button")?.focus();
  };
  return (
    <span ref={root} class="tbwidget-popover">
      <button
        type="button"
        class={props.class ?? "tbwidget-button"}
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
      {shown && (
        <div class="tbwidget-popover-list" popover="manual">
          {children(close)}
        </div>
      )}
    </span>
  );
}

/** The label of a button that opens a menu. */
export function MenuLabel({ text }: { readonly text: string }) {
  return (
    <>
      {text} <span aria-hidden="true">▾</span>
    </>
  );
}
