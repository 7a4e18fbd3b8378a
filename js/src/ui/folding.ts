// Which sections are open before anybody opens or folds one.

/** Up to this many cards, all sections are open. */
export const MAX_UNFOLDED_CARDS = 60;

interface FoldableSection {
  readonly name: string;
  /** A section without a title cannot be folded. */
  readonly titled: boolean;
  readonly cards: readonly unknown[];
}

/** Milliseconds for which tags that come in parts, while the logs are read for the first time, are counted together. */
const FIRST_MS = 2_000;

/** The sections of one grid. A section that is open stays open when further cards come. */
export class Folding {
  readonly #opened = new Set<string>();
  readonly #since = performance.now();

  /**
   * Names of the sections that are open. `filtered`: the sections hold only cards that match a filter; `ready`: tags no
   * longer come in parts.
   */
  open(sections: readonly FoldableSection[], filtered: boolean, ready = true): ReadonlySet<string> {
    const titled = sections.filter((section) => section.titled).map(({ name }) => name);
    const cards = sections.reduce((sum, section) => sum + section.cards.length, 0);
    const known = titled.filter((name) => this.#opened.has(name));
    const open = cards <= MAX_UNFOLDED_CARDS ? titled : known.length > 0 ? known : titled.slice(0, 1);
    if (!filtered && (ready || performance.now() - this.#since > FIRST_MS)) {
      // A section without a title is open, and stays so when it gets one.
      const untitled = sections.filter((section) => !section.titled).map(({ name }) => name);
      for (const name of [...open, ...untitled]) {
        this.#opened.add(name);
      }
    }
    return new Set(open);
  }
}
