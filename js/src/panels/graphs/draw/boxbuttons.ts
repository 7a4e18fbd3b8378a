// Buttons on the box that the pointer is on: one opens or closes it, one opens its menu, which the selected box has, too.

import type { Point } from "../../../charts/geometry";
import type { PlaneCamera } from "../../../charts/planecamera";
import { isOpenable } from "../model/view";
import { onStage, type Rect } from "./camera";
import type { Hit } from "./hit";
import type { Shown } from "./scene";
import { graphDrawingTexts } from "./texts";
import { barOf } from "./viewpoint";

/** Side of the button that opens and closes; width and height of the menu's button. */
const TOGGLE_PX = 18;
const MENU_PX = [22, 14] as const;
/** Overlap of the menu's button with its box, and the least width of a box that has the other button. */
const OVERLAP_PX = 3;
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
  // What is only selected bears its sign; the button would lie on its label all the time.
  const isOpen = isPointedAt && isOpenable(view, box) ? view.open[box] === 1 : null;
  return path === undefined ? null : { path, label: input.label[box] as string, isOpen, bar: barOf(scene, box) };
}

export interface ButtonEvents {
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
    const right = Math.min(width, x + w);
    // Where the sign is that the box bears; and at the upper corner.
    place(this.#toggle, { x: right - Math.min(5, h * 0.15) - TOGGLE_PX + 2, y: y + (h - TOGGLE_PX) / 2 });
    place(this.#menu, { x: right - MENU_PX[0], y: Math.max(0, y - MENU_PX[1] + OVERLAP_PX) });
  }
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
