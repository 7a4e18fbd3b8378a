// A button of the toolbar with a list that it opens below itself, with whatever it holds. The list is in the top
// layer of the page: a low dashboard does not cut it off.

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import { type Box, place, windowBox } from "../lib/place";
import { CloseButton } from "./dialog";
import { closeLayers, LAYER } from "./layers";
import "./popover.css";

interface Props {
  readonly label: ComponentChildren;
  readonly title: string;
  /** Accessible name, where the label is too short to be one. */
  readonly name?: string;
  /** Whether it is open, where others open it as well. */
  readonly open?: Signal<boolean>;
  /** Class of the button in place of the usual one. */
  readonly class?: string;
  /** Something of it is in effect. */
  readonly active?: boolean;
  readonly disabled?: boolean;
  /** The action that opens it. */
  readonly action?: string;
  /** Made while it is open; `close` closes it. */
  children(close: () => void): ComponentChildren;
}

/** CSS pixels between the list and the edges of dashboard and window, and its button. */
const MARGIN_PX = 6;
const GAP_PX = 3;
/** Least height of a list that scrolls, in CSS pixels. */
const MIN_HEIGHT_PX = 120;

/** The controls of a list; only those that do nothing with arrow keys up and down leave them to the list. */
const CONTROLS = ":is(button, input, select, textarea):enabled, a[href], [tabindex]";
const PASSED_BY_ARROWS = "button, [type=checkbox]";

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
  const around = popover?.closest(`${LAYER}, .tbwidget-main, .tbwidget`);
  if (popover && list && around) {
    const { left, right } = around.getBoundingClientRect();
    const isLeftToRight = getComputedStyle(list).direction === "ltr";
    const atEnd = (popover.closest(".tbwidget-card-buttons") !== null) === isLeftToRight;
    const page = windowBox(list.ownerDocument);
    // In a narrow dashboard, a wide list goes beyond its edges.
    const boundary = list.offsetWidth + 2 * MARGIN_PX > right - left ? page : { ...page, left, right };
    placeList(list, popover.getBoundingClientRect(), boundary, atEnd);
  }
}

export function Popover(props: Props) {
  const { label, title, active = false, disabled = false, children } = props;
  const ownOpen = useSignal(false);
  const open = props.open ?? ownOpen;
  const root = useRef<HTMLSpanElement>(null);
  /** Had the focus when something else than the button opened the list; null if the button did. */
  const opener = useRef<HTMLElement | null>(null);
  const close = useCallback(() => {
    open.value = false;
    (opener.current?.isConnected ? opener.current : root.current?.querySelector("button"))?.focus();
  }, [open]);
  const shown = open.value && !disabled;
  const isNamed = props.name === title;
  // Before the next paint: an Escape before it would close the dialog around the list.
  useLayoutEffect(() => {
    const element = root.current;
    if (!shown || element === null) {
      return;
    }
    // A dialog over it returns the focus to where it was, which has to be there still.
    const isOver = (to: Element) => to.closest(LAYER)?.contains(element) === false;
    const outside = ({ target }: Event) => {
      if (target instanceof Element && !element.contains(target) && !isOver(target)) {
        open.value = false;
      }
    };
    const key = (event: KeyboardEvent) => {
      const { target, defaultPrevented } = event;
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") {
        close();
      } else if (by && !defaultPrevented && target instanceof HTMLElement && target.matches(PASSED_BY_ARROWS)) {
        const controls = [...element.querySelectorAll<HTMLElement>(CONTROLS)].filter(
          (control) => control.tabIndex >= 0 && control.checkVisibility?.() !== false,
        );
        controls.at((controls.indexOf(target) + by) % controls.length)?.focus();
      } else {
        return;
      }
      event.stopPropagation();
      event.preventDefault();
    };
    const left = ({ relatedTarget: to }: FocusEvent) => {
      if (to instanceof Element && !element.contains(to) && !isOver(to)) {
        open.value = false;
      }
    };
    const moved = () => placeOpen(element);
    // Below an open dialog, such as a chart that fills the window, it would take no keys and no presses.
    closeLayers(element.closest(".tbwidget"), element);
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
    element.addEventListener("focusout", left, end);
    window.addEventListener("resize", moved, end);
    const focused = () => (element.getRootNode() as Document | ShadowRoot).activeElement;
    const active = focused();
    opener.current = element.contains(active) ? null : (active as HTMLElement | null);
    if (opener.current !== null) {
      // From there Escape closes it, and Tab leads into it.
      element.querySelector("button")?.focus();
    }
    return () => {
      end.abort();
      // Later: the focus may be on its way to another control.
      setTimeout(() => {
        const now = focused();
        if (now === null || now === element.ownerDocument.body) {
          element.querySelector("button")?.focus({ preventScroll: true });
        }
      });
    };
  }, [shown, open, close]);
  useLayoutEffect(() => {
    if (shown) {
      placeOpen(root.current);
    }
  });
  // A button that unmounts, such as the alerts button, is closed when it comes back.
  useLayoutEffect(
    () => () => {
      open.value = false;
    },
    [open],
  );
  return (
    // To JupyterLab, arrow keys and letters mean something else.
    <span ref={root} class="tbwidget-popover" data-lm-suppress-shortcuts={shown ? "true" : undefined}>
      <button
        type="button"
        class={props.class ?? "tbwidget-button"}
        title={title}
        // A title that is the name as well would be read out twice.
        aria-label={isNamed ? undefined : props.name}
        disabled={disabled}
        aria-expanded={shown}
        data-action={props.action}
        data-active={active ? "" : undefined}
        onClick={() => {
          open.value = !open.peek();
        }}
      >
        {isNamed ? <span aria-hidden="true">{label}</span> : label}
      </button>
      {shown && (
        // It takes the focus when text in it is pressed, such as a label: the dashboard around it would, and close it.
        <div class="tbwidget-popover-list" popover="manual" tabIndex={-1}>
          {children(close)}
        </div>
      )}
    </span>
  );
}

interface HeadProps {
  readonly title: string;
  close(): void;
}

/** Heading of a list; it stays at the top while the list scrolls. */
export function PopoverHead({ title, close }: HeadProps) {
  return (
    <header class="tbwidget-popover-title">
      <h4>{title}</h4>
      <CloseButton close={close} />
    </header>
  );
}

/** The label of a button that opens a menu. `icon`: a path of 12 by 12, which replaces the text in the header of a narrow card. */
export function MenuLabel({ text, icon }: { readonly text: string; readonly icon?: string }) {
  return (
    <>
      {icon && (
        <svg class="tbwidget-label-icon" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
          <path d={icon} />
        </svg>
      )}
      <span>
        {text} <span aria-hidden="true">▾</span>
      </span>
    </>
  );
}
