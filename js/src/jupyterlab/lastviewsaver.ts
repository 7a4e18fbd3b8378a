// Stores the last view of each dashboard in a notebook, so that it can be shown as soon as the page is loaded again. It is
// read when the browser has nothing else to do, seldom, and once more when the page is left.

import { LAST_VIEW_REQUEST } from "../wire/handover";
import type { Answer, LastView, LastViewRequest } from "../wire/lastview";
import { type LastViewStorage, MAX_VIEW_CHARACTERS } from "./lastviewstorage";

/** Milliseconds until the dashboards of a page are read for the first time, and at least between two readings. */
const FIRST_READ_MS = 10_000;
const READ_PAUSE_MS = 60_000;

/** Shortest pause after a reading, as a multiple of the time that the reading took. */
const MIN_PAUSE_RATIO = 100;

/** Milliseconds of one step of reading, and of the whole reading when the page is left. */
const STEP_MS = 8;
const LAST = 100;

/** Milliseconds that a step may be put off when it is due. */
const READ_TIMEOUT_MS = 5000;

interface Watched {
  readonly key: () => string;
  readonly node: HTMLElement;
  before: LastViewRequest["before"];
}

export class LastViewSaver {
  readonly #store: LastViewStorage;
  readonly #watched = new Set<Watched>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: LastViewStorage) {
    this.#store = store;
  }

  /** The stored view, or null. */
  get(key: string): Promise<LastView | null> {
    return this.#store.get(key);
  }

  /** Drops it. */
  forget(key: string): void {
    void this.#store.forget(key);
  }

  /** Stores the view in `node` under `key`, which may change, until the signal. */
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
    window.addEventListener("pagehide", this.#storeAll);
    this.#later(FIRST_READ_MS);
  }

  #end(): void {
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#onHidden);
    window.removeEventListener("pagehide", this.#storeAll);
  }

  readonly #onHidden = () => {
    if (document.visibilityState === "hidden") {
      this.#storeAll();
    }
  };

  /** All of it now, or the one before has to do. */
  readonly #storeAll = () => {
    const end = performance.now() + LAST;
    for (const watched of this.#watched) {
      try {
        const reading = ask(watched);
        const answer = reading === undefined ? null : step(reading, end);
        if (answer !== null) {
          this.#put(watched, answer);
        }
      } catch {
        // The others are stored.
      }
    }
  };

  #later(pause: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => whenIdle(() => this.#turn()), pause);
  }

  /** Reads the dashboards, a step each time that the browser is idle. */
  async #turn(): Promise<void> {
    let spent = 0;
    for (const watched of [...this.#watched]) {
      try {
        const reading = ask(watched);
        let answer: Answer | null = null;
        while (reading !== undefined && answer === null && this.#watched.has(watched) && isVisible()) {
          const begun = performance.now();
          answer = step(reading, begun + STEP_MS);
          spent += performance.now() - begun;
          await new Promise<void>(whenIdle);
        }
        if (answer !== null) {
          this.#put(watched, answer);
        }
      } catch {
        // The others are stored.
      }
    }
    if (this.#watched.size > 0) {
      this.#later(Math.max(READ_PAUSE_MS, MIN_PAUSE_RATIO * spent));
    }
  }

  #put(watched: Watched, answer: Answer): void {
    const { changes, options } = answer;
    watched.before = { changes, options };
    if (answer.messages.length > 0 && this.#watched.has(watched)) {
      void this.#store.put(watched.key(), answer);
    }
  }
}

/** How what a dashboard shows is read; undefined where there is nothing new. */
function ask({ node, before }: Watched): LastViewRequest["answer"] {
  const request: LastViewRequest = { most: MAX_VIEW_CHARACTERS, before };
  node
    .querySelector(".tbwidget")
    ?.dispatchEvent(new CustomEvent(LAST_VIEW_REQUEST, { bubbles: true, detail: request }));
  return request.answer;
}

/** Reads until `end`, in milliseconds since the page began; null where that was not enough. */
function step(reading: Generator<void, Answer>, end: number): Answer | null {
  do {
    const { done, value } = reading.next();
    if (done) {
      return value;
    }
  } while (performance.now() < end);
  return null;
}

function isVisible(): boolean {
  return document.visibilityState === "visible";
}

/** Some browsers do not tell when they are idle. */
function whenIdle(then: () => void): void {
  if (typeof requestIdleCallback === "function") {
    requestIdleCallback(() => then(), { timeout: READ_TIMEOUT_MS });
  } else {
    setTimeout(then);
  }
}
