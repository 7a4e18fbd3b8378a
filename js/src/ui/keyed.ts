// What a view keeps of each card or group, though it leave the screen: its zoom, whether it is open.

import { type Signal, signal } from "@preact/signals";

/** Signals by panel and by a name within it, made when they are first used. */
export class KeyedSignals<T> {
  readonly #initial: T;
  readonly #signals = new Map<string, Signal<T>>();

  constructor(initial: T) {
    this.#initial = initial;
  }

  of(panel: string, name: string): Signal<T> {
    const key = JSON.stringify([panel, name]);
    let found = this.#signals.get(key);
    if (found === undefined) {
      found = signal(this.#initial);
      this.#signals.set(key, found);
    }
    return found;
  }
}
