// A transparent element above each box: for the keyboard, for assistive technology, and for programs.

import type { Point, Size } from "../../../charts/geometry";
import type { PlaneCamera } from "../../../charts/planecamera";
import { formatCount } from "../../../lib/format";
import { Area } from "../layout/types";
import { BoxKind, isOpenable } from "../model/view";
import { onStage, type Rect } from "./camera";
import type { Hit } from "./hit";
import type { Scene, Shown } from "./scene";
import type { Scroller } from "./scroller";
import { graphDrawingTexts } from "./texts";
import { barOf } from "./viewpoint";

/** Elements that exist at once. */
export const MAX_ELEMENTS = 1200;

/** Elements whose move takes next to no time. */
const MAX_CHEAP_ELEMENTS = 100;

/** CSS pixels that an element is wide and high at least, so that it can be clicked on. */
const MIN_ELEMENT_PX = 4;

export class Overlay {
  readonly element: HTMLElement;
  /** By path. */
  #elements = new Map<string, HTMLElement>();
  #scene: Scene | null = null;
  #camera: PlaneCamera | null = null;
  #selected: string | null = null;
  #isFocusing = false;

  constructor(page: Document, label: string, keys: string) {
    this.element = page.createElement("div");
    this.element.className = "tbwidget-graph-boxes";
    this.element.setAttribute("role", "tree");
    this.element.setAttribute("aria-label", label);
    this.element.setAttribute("aria-description", keys);
    this.element.tabIndex = 0;
    // One stop of the Tab key: the box that was selected last, or the first one.
    this.element.addEventListener("focusin", () => {
      this.element.tabIndex = -1;
    });
    this.element.addEventListener("focusout", () => {
      this.element.tabIndex = 0;
    });
  }

  /** Whether it can follow the camera in every frame. */
  get isSmall(): boolean {
    return this.#elements.size <= MAX_CHEAP_ELEMENTS;
  }

  isAt(camera: PlaneCamera): boolean {
    return this.#camera === camera;
  }

