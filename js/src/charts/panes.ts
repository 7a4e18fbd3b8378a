// The places of a card's charts: one that takes all of it, or one for each run, side by side.

import { facetsInLine } from "./facets";

/** CSS pixels that a place needs in width. */
export const NARROWEST_PANE = 130;

/** CSS pixels by which a place is wider that has the labels of all in its line. */
const LABELS = 44;

/** What a place is named after. */
export interface Pane {
  readonly run: string;
  /** Of the run's name, what is worth reading. */
  readonly name: string;
  /** As #rrggbb. */
  readonly colour: string;
}

/** Makes a chart in a place; says of each whether it is the first in its line; lets all charts go. */
type Made = (place: HTMLElement, i: number) => void;
type Placed = (i: number, first: boolean) => void;

export class Panes {
  readonly #host: HTMLElement;
  readonly #made: Made;
  readonly #cleared: () => void;
  readonly #placed: Placed;
  readonly #resizing = new ResizeObserver(() => this.#arrange());
  /** How many places there are; 0: the whole card is one; null before the first. */
  #count: number | null = null;

  constructor(host: HTMLElement, made: Made, cleared: () => void, placed: Placed) {
    this.#host = host;
    this.#made = made;
    this.#cleared = cleared;
    this.#placed = placed;
  }

  /** Makes as many places as there are panes, and writes their names above them; none is one without a name. */
  show(panes: readonly Pane[]): void {
    if (panes.length !== this.#count) {
      this.#clear();
      this.#count = panes.length;
      this.#make();
    }
    for (const [i, { run, name, colour }] of panes.entries()) {
      const title = this.#host.children[i]?.firstElementChild as HTMLElement;
      title.title = run;
      title.style.setProperty("--tbwidget-run", colour);
      title.textContent = name;
    }
  }

  end(): void {
    this.#clear();
  }

  #make(): void {
    const { ownerDocument: view } = this.#host;
    const count = this.#count ?? 0;
    if (count === 0) {
      this.#made(this.#host, 0);
      return;
    }
    for (let i = 0; i < count; i += 1) {
      const facet = view.createElement("figure");
      const place = view.createElement("div");
      facet.className = "tbwidget-facet";
      facet.append(view.createElement("figcaption"), place);
      this.#host.append(facet);
      this.#made(place, i);
    }
    this.#host.classList.add("tbwidget-facets");
    this.#arrange();
    this.#resizing.observe(this.#host);
  }

  /** As many in a line as there is room for; the first has the labels of all. */
  #arrange(): void {
    const count = this.#count ?? 0;
    const inLine = facetsInLine(count, this.#host.clientWidth, NARROWEST_PANE);
    const first = `calc((100% - ${LABELS}px) / ${inLine} + ${LABELS}px)`;
    this.#host.style.gridTemplateColumns = [first, ...Array(inLine - 1).fill("minmax(0, 1fr)")].join(" ");
    for (let i = 0; i < count; i += 1) {
      const isFirst = i % inLine === 0;
      this.#host.children[i]?.toggleAttribute("data-first", isFirst);
      this.#placed(i, isFirst);
    }
  }

  #clear(): void {
    this.#resizing.disconnect();
    this.#cleared();
    this.#host.classList.remove("tbwidget-facets");
    this.#host.style.gridTemplateColumns = "";
    this.#host.replaceChildren();
  }
}
