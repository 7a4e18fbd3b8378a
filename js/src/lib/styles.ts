// Puts the style sheet of all components, which the build collects, into whatever holds a dashboard: a document or a shadow root.

import { tokenSheet } from "./tokens";

/**
 * The build (styles.mjs) puts in what modules import, where & and $ stand for beginnings of names; `scope` is the end of the
 * names of the root's classes in it.
 */
const STYLES = { text: "@styles:text", scope: "@styles:scope" };

/** The classes of an element that is a root of our rules. */
export function rootClass(name: "tbwidget" | "tbwidget-host"): string {
  return `${name} ${name}-${STYLES.scope}`;
}

/** Style `el` and all it holds, in whichever document or shadow root it is, until `until` aborts. */
export function keepStyled(el: HTMLElement, until: AbortSignal): void {
  if (until.aborted) {
    return;
  }
  el.classList.add(...rootClass("tbwidget-host").split(" "));
  let root = rootOf(el);
  adopt(root);
  // A host may put the element into the page after it has been drawn. This is called before the frame that first shows it.
  const sizes = new ResizeObserver(() => {
    const now = rootOf(el);
    if (now !== root) {
      adopt(now);
      release(root);
      root = now;
    } else {
      restore(root);
    }
  });
  sizes.observe(el);
  until.addEventListener(
    "abort",
    () => {
      sizes.disconnect();
      release(root);
    },
    { once: true },
  );
}

interface Adopted {
  sheet: CSSStyleSheet;
  /** Views that need it. */
  views: number;
}

const adopted = new WeakMap<Document | ShadowRoot, Adopted>();

function rootOf(el: HTMLElement): Document | ShadowRoot {
  const root = el.getRootNode();
  return "adoptedStyleSheets" in root ? (root as Document | ShadowRoot) : el.ownerDocument;
}

function adopt(root: Document | ShadowRoot): void {
  const held = adopted.get(root) ?? { sheet: sheetFor(root), views: 0 };
  adopted.set(root, held);
  held.views += 1;
  if (held.views === 1) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, held.sheet];
  }
}

/** Adopts the sheet again in a shadow root that has lost it by moving to another document. */
function restore(root: Document | ShadowRoot): void {
  const held = adopted.get(root);
  if (held !== undefined && !root.adoptedStyleSheets.includes(held.sheet)) {
    held.sheet = sheetFor(root);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, held.sheet];
  }
}

function release(root: Document | ShadowRoot): void {
  const held = adopted.get(root);
  if (held !== undefined) {
    held.views -= 1;
    if (held.views === 0) {
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => sheet !== held.sheet);
    }
  }
}

/** A style sheet can be adopted in the document of the window that made it only. */
function sheetFor(place: Document | ShadowRoot): CSSStyleSheet {
  const page = "defaultView" in place ? place : place.ownerDocument;
  const sheet = new (page.defaultView ?? globalThis.window).CSSStyleSheet();
  const root = `tbwidget-${STYLES.scope}`;
  const rules = STYLES.text.replaceAll("&", `.${root} .tbwidget-`).replaceAll("$", "var(--tbwidget-");
  sheet.replaceSync(`${tokenSheet(root)}\n${rules}`);
  return sheet;
}
