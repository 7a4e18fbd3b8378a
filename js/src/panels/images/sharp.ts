// Pictures that are larger than what the store holds, and what the kernel refused: those wanted now, and a few before.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ImagePlace } from "./kind/codec";

/** Bytes of them at most, beside what the store holds. */
export const MOST_SHARP = 48e6;

/** What is there of one picture. */
export interface Sharp {
  readonly blob: Uint8Array | null;
  /** Why there is no picture at all. */
  readonly refused: string | null;
  /** Pictures of so many pixels were refused, so that larger ones are not requested. */
  readonly refusedPixels: number | null;
  /** One has been requested. */
  readonly waits: boolean;
}

const NOTHING: Sharp = { blob: null, refused: null, refusedPixels: null, waits: false };

interface Entry {
  readonly signal: Signal<Sharp>;
  /** How many depend on it now, and how many of these need a sharper one. */
  watchers: number;
  requesting: number;
}

export class SharpPictures {
  readonly #most: number;
  /** Those used last are last. */
  readonly #entries = new Map<string, Entry>();
  readonly #released = new Set<Entry>();
  #bytes = 0;

  constructor(most = MOST_SHARP) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  of(place: ImagePlace): ReadonlySignal<Sharp> {
    return this.#entry(place).signal;
  }

  /**
   * Something on the screen depends on it, until the function that is returned is called.
   *
   * It is freed in a later task: a component may watch it again at once, in another way.
   */
  watch(place: ImagePlace): () => void {
    const entry = this.#entry(place);
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

  hold(place: ImagePlace, blob: Uint8Array): void {
    const entry = this.#entry(place);
    if (entry.watchers > 0) {
      this.#set(entry, { ...entry.signal.peek(), blob });
      this.#makeRoom();
    }
  }

  /** The kernel has no picture of this, or none of so many pixels. */
  refuse(place: ImagePlace, pixels: number | null, reason: string): void {
    const entry = this.#entry(place);
    const before = entry.signal.peek();
    this.#set(
      entry,
      pixels === null
        ? { ...before, refused: reason }
        : { ...before, refusedPixels: Math.min(before.refusedPixels ?? pixels, pixels) },
    );
  }

  /** A watcher needs a picture, or does no more. */
  countAsking(place: ImagePlace, more: 1 | -1): void {
    const entry = this.#entry(place);
    entry.requesting += more;
    const waits = entry.requesting > 0;
    if (entry.signal.peek().waits !== waits) {
      this.#set(entry, { ...entry.signal.peek(), waits });
    }
  }

  #entry({ tag, run, row }: ImagePlace): Entry {
    const key = JSON.stringify([tag, run, row.id]);
    const entry = this.#entries.get(key) ?? { signal: signal(NOTHING), watchers: 0, requesting: 0 };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  #set(entry: Entry, sharp: Sharp): void {
    this.#bytes += (sharp.blob?.length ?? 0) - (entry.signal.peek().blob?.length ?? 0);
    entry.signal.value = sharp;
  }

  /** Drops what nothing depends on: all that holds nothing, and those used least recently while there is too much. */
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
