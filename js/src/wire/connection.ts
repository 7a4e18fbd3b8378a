// Whether the kernel still sends. It sends a status every few seconds, also while a cell runs; where the host tells
// nothing, nothing else shows that it has ended.

import { type Signal, signal } from "@preact/signals";
import { HEARTBEAT } from "./protocol";

/** Why nothing comes: the kernel ended, the page has no connection to it, or it says nothing. */
export interface Loss {
  readonly why: "ended" | "interrupted" | "silent";
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Milliseconds without a message after which the kernel counts as disconnected; longer where a cell ran, which may hold Python's lock. */
export const SILENCE = 3000 * HEARTBEAT;
export const SILENCE_IN_CELL = 4000 * HEARTBEAT;

/** Milliseconds that a kernel has to answer after the computer slept or the page was hidden. */
export const GRACE = 10_000;

/** Milliseconds that the host may take to connect again before that is said. */
const BLIP_MS = 4000;

const TICK_MS = 1000;

/** Milliseconds between two ticks beyond which the computer slept, or the page was frozen. */
const SLEEP = 5000;

/** Measures the time since the last message. Only time counts in which the page was visible and its timers ran. */
export class Connection {
  readonly loss: Signal<Loss | null> = signal(null);
  readonly #page: Document | undefined;
  readonly #resumed: () => void;
  readonly #fellSilent: () => void;
  /** Whether there is a view: without one, the kernel stops sending. */
  readonly #isWatched: () => boolean;
  #sinceMessage = 0;
  #limit = SILENCE;
  #tickAt = Date.now();
  #heardAt = Date.now();
  #interruptedAt: number | null = null;
  /** Nothing was heard since `fellSilent` was called. */
  #isSilent = false;

  /**
   * `resumed` is called when the computer has slept, to send a heartbeat; `fellSilent` once for each silence, though the
   * host may take itself to be connected.
   */
  constructor(
    page: Document | undefined,
    isWatched: () => boolean,
    { resumed, fellSilent }: { resumed(): void; fellSilent(): void },
    until: AbortSignal,
  ) {
    this.#page = page;
    this.#isWatched = isWatched;
    this.#resumed = resumed;
    this.#fellSilent = fellSilent;
    const timer = setInterval(() => this.#tick(), TICK_MS);
    page?.addEventListener("visibilitychange", () => this.allowGrace(), { signal: until });
    until.addEventListener("abort", () => clearInterval(timer), { once: true });
  }

  /** Called with each message; returns whether the connection had been lost. */
  received(cell: boolean | null): boolean {
    const lost = this.loss.peek() !== null;
    this.#sinceMessage = 0;
    this.#heardAt = Date.now();
    this.#isSilent = false;
    this.#limit = cell === true ? SILENCE_IN_CELL : SILENCE;
    this.loss.value = null;
    return lost;
  }

  /** Whether the host is without a connection now. */
  get isInterrupted(): boolean {
    return this.#interruptedAt !== null;
  }

  /** The host reports that the kernel has ended. */
  ended(): void {
    if (this.loss.peek()?.why !== "ended") {
      this.loss.value = { why: "ended", since: Date.now() };
    }
  }

  /** The host reports that the page is not connected; it may be again in a moment. */
  interrupted(): void {
    this.#interruptedAt ??= Date.now();
  }

  /** The host reports that it is again. */
  restored(): void {
    this.#interruptedAt = null;
    this.allowGrace();
    if (this.loss.peek()?.why === "interrupted") {
      this.loss.value = null;
    }
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
    if (this.loss.peek()?.why === "ended") {
      return;
    }
    if (this.#interruptedAt !== null && now - this.#interruptedAt >= BLIP_MS) {
      this.#lose("interrupted", this.#interruptedAt);
    } else if (this.#sinceMessage >= this.#limit) {
      this.#lose("silent", this.#heardAt);
      if (!this.#isSilent) {
        this.#isSilent = true;
        this.#fellSilent();
      }
    }
  }

  #lose(why: "interrupted" | "silent", since: number): void {
    if (this.loss.peek()?.why !== why) {
      this.loss.value = { why, since };
    }
  }
}

/** Seconds between two heartbeats while the page is visible; an idle kernel without a view for a minute stops sending. */
export const HERE = 20;

/** Calls `send` every HERE seconds while the page is visible, and at once when it becomes so; ends with `until`. */
export function startHeartbeat(page: Document | undefined, send: () => void, until: AbortSignal): void {
  const sendIfVisible = () => {
    if (isVisible(page)) {
      send();
    }
  };
  const timer = setInterval(sendIfVisible, HERE * 1000);
  page?.addEventListener("visibilitychange", sendIfVisible, { signal: until });
  until.addEventListener("abort", () => clearInterval(timer), { once: true });
}

export function isVisible(page: Document | undefined): boolean {
  return page === undefined || page.visibilityState === "visible";
}
