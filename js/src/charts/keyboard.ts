// Keys and the wheel on a chart or a stage.

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

/** Share of the range that a key pans by, and factor by which one zooms. */
const PAN_SHARE = 0.15;
const ZOOM_FACTOR = 0.7;

export type Key = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/**
 * The effects of keys, by the name of the text that explains them in the help: each key as `aria-keyshortcuts` writes it. Both the listeners
 * and the help are made of it, so that neither knows a key of its own.
 */
export type KeyMap<A> = Readonly<Record<string, Readonly<Record<string, A>>>>;

/** Keys whose names in `aria-keyshortcuts` are not what they type. */
const KEY_NAMES: Readonly<Record<string, string>> = { " ": "Space", "+": "Plus" };

/** The action of a key, with Shift first among those that need it; undefined for other keys, and with other modifiers. */
export function actionAmong<A>({ key, shiftKey, ctrlKey, metaKey, altKey }: Key, keys: KeyMap<A>): A | undefined {
  if (ctrlKey || metaKey || altKey) {
    return undefined;
  }
  const name = KEY_NAMES[key] ?? key;
  const groups = Object.values(keys);
  const actionOf = (wanted: string) => groups.find((group) => Object.hasOwn(group, wanted))?.[wanted];
  return (shiftKey ? actionOf(`Shift+${name}`) : undefined) ?? actionOf(name);
}

/** Factor of the zoom by one press of a key or button on a stage. */
export const ZOOM_STEP = 1.25;

interface ZoomAction {
  readonly does: "zoom";
  readonly factor: number;
}

const zoomBy = (factor: number): ZoomAction => ({ does: "zoom", factor });

/** The keys that zoom a stage. */
export const ZOOM_KEYS = { Plus: zoomBy(ZOOM_STEP), "=": zoomBy(ZOOM_STEP), "-": zoomBy(1 / ZOOM_STEP) } as const;

const step = (direction: 1 | -1): Command => ({ name: "step", direction });
const link: Command = { name: "link" };
const all: Command = { name: "all" };
const zoom = (factor: number): Command => ({ name: "zoom", factor });

/** The keys of a chart. */
export const CHART_KEYS = {
  pan: { ArrowLeft: { name: "pan", by: -PAN_SHARE }, ArrowRight: { name: "pan", by: PAN_SHARE } },
  step: { "Shift+ArrowLeft": step(-1), "Shift+ArrowRight": step(1), ",": step(-1), ".": step(1) },
  upright: { ArrowUp: { name: "upright", direction: -1 }, ArrowDown: { name: "upright", direction: 1 } },
  zoom: { Plus: zoom(ZOOM_FACTOR), "=": zoom(ZOOM_FACTOR), "-": zoom(1 / ZOOM_FACTOR) },
  all: { "0": all, Home: all },
  fit: { f: { name: "fit" } },
  link: { Enter: link, Space: link },
  hide: { Escape: { name: "hide" } },
} as const satisfies KeyMap<Command>;

/** The command of a key; null if it means nothing here. */
export function commandOf(key: Key): Command | null {
  return actionAmong<Command>(key, CHART_KEYS) ?? null;
}

export type ZoomBy = (factor: number, vertical: boolean, event: WheelEvent) => void;

/** Change of the zoom per pixel of scrolling; lines and pages count as the pixels below. */
const PER_PIXEL = 0.002;
const LINE_PX = 16;
const PAGE_PX = 400;
/** Pixels that count of one event. */
const MAX_EVENT_PX = 300;
/** A pinch on a touchpad comes as turns of the wheel with Ctrl, each smaller than a notch of a mouse's. */
const MAX_PINCH_PX = 40;

/** Factor by which an event of the wheel shrinks what is seen. `pinchGain`: how many times as much a pixel of a pinch counts. */
function wheelFactor({ deltaX, deltaY, deltaMode, ctrlKey }: WheelEvent, pinchGain: number): number {
  // With Shift, some systems turn the wheel sideways.
  const delta = deltaY || deltaX;
  const isPinch = ctrlKey && deltaMode === 0 && Math.abs(delta) < MAX_PINCH_PX;
  const pixels = delta * (deltaMode === 1 ? LINE_PX : deltaMode === 2 ? PAGE_PX : 1) * (isPinch ? pinchGain : 1);
  return Math.exp(Math.max(-MAX_EVENT_PX, Math.min(MAX_EVENT_PX, pixels)) * PER_PIXEL);
}

/** When the wheel zooms, where Alt does not decide it. */
export interface WheelOptions {
  /** Whether an event zooms; others scroll. */
  zooms(event: WheelEvent): boolean;
  /** How many times as much a pixel of a pinch on a touchpad counts as another one of scrolling. */
  readonly pinchGain: number;
}

/**
 * Zooms by Alt and the wheel, unless options say when; otherwise the wheel scrolls.
 *
 * A listener that may prevent scrolling makes all scrolling wait for it. So it exists only while the pointer is on the plot, and
 * only while Alt is held, or while another document has the keyboard, whose key events do not reach this one.
 * With options it always exists: of a pinch nothing tells before.
 */
export class WheelZoom {
  readonly #element: HTMLElement;
  readonly #zoomBy: ZoomBy;
  readonly #ended = new AbortController();
  /** Ends what listens while the pointer is on the element. */
  #inside: AbortController | null = null;
  #blocking = false;

  constructor(element: HTMLElement, zoomBy: ZoomBy, options: WheelOptions | null = null) {
    this.#element = element;
    this.#zoomBy = zoomBy;
    const { signal } = this.#ended;
    if (options !== null) {
      const zoom = (event: WheelEvent) => {
        if (options.zooms(event)) {
          event.preventDefault();
          this.#zoom(event, options.pinchGain);
        }
      };
      element.addEventListener("wheel", zoom, { signal, passive: false });
      return;
    }
    element.addEventListener("pointerenter", (event) => this.#enter(event), { signal });
    element.addEventListener("pointerleave", () => this.#leave(), { signal });
    // Should Alt be held without our knowing, this zooms, too, and the next event is prevented from scrolling.
    element.addEventListener(
      "wheel",
      (event) => {
        if (event.altKey && !this.#blocking) {
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
    const update = ({ altKey }: { readonly altKey: boolean }) => this.#block(altKey || !hasKeyboard(page));
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
    if (event.altKey) {
      event.preventDefault();
      this.#zoom(event);
    }
  };

  #zoom(event: WheelEvent, pinchGain = 1): void {
    this.#zoomBy(wheelFactor(event, pinchGain), event.shiftKey, event);
  }
}

/** Whether the document receives key events: it has the focus, and no frame within it. */
function hasKeyboard(page: Document): boolean {
  return page.hasFocus() && page.activeElement?.tagName !== "IFRAME";
}
