// Which cards are on the screen, and which parts of cards.

/** The window of mounted cards reaches so far beyond the element that scrolls, above and below. */
const WINDOW_HEIGHTS = 2;

/** Pixels around the view within which cards are drawn already. */
const AHEAD = 240;

/** Time for cards to be drawn once, wherever the dashboard is: its user is about to scroll there. */
const FIRST_DRAW_MS = 2000;

/** `scrollMargin` extends elements that scroll, such as a notebook; browsers that do not know it ignore it. */
const WINDOW_MARGINS = { rootMargin: `${AHEAD}px`, scrollMargin: `${AHEAD}px` };

/**
 * Notifies cards, and parts of them, when they come onto the screen, or nearly, and leave it; and reports the tags of the
 * cards that are on it. No card is on the screen while the element that scrolls is scrolled out of the window.
 */
export class Visibility {
  readonly #callbacks = new Map<Element, (visible: boolean) => void>();
  /** Cards near the viewport of the element that scrolls, with their tags; null for a part of a card. */
  readonly #near = new Map<Element, readonly string[] | null>();
  /** Cards and placeholders with their callbacks; see `watchWindow`. */
  readonly #windowed = new Map<Element, (near: boolean) => boolean>();
  /** Cards that have left the window and are still in use. */
  readonly #late = new Set<Element>();
  /** How many need all cards. */
  #needsAll = 0;
  #windowOfCards: IntersectionObserver | null = null;
  readonly #changed: (tags: readonly string[], isInWindow: boolean) => void;
  #observer: IntersectionObserver | null = null;
  #windowObserver: IntersectionObserver | null = null;
  #root: Element | null = null;
  /** True until the browser says otherwise, and until the first cards have been drawn. */
  #isInWindow = true;
  #wasLeft = false;
  #firstDraw: ReturnType<typeof setTimeout> | undefined;
  #hasDrawn = false;
  #isReporting = false;

  /** `changed` receives the tags of the cards on the screen, in their order there, and whether the window shows any of them. */
  constructor(changed: (tags: readonly string[], isInWindow: boolean) => void) {
    this.#changed = changed;
  }

