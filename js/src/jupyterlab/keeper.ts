// Keeps the last view of each dashboard in a notebook, so that it can be shown as soon as the page is loaded again. It is
// read when the browser has nothing else to do, seldom, and once more when the page is left.

import { KEEP, type KeepRequest, type Kept } from "../wire/keeping";
import { type KeptStore, MOST_OF_ONE } from "./keptstore";

/** Milliseconds at least between two readings of the dashboards of a page. */
const PAUSE = 10_000;

/** So many times as long as a reading took is the pause behind it, at least. */
const LEAST_SHARE = 200;

/** Milliseconds that a reading may be put off when it is due. */
const PATIENCE = 5000;

interface Watched {
  readonly key: () => string;
  readonly node: HTMLElement;
  before: KeepRequest["before"];
}

export class Keeper {
  readonly #store: KeptStore;
  readonly #watched = new Set<Watched>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: KeptStore) {
    this.#store = store;
  }

  /** What was kept. */
  get(key: string): Promise<Kept | null> {
    return this.#store.get(key);
  }

  /** Keeps what is shown in `node` by `key`, which may change, until the signal. */
  watch(key: () => string, node: HTMLElement, until: AbortSignal): void {
    const watched: Watched = { key, node, before: null };
    if (this.#watched.size === 0) {
      this.#begin();
    }
    this.#watched.add(watched);
    const end = () => {
      this.#watched.delete(watched);
      if (this.#watched.size === 0) {
        this.#end();
      }
    };
    until.addEventListener("abort", end, { once: true });
  }

  #begin(): void {
    void this.#store.open();
    // On some systems a page that is hidden is never heard of again; one that is loaded again is not always hidden before.
    document.addEventListener("visibilitychange", this.#onHidden);
    window.addEventListener("pagehide", this.#keepAll);
    this.#later(PAUSE);
  }

  #end(): void {
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#onHidden);
    window.removeEventListener("pagehide", this.#keepAll);
  }

  readonly #onHidden = () => {
    if (document.visibilityState === "hidden") {
      this.#keepAll();
    }
  };

  readonly #keepAll = () => {
    for (const watched of this.#watched) {
      this.#keep(watched);
    }
  };

  #later(pause: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => whenIdle(() => this.#turn()), pause);
  }

  /** Keeps the dashboards, one each time that the browser is idle. */
  async #turn(): Promise<void> {
    let longest = 0;
    for (const watched of [...this.#watched]) {
      if (document.visibilityState === "visible" && this.#watched.has(watched)) {
        const begun = performance.now();
        this.#keep(watched);
        longest = Math.max(longest, performance.now() - begun);
        await new Promise<void>(whenIdle);
      }
    }
    if (this.#watched.size > 0) {
      this.#later(Math.max(PAUSE, LEAST_SHARE * longest));
    }
  }

  #keep(watched: Watched): void {
    const root = watched.node.querySelector(".tbwidget");
    const request: KeepRequest = { most: MOST_OF_ONE, before: watched.before };
    root?.dispatchEvent(new CustomEvent(KEEP, { bubbles: true, detail: request }));
    if (request.answer !== undefined) {
      const { changes, choices } = request.answer;
      watched.before = { changes, choices };
      void this.#store.put(watched.key(), request.answer);
    }
  }
}

/** Some browsers do not tell when they are idle. */
function whenIdle(then: () => void): void {
  if (typeof requestIdleCallback === "function") {
    requestIdleCallback(() => then(), { timeout: PATIENCE });
  } else {
    setTimeout(then);
  }
}
