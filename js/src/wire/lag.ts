// How far the page is behind the kernel: from the composing of a message to the frame that shows it.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";

/** Seconds behind the kernel from which the page says so. Keep in step with PAGE_BEHIND in tbwidget/wire/pace.py. */
export const PAGE_BEHIND = 2;

/** Milliseconds for which the page goes on saying so: rarer messages must not make the text come and go. */
export const HOLD_MS = 3000;

/** Milliseconds after which a smaller number may replace a larger one. */
const LOWER_MS = 1000;

/** Seconds a second by which two clocks may drift apart; network time adjusts a clock by no more. */
const DRIFT = 0.0005;

/** Milliseconds between two reports to the kernel: while it is heard to react, and at most, while it may be busy. */
const REPORT_PAUSE_MS = 1000;
const MAX_REPORT_PAUSE_MS = 20_000;

/** When a message was composed: seconds of the kernel's monotonic clock, and since the epoch. */
export type SendTime = readonly [monotonic: number, epoch: number];

/** The delay of messages beyond that of the quickest one, by one clock of the kernel and one of the page. */
class Delay {
  #least = Number.POSITIVE_INFINITY;
  #at = 0;

  /** All times in seconds; each by its own clock. */
  of(sent: number, arrived: number): number {
    const delay = arrived - sent;
    this.#least = Math.min(this.#least + DRIFT * Math.max(0, arrived - this.#at), delay);
    this.#at = arrived;
    return delay - this.#least;
  }
}

/** Messages that are applied and not drawn yet. */
interface Undrawn {
  /** The last one. */
  readonly seq: number;
  /** When the first one would have arrived without any delay, in milliseconds of `performance.now()`. */
  readonly since: number;
  /** Seconds that updates on the screen had been waiting in the kernel, at the last message. */
  readonly unsent: number;
}

export interface LagReport {
  readonly seq: number;
  readonly behind: number;
}

/**
 * Compares the kernel's clocks with the page's. They may differ by any constant, which the quickest message shows. A jump of
 * one of them is no lag: the monotonic clocks stop while a machine sleeps, the others are set; only a real delay shows in
 * both. So the smaller one of the two delays counts.
 */
export class Lag {
  /** Seconds that the page is behind, in the last HOLD_MS; 0 when this is no more than PAGE_BEHIND. */
  readonly behind: ReadonlySignal<number>;
  readonly #behind: Signal<number> = signal(0);
  readonly #report: (report: LagReport) => void;
  #delays = [new Delay(), new Delay()] as const;
  #undrawn: Undrawn | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lowerAt = 0;
  #reportAt = Number.NEGATIVE_INFINITY;
  #reportPause = REPORT_PAUSE_MS;

  /** `report` tells the kernel of a page that is behind. */
  constructor(report: (report: LagReport) => void) {
    this.behind = this.#behind;
    this.#report = report;
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  /** Returns how many seconds a message that arrives now is late: what is on the screen is older still. */
  arrived([monotonic, epoch]: SendTime): number {
    const [steady, set] = this.#delays;
    const lag = Math.min(steady.of(monotonic, performance.now() / 1000), set.of(epoch, Date.now() / 1000));
    this.#show(lag);
    return lag;
  }

  /**
   * A message has been applied that would have arrived at `due` without any delay, in milliseconds of `performance.now()`; the
   * next frame may show it. `share` is that of the kernel's usual rate.
   */
  applied(seq: number, due: number, unsent: number, share: number): void {
    this.#undrawn = { seq, since: Math.min(due, this.#undrawn?.since ?? due), unsent };
    if (share < 1) {
      // The kernel has heard a report.
      this.#reportPause = REPORT_PAUSE_MS;
    }
  }

  /** The frame shows every applied message. */
  drawn(): void {
    const undrawn = this.#undrawn;
    if (undrawn === null) {
      return;
    }
    this.#undrawn = null;
    const now = performance.now();
    // The previous frame was that old in the end.
    const lag = (now - undrawn.since) / 1000;
    this.#show(lag + undrawn.unsent);
    if (lag <= PAGE_BEHIND) {
      this.#reportPause = REPORT_PAUSE_MS;
    } else if (now >= this.#reportAt) {
      this.#reportAt = now + this.#reportPause;
      this.#reportPause = Math.min(2 * this.#reportPause, MAX_REPORT_PAUSE_MS);
      this.#report({ seq: undrawn.seq, behind: lag });
    }
  }

  /** The page was hidden, and drew nothing: that is no lag. */
  shown(): void {
    if (this.#undrawn !== null) {
      this.#undrawn = { ...this.#undrawn, since: performance.now() };
    }
  }

  /** The connection is a new one, perhaps to a machine that was moved: its clocks are unknown. */
  reset(): void {
    this.#delays = [new Delay(), new Delay()];
    this.#undrawn = null;
  }

  #show(behind: number): void {
    const now = performance.now();
    // A smaller number has to wait: a backlog ends with messages that are hardly late.
    if (behind > PAGE_BEHIND && (behind >= this.#behind.peek() || now >= this.#lowerAt)) {
      this.#behind.value = behind;
      this.#lowerAt = now + LOWER_MS;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        this.#behind.value = 0;
      }, HOLD_MS);
    }
  }
}