  /** Starts watching within `root`, the element that scrolls; `leavesWindow`: nothing else watches it leave the window. */
  connect(root: Element, leavesWindow = false): void {
    this.disconnect();
    this.#root = root;
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          this.#callbacks.get(target)?.(isIntersecting && this.#isInWindow);
          if (isIntersecting) {
            this.#firstDraw ??= setTimeout(() => this.#drawn(), FIRST_DRAW_MS);
            this.#near.set(target, tagsOf(target));
          } else {
            this.#near.delete(target);
          }
        }
        this.#report();
      },
      { root, rootMargin: `${AHEAD}px 0px` },
    );
    this.#windowOfCards = new IntersectionObserver((entries) => this.#slid(entries), {
      root,
      rootMargin: `${100 * WINDOW_HEIGHTS}% 0px`,
    });
    if (leavesWindow) {
      // The observer above clips at `root` only: a card that was scrolled out of the notebook with `root` counts as visible.
      this.#windowObserver = new IntersectionObserver(
        (entries) => this.#moved(entries.at(-1)?.isIntersecting ?? true),
        WINDOW_MARGINS,
      );
      this.#windowObserver.observe(root);
    }
    for (const [element, callback] of this.#callbacks) {
      this.#watch(element, callback);
    }
    for (const [element, callback] of this.#windowed) {
      this.#watchWindow(element, callback);
    }
  }

  /**
   * Watches a card, or its placeholder, come into the window of mounted cards and leave it; returns what ends it. `callback`
   * returns false for a card that has left and stays: it is called again later.
   */
  watchWindow(element: Element, callback: (near: boolean) => boolean): () => void {
    this.#windowed.set(element, callback);
    this.#watchWindow(element, callback);
    return () => {
      this.#windowed.delete(element);
      this.#late.delete(element);
      this.#windowOfCards?.unobserve(element);
    };
  }

  /** Mounts all cards, until the function that is returned is called. */
  mountAll(): () => void {
    this.#needsAll += 1;
    for (const callback of [...this.#windowed.values()]) {
      callback(true);
    }
    return () => {
      this.#needsAll -= 1;
      this.#retry();
    };
  }

  #watchWindow(element: Element, callback: (near: boolean) => boolean): void {
    this.#windowOfCards?.observe(element);
    const height = this.#root?.clientHeight ?? 0;
    // The observer reports it frames later: cards on the screen would be missing in the first frame.
    if (this.#needsAll > 0 || this.#isNear(element, WINDOW_HEIGHTS * height)) {
      callback(true);
    }
  }

  #slid(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      if (isIntersecting) {
        this.#late.delete(target);
        this.#windowed.get(target)?.(true);
      } else if (boundingClientRect.width > 0) {
        // In a tab that is hidden, nothing has a size: there all stays as it is.
        this.#late.add(target);
      }
    }
    this.#retry();
  }

  /** Unmounts cards that have left the window, unless they are in use still. */
  #retry(): void {
    if (this.#needsAll === 0) {
      for (const element of [...this.#late]) {
        if (this.#windowed.get(element)?.(false) !== false) {
          this.#late.delete(element);
        }
      }
    }
  }

  /** Watches an element; returns what ends it. */
  watch(element: Element, callback: (visible: boolean) => void): () => void {
    this.#callbacks.set(element, callback);
    this.#watch(element, callback);
    return () => {
      this.#callbacks.delete(element);
      this.#observer?.unobserve(element);
      if (this.#near.delete(element)) {
        this.#report();
      }
    };
  }

  #watch(element: Element, callback: (visible: boolean) => void): void {
    this.#observer?.observe(element);
    // The observer reports it two frames later.
    if (this.#isInWindow && this.#isNear(element)) {
      // The store must not take the card for off-screen when the next message comes.
      this.#near.set(element, tagsOf(element));
      this.#report();
      callback(true);
    }
  }

  #drawn(): void {
    this.#hasDrawn = true;
    this.#moved(!this.#wasLeft);
  }

  /** The element that scrolls came into the window, or left it. */
  #moved(comes: boolean): void {
    this.#wasLeft = !comes;
    const isInWindow = comes || !this.#hasDrawn;
    if (isInWindow !== this.#isInWindow) {
      this.#isInWindow = isInWindow;
      for (const element of this.#near.keys()) {
        this.#callbacks.get(element)?.(isInWindow);
      }
      this.#report();
    }
  }

  #isNear(element: Element, margin = AHEAD): boolean {
    const [own, root] = [element.getBoundingClientRect(), this.#root?.getBoundingClientRect()];
    return root !== undefined && own.width > 0 && own.bottom > root.top - margin && own.top < root.bottom + margin;
  }

  disconnect(): void {
    this.#observer?.disconnect();
    this.#windowObserver?.disconnect();
    this.#windowOfCards?.disconnect();
    this.#late.clear();
    this.#windowOfCards = null;
    this.#observer = null;
    this.#windowObserver = null;
    this.#root = null;
    clearTimeout(this.#firstDraw);
    this.#firstDraw = undefined;
    this.#isInWindow = true;
    this.#wasLeft = false;
    this.#hasDrawn = false;
  }

  /** Reports once, however many cards come or go together. */
  #report(): void {
    if (!this.#isReporting) {
      this.#isReporting = true;
      queueMicrotask(() => {
        this.#isReporting = false;
        this.#changed(this.#inOrder(), this.#isInWindow);
      });
    }
  }

  #inOrder(): string[] {
    const follows = (a: Element, b: Element) =>
      a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    const visible = this.#isInWindow ? [...this.#near].filter(([, tags]) => tags !== null) : [];
    return [...new Set(visible.sort(([a], [b]) => follows(a, b)).flatMap(([, tags]) => tags ?? []))];
  }
}

/** The tags of a card; null for a part of one. */
function tagsOf(element: Element): readonly string[] | null {
  const [tag, several] = ["data-tag", "data-tags"].map((name) => element.getAttribute(name) ?? null);
  return several != null ? (JSON.parse(several) as string[]) : tag == null ? null : [tag];
}
