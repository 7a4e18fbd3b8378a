// Where a menu, list or tooltip stands: beside its anchor, and inside a boundary.

/** A rectangle in CSS pixels, such as a `DOMRect`. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Everything is in CSS pixels from one origin, such as the corner of the window. */
export interface Placing {
  readonly anchor: Box;
  readonly size: { readonly width: number; readonly height: number };
  readonly boundary: Box;
  /** The preferred side. The opposite one is used where only that has room, or where it has more. */
  readonly side: "below" | "right";
  /** Distance from the anchor. */
  readonly gap: number;
  /** Least distance from the boundary. */
  readonly margin: number;
  /** How far it begins behind the beginning of the anchor, along the side. */
  readonly shift?: number;
}

export interface Placement {
  readonly left: number;
  readonly top: number;
  readonly side: "below" | "above" | "right" | "left";
  /** Room on that side; a higher list has to scroll. */
  readonly maxHeight: number;
}

/** The anchor that a pointer is. */
export function pointBox(left: number, top: number): Box {
  return { left, top, right: left, bottom: top };
}

/** The boundary that the window of an element is. */
export function windowBox({ documentElement }: Document): Box {
  return { left: 0, top: 0, right: documentElement.clientWidth, bottom: documentElement.clientHeight };
}

/** The visible part of an element: within the window, and within everything around it that cuts it off. */
export function visibleBox(element: Element): Box {
  const { ownerDocument } = element;
  let box = windowBox(ownerDocument);
  for (let each: Element | null = element; each !== null && each !== ownerDocument.body; each = parentOf(each)) {
    const { overflowX, position } = getComputedStyle(each);
    if (overflowX !== "visible") {
      const { left, top, right, bottom } = each.getBoundingClientRect();
      box = {
        ...{ left: Math.max(box.left, left), top: Math.max(box.top, top) },
        ...{ right: Math.min(box.right, right), bottom: Math.min(box.bottom, bottom) },
      };
    }
    if (position === "fixed") {
      break;
    }
  }
  return box;
}

/** Also of an element at the root of a shadow tree. */
function parentOf(element: Element): Element | null {
  return element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null;
}

/** Limit a start to a range; the beginning stays visible where the range is too short. */
function within(start: number, least: number, most: number): number {
  return Math.max(least, Math.min(start, most));
}

/**
 * Place a thing of this size beside its anchor. Where it fits at neither the left nor the right, it is centered above or
 * below. It covers its anchor only if no side has room.
 */
export function place({ anchor, size, boundary, side, gap, margin, shift = 0 }: Placing): Placement {
  const least = { left: boundary.left + margin, top: boundary.top + margin };
  const last = { left: boundary.right - margin - size.width, top: boundary.bottom - margin - size.height };
  const [right, left] = [anchor.right + gap, anchor.left - gap - size.width];
  if (side === "right" && (right <= last.left || left >= least.left)) {
    const isRight = right <= last.left;
    return {
      left: isRight ? right : left,
      top: within(anchor.top + shift, least.top, last.top),
      side: isRight ? "right" : "left",
      maxHeight: boundary.bottom - margin - least.top,
    };
  }
  const below = boundary.bottom - margin - anchor.bottom - gap;
  const above = anchor.top - gap - least.top;
  const isBelow = size.height <= below || below >= above;
  const maxHeight = isBelow ? below : above;
  const start = side === "right" ? (anchor.left + anchor.right - size.width) / 2 : anchor.left + shift;
  return {
    left: within(start, least.left, last.left),
    top: isBelow ? anchor.bottom + gap : anchor.top - gap - Math.min(size.height, maxHeight),
    side: isBelow ? "below" : "above",
    maxHeight,
  };
}
