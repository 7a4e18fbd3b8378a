// Keys and the wheel on a chart.

export type Command =
  /** Moves along the horizontal axis, by a share of the viewport. */
  | { readonly name: "pan"; readonly by: number }
  /** Zooms about the middle; the factor multiplies the visible range. */
  | { readonly name: "zoom"; readonly factor: number }
  | { readonly name: "all" }
  /** Shows all again, and fits the axes to it. */
  | { readonly name: "fit" }
  /** The crosshair goes to the next point, or the one before. */
  | { readonly name: "step"; readonly direction: 1 | -1 }
  /** Moves the crosshair to another step in a chart whose steps do not run from left to right. */
  | { readonly name: "upright"; readonly direction: 1 | -1 }
  /** Links the step below the crosshair. */
  | { readonly name: "link" }
  /** The crosshair goes away. */
  | { readonly name: "hide" };

const PAN = 0.15;
const ZOOM = 0.7;

type Key = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** The command of a key; null if it means nothing here. */
export function commandOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Key): Command | null {
  if (ctrlKey || metaKey || altKey) {
    return null;
  }
  switch (key) {
    case "ArrowLeft":
      return shiftKey ? { name: "step", direction: -1 } : { name: "pan", by: -PAN };
    case "ArrowRight":
      return shiftKey ? { name: "step", direction: 1 } : { name: "pan", by: PAN };
    case "ArrowUp":
      return { name: "upright", direction: -1 };
    case "ArrowDown":
      return { name: "upright", direction: 1 };
    case ",":
      return { name: "step", direction: -1 };
    case ".":
      return { name: "step", direction: 1 };
    case "+":
    case "=":
      return { name: "zoom", factor: ZOOM };
    case "-":
      return { name: "zoom", factor: 1 / ZOOM };
    case "0":
    case "Home":
      return { name: "all" };
    case "f":
      return { name: "fit" };
    case "Enter":
    case " ":
      return { name: "link" };
    case "Escape":
      return { name: "hide" };
    default:
      return null;
  }
}

export type ZoomBy = (factor: number, vertical: boolean, event: WheelEvent) => void;

/** Change of the range per pixel of scrolling; lines and pages count as the pixels below. */
const PER_PIXEL = 0.002;
const LINE = 16;
const PAGE = 400;
/** Pixels that count of one event. */
const MAX_EVENT_PX = 300;

/**
 * Zooms by Alt and the wheel; the wheel alone scrolls.
 *
 * A listener that may prevent scrolling makes all scrolling wait for it. So it exists only while the pointer is on the plot, and
 * only while Alt is held, or while another document has the keyboard, whose key events do not reach this one.
 */
export class WheelZoom {
  readonly #element: HTMLElement;
  readonly #zoomBy: ZoomBy;
  readonly #isFree: boolean;
  readonly #ended = new AbortController();
  /** Ends what listens while the pointer is on the element. */
  #inside: AbortController | null = null;
  #blocking = false;

  /** `isFree`: the wheel zooms without Alt, since nothing scrolls there. */
  constructor(element: HTMLElement, zoomBy: ZoomBy, isFree = false) {
    this.#element = element;
    this.#zoomBy = zoomBy;
    this.#isFree = isFree;
    const { signal } = this.#ended;
    element.addEventListener("pointerenter", (event) => this.#enter(event), { signal });
    element.addEventListener("pointerleave", () => this.#leave(), { signal });
    // Should Alt be held without our knowing, this zooms, too, and the next event is prevented from scrolling.
    element.addEventListener(
      "wheel",
      (event) => {
        if ((event.altKey || isFree) && !this.#blocking) {
          this.#zoom(event);
          this.#block(true);
        }
      },
      { signal, passive: true },
    );
  }

  end(): void {
    this.#leave();
    this.#ended.abort();
  }

  #enter(event: PointerEvent): void {
    this.#leave();
    this.#inside = new AbortController();
    const { signal } = this.#inside;
    const page = this.#element.ownerDocument;
    const update = ({ altKey }: { readonly altKey: boolean }) =>
      this.#block(this.#isFree || altKey || !hasKeyboard(page));
    const options = { signal, capture: true, passive: true };
    page.addEventListener("keydown", update, options);
    page.addEventListener("keyup", update, options);
    this.#element.addEventListener("pointermove", update, options);
    update(event);
  }

  #leave(): void {
    this.#inside?.abort();
    this.#inside = null;
    this.#block(false);
  }

  #block(blocking: boolean): void {
    if (blocking !== this.#blocking) {
      this.#blocking = blocking;
      if (blocking) {
        this.#element.addEventListener("wheel", this.#prevented, { passive: false });
      } else {
        this.#element.removeEventListener("wheel", this.#prevented);
      }
    }
  }

  readonly #prevented = (event: WheelEvent): void => {
    if (event.altKey || this.#isFree) {
      event.preventDefault();
      this.#zoom(event);
    }
  };

  #zoom(event: WheelEvent): void {
    // With Shift, some systems turn the wheel sideways.
    const delta = event.deltaY !== 0 ? event.deltaY : event.deltaX;
    const pixels = delta * (event.deltaMode === 1 ? LINE : event.deltaMode === 2 ? PAGE : 1);
    this.#zoomBy(Math.exp(Math.max(-MAX_EVENT_PX, Math.min(MAX_EVENT_PX, pixels)) * PER_PIXEL), event.shiftKey, event);
  }
}

/** Whether the document receives key events: it has the focus, and no frame within it. */
function hasKeyboard(page: Document): boolean {
  return page.hasFocus() && page.activeElement?.tagName !== "IFRAME";
}
