// State that a view keeps for each card or group while it is off the screen: its zoom, whether it is open.

import { type Signal, signal } from "@preact/signals";

/** Most signals that are kept although nothing depends on them now: names may have typed limits in them. */
const MAX_UNWATCHED = 10_000;

/** Signals by panel and by a name within it, made when they are first used. */
export class KeyedSignals<T> {
  readonly #initial: T;
  readonly #most: number;
  /** Signals by key, the last used at the end. */
  readonly #signals = new Map<string, Signal<T>>();
  readonly #watched = new Set<string>();

  constructor(initial: T, most = MAX_UNWATCHED) {
    this.#initial = initial;
    this.#most = most;
  }

  of(panel: string, name: string): Signal<T> {
    const key = JSON.stringify([panel, name]);
    const found = this.#signals.get(key) ?? this.#make(key);
    this.#signals.delete(key);
    this.#signals.set(key, found);
    return found;
  }

  #make(key: string): Signal<T> {
    for (const other of this.#signals.keys()) {
      if (this.#signals.size < this.#most + this.#watched.size) {
        break;
      }
      if (!this.#watched.has(other)) {
        this.#signals.delete(other);
      }
    }
    return signal(this.#initial, {
      watched: () => this.#watched.add(key),
      unwatched: () => this.#watched.delete(key),
    });
  }
}

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
