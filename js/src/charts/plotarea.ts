// The element over one plot of the canvas: it takes the pointer and the focus, and shows box, crosshair and dots.

import { chartTexts } from "../lib/commontexts";
import type { Fingers, Shares } from "./camera";
import type { Point, Position } from "./geometry";
import { type Command, commandOf, WheelZoom } from "./keyboard";
import type { Dot } from "./layout";
import type { Plot, PlotTitle } from "./plot";
import { DRAG_PX, FINGER_DRAG_PX } from "./stagegestures";

/** Dots at most. */
const MAX_DOTS = 10;

export interface PlotAreaEvents extends Omit<PointerEvents, "boxing"> {
  zoomed(factor: number, vertical: boolean, at: Position): void;
  /** Whether it means something here. */
  commanded(command: Command): boolean;
  /** The focus has left. */
  blurred(): void;
}

export class PlotArea {
  readonly #element: HTMLElement;
  readonly #title: HTMLElement;
  readonly #box: HTMLElement;
  readonly #crosshair: HTMLElement;
  readonly #dots: HTMLElement[] = [];
  readonly #pointer: PlotPointer;
  readonly #wheel: WheelZoom;
  readonly #ended = new AbortController();
  /** Crosshair or dots are shown. */
  #pointed = false;

  /** Keys lead to it if it is a `stop`; else to another plot of the chart, whose keys move this one too. */
  constructor(host: HTMLElement, stop: boolean, events: PlotAreaEvents) {
    const page = host.ownerDocument;
    this.#element = element(page, "div", "tbwidget-plot-area");
    this.#title = element(page, "div", "tbwidget-plot-title");
    this.#box = element(page, "i", "tbwidget-box");
    this.#crosshair = element(page, "i", "tbwidget-crosshair");
    this.#box.hidden = this.#crosshair.hidden = this.#title.hidden = true;
    this.#element.append(this.#crosshair, this.#box);
    this.#element.tabIndex = stop ? 0 : -1;
    this.#element.setAttribute("role", "group");
    this.#element.setAttribute("aria-roledescription", chartTexts().chart);
    // Keys that mean something here mean something else to the notebook.
    this.#element.setAttribute("data-lm-suppress-shortcuts", "true");
    host.append(this.#title, this.#element);
    this.#pointer = new PlotPointer(this.#element, {
      ...events,
      boxing: (across, down, drawn) => this.#showBox(across, down, drawn),
    });
    this.#wheel = new WheelZoom(this.#element, (factor, vertical, event) => {
      events.zoomed(factor, vertical, this.#pointer.at(event));
    });
    const { signal } = this.#ended;
    this.#element.addEventListener("blur", () => events.blurred(), { signal });
    this.#element.addEventListener(
      "keydown",
      (event) => {
        const command = commandOf(event);
        if (command !== null && events.commanded(command)) {
          event.preventDefault();
        }
      },
      { signal },
    );
  }

  /** Puts it over its plot. */
  place({ area, title }: Plot, { label, keys }: { readonly label: string; readonly keys: string }): void {
    const { left, top, width, height } = area;
    setAttribute(this.#element, "style", `left:${left}px;top:${top}px;width:${width}px;height:${height}px`);
    setAttribute(this.#element, "aria-label", title === null ? label : `${title.run}, ${label}`);
    setAttribute(this.#element, "aria-description", keys);
    if (this.#title.hidden !== (title === null)) {
      this.#title.hidden = title === null;
    }
    if (title !== null) {
      this.#name(title);
      setAttribute(this.#title, "style", `left:${left}px;top:${top}px;--tbwidget-run:${title.color}`);
    }
  }

  #name({ run, text }: PlotTitle): void {
    setAttribute(this.#title, "title", run);
    if (this.#title.textContent !== text) {
      this.#title.textContent = text;
    }
  }

  /** Shows the crosshair at a share of the width, and dots; null: none. */
  showCrosshair(x: number | null, dots: readonly Dot[]): void {
    if (x === null && dots.length === 0 && !this.#pointed) {
      return;
    }
    this.#pointed = x !== null || dots.length > 0;
    this.#crosshair.hidden = x === null || x < 0 || x > 1;
    if (x !== null) {
      this.#crosshair.style.left = `${100 * x}%`;
    }
    const inside = dots.slice(0, MAX_DOTS).filter(({ x, y }) => x >= 0 && x <= 1 && y >= 0 && y <= 1);
    while (this.#dots.length < inside.length) {
      const dot = element(this.#element.ownerDocument, "i", "tbwidget-dot");
      this.#element.append(dot);
      this.#dots.push(dot);
    }
    for (const [i, dot] of this.#dots.entries()) {
      const at = inside[i];
      dot.hidden = at === undefined;
      if (at !== undefined) {
        dot.style.cssText = `left:${100 * at.x}%;top:${100 * at.y}%;background:${at.color}`;
      }
    }
  }

  /** The element with this id describes it; null: none does. */
  describeBy(id: string | null): void {
    if (id !== null) {
      setAttribute(this.#element, "aria-describedby", id);
    } else if (this.#element.hasAttribute("aria-describedby")) {
      this.#element.removeAttribute("aria-describedby");
    }
  }

  /** Where a share of the plot is in the window. */
  inWindow({ x, y }: Position): { left: number; top: number } {
    const { left, top, width, height } = this.#element.getBoundingClientRect();
    return { left: left + x * width, top: top + y * height };
  }

  end(): void {
    this.#pointer.end();
    this.#wheel.end();
    this.#ended.abort();
    this.#element.remove();
    this.#title.remove();
  }

  #showBox(across: Shares | null, down: Shares | null, drawn: boolean): void {
    this.#box.hidden = !drawn;
    const [left, right] = across ?? [0, 1];
    const [top, bottom] = down ?? [0, 1];
    this.#box.style.cssText = `left:${100 * left}%;top:${100 * top}%;width:${100 * (right - left)}%;height:${100 * (bottom - top)}%`;
  }
}

function element(page: Document, name: string, className: string): HTMLElement {
  const made = page.createElement(name);
  made.className = className;
  return made;
}

/** Sets an attribute that differs: setting it again would make the browser lay out again. */
function setAttribute(target: HTMLElement, name: string, value: string): void {
  if (target.getAttribute(name) !== value) {
    target.setAttribute(name, value);
  }
}

// Mouse, pen and fingers on a plot. Moves and releases outside of it arrive by pointer capture.
//
// Mouse and pen: hover; a click; a drag draws a box. A drag with Shift or the middle button moves the viewport. A drag with
// Ctrl or ⌘, or any drag if the user has chosen so, selects a range.
// One finger: up and down scrolls the page (touch-action in charts.css); a tap shows the crosshair, and a second tap there is
// a click. A move sideways, or a long press, moves the viewport, or the crosshair if everything is visible. Two fingers pinch.

export interface PointerEvents {
  /** The pointer is here; null: it has left, or does something else than point. */
  hovered(at: Position | null): void;
  /** `times` counts clicks that follow quickly upon one another. */
  clicked(at: Position, times: number): void;
  /** A double click. */
  reset(): void;
  /** The box that a drag draws; null when it ends. A side is null where the box covers all of the plot. */
  boxing(across: Shares | null, down: Shares | null, drawn: boolean): void;
  boxed(across: Shares | null, down: Shares | null): void;
  /** Whether a drag selects; `byKey`: with Ctrl or ⌘. */
  selects(byKey: boolean): boolean;
  selected(across: Shares): void;
  /** A move of the viewport begins. */
  moveBegan(): void;
  /** By shares of the plot, since it began. */
  moved(right: number, down: number): void;
  pinched(began: Fingers, now: Fingers): void;
  /** Whether only a part of the data is visible. */
  isZoomed(): boolean;
}

/** CSS pixels that a box covers along both axes to count along both, and of a vertical move. */
const BOX = 30;
const MOVE_DOWN = 10;
/** CSS pixels between two taps at one place. */
const SAME_PLACE = 28;
/** Milliseconds of a long press. */
const PRESS = 450;

interface Box {
  /** The pointer has come so far that it is a drag. */
  readonly far: boolean;
  readonly across: Shares | null;
  readonly down: Shares | null;
}

type Mode =
  | { readonly name: "box" | "select" | "move" | "touch" | "point"; readonly from: Point }
  | { readonly name: "pinch"; readonly began: Fingers };

export class PlotPointer {
  readonly #element: HTMLElement;
  readonly #events: PointerEvents;
  readonly #ended = new AbortController();
  readonly #fingers = new Map<number, Point>();
  #mode: Mode | null = null;
  /** The last press became a drag, so the click that follows it is none. */
  #dragged = false;
  #touch = false;
  #tapped: Point | null = null;
  /** The place that was hovered last, whose data the tooltip shows; null after it was left. */
  #hovered: Position | null = null;
  #press: ReturnType<typeof setTimeout> | undefined;

  constructor(element: HTMLElement, events: PointerEvents) {
    this.#element = element;
    this.#events = events;
    const { signal } = this.#ended;
    element.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    element.addEventListener("pointermove", (event) => this.#move(event), { signal });
    element.addEventListener("pointerup", (event) => this.#up(event), { signal });
    element.addEventListener("pointercancel", (event) => this.#cancel(event), { signal });
    element.addEventListener("pointerleave", (event) => this.#leave(event), { signal });
    element.addEventListener("click", (event) => this.#click(event), { signal });
    element.addEventListener("dblclick", () => events.reset(), { signal });
    element.addEventListener("mousedown", preventAutoscroll, { signal });
    element.addEventListener("contextmenu", (event) => this.#suppressMenu(event), { signal });
  }

  end(): void {
    clearTimeout(this.#press);
    this.#ended.abort();
  }

  /** Shares of the plot at a place in the window. */
  at({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Position {
    const { left, top, width, height } = this.#element.getBoundingClientRect();
    return { x: (clientX - left) / width, y: (clientY - top) / height };
  }

  #hover(at: Position | null): void {
    this.#hovered = at;
    this.#events.hovered(at);
  }

  /** Clicks what the tooltip shows: a click comes with whole pixels, a move with fractions of them. */
  #clickAt(event: MouseEvent, times: number): void {
    this.#events.clicked(this.#hovered ?? this.at(event), times);
  }

  #down(event: PointerEvent): void {
    this.#touch = event.pointerType === "touch";
    const at = pointOf(event);
    if (this.#touch) {
      this.#fingerDown(event.pointerId, at);
    } else if (event.button === 1 || (event.button === 0 && event.shiftKey)) {
      this.#begin("move", at);
    } else if (event.button === 0) {
      this.#begin(this.#events.selects(event.ctrlKey || event.metaKey) ? "select" : "box", at);
    } else {
      return;
    }
    this.#element.setPointerCapture(event.pointerId);
  }

  #begin(name: "box" | "select" | "move" | "touch" | "point", from: Point): void {
    this.#mode = { name, from };
    this.#dragged = false;
    if (name === "move") {
      this.#events.moveBegan();
    }
  }

  #fingerDown(id: number, at: Point): void {
    clearTimeout(this.#press);
    this.#fingers.set(id, at);
    if (this.#fingers.size === 1) {
      this.#begin("touch", at);
      this.#press = setTimeout(() => {
        this.#begin("point", at);
        this.#dragged = true;
        this.#hover(this.#shares(at));
      }, PRESS);
    } else if (this.#fingers.size === 2) {
      this.#dragged = true;
      this.#mode = { name: "pinch", began: this.#pair() };
      this.#hover(null);
      this.#events.moveBegan();
    }
  }

  #move(event: PointerEvent): void {
    const at = pointOf(event);
    if (event.pointerType === "touch") {
      if (!this.#fingers.has(event.pointerId)) {
        return;
      }
      this.#fingers.set(event.pointerId, at);
    }
    const mode = this.#mode;
    switch (mode?.name) {
      case undefined:
        this.#hover(this.at(event));
        break;
      case "box":
        this.#drawBox(this.#boxOf(mode.from, at));
        break;
      case "select":
        this.#drawBox(this.#stretchOf(mode.from, at));
        break;
      case "move":
        this.#moveFrom(mode.from, at);
        break;
      case "touch":
        this.#fingerMoved(mode.from, at);
        break;
      case "point":
        this.#hover(this.#shares(at));
        break;
      case "pinch":
        this.#events.pinched(mode.began, this.#pair());
        break;
    }
  }

  #fingerMoved(from: Point, at: Point): void {
    if (Math.hypot(at.x - from.x, at.y - from.y) < FINGER_DRAG_PX) {
      return;
    }
    clearTimeout(this.#press);
    this.#begin(this.#events.selects(false) ? "select" : this.#events.isZoomed() ? "move" : "point", from);
    this.#dragged = true;
    this.#hover(this.#mode?.name === "point" ? this.#shares(at) : null);
  }

  #moveFrom(from: Point, at: Point): void {
    const { clientWidth: width, clientHeight: height } = this.#element;
    const [right, down] = [at.x - from.x, at.y - from.y];
    if (!this.#dragged && Math.max(Math.abs(right), Math.abs(down)) >= DRAG_PX) {
      this.#dragged = true;
      this.#hover(null);
    }
    // A move sideways leaves the other axis fitted to the visible data.
    this.#events.moved(right / width, Math.abs(down) >= MOVE_DOWN ? down / height : 0);
  }

  #drawBox({ far, across, down }: Box): void {
    if (far && !this.#dragged) {
      this.#dragged = true;
      this.#hover(null);
    }
    if (this.#dragged) {
      this.#events.boxing(across, down, true);
    }
  }

  /** From one place to another along x. */
  #stretchOf(from: Point, at: Point): Box & { readonly across: Shares } {
    const across = ordered(this.#shares(from).x, this.#shares(at).x);
    return { far: Math.abs(at.x - from.x) >= DRAG_PX, across, down: null };
  }

  #boxOf(from: Point, at: Point): Box {
    const [a, b] = [this.#shares(from), this.#shares(at)];
    const [width, height] = [Math.abs(at.x - from.x), Math.abs(at.y - from.y)];
    const both = width >= BOX && height >= BOX;
    return {
      far: Math.max(width, height) >= DRAG_PX,
      across: both || width >= height ? ordered(a.x, b.x) : null,
      down: both || height > width ? ordered(a.y, b.y) : null,
    };
  }

  #up(event: PointerEvent): void {
    clearTimeout(this.#press);
    this.#fingers.delete(event.pointerId);
    const mode = this.#mode;
    this.#mode = null;
    if (mode?.name === "box") {
      this.#events.boxing(null, null, false);
      const { far, across, down } = this.#boxOf(mode.from, pointOf(event));
      if (far) {
        this.#events.boxed(across, down);
      }
    } else if (mode?.name === "select") {
      this.#events.boxing(null, null, false);
      const { far, across } = this.#stretchOf(mode.from, pointOf(event));
      if (far) {
        this.#events.selected(across);
      }
    } else if (mode?.name === "pinch") {
      // The finger that stays does nothing further.
      this.#fingers.clear();
    } else if (mode?.name === "touch" && !this.#dragged) {
      this.#tap(event);
    }
  }

  /** Handles a tap itself: browsers omit the click while an earlier scroll is still rolling out. */
  #tap(event: PointerEvent): void {
    const [at, before] = [pointOf(event), this.#tapped];
    this.#tapped = at;
    if (before === null || Math.hypot(at.x - before.x, at.y - before.y) > SAME_PLACE) {
      this.#hover(this.at(event));
    } else {
      this.#clickAt(event, 1);
    }
  }

  #cancel(event: PointerEvent): void {
    clearTimeout(this.#press);
    this.#fingers.delete(event.pointerId);
    if (this.#mode !== null) {
      this.#mode = null;
      this.#events.boxing(null, null, false);
      this.#hover(null);
    }
  }

  #leave({ pointerType }: PointerEvent): void {
    // A finger leaves whenever it is lifted; what it has pointed at stays.
    if (pointerType !== "touch") {
      this.#hover(null);
    }
  }

  #click(event: MouseEvent): void {
    if (!this.#touch) {
      this.#tapped = null;
      if (!this.#dragged) {
        this.#clickAt(event, event.detail);
      }
    }
  }

  /** A long press is ours. */
  #suppressMenu(event: Event): void {
    if (this.#touch) {
      event.preventDefault();
    }
  }

  #shares({ x, y }: Point): Position {
    return this.at({ clientX: x, clientY: y });
  }

  #pair(): Fingers {
    const [first = { x: 0, y: 0 }, second = first] = [...this.#fingers.values()].map((point) => this.#shares(point));
    return [first, second];
  }
}

function pointOf({ clientX, clientY }: MouseEvent): Point {
  return { x: clientX, y: clientY };
}

function ordered(a: number, b: number): Shares {
  return [Math.max(0, Math.min(a, b)), Math.min(1, Math.max(a, b))];
}

/** The middle button would let the page scroll along with the pointer. */
function preventAutoscroll(event: MouseEvent): void {
  if (event.button === 1) {
    event.preventDefault();
  }
}
