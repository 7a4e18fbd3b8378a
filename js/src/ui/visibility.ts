// Which cards are on the screen, and which parts of cards.

/** Pixels around the view within which cards are drawn already. */
const AHEAD = 240;

/**
 * Notifies cards, and parts of them, when they come onto the screen, or nearly, and leave it; and reports the tags of the
 * cards that are on it.
 */
export class Visibility {
  readonly #callbacks = new Map<Element, (visible: boolean) => void>();
  readonly #visible = new Map<Element, readonly string[]>();
  readonly #changed: (tags: readonly string[]) => void;
  #observer: IntersectionObserver | null = null;
  #root: Element | null = null;
  #isReporting = false;

  /** `changed` receives the tags of the cards on the screen, in their order there. */
  constructor(changed: (tags: readonly string[]) => void) {
    this.#changed = changed;
  }

  /** Starts watching within `root`, the element that scrolls. */
  connect(root: Element): void {
    this.disconnect();
    this.#root = root;
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          this.#callbacks.get(target)?.(isIntersecting);
          const tags = tagsOf(target);
          if (isIntersecting && tags !== null) {
            this.#visible.set(target, tags);
          } else {
            this.#visible.delete(target);
          }
        }
        this.#report();
      },
      { root, rootMargin: `${AHEAD}px 0px` },
    );
    for (const [element, callback] of this.#callbacks) {
      this.#watch(element, callback);
    }
  }

  /** Watches an element; returns what ends it. */
  watch(element: Element, callback: (visible: boolean) => void): () => void {
    this.#callbacks.set(element, callback);
    this.#watch(element, callback);
    return () => {
      this.#callbacks.delete(element);
      this.#observer?.unobserve(element);
      if (this.#visible.delete(element)) {
        this.#report();
      }
    };
  }

  #watch(element: Element, callback: (visible: boolean) => void): void {
    this.#observer?.observe(element);
    // The observer reports it two frames later.
    if (this.#isNear(element)) {
      const tags = tagsOf(element);
      if (tags !== null) {
        this.#visible.set(element, tags);
        this.#report();
      }
      callback(true);
    }
  }

  #isNear(element: Element): boolean {
    const [own, root] = [element.getBoundingClientRect(), this.#root?.getBoundingClientRect()];
    return root !== undefined && own.width > 0 && own.bottom > root.top - AHEAD && own.top < root.bottom + AHEAD;
  }

  disconnect(): void {
    this.#observer?.disconnect();
    this.#observer = null;
    this.#root = null;
  }

  /** Reports once, however many cards come or go together. */
  #report(): void {
    if (!this.#isReporting) {
      this.#isReporting = true;
      queueMicrotask(() => {
        this.#isReporting = false;
        this.#changed(this.#inOrder());
      });
    }
  }

  #inOrder(): string[] {
    const follows = (a: Element, b: Element) =>
      a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    return [...new Set([...this.#visible].sort(([a], [b]) => follows(a, b)).flatMap(([, tags]) => tags))];
  }
}

/** The tags of a card; null for a part of one. */
function tagsOf(element: Element): readonly string[] | null {
  const [tag, several] = ["data-tag", "data-tags"].map((name) => element.getAttribute(name) ?? null);
  return several != null ? (JSON.parse(several) as string[]) : tag == null ? null : [tag];
}
