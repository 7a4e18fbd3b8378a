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
