// Moving about in a chart: Shift and drag, or the middle button, shifts it; Alt and the wheel zooms; keys do both.

import type { Range } from "./axis";

export interface GestureEvents {
  /** What is in sight now, along both axes. */
  ranges(): readonly [Range, Range];
  /** Goes there; null leaves that axis as it is. */
  move(x: Range, y: Range | null): void;
  /** Shows all again; where keys cannot come, it is not needed. */
  showAll?(): void;
}

/** What a notch of the wheel does to the range. */
const WHEEL = 0.002;

/** Share of the range by which an arrow key moves it, and what + leaves of it. */
const SHIFT = 0.15;
const ZOOM = 0.7;

/** Ends nearer to one another than this share of them, or farther apart, are no axis: doubles run out. */
const CLOSEST = 1e-13;
const FARTHEST = 1e300;

/** Whether there is something between the ends, and a double for how much. */
export function isRange([from, to]: Range): boolean {
  const span = to - from;
  return span > CLOSEST * Math.max(Math.abs(from), Math.abs(to)) && span < FARTHEST;
}

/** The range that a key leads to; "all" of it, or undefined if the key means nothing here. */
export function rangeAfter(key: string, [from, to]: Range): Range | "all" | undefined {
  const span = to - from;
  const scaled = (factor: number): Range => {
    const room = ((factor - 1) * span) / 2;
    return [from - room, to + room];
  };
  switch (key) {
    case "ArrowLeft":
      return [from - SHIFT * span, to - SHIFT * span];
    case "ArrowRight":
      return [from + SHIFT * span, to + SHIFT * span];
    case "+":
    case "=":
      return scaled(ZOOM);
    case "-":
      return scaled(1 / ZOOM);
    case "0":
    case "Home":
      return "all";
    default:
      return undefined;
  }
}

export class Gestures {
  readonly #abort = new AbortController();

  constructor(over: HTMLElement, events: GestureEvents) {
    const { signal } = this.#abort;
    let start: { x: number; y: number; ranges: readonly [Range, Range] } | null = null;
    // Before uPlot, which would begin to draw a box.
    over.addEventListener(
      "mousedown",
      (event) => {
        if (event.button === 1 || (event.button === 0 && event.shiftKey)) {
          event.stopImmediatePropagation();
          event.preventDefault();
          start = { x: event.clientX, y: event.clientY, ranges: events.ranges() };
        }
      },
      { signal, capture: true },
    );
    over.addEventListener(
      "keydown",
      (event) => {
        const modified = event.ctrlKey || event.metaKey || event.altKey;
        const after = modified ? undefined : rangeAfter(event.key, events.ranges()[0]);
        if (after === undefined) {
          return;
        }
        event.preventDefault();
        if (after === "all") {
          events.showAll?.();
        } else if (isRange(after)) {
          events.move(after, null);
        }
      },
      { signal },
    );
    const view = over.ownerDocument;
    view.addEventListener(
      "mousemove",
      (event) => {
        if (start !== null) {
          const [x, y] = start.ranges;
          const along = ((start.x - event.clientX) / over.clientWidth) * (x[1] - x[0]);
          const up = ((event.clientY - start.y) / over.clientHeight) * (y[1] - y[0]);
          events.move([x[0] + along, x[1] + along], [y[0] + up, y[1] + up]);
        }
      },
      { signal },
    );
    view.addEventListener(
      "mouseup",
      () => {
        start = null;
      },
      { signal },
    );
    const zoom = (event: WheelEvent) => {
      event.preventDefault();
      const [x] = events.ranges();
      const box = over.getBoundingClientRect();
      const centre = x[0] + ((event.clientX - box.left) / box.width) * (x[1] - x[0]);
      const factor = Math.exp(Math.max(-300, Math.min(300, event.deltaY)) * WHEEL);
      const after: Range = [centre + (x[0] - centre) * factor, centre + (x[1] - centre) * factor];
      if (isRange(after)) {
        events.move(after, null);
      }
    };
    // Only while Alt is held: where a chart listens to the wheel, scrolling waits for it.
    const held = ({ key }: KeyboardEvent) => {
      if (key === "Alt") {
        over.addEventListener("wheel", zoom, { signal, passive: false });
      }
    };
    const released = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key === "Alt") {
        over.removeEventListener("wheel", zoom);
      }
    };
    view.addEventListener("keydown", held, { signal, capture: true });
    view.addEventListener("keyup", released, { signal, capture: true });
    window.addEventListener("blur", released, { signal });
  }

  end(): void {
    this.#abort.abort();
  }
}
