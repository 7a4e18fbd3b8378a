// A button of the toolbar with a list that it opens below itself, with whatever it holds.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { place } from "../lib/place";
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

/** CSS pixels between the list and the edge of the dashboard, and its button. */
const MARGIN_PX = 6;
const GAP_PX = 3;
/** Least height of a list that scrolls, in CSS pixels. */
const MIN_HEIGHT_PX = 120;

/** Put the list below its button, or above where there is more room; where it is too high for both, it scrolls. */
function placeList(list: HTMLElement, button: DOMRect, boundary: DOMRect): void {
  Object.assign(list.style, { top: "", bottom: "", maxHeight: "", transform: "" });
  const own = list.getBoundingClientRect();
  // The style sheet says on which side of its button it begins.
  const anchor = { left: own.left, top: button.top, right: own.right, bottom: button.bottom };
  const { left, side, maxHeight } = place({
    ...{ anchor, boundary, size: own, side: "below", gap: GAP_PX, margin: MARGIN_PX },
  });
  list.style.transform = left === own.left ? "" : `translateX(${left - own.left}px)`;
  if (side === "above") {
    // By its lower edge, which stays at the button while the content changes.
    Object.assign(list.style, { top: "auto", bottom: `calc(100% + ${GAP_PX}px)` });
  }
  if (own.height > maxHeight) {
    list.style.maxHeight = `${Math.max(MIN_HEIGHT_PX, maxHeight)}px`;
  }
}

/** Place the list of a popover, if it is open. */
function placeOpen(popover: HTMLElement | null): void {
  const list = popover?.querySelector<HTMLElement>(".tbwidget-popover-list");
  const around = popover?.closest("dialog, .tbwidget-main, .tbwidget");
  // Nothing is measured for a closed one: each card has one, and each measurement lays the page out.
  if (popover && list && around) {
    placeList(list, popover.getBoundingClientRect(), around.getBoundingClientRect());
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
    const resized = () => placeOpen(element);
    element.ownerDocument.addEventListener("pointerdown", outside, true);
    element.addEventListener("keydown", key);
    window.addEventListener("resize", resized);
    return () => {
      element.ownerDocument.removeEventListener("pointerdown", outside, true);
      element.removeEventListener("keydown", key);
      window.removeEventListener("resize", resized);
    };
  }, [shown, open]);
  useLayoutEffect(() => placeOpen(root.current));
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
      {shown && <div class="tbwidget-popover-list">{children(close)}</div>}
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
