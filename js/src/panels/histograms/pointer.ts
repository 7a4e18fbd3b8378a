// The pointer on a plot: where it is, the box it draws, a click.

export interface PointerEvents {
  /** Shares of width and height from the upper left corner, and pixels of the window; null when it leaves. */
  hovered(at: { readonly x: number; readonly y: number; readonly left: number; readonly top: number } | null): void;
  /** `times` counts the clicks that follow quickly upon one another. */
  clicked(x: number, y: number, times: number): void;
  /** A box was drawn: from and to, as shares; null along an axis that it covers whole. */
  selected(x: readonly [number, number] | null, y: readonly [number, number] | null): void;
  /** A double click. */
  reset(): void;
}

/** CSS pixels that a drag covers at least, and along an axis to count there when the other is chosen too. */
const DRAG = 4;
const BOX = 30;

const ALL: readonly [number, number] = [0, 1];

export class Pointer {
  readonly #abort = new AbortController();
  readonly #box: HTMLElement;

  constructor(over: HTMLElement, events: PointerEvents) {
    const { signal } = this.#abort;
    const view = over.ownerDocument;
    this.#box = view.createElement("i");
    this.#box.className = "tbwidget-box";
    this.#box.hidden = true;
    over.append(this.#box);
    let from: { x: number; y: number } | null = null;
    const place = (event: MouseEvent) => {
      const { left, top, width, height } = over.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top, width, height };
    };
    const drawn = (event: MouseEvent) => {
      const { x, y, width, height } = place(event);
      const start = from ?? { x, y };
      const [across, down] = [Math.abs(x - start.x), Math.abs(y - start.y)];
      const both = across >= BOX && down >= BOX;
      const span = (a: number, b: number, size: number): [number, number] => [
        Math.max(0, Math.min(a, b) / size),
        Math.min(1, Math.max(a, b) / size),
      ];
      return {
        far: Math.max(across, down) >= DRAG,
        x: both || across >= down ? span(start.x, x, width) : null,
        y: both || down > across ? span(start.y, y, height) : null,
      };
    };
    over.addEventListener(
      "mousedown",
      (event) => {
        if (event.button === 0 && !event.shiftKey) {
          from = place(event);
          // Nothing is to be selected, but keys are for this plot from now on.
          event.preventDefault();
          over.focus({ preventScroll: true });
        }
      },
      { signal },
    );
    view.addEventListener(
      "mousemove",
      (event) => {
        if (from === null) {
          return;
        }
        const box = drawn(event);
        this.#box.hidden = !box.far;
        const [left, right] = box.x ?? ALL;
        const [top, bottom] = box.y ?? ALL;
        const size = `width:${100 * (right - left)}%;height:${100 * (bottom - top)}%`;
        this.#box.style.cssText = `left:${100 * left}%;top:${100 * top}%;${size}`;
        if (box.far) {
          events.hovered(null);
        }
      },
      { signal },
    );
    view.addEventListener(
      "mouseup",
      (event) => {
        if (from === null) {
          return;
        }
        const box = drawn(event);
        const { x, y, width, height } = place(event);
        from = null;
        this.#box.hidden = true;
        if (box.far) {
          events.selected(box.x, box.y);
        } else {
          events.clicked(x / width, y / height, event.detail);
        }
      },
      { signal },
    );
    over.addEventListener(
      "mousemove",
      (event) => {
        if (from === null) {
          const { x, y, width, height } = place(event);
          events.hovered({ x: x / width, y: y / height, left: event.clientX, top: event.clientY });
        }
      },
      { signal },
    );
    over.addEventListener("mouseleave", () => events.hovered(null), { signal });
    over.addEventListener("dblclick", () => events.reset(), { signal });
  }

  end(): void {
    this.#abort.abort();
    this.#box.remove();
  }
}
