// Holds the elements of boxes. Who scrolls to one that is out of sight, as assistive technology and programs do, moves
// the camera: what is drawn goes along with its elements.

import type { Point } from "../../../charts/geometry";

/** CSS pixels that can be scrolled in each direction. Far beyond any graph, and exact as a 32-bit float. */
const REACH_PX = 2 ** 20;
/** Time after the last scroll until the surface is centered again. */
const SETTLE_MS = 100;

export class Scroller {
  readonly element: HTMLElement;
  #ignoredUntil = 0;

  /** `scrolled` is called with the CSS pixels by which the content is to move. */
  constructor(page: Document, content: HTMLElement, scrolled: (by: Point) => void) {
    this.element = page.createElement("div");
    this.element.className = "tbwidget-graph-scroller";
    const room = page.createElement("div");
    room.style.width = room.style.height = `${2 * REACH_PX}px`;
    content.style.left = content.style.top = `${REACH_PX}px`;
    this.element.append(room, content);
    this.element.addEventListener("scroll", () => {
      const { scrollLeft, scrollTop } = this.element;
      const by = { x: REACH_PX - scrollLeft, y: REACH_PX - scrollTop };
      // A screen of other pixels rounds.
      if (Math.max(Math.abs(by.x), Math.abs(by.y)) >= 1) {
        this.home();
        if (performance.now() > this.#ignoredUntil) {
          scrolled(by);
        }
      }
    });
  }

  /** Elements stand where the camera has them. Where nothing is laid out, that is for later. */
  home(): void {
    this.element.scrollTo(REACH_PX, REACH_PX);
  }

  /** Something is brought into sight already; that the browser scrolls to what has the focus comes a little later. */
  ignore(): void {
    this.#ignoredUntil = performance.now() + SETTLE_MS;
  }
}
