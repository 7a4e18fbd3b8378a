// The front-end module beside a live figure of bqplot, the twin of tbwidget/figures/page.py: gives the figure's own marks
// the colors of the page's theme, and names the line near the pointer, also while the kernel is busy.

import { place, pointBox, windowBox } from "./lib/place";
import { type Theme, token } from "./lib/tokens";
import { watchTheme } from "./ui/pagetheme";
import type { InitializeProps } from "./wire/model";

/** The model of a mark, as far as it is used here. */
export interface Mark {
  /** A private name of ipywidgets: what the next message to the kernel tells it. */
  readonly _buffered_state_diff?: Record<string, unknown>;
  get(name: "colors"): unknown;
  set(name: "colors", value: readonly string[]): void;
  on(event: "change:colors", callback: () => void): void;
  off(event: "change:colors", callback: () => void): void;
}

/** Before the identifier of another widget's model. */
const REFERENCE = /^IPY_MODEL_/;

/** Colors of a mark on a page of this theme; colors in no pair were set by the user, and stay. */
export function themed(colors: readonly string[], theme: Theme, pairs: Readonly<Record<string, string>>): string[] {
  const other =
    theme === "dark" ? pairs : Object.fromEntries(Object.entries(pairs).map(([light, dark]) => [dark, light]));
  return colors.map((color) => (Object.hasOwn(other, color) ? (other[color] as string) : color));
}

/**
 * Gives a mark other colors in the page alone: the kernel may be busy, and its colors suit the light theme. The model would
 * send them with its next message, as when the mark is brushed; a private name prevents that, and if it is missing, they are
 * sent.
 */
export function paintMark(mark: Mark, colors: readonly string[]): void {
  const unsent = mark._buffered_state_diff?.colors;
  mark.set("colors", colors);
  // Looked up each time, since the model replaces it.
  const buffered = mark._buffered_state_diff;
  if (buffered === undefined) {
    return;
  }
  if (unsent === undefined) {
    delete buffered.colors;
  } else {
    buffered.colors = unsent;
  }
}

function initialize({ model, signal }: InitializeProps): void {
  let theme: Theme = "light";
  let marks: readonly Mark[] = [];
  /** Counts the lists of marks: models come later, and meanwhile there may be another list. */
  let list = 0;
  const paint = () => {
    const pairs = (model.get("pairs") ?? {}) as Record<string, string>;
    for (const mark of marks) {
      const held = mark.get("colors");
      const colors = Array.isArray(held) ? themed(held, theme, pairs) : [];
      if (Array.isArray(held) && colors.some((color, i) => color !== held[i])) {
        paintMark(mark, colors);
      }
    }
  };
  // The `set` under way would send colors that are set within it.
  const paintAfter = () => queueMicrotask(paint);
  const leave = () => {
    for (const mark of marks) {
      mark.off("change:colors", paintAfter);
    }
    marks = [];
  };
  const find = async () => {
    list += 1;
    const own = list;
    const references = (model.get("marks") ?? []) as readonly string[];
    const asked = references.map((each) => model.widget_manager?.get_model?.(each.replace(REFERENCE, "")));
    const found = await Promise.allSettled(asked);
    if (own !== list || signal.aborted) {
      return;
    }
    leave();
    marks = found.flatMap((each) => (each.status === "fulfilled" && each.value ? [each.value as Mark] : []));
    for (const mark of marks) {
      mark.on("change:colors", paintAfter);
    }
    paint();
  };
  watchTheme(
    document,
    (now) => {
      theme = now;
      paint();
    },
    signal,
  );
  model.on("change:marks", () => void find());
  model.on("change:pairs", paint);
  signal.addEventListener("abort", leave, { once: true });
  nameLines(document, String(model.get("figure_class")), signal);
  void find();
}

export default { initialize };

// Names the line near the pointer in a figure of bqplot. Its own tooltips are not seen while it has a brush, which covers
// the lines, and each sends the kernel all points of the line.

/** CSS pixels from the pointer, within which a line is named. */
const REACH_PX = 8;
/** CSS pixels between the pointer and the name. */
const GAP_PX = 14;

const STYLE = {
  position: "fixed",
  zIndex: "10000",
  width: "max-content",
  maxWidth: "min(40em, 100vw)",
  boxSizing: "border-box",
  padding: "3px 8px",
  border: `1px solid ${token("outline", "light")}`,
  borderRadius: "4px",
  background: token("paper", "light"),
  color: token("ink", "light"),
  font: `12px/17px ${token("font-family", "light")}`,
  overflowWrap: "anywhere",
  pointerEvents: "none",
} as const;

interface Found {
  readonly line: SVGPathElement;
  readonly name: string;
}

