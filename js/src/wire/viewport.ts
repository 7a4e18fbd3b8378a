// Reports to the kernel what one view shows: it then sends that in detail first. An enhancement; nothing waits for it.

import type { ClientMessage, VisibleContent } from "./protocol";
import type { Store } from "./store";

/** Milliseconds that a view must stay before it is reported. */
const REPORT_PAUSE_MS = 300;

/** Shortest time between two checks whether new data change the request, and longest wait of a view that keeps moving. */
const CHECK_PAUSE_MS = 1000;

export class Viewport {
  readonly id: string;
  readonly #store: Store;
  readonly #send: (message: ClientMessage) => void;
  #view: VisibleContent | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the view moved first since the last report, in milliseconds since the epoch. */
  #movedAt: number | null = null;
  /** It was out of the window when it was last reported, or since; it no longer is. */
  #comesBack = false;
  #ended = false;
  /** The last report, as JSON. */
  #reported = "";

  constructor(id: string, store: Store, send: (message: ClientMessage) => void) {
    this.id = id;
    this.#store = store;
    this.#send = send;
  }

  /** The user looks at this now. */
  report(view: VisibleContent): void {
    if (this.#ended) {
      return;
    }
    const moved = JSON.stringify(view) !== JSON.stringify(this.#view);
    this.#comesBack = (this.#comesBack || this.#view?.in_window === false) && view.in_window !== false;
    this.#view = view;
    this.#store.see(this, view.kinds, view.tags);
    if (moved) {
      const now = Date.now();
      this.#movedAt ??= now;
      clearTimeout(this.#timer);
      // The steps of the viewport may move with each message. Until the kernel hears of a view that comes back, it sends rarely.
      const pause = this.#comesBack ? 0 : Math.min(REPORT_PAUSE_MS, this.#movedAt + CHECK_PAUSE_MS - now);
      this.#timer = setTimeout(() => this.#sendReport(), pause);
    }
  }

  /** There are other data than before: others may be wanted now. */
  dataChanged(): void {
    this.#timer ??= setTimeout(() => this.#sendReport(), CHECK_PAUSE_MS);
  }

  /** Reports again what the kernel may not have received, or has dropped. */
  repeat(): void {
    this.#reported = "";
    this.dataChanged();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#ended = true;
    this.#store.see(this, [], []);
    this.#send({ type: "bye", view: this.id });
  }

  #sendReport(): void {
    this.#timer = undefined;
    this.#movedAt = null;
    this.#comesBack = false;
    if (this.#view === null) {
      return;
    }
    const { kinds, tags } = this.#view;
    const want = this.#store.coarseAmong(kinds, tags);
    const held = this.#store.shortAmong(kinds, tags);
    const short = held.length > 0 ? { short: held } : {};
    const report = JSON.stringify([this.#view, want, held]);
    if (report !== this.#reported) {
      this.#reported = report;
      this.#send({ type: "view", view: this.id, ...this.#view, want, ...short, seq: this.#store.seq });
    }
  }
}
