// A card is one stop of the Tab key. Enter goes to its chart or drawing, or to the first control of another content. While the
// focus is in a card, all its controls are stops: first those from there on, then those before them, as the buttons of the
// header, and what scrolls and has no control. Escape goes back to the card.

import { createContext } from "preact";
import { CARD_KEYS } from "./gestures";
import { LAYER } from "./layers";
import { cardTexts } from "./texts";

const CARD = ".tbwidget-card[tabindex]";
const CONTROLS = "button, input, select, textarea, a[href], summary, [tabindex]";

/** Enter moves the focus here. A drawing takes itself off the stops while the focus is on one of its boxes. */
const CONTENT = ".tbwidget-plot-area, .tbwidget-graph-boxes";

/** Whether the cards within are stops although they have fixed places. */
export const FixedStopsContext = createContext(false);

/** Attributes of a card that is a stop. `moves`: keys move it, too. */
export function cardStop(moves: boolean) {
  return {
    tabIndex: 0,
    "aria-description": cardTexts().keys(moves),
    "aria-keyshortcuts": moves ? "Enter Alt+ArrowLeft Alt+ArrowRight" : "Enter",
    // To JupyterLab, the same keys mean something else.
    "data-lm-suppress-shortcuts": "true",
  };
}

/** Makes the cards in an element stops, also those that come later; returns what ends that. */
export function watchCardStops(root: HTMLElement): () => void {
  const stops = new CardStops();
  stops.close(root);
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      for (const node of type === "childList" ? addedNodes : [target]) {
        if (node instanceof HTMLElement) {
          stops.close(node);
        }
      }
    }
  });
  observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["tabindex"] });
  const end = new AbortController();
  const { signal } = end;
  root.addEventListener("focusin", ({ target }) => stops.focused(target as HTMLElement), { signal });
  root.addEventListener("focusout", ({ relatedTarget }) => stops.left(relatedTarget), { signal });
  root.addEventListener("keydown", (event) => stops.pressed(event), { signal });
  return () => {
    observer.disconnect();
    end.abort();
  };
}

/** The controls of a card that are stops, in the order of the page, and which of them is the first to go to. */
function stopsOf(
  card: HTMLElement,
  focused: HTMLElement,
): { readonly stops: readonly HTMLElement[]; readonly first: number } {
  const stops = [...card.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (control) => (control.tabIndex >= 0 || isAround(control, focused)) && control.getClientRects().length > 0,
  );
  const chart = stops.findIndex((control) => control.matches(CONTENT));
  const content = stops.findIndex((control) => control.closest(".tbwidget-card-header") === null);
  return { stops, first: Math.max(0, chart < 0 ? content : chart) };
}

function isAround(control: HTMLElement, focused: HTMLElement): boolean {
  return control !== focused && control.matches(CONTENT) && control.contains(focused);
}

/** Whether it scrolls. Browsers make a stop of such an element, some only where no control in it is one. */
function scrolls(element: HTMLElement): boolean {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
  const isLarger = scrollWidth > clientWidth || scrollHeight > clientHeight;
  return isLarger && /auto|scroll/.test(getComputedStyle(element).overflow);
}

class CardStops {
  /** The card whose controls are stops. */
  #open: HTMLElement | null = null;
  /** The tabindex that controls of other cards had; null for none. */
  readonly #before = new WeakMap<HTMLElement, string | null>();
  /** Elements that have a tabindex only because they scroll. */
  readonly #scrollers = new WeakSet<HTMLElement>();

  /** No control in there is a stop, nor is the element itself, unless the focus is in their card. */
  close(element: HTMLElement): void {
    for (const control of [element, ...element.querySelectorAll<HTMLElement>(CONTROLS)]) {
      if (control.tabIndex >= 0 && control.matches(CONTROLS)) {
        const card = control.closest<HTMLElement>(CARD);
        if (card !== null && card !== control && card !== this.#open) {
          this.#before.set(control, control.getAttribute("tabindex"));
          control.tabIndex = -1;
        }
      }
    }
  }

  focused(target: HTMLElement): void {
    const card = target.closest<HTMLElement>(CARD);
    if (card !== null && card !== this.#open && !target.matches(CONTROLS) && target.matches(":focus-visible")) {
      // Tab went backward into what scrolls in a closed card.
      this.#setScrollers(card);
      card.focus();
    } else {
      this.#goInto(card === target ? null : card);
    }
  }

  left(to: EventTarget | null): void {
    if (!(to instanceof Node && this.#open?.contains(to))) {
      this.#goInto(null);
    }
  }

  pressed(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const card = target.closest<HTMLElement>(CARD);
    if (card === null || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const isInside = target !== card && target.closest(`${LAYER}, .tbwidget-card`) === card;
    if (event.key === "Tab") {
      // Its content may have changed.
      this.#setScrollers(card);
    }
    if (target === card && !event.shiftKey && Object.hasOwn(CARD_KEYS.enter, event.key)) {
      this.#goInto(card);
      const { stops, first } = stopsOf(card, target);
      stops[first]?.focus();
    } else if (isInside && !event.shiftKey && Object.hasOwn(CARD_KEYS.leave, event.key)) {
      card.focus();
    } else if (!(isInside && event.key === "Tab" && this.#tab(card, target, event.shiftKey))) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Whether the Tab key was answered, where the stops that follow are not the next ones of the page. */
  #tab(card: HTMLElement, from: HTMLElement, isBack: boolean): boolean {
    const { stops, first } = stopsOf(card, from);
    const at = stops.findIndex((stop) => stop === from || isAround(stop, from));
    if (isBack && at === first) {
      card.focus();
    } else if (isBack && at === 0) {
      stops.at(-1)?.focus();
    } else if (!isBack && first > 0 && at === stops.length - 1) {
      stops[0]?.focus();
    } else {
      if (!isBack && at === first - 1) {
        // The next stop of the page is behind the card.
        this.#goInto(null);
      }
      return false;
    }
    return true;
  }

  #goInto(card: HTMLElement | null): void {
    const left = this.#open;
    if (left === card) {
      return;
    }
    this.#open = card;
    if (left !== null) {
      this.close(left);
      this.#setScrollers(left);
    }
    for (const control of card?.querySelectorAll<HTMLElement>(CONTROLS) ?? []) {
      const before = this.#before.get(control);
      if (before === null) {
        control.removeAttribute("tabindex");
      } else if (before !== undefined) {
        control.setAttribute("tabindex", before);
      }
      this.#before.delete(control);
    }
    if (card !== null) {
      this.#setScrollers(card);
    }
  }

  /** An element that scrolls is a stop while its card is open, unless it has a control that is one. */
  #setScrollers(card: HTMLElement): void {
    for (const element of card.querySelectorAll("*")) {
      if (
        element instanceof HTMLElement &&
        (this.#scrollers.has(element) || (!element.matches(CONTROLS) && scrolls(element)))
      ) {
        this.#scrollers.add(element);
        const hasStop = [...element.querySelectorAll<HTMLElement>(CONTROLS)].some((control) => control.tabIndex >= 0);
        element.tabIndex = card === this.#open && !hasStop && scrolls(element) ? 0 : -1;
      }
    }
  }
}
