// Variants of items that are larger than what the store holds, and what the kernel refused: those wanted now, and a few before.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";

/** Most bytes of variants that a page holds for a kind, beside what the store holds. */
export const MAX_VARIANT_BYTES = 48e6;

/** The larger variant of one item, and the state of requests for it. */
export interface Variant {
  readonly blob: Uint8Array | null;
  /** The reason why the kernel has no such item; null if it was not refused. */
  readonly refused: string | null;
  /** The least size that was refused: larger ones are not requested. */
  readonly refusedSize: number | null;
  /** A larger variant has been requested. */
  readonly waits: boolean;
}

const NOTHING: Variant = { blob: null, refused: null, refusedSize: null, waits: false };

interface Entry {
  readonly signal: Signal<Variant>;
  /** How many depend on it now, and how many of these need a larger one. */
  watchers: number;
  requesting: number;
}

export class ItemVariants {
  readonly #most: number;
  /** Entries by key, the last used at the end. */
  readonly #entries = new Map<string, Entry>();
  readonly #released = new Set<Entry>();
  #bytes = 0;

  constructor(most = MAX_VARIANT_BYTES) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  of(key: string): ReadonlySignal<Variant> {
    return this.#entry(key).signal;
  }

  /**
   * Something on the screen depends on it, until the function that is returned is called.
   *
   * It is freed in a later task: a component may watch it again at once, in another way.
   */
  watch(key: string): () => void {
    const entry = this.#entry(key);
    entry.watchers += 1;
    return () => {
      entry.watchers -= 1;
      this.#released.add(entry);
      if (this.#released.size === 1) {
        setTimeout(() => this.#letGo());
      }
    };
  }

  #letGo(): void {
    const released = [...this.#released];
    this.#released.clear();
    for (const entry of released) {
      if (entry.watchers === 0) {
        // A new watcher may request it again.
        this.#set(entry, { ...NOTHING, blob: entry.signal.peek().blob });
      }
    }
    this.#makeRoom();
  }

  hold(key: string, blob: Uint8Array): void {
    const entry = this.#entry(key);
    if (entry.watchers > 0) {
      this.#set(entry, { ...entry.signal.peek(), blob });
      this.#makeRoom();
    }
  }

  /** The kernel has no such item, or none of this size. */
  refuse(key: string, size: number | null, reason: string): void {
    const entry = this.#entry(key);
    const before = entry.signal.peek();
    this.#set(
      entry,
      size === null
        ? { ...before, refused: reason }
        : { ...before, refusedSize: Math.min(before.refusedSize ?? size, size) },
    );
  }

  /** A watcher needs a larger variant, or does no more. */
  countAsking(key: string, more: number): void {
    const entry = this.#entry(key);
    entry.requesting += more;
    const waits = entry.requesting > 0;
    if (entry.signal.peek().waits !== waits) {
      this.#set(entry, { ...entry.signal.peek(), waits });
    }
  }

  #entry(key: string): Entry {
    const entry = this.#entries.get(key) ?? { signal: signal(NOTHING), watchers: 0, requesting: 0 };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  #set(entry: Entry, variant: Variant): void {
    this.#bytes += (variant.blob?.length ?? 0) - (entry.signal.peek().blob?.length ?? 0);
    entry.signal.value = variant;
  }

  /** Drops unused entries: all empty ones, and the least recently used while the budget is exceeded. */
  #makeRoom(): void {
    for (const [key, entry] of [...this.#entries]) {
      const empty = entry.signal.peek().blob === null;
      if (entry.watchers === 0 && (empty || this.#bytes > this.#most)) {
        this.#entries.delete(key);
        // Another object: a component that has read it, and does not watch it yet, reads the entry that follows.
        this.#set(entry, { ...NOTHING });
      }
    }
  }
}
