// Whether the kernel still sends. It sends a status every few seconds, also while a cell runs; mostly, nothing else shows
// that it has ended.

import { type Signal, signal } from "@preact/signals";
import { isVisible } from "./heartbeat";
import { HEARTBEAT } from "./protocol";

export type ConnectionState = "connected" | "disconnected";

/** Milliseconds without a message after which the kernel counts as disconnected; longer where a cell ran, which may hold Python's lock. */
export const SILENCE = 3000 * HEARTBEAT;
export const SILENCE_IN_CELL = 4000 * HEARTBEAT;

/** Milliseconds that a kernel has to answer after the computer slept or the page was hidden. */
export const GRACE = 10_000;

const TICK = 1000;

/** Milliseconds between two ticks beyond which the computer slept, or the page was frozen. */
const SLEEP = 5000;

/** Measures the time since the last message. Only time counts in which the page was visible and its timers ran. */
export class Connection {
  readonly state: Signal<ConnectionState> = signal("connected");
  readonly #page: Document | undefined;
  readonly #resumed: () => void;
  /** Whether there is a view: without one, the kernel stops sending. */
  readonly #isWatched: () => boolean;
  #sinceMessage = 0;
  #limit = SILENCE;
  #tickAt = Date.now();

  /** `resumed` is called when the computer has slept, to send a heartbeat. */
  constructor(page: Document | undefined, isWatched: () => boolean, resumed: () => void, until: AbortSignal) {
    this.#page = page;
    this.#isWatched = isWatched;
    this.#resumed = resumed;
    const timer = setInterval(() => this.#tick(), TICK);
    page?.addEventListener("visibilitychange", () => this.allowGrace(), { signal: until });
    until.addEventListener("abort", () => clearInterval(timer), { once: true });
  }

  /** Called with each message; returns whether the connection had been lost. */
  received(cell: boolean | null): boolean {
    const lost = this.state.peek() === "disconnected";
    this.#sinceMessage = 0;
    this.#limit = cell === true ? SILENCE_IN_CELL : SILENCE;
    this.state.value = "connected";
    return lost;
  }

  /** The host reports that the connection to the kernel is closed. */
  closed(): void {
    this.state.value = "disconnected";
  }

  /** Gives the kernel at least GRACE milliseconds from now on. */
  allowGrace(): void {
    this.#sinceMessage = Math.min(this.#sinceMessage, this.#limit - GRACE);
  }

  #tick(): void {
    const now = Date.now();
    const elapsed = now - this.#tickAt;
    this.#tickAt = now;
    if (!isVisible(this.#page) || !this.#isWatched()) {
      return;
    }
    if (elapsed > SLEEP || elapsed < 0) {
      this.allowGrace();
      this.#resumed();
      return;
    }
    this.#sinceMessage += elapsed;
    if (this.#sinceMessage >= this.#limit) {
      this.state.value = "disconnected";
    }
  }
}
