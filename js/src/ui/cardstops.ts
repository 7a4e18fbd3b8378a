// A card is one stop of the Tab key. Enter goes to its first control; while the focus is in a card, its controls are stops,
// too; Escape goes back to the card.

import { cardTexts } from "./texts";

const CARD = ".tbwidget-card[tabindex]";
const CONTROLS = "button, input, select, textarea, a[href], summary, [tabindex]";

/** Attributes of a card that is a stop. */
export function cardStop() {
  return {
    tabIndex: 0,
    "aria-description": cardTexts().keys,
    "aria-keyshortcuts": "Enter Alt+ArrowLeft Alt+ArrowRight",
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

class CardStops {
  /** The card whose controls are stops. */
  #open: HTMLElement | null = null;
  /** The tabindex that controls of other cards had; null for none. */
  readonly #before = new WeakMap<HTMLElement, string | null>();

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
    this.#goInto(card === target ? null : card);
  }

  left(to: EventTarget | null): void {
    if (!(to instanceof Node && this.#open?.contains(to))) {
      this.#goInto(null);
    }
  }

  pressed(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const card = target.closest<HTMLElement>(CARD);
    if (card === null || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
      return;
    }
    if (target === card && event.key === "Enter") {
      this.#goInto(card);
      const first = [...card.querySelectorAll<HTMLElement>(CONTROLS)].find(
        (control) => control.tabIndex >= 0 && control.getClientRects().length > 0,
      );
      first?.focus();
    } else if (target !== card && event.key === "Escape" && target.closest("dialog:modal, .tbwidget-card") === card) {
      card.focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #goInto(card: HTMLElement | null): void {
    const left = this.#open;
    if (left === card) {
      return;
    }
    this.#open = card;
    if (left !== null) {
      this.close(left);
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
  }
}
