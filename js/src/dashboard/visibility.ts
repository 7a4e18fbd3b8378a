// Which cards are on the screen.

/** Pixels around the view within which cards are drawn already. */
const AHEAD = 240;

/** Tells cards whether they are on the screen, or nearly, and says which are. */
export class Visibility {
  readonly #told = new Map<Element, (visible: boolean) => void>();
  readonly #visible = new Map<Element, string>();
  readonly #changed: (tags: readonly string[]) => void;
  #observer: IntersectionObserver | null = null;
  #telling = false;

  /** `changed` is told the tags of the cards on the screen, in their order there. */
  constructor(changed: (tags: readonly string[]) => void) {
    this.#changed = changed;
  }

  /** Starts watching within `root`, the element that scrolls. */
  connect(root: Element): void {
    this.disconnect();
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          this.#told.get(target)?.(isIntersecting);
          if (isIntersecting) {
            this.#visible.set(target, target.getAttribute("data-tag") ?? "");
          } else {
            this.#visible.delete(target);
          }
        }
        this.#tell();
      },
      { root, rootMargin: `${AHEAD}px 0px` },
    );
    for (const element of this.#told.keys()) {
      this.#observer.observe(element);
    }
  }

  /** Watches an element; returns what ends it. */
  watch(element: Element, tell: (visible: boolean) => void): () => void {
    this.#told.set(element, tell);
    this.#observer?.observe(element);
    return () => {
      this.#told.delete(element);
      this.#observer?.unobserve(element);
      if (this.#visible.delete(element)) {
        this.#tell();
      }
    };
  }

  /** Says it once, however many cards come or go together. */
  #tell(): void {
    if (!this.#telling) {
      this.#telling = true;
      queueMicrotask(() => {
        this.#telling = false;
        this.#changed(this.#inOrder());
      });
    }
  }

  #inOrder(): string[] {
    const follows = (a: Element, b: Element) =>
      a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    return [...this.#visible].sort(([a], [b]) => follows(a, b)).map(([, tag]) => tag);
  }

  disconnect(): void {
    this.#observer?.disconnect();
    this.#observer = null;
  }
}
