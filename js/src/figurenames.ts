// Names the line near the pointer in a figure of bqplot. Its own tooltips are not seen while it has a brush, which covers
// the lines, and each sends the kernel all points of the line.

import { type Pieces, piecesOf, squaredDistance } from "./lib/svgpath";
import { token } from "./lib/tokens";

/** CSS pixels from the pointer, within which a line is named. */
const REACH = 8;
/** CSS pixels between the pointer and the name. */
const GAP = 14;

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
export function nameLines(page: Document, className: string, until: AbortSignal): void {
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
    let least = REACH * REACH;
    for (const line of figure.querySelectorAll<SVGPathElement>(".curve > path.line")) {
      const toPage = line.getScreenCTM();
      const pieces = toPage && line.getClientRects().length > 0 && piecesIn(line);
      if (!pieces) {
        continue;
      }
      const at = new DOMPoint(x, y).matrixTransform(toPage.inverse());
      const distance = squaredDistance(pieces, at.x, at.y);
      const name = line.parentElement?.querySelector(".curve_label")?.textContent;
      // Of lines at one place the last is drawn above the others.
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
    const { clientWidth, clientHeight } = page.documentElement;
    const left = Math.max(0, Math.min(x + GAP, clientWidth - shown.offsetWidth));
    const top = y + GAP + shown.offsetHeight <= clientHeight ? y + GAP : y - GAP - shown.offsetHeight;
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
