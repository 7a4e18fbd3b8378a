// Ties one widget's model to its store, and speaks to the kernel. Nothing here waits for an answer.

import { type Signal, signal } from "@preact/signals";
import { Choices } from "./choices";
import type { Model } from "./model";
import { decode, type Greeting } from "./protocol";
import { Store } from "./store";

/** Milliseconds between two requests to send all anew. */
const RESYNC_PAUSE = 4000;

export class Session {
  readonly store = new Store();
  readonly choices: Choices;
  /** When a question was sent that no message has answered yet, in milliseconds since the epoch. */
  readonly askedAt: Signal<number | null> = signal(null);

  readonly #model: Model;
  #greeted = false;
  #resyncAt = Number.NEGATIVE_INFINITY;

  constructor(model: Model, until: AbortSignal) {
    this.#model = model;
    this.choices = new Choices(model, this.store, until);
    const receive = (content: unknown, buffers: DataView[]) => this.#receive(content, buffers);
    model.on("msg:custom", receive);
    until.addEventListener("abort", () => model.off("msg:custom", receive), { once: true });
  }

  /** Tells the kernel, once, that somebody is looking. */
  greet(): void {
    if (!this.#greeted) {
      this.#greeted = true;
      this.#say({ type: "hello", complete: this.store.complete });
    }
  }

  #receive(content: unknown, buffers: readonly DataView[]): void {
    let unbroken = true;
    try {
      const message = decode(content, buffers);
      if (message === null) {
        return;
      }
      unbroken = this.store.apply(message, Date.now());
    } catch {
      this.store.failed.value = true;
      return;
    }
    if (unbroken) {
      this.askedAt.value = null;
    } else if (Date.now() - this.#resyncAt > RESYNC_PAUSE) {
      this.#resyncAt = Date.now();
      this.#say({ type: "resync", complete: false });
    }
  }

  #say(greeting: Greeting): void {
    if (!greeting.complete) {
      this.askedAt.value = Date.now();
    }
    try {
      this.#model.send(greeting);
    } catch {
      // The kernel is gone; the face tells since when.
    }
  }
}