/** Names lines of the figures with this class until `until` aborts. */
function nameLines(page: Document, className: string, until: AbortSignal): void {
  const known = new WeakMap<SVGPathElement, { readonly d: string; readonly pieces: Pieces | null }>();
  const piecesIn = (line: SVGPathElement) => {
    const d = line.getAttribute("d") ?? "";
    let held = known.get(line);
    if (held?.d !== d) {
      held = { d, pieces: piecesOf(d) };
      known.set(line, held);
    }
    return held.pieces;
  };
  const nearest = (figure: Element, x: number, y: number): Found | null => {
    let found: Found | null = null;
    let least = REACH_PX * REACH_PX;
    for (const line of figure.querySelectorAll<SVGPathElement>(".curve > path.line")) {
      const toPage = line.getScreenCTM();
      const pieces = toPage && line.getClientRects().length > 0 && piecesIn(line);
      if (!pieces) {
        continue;
      }
      const at = new DOMPoint(x, y).matrixTransform(toPage.inverse());
      const distance = squaredDistance(pieces, at.x, at.y);
      const name = line.parentElement?.querySelector(".curve_label")?.textContent;
      // The last of several lines at one place is drawn above the others.
      if (name && distance <= least) {
        [found, least] = [{ line, name }, distance];
      }
    }
    return found;
  };

  let shown: HTMLElement | null = null;
  const hide = () => {
    shown?.remove();
    shown = null;
  };
  const show = ({ line, name }: Found, x: number, y: number) => {
    if (shown === null) {
      shown = page.createElement("div");
      shown.className = "tbwidget-figure-name";
      shown.setAttribute("role", "tooltip");
      Object.assign(shown.style, STYLE);
      page.body.append(shown);
    }
    shown.textContent = name;
    shown.style.borderInlineStart = `4px solid ${getComputedStyle(line).stroke}`;
    const { left, top } = place({
      anchor: pointBox(x, y),
      size: { width: shown.offsetWidth, height: shown.offsetHeight },
      boundary: windowBox(page),
      ...{ side: "below", gap: GAP_PX, shift: GAP_PX, margin: 0 },
    });
    Object.assign(shown.style, { left: `${left}px`, top: `${top}px` });
  };

  let frame = 0;
  const moved = (event: PointerEvent) => {
    cancelAnimationFrame(frame);
    const figure = event.target instanceof Element ? event.target.closest(`.${className}`) : null;
    if (figure === null || event.buttons !== 0) {
      hide();
      return;
    }
    const { clientX, clientY } = event;
    frame = requestAnimationFrame(() => {
      const found = nearest(figure, clientX, clientY);
      if (found === null) {
        hide();
      } else {
        show(found, clientX, clientY);
      }
    });
  };
  const leave = () => {
    cancelAnimationFrame(frame);
    hide();
  };
  const options = { capture: true, passive: true, signal: until };
  page.addEventListener("pointermove", moved, options);
  page.addEventListener("pointerdown", leave, options);
  page.documentElement.addEventListener("pointerleave", leave, options);
  page.addEventListener("scroll", leave, options);
  until.addEventListener("abort", leave, { once: true });
}

/** Corners of a line that is cut into pieces: x, y, x, y, ... of each. */
type Pieces = readonly Float64Array[];

const COMMAND = /([MmLlZz])([^MmLlZz]*)/g;
const NUMBER = /-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;

/** The pieces of a path of straight lines with absolute places, as d3 writes them; of another path null. */
export function piecesOf(d: string): Pieces | null {
  if (/[^MLZ\d\s.,eE+-]/.test(d)) {
    return null;
  }
  const pieces: number[][] = [];
  for (const [, command, places] of d.matchAll(COMMAND)) {
    if (command === "M") {
      pieces.push([]);
    }
    // There may be tens of thousands of numbers, too many for the arguments of one call.
    for (const number of places?.match(NUMBER) ?? []) {
      pieces.at(-1)?.push(Number(number));
    }
  }
  return pieces.map((piece) => Float64Array.from(piece));
}

/** The squared distance from a point to the line; Infinity for an empty line. */
export function squaredDistance(pieces: Pieces, x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const piece of pieces) {
    const last = piece.length - 2;
    for (let i = 0; i <= last; i += 2) {
      const fromX = piece[i] as number;
      const fromY = piece[i + 1] as number;
      const alongX = i < last ? (piece[i + 2] as number) - fromX : 0;
      const alongY = i < last ? (piece[i + 3] as number) - fromY : 0;
      const length = alongX * alongX + alongY * alongY;
      const share = length > 0 ? ((x - fromX) * alongX + (y - fromY) * alongY) / length : 0;
      const part = Math.min(1, Math.max(0, share));
      const awayX = fromX + part * alongX - x;
      const awayY = fromY + part * alongY - y;
      least = Math.min(least, awayX * awayX + awayY * awayY);
    }
  }
  return least;
}
