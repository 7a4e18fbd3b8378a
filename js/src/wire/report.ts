// Tells the kernel what the user looks at: it then sends that in detail first. An enhancement; nothing waits for it.

import type { ViewRequest } from "./protocol";
import type { Store } from "./store";

/** Milliseconds that a view must stay before it is told. */
const PAUSE = 300;

export interface View {
  /** Tags in sight, in the order of the screen. */
  readonly visible: readonly (string | { readonly tag: string })[];
  /** First and last step in sight; absent for all. */
  readonly range?: readonly [number, number] | null;
}

export class Report {
  readonly #store: Store;
  readonly #say: (request: ViewRequest) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #told = "";

  constructor(store: Store, say: (request: ViewRequest) => void, until: AbortSignal) {
    this.#store = store;
    this.#say = say;
    until.addEventListener("abort", () => clearTimeout(this.#timer), { once: true });
  }

  /** The user looks at this now. */
  note({ visible, range }: View): void {
    const tags = visible.map((item) => (typeof item === "string" ? item : item.tag));
    this.#store.see(tags);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tell(tags, range ?? null), PAUSE);
  }

  #tell(tags: readonly string[], range: readonly [number, number] | null): void {
    const want = tags.filter((tag) => this.#store.isCoarse(tag));
    const told = JSON.stringify([tags, want, range]);
    if (told !== this.#told) {
      this.#told = told;
      this.#say({ type: "view", tags, want, range, seq: this.#store.seq });
    }
  }
}
