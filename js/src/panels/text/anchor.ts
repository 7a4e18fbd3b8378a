// Keeps the entry at the top of a scrolling list in place while entries above it come, go and grow. Not all browsers do
// that themselves, and those that do give up when styles change.

export class ScrollAnchor {
  readonly #list: HTMLElement;
  readonly #sizes: ResizeObserver;
  /** The element held in place, and its offset in pixels from the top of the list's visible part. */
  #held: { readonly element: HTMLElement; readonly offset: number } | null = null;

  /** `content` is the element around all entries of the list. */
  constructor(list: HTMLElement, content: HTMLElement) {
    this.#list = list;
    this.#sizes = new ResizeObserver(() => this.hold());
    this.#sizes.observe(content);
  }

  /** The list was scrolled. At its very beginning nothing is held, unless `always`: then what comes above is shown. */
  note(always = false): void {
    const { scrollTop } = this.#list;
    const all = [...this.#list.querySelectorAll<HTMLElement>("article")];
    const element = all.find(({ offsetTop, offsetHeight }) => offsetTop + offsetHeight > scrollTop);
    this.#held =
      element === undefined || (scrollTop <= 0 && !always) ? null : { element, offset: element.offsetTop - scrollTop };
  }

  /** The list may have changed. */
  hold(): void {
    if (this.#held?.element.isConnected) {
      const { element, offset } = this.#held;
      const moved = element.offsetTop - this.#list.scrollTop - offset;
      if (Math.abs(moved) >= 1) {
        this.#list.scrollTop += moved;
      }
    }
  }

  /** The list goes somewhere else. */
  release(): void {
    this.#held = null;
  }

  disconnect(): void {
    this.#sizes.disconnect();
  }
}
