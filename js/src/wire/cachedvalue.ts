// A signal whose value the byte budget may drop, and the kernel sends again: a blob, a document.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { CacheBudget, Evictable } from "./cache";
import type { BlobOwner } from "./pieces";

export abstract class CachedValue<T> implements Evictable, BlobOwner {
  readonly #signal: Signal<T>;
  readonly #budget: CacheBudget;
  #bytes = 0;
  #seenAt = 0;
  #watched = false;
  /** There was no room for it, although it was watched. */
  #refused = false;

  /** `wanted` is called when something begins to depend on the value. */
  constructor(empty: T, budget: CacheBudget, wanted: () => void = () => {}) {
    this.#budget = budget;
    this.#signal = signal(empty, {
      watched: () => {
        this.#watched = true;
        this.#seenAt = budget.now();
        wanted();
      },
      unwatched: () => {
        this.#watched = false;
        this.#seenAt = budget.now();
        // Once it is looked at again there may be room.
        this.#refused = false;
      },
    });
  }

  get signal(): ReadonlySignal<T> {
    return this.#signal;
  }

  get value(): T {
    return this.#signal.peek();
  }

  get bytes(): number {
    return this.#bytes;
  }

  get seenAt(): number {
    return this.#seenAt;
  }

  get watched(): boolean {
    return this.#watched;
  }

  get refused(): boolean {
    return this.#refused;
  }

  /** Holds a value of `bytes` bytes. */
  set(value: T, bytes: number): void {
    this.#budget.release(this);
    this.#bytes = bytes;
    if (bytes > 0) {
      this.#budget.hold(this);
    }
    this.#signal.value = value;
  }

  evict(): void {
    this.#refused = this.#watched;
    this.set(this.emptied(this.#refused), 0);
  }

  abstract piecesLost(): void;

  /** Placeholder of a dropped value; `refused`: it is not to be requested again now. */
  protected abstract emptied(refused: boolean): T;
}
