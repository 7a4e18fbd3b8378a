// The title of a column, which sorts by a click, and its menu.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { place, windowBox } from "../../lib/place";
import type { Sort } from "../../lib/sortrows";
import { Elided } from "../elided";
import { runTableTexts } from "../texts";

/** Characters that a narrow column has room for. */
const SHORT = 10;

interface Props {
  readonly title: string;
  readonly hint?: string;
  /** The table's order, if this column decides it. */
  readonly sort: Sort | null;
  /** The place of that among several sorts, from 1 on; null for the only one. */
  readonly place?: number | null;
  /** `adds`: in addition to the other sorts. */
  choose(adds: boolean): void;
}

/** For the attribute `aria-sort` of the cell around it. */
export function ariaSort(sort: Sort | null) {
  return sort === null ? undefined : sort.descending ? "descending" : "ascending";
}

export function ColumnTitle({ title, hint = title, sort, place = null, choose }: Props) {
  return (
    <button
      type="button"
      class="tbwidget-column-title"
      aria-label={title}
      title={`${hint}\n${runTableTexts().sortBy(title)}`}
      onClick={(event) => choose(event.shiftKey)}
    >
      <Elided text={title} short={SHORT} />
      {sort !== null && (
        <i aria-hidden="true">
          {sort.descending ? "▼" : "▲"}
          {place !== null && <sup>{place}</sup>}
        </i>
      )}
    </button>
  );
}

/** CSS pixels to the button, and to the edges of the window. */
const GAP_PX = 2;
const MARGIN_PX = 6;

interface ColumnMenuProps {
  readonly anchor: HTMLElement;
  close(): void;
  readonly children: ComponentChildren;
}

/** Put the menu below its button, or above where there is more room. */
function placeMenu(element: HTMLElement, anchor: HTMLElement): void {
  const { left, top, maxHeight } = place({
    anchor: anchor.getBoundingClientRect(),
    size: { width: element.offsetWidth, height: element.offsetHeight },
    boundary: windowBox(element.ownerDocument),
    ...{ side: "below", gap: GAP_PX, margin: MARGIN_PX },
  });
  Object.assign(element.style, { left: `${left}px`, top: `${top}px`, maxHeight: `${maxHeight}px` });
}

export function ColumnMenu({ anchor, close, children }: ColumnMenuProps) {
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
    for (const type of ["pointerdown", "wheel", "touchmove"]) {
      ownerDocument.addEventListener(type, (event) => isOutside(event) && closing.current(), until);
    }
    // The page scrolls by itself, too, as when a filter leaves fewer rows: the menu stays with its button.
    ownerDocument.addEventListener("scroll", (event) => isOutside(event) && placeMenu(element, anchor), until);
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
    if (root.current !== null) {
      placeMenu(root.current, anchor);
    }
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
