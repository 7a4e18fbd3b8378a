// The element over one plot of the canvas: it takes the pointer and the focus, and shows box, crosshair and dots.

import type { Shares } from "./camera";
import type { Position } from "./geometry";
import { type Command, commandOf } from "./keyboard";
import type { Dot } from "./layout";
import type { Plot, PlotTitle } from "./plot";
import { PlotPointer, type PointerEvents } from "./pointer";
import { chartTexts } from "./texts";
import { WheelZoom } from "./wheel";

/** Dots at most. */
const MOST_DOTS = 10;

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
  place({ area, title }: Plot, label: string): void {
    const { left, top, width, height } = area;
    setAttribute(this.#element, "style", `left:${left}px;top:${top}px;width:${width}px;height:${height}px`);
    setAttribute(this.#element, "aria-label", title === null ? label : `${title.run}, ${label}`);
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
    const inside = dots.slice(0, MOST_DOTS).filter(({ x, y }) => x >= 0 && x <= 1 && y >= 0 && y <= 1);
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
