// Tells the kernel what the user looks at: it then sends that in detail first. An enhancement; nothing waits for it.

import type { ViewRequest } from "./protocol";
import type { Store } from "./store";

/** Milliseconds that a view must stay before it is told. */
const PAUSE = 300;

/** Milliseconds at least between two looks at whether data that came change what there is to tell; at most, that a view which never stays waits. */
const AGAIN = 1000;

export interface View {
  /** Tags in sight, in the order of the screen. */
  readonly visible: readonly string[];
  /** First and last step in sight; null for all. */
  readonly range: readonly [number, number] | null;
  /** The tags of which only these steps are in sight; null: all of them. */
  readonly near: readonly string[] | null;
  /** The step that all charts point out, if any. */
  readonly linked: number | null;
}

export class Report {
  readonly #store: Store;
  readonly #say: (request: ViewRequest) => void;
  #view: View | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the view moved first since it was told, in milliseconds since the epoch. */
  #movedAt: number | null = null;
  #told = "";

  constructor(store: Store, say: (request: ViewRequest) => void, until: AbortSignal) {
    this.#store = store;
    this.#say = say;
    until.addEventListener("abort", () => clearTimeout(this.#timer), { once: true });
  }

  /** The user looks at this now. */
  note(view: View): void {
    const moved = JSON.stringify(view) !== JSON.stringify(this.#view);
    this.#view = view;
    this.#store.see(view.visible);
    if (moved) {
      const now = Date.now();
      this.#movedAt ??= now;
      clearTimeout(this.#timer);
      // Steps in sight may move with each message.
      this.#timer = setTimeout(() => this.#tell(), Math.min(PAUSE, this.#movedAt + AGAIN - now));
    }
  }

  /** There are other data than before: some may be wanted in full now. */
  changed(): void {
    this.#timer ??= setTimeout(() => this.#tell(), AGAIN);
  }

  #tell(): void {
    this.#timer = undefined;
    this.#movedAt = null;
    if (this.#view === null) {
      return;
    }
    const { visible: tags, range, near, linked } = this.#view;
    const want = tags.filter((tag) => this.#store.isCoarse(tag));
    const told = JSON.stringify([tags, want, range, near, linked]);
    if (told !== this.#told) {
      this.#told = told;
      this.#say({ type: "view", tags, want, range, near, linked, seq: this.#store.seq });
    }
  }
}