  /** Gives boxes their elements; `wanted` has one, wherever it is. */
  show({ scene, prepared }: Shown, camera: PlaneCamera, stage: Size, wanted: number): void {
    const focused = this.focusedPath();
    const isNew = scene !== this.#scene;
    this.#scene = scene;
    const elements = new Map<string, HTMLElement>();
    const ordered: HTMLElement[] = [];
    const kept = [wanted, prepared.boxOf.get(focused ?? "") ?? -1, prepared.boxOf.get(this.#selected ?? "") ?? -1];
    const { place } = prepared;
    const picked = pick(scene, camera, stage, kept);
    // In the order of a tree: inner boxes follow their box.
    for (const box of [...picked].sort((a, b) => (place[a] as number) - (place[b] as number))) {
      const path = scene.view.path[box] as string;
      let element = this.#elements.get(path);
      if (element === undefined || isNew) {
        element ??= this.element.ownerDocument.createElement("div");
        this.#describe(element, box, prepared.depth[box] as number);
      }
      elements.set(path, element);
      ordered.push(element);
    }
    if (
      ordered.length !== this.element.childElementCount ||
      ordered.some((one, i) => one !== this.element.children[i])
    ) {
      this.#arrange(ordered, new Set(ordered));
    }
    this.#elements = elements;
    this.select(this.#selected);
    if (focused !== null && !elements.has(focused)) {
      this.focus(nearestAround(focused, elements));
    }
  }

  /** Puts elements in order without taking those out that stay: one that has the focus would lose it. */
  #arrange(ordered: readonly HTMLElement[], staying: ReadonlySet<Element>): void {
    for (const child of [...this.element.children]) {
      if (!staying.has(child)) {
        child.remove();
      }
    }
    const focused = this.element.ownerDocument.activeElement;
    const pivot = ordered.indexOf(focused as HTMLElement);
    if (pivot < 0) {
      this.element.replaceChildren(...ordered);
      return;
    }
    for (const child of [...this.element.children]) {
      if (child !== focused) {
        child.remove();
      }
    }
    (focused as HTMLElement).before(...ordered.slice(0, pivot));
    (focused as HTMLElement).after(...ordered.slice(pivot + 1));
  }

  #describe(element: HTMLElement, box: number, depth: number): void {
    const { view, layout } = this.#scene as Scene;
    const isOpen = view.open[box] === 1;
    const path = view.path[box] as string;
    element.className = "tbwidget-graph-box";
    element.dataset.node = path;
    element.dataset.nodes = String(view.nodes[box]);
    if (isAside(this.#scene as Scene, box)) {
      element.dataset.auxiliary = "true";
    } else {
      delete element.dataset.auxiliary;
    }
    element.tabIndex = -1;
    element.setAttribute("role", "treeitem");
    element.setAttribute("aria-level", String(depth + 1));
    element.setAttribute("aria-label", spokenName(this.#scene as Scene, box));
    element.setAttribute("aria-selected", String(path === this.#selected));
    if (isOpenable(view, box)) {
      element.setAttribute("aria-expanded", String(isOpen));
    } else {
      element.removeAttribute("aria-expanded");
    }
    const height = (isOpen ? layout.title : layout.h)[box] as number;
    const { style } = element;
    style.left = `${layout.x[box]}px`;
    style.top = `${layout.y[box]}px`;
    style.width = `${Math.max(MIN_ELEMENT_PX, layout.w[box] as number)}px`;
    style.height = `${Math.max(MIN_ELEMENT_PX, height)}px`;
  }

  /** Goes along with the camera: elements stand where the layout has their boxes. */
  move(camera: PlaneCamera): void {
    this.#camera = camera;
    this.element.style.transform = `translate(${camera.x}px, ${camera.y}px) scale(${camera.zoom})`;
  }

  select(path: string | null): void {
    const before = this.#selected === null ? undefined : this.#elements.get(this.#selected);
    before?.setAttribute("aria-selected", "false");
    this.#selected = path;
    if (path !== null) {
      this.#elements.get(path)?.setAttribute("aria-selected", "true");
    }
  }

  /** The path of the box that an event is about; null if it is about none. */
  pathOf(target: EventTarget | null): string | null {
    return target instanceof HTMLElement && target.parentElement === this.element
      ? (target.dataset.node ?? null)
      : null;
  }

  /** The path of the box that has the focus. */
  focusedPath(): string | null {
    return this.pathOf(this.element.ownerDocument.activeElement);
  }

  /** The focus comes now by `focus`, which scrolls nothing. */
  get isFocusing(): boolean {
    return this.#isFocusing;
  }

  focus(path: string | null): void {
    const element = path === null ? undefined : this.#elements.get(path);
    this.#isFocusing = true;
    (element ?? this.element).focus({ preventScroll: true });
    this.#isFocusing = false;
  }
}

/** Whether a box is in an auxiliary area, or in something that is. */
function isAside({ view, input }: Scene, box: number): boolean {
  for (let one = box; one >= 0; one = view.parent[one] as number) {
    if (input.area[one] !== Area.MAIN) {
      return true;
    }
  }
  return false;
}

/** Boxes that have elements: all, or those near the visible part, large ones first. In the order of their numbers. */
export function pick(scene: Scene, camera: PlaneCamera, stage: Size, kept: readonly number[]): readonly number[] {
  const { count } = scene.view;
  const all = Array.from({ length: count }, (_, box) => box);
  if (count <= MAX_ELEMENTS) {
    return all;
  }
  const { x, y, w, h } = scene.layout;
  const rank = new Float64Array(count);
  for (let box = 0; box < count; box++) {
    const left = camera.x + camera.zoom * (x[box] as number);
    const top = camera.y + camera.zoom * (y[box] as number);
    const width = camera.zoom * (w[box] as number);
    const height = camera.zoom * (h[box] as number);
    const away = distanceTo(left, top, width, height, stage);
    // Among visible boxes the largest come first, elsewhere the nearest.
    rank[box] = kept.includes(box) ? -Infinity : away > 0 ? away : -width * height;
  }
  return all
    .sort((a, b) => (rank[a] as number) - (rank[b] as number))
    .slice(0, MAX_ELEMENTS)
    .sort((a, b) => a - b);
}

function distanceTo(left: number, top: number, width: number, height: number, stage: Size): number {
  const across = Math.max(0, -left - width, left - stage.width);
  const down = Math.max(0, -top - height, top - stage.height);
  return across + down;
}

/** Spoken description of a box: its label, its kind, how many nodes are in it. */
export function spokenName({ view, note }: Scene, box: number): string {
  const kind = view.kind[box] as number;
  const copies = view.copies[box] as number;
  const nodes = view.nodes[box] as number;
  const label = view.label[box] as string;
  const op = kind === BoxKind.NODE ? view.op[box] : graphDrawingTexts().boxKinds[kind];
  const parts = [
    label,
    op === undefined || op === label ? "" : op,
    copies > 1 ? graphDrawingTexts().copiesSpoken(formatCount(copies)) : "",
    view.unordered[box] === 1 ? graphDrawingTexts().unordered : "",
    isOpenable(view, box) ? graphDrawingTexts().nodes(nodes, formatCount(nodes)) : "",
    note[box] as string,
  ];
  return graphDrawingTexts().spoken(parts.filter((part) => part !== ""));
}

/** The path of the nearest box around one that is gone; null for none. */
export function nearestAround(path: string, known: ReadonlyMap<string, unknown>): string | null {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const around = path.slice(0, end);
    if (known.has(around)) {
      return around;
    }
  }
  return null;
}

// The focus on the boxes of a graph. It comes by the mouse, by the Tab key, and from programs.

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
        // The browser would scroll the pressed element away from the pointer, and a second click would miss it.
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

// Buttons on the box that the pointer is on: one opens or closes it, one opens its menu, which the selected box has, too.

/** Side of the area that takes a press; the visible button is smaller. */
const BUTTON_PX = 24;
/** Half the width of the sign that a box bears at its right end. The button that opens and closes stands upon it. */
const SIGN_PX = 7;
/** Least width of a box that has the button that opens and closes. */
const MIN_BOX_PX = 48;

interface ButtonsOf {
  readonly path: string;
  readonly label: string;
  /** Null where it is not to be opened. */
  readonly isOpen: boolean | null;
  /** A closed box, or the title bar of an opened one. */
  readonly bar: Rect;
}

/** They stand on the box under the pointer, else on the selected box. */
export function buttonsOn({ scene, prepared }: Shown, hit: Hit, selected: string | null): ButtonsOf | null {
  const { view, input } = scene;
  const isPointedAt = hit.box >= 0 && hit.mark < 0 && hit.route < 0 && !hit.isBody;
  // A node may have the empty name.
  const selectedBox = selected === null ? undefined : prepared.boxOf.get(selected);
  const box = isPointedAt ? hit.box : (selectedBox ?? -1);
  const path = view.path[box];
  // A selected box bears its sign already; the button would cover its label all the time.
  const isOpen = isPointedAt && isOpenable(view, box) ? view.open[box] === 1 : null;
  return path === undefined ? null : { path, label: input.label[box] as string, isOpen, bar: barOf(scene, box) };
}

interface ButtonEvents {
  toggle(path: string): void;
  /** At a place in the window. */
  menu(path: string, left: number, top: number): void;
}

export class BoxButtons {
  readonly element: HTMLElement;
  readonly #toggle: HTMLButtonElement;
  readonly #menu: HTMLButtonElement;
  #of: ButtonsOf | null = null;

  constructor(page: Document, events: ButtonEvents) {
    this.element = page.createElement("div");
    // Enter and the menu key do the same on the box itself.
    this.element.setAttribute("aria-hidden", "true");
    this.#toggle = button(page, "tbwidget-graph-toggle", () => this.#of !== null && events.toggle(this.#of.path));
    this.#menu = button(page, "tbwidget-graph-more", () => {
      const { left, bottom } = this.#menu.getBoundingClientRect();
      this.#of !== null && events.menu(this.#of.path, left, bottom);
    });
    this.#menu.textContent = "⋯";
    this.#menu.title = graphDrawingTexts().menu;
    this.element.append(this.#toggle, this.#menu);
    // The pointer stays on the box that they are on.
    for (const type of ["pointermove", "dblclick"] as const) {
      this.element.addEventListener(type, (event) => event.stopPropagation());
    }
  }

  show(of: ButtonsOf | null): void {
    const before = this.#of;
    this.#of = of;
    if (of !== null && (of.path !== before?.path || of.isOpen !== before.isOpen)) {
      this.#toggle.textContent = of.isOpen ? "−" : "+";
      this.#toggle.title = of.isOpen ? graphDrawingTexts().close(of.label) : graphDrawingTexts().open(of.label);
    }
  }

  /** Follows the camera; `width`: width of the stage. */
  move(camera: PlaneCamera, width: number): void {
    const { x, y, w, h } = onStage(camera, this.#of?.bar ?? { x: 0, y: 0, w: 0, h: 0 });
    this.#toggle.hidden = typeof this.#of?.isOpen !== "boolean" || w < MIN_BOX_PX;
    this.#menu.hidden = this.#of === null;
    const places = buttonPlaces({ x, y, w, h }, width, !this.#toggle.hidden);
    place(this.#toggle, places.toggle);
    place(this.#menu, places.menu);
  }
}

/**
 * Upper left corners of the buttons on a box. The toggle stands on the sign of the box, and the menu above its right end:
 * the pointer gets from one to the other. Near the upper edge of the drawing, both stand side by side.
 */
export function buttonPlaces({ x, y, w, h }: Rect, width: number, hasToggle: boolean): { toggle: Point; menu: Point } {
  const right = Math.min(width, x + w);
  const onSign = right - Math.min(5, h * 0.15) - SIGN_PX - BUTTON_PX / 2;
  const toggle = { x: Math.min(width - BUTTON_PX, onSign), y: y + (h - BUTTON_PX) / 2 };
  const below = hasToggle ? Math.min(y, toggle.y) : y;
  const left = hasToggle && below < BUTTON_PX ? toggle.x : right;
  return { toggle, menu: { x: left - BUTTON_PX, y: Math.max(0, below - BUTTON_PX) } };
}

function button(page: Document, name: string, click: () => void): HTMLButtonElement {
  const made = page.createElement("button");
  made.type = "button";
  made.className = name;
  made.tabIndex = -1;
  made.hidden = true;
  made.addEventListener("click", (event) => {
    event.stopPropagation();
    click();
  });
  return made;
}

function place(element: HTMLElement, { x, y }: Point): void {
  element.style.transform = `translate(${x}px, ${y}px)`;
}
