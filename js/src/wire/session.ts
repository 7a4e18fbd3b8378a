// Ties one widget's model to its store, and speaks to the kernel. Nothing here waits for an answer.

import { type Signal, signal } from "@preact/signals";
import type { Model } from "./model";
import { tellPresence } from "./presence";
import { type DataMessage, decode, type Said, VersionError } from "./protocol";
import { Report, type View } from "./report";
import { lendSaved, readSaved } from "./saved";
import { Store } from "./store";

/** Milliseconds between two requests to send all anew. */
const RESYNC_PAUSE = 4000;

export class Session {
  readonly store = new Store();
  /** When a question was sent that no message has answered yet, in milliseconds since the epoch. */
  readonly askedAt: Signal<number | null> = signal(null);

  readonly #model: Model;
  readonly #report: Report;
  #greeted = false;
  #resyncAt = Number.NEGATIVE_INFINITY;

  constructor(model: Model, until: AbortSignal) {
    this.#model = model;
    this.#report = new Report(this.store, (request) => this.#say(request), until);
    const readState = () => this.#readState();
    readState();
    model.on("change:_saved", readState);
    until.addEventListener("abort", () => model.off("change:_saved", readState), { once: true });
    const receive = (content: unknown, buffers: DataView[]) => this.#receive(content, buffers);
    model.on("msg:custom", receive);
    until.addEventListener("abort", () => model.off("msg:custom", receive), { once: true });
  }

  /** Tells the kernel that somebody is looking, and goes on telling it until the view ends. */
  greet(until: AbortSignal): void {
    this.#say({ type: this.#greeted ? "here" : "hello", complete: this.store.complete });
    this.#greeted = true;
    tellPresence(globalThis.document, () => this.#say({ type: "here", complete: this.store.complete }), until);
  }

  /** Notes what the user looks at; the kernel is told after a pause, and refines it first. */
  report(view: View): void {
    this.#report.note(view);
  }

  /** A saved page brings what it shows in the model's state; of a living one the state tells it whoever saves the page. */
  #readState(): void {
    const state = this.#model.get("_saved");
    const saved = readSaved(state);
    if (saved === null) {
      lendSaved(state, this.store);
    } else if (this.store.heardAt.peek() === null) {
      this.store.restore(saved);
    }
  }

  #receive(content: unknown, buffers: readonly DataView[]): void {
    let message: DataMessage | null;
    try {
      message = decode(content, buffers);
    } catch (error) {
      if (error instanceof VersionError) {
        this.store.failed.value = true;
      } else {
        // Damaged on its way: as good as lost.
        this.#heard(false);
      }
      return;
    }
    if (message === null) {
      return;
    }
    this.store.failed.value = false;
    try {
      this.store.apply(message, Date.now());
      this.#report.changed();
    } finally {
      // Also when a view throws at what it is shown: the message has come nevertheless.
      this.#heard(this.store.complete);
    }
  }

  /** A message came; if something before it was lost, all is asked for anew. */
  #heard(unbroken: boolean): void {
    if (unbroken) {
      this.askedAt.value = null;
    } else if (Date.now() - this.#resyncAt > RESYNC_PAUSE) {
      this.#resyncAt = Date.now();
      this.#say({ type: "resync", complete: false });
    }
  }

  #say(said: Said): void {
    if (said.type !== "view" && !said.complete) {
      this.askedAt.value = Date.now();
    }
    try {
      this.#model.send(said);
    } catch {
      // The kernel is gone; the face tells since when.
    }
  }
}
