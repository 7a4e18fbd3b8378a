// How far the page is behind the kernel: from the composing of a message to the frame that shows it.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";

/** Seconds behind the kernel from which the page says so. Keep in step with PAGE_BEHIND in tbwidget/wire/plan.py. */
export const PAGE_BEHIND = 2;

/** Milliseconds for which the page goes on saying so: rarer messages must not make the text come and go. */
export const HOLD_MS = 3000;

/** Milliseconds after which a smaller number may replace a larger one. */
const LOWER_MS = 1000;

/** Minutes for which the least delay must stay the same until it counts as a difference of clocks; and seconds of tolerance. */
const STEADY_MINUTES = 5;
const STEADY_S = 1;

/** Messages that are remembered until they are drawn. Later ones count as one with the last. */
const MAX_UNDRAWN = 100;

/** Milliseconds between two reports to the kernel: while it is heard to react, and at most, while it may be busy. */
const REPORT_PAUSE_MS = 1000;
const MAX_REPORT_PAUSE_MS = 20_000;

/** When a message was composed: seconds of the kernel's monotonic clock, and since the epoch. */
export type SendTime = readonly [monotonic: number, epoch: number];

/**
 * Measures how much later messages arrive than the quickest one, by one clock of the kernel and one of the page.
 *
 * The quickest message gives the difference of the clocks. This may grow at any time: a machine was paused, a clock was set
 * back, or both drift. So the minimum is not valid forever. The minimum of the last minutes would hide most of a lag that grows
 * or falls slowly, as on a slow network. Hence a larger delay replaces the minimum only after it stayed the same for some
 * minutes: a clock does that, but a queue of messages hardly ever keeps its length.
 */
class Delay {
  #least = Number.POSITIVE_INFINITY;
  /** The least delay of each of the last minutes in which messages came, the current one last. */
  #minima: readonly number[] = [];
  #minute = Number.NEGATIVE_INFINITY;

  /** `sent` and `arrived` are seconds, each by its own clock; `minute` is a number that the page's clock gives. */
  of(sent: number, arrived: number, minute: number): number {
    const delay = arrived - sent;
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#forgetLeast();
      this.#minima = [...this.#minima.slice(1 - STEADY_MINUTES), delay];
    } else {
      this.#minima = this.#minima.with(-1, Math.min(this.#minima.at(-1) ?? delay, delay));
    }
    this.#least = Math.min(this.#least, delay);
    return delay - this.#least;
  }

  #forgetLeast(): void {
    const least = Math.min(...this.#minima);
    if (this.#minima.length === STEADY_MINUTES && Math.max(...this.#minima) - least <= STEADY_S) {
      this.#least = least;
    }
  }
}

/** A message that was applied and is not drawn yet; or several. */
interface Undrawn {
  /** How many messages had been applied then. */
  readonly count: number;
  readonly seq: number;
  /** When it would have arrived without any delay, in milliseconds of `performance.now()`. */
  readonly due: number;
  /** When it was applied, by the same clock. */
  readonly appliedAt: number;
  /** Seconds that updates on the screen had been waiting in the kernel. */
  readonly unsent: number;
}

/** A message, and how many seconds after it was composed it was drawn. */
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
  /** How many messages have been applied. */
  readonly appliedCount: ReadonlySignal<number>;
  readonly #behind: Signal<number> = signal(0);
  readonly #appliedCount: Signal<number> = signal(0);
  readonly #report: (report: LagReport) => void;
  #delays = [new Delay(), new Delay()] as const;
  /** In their order. */
  #undrawn: readonly Undrawn[] = [];
  #drawingMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lowerAt = 0;
  #reportAt = Number.NEGATIVE_INFINITY;
  #reportPause = REPORT_PAUSE_MS;

  /** `report` tells the kernel of a page that is behind. */
  constructor(report: (report: LagReport) => void) {
    this.behind = this.#behind;
    this.appliedCount = this.#appliedCount;
    this.#report = report;
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  /** Milliseconds that the last messages took from being applied until they were drawn. */
  get drawingMs(): number {
    return this.#drawingMs;
  }

  /** Whether applied messages are not drawn yet. */
  get isDrawing(): boolean {
    return this.#undrawn.length > 0;
  }

  /** Returns how many seconds a message that arrives now is late; the data on the screen is older still. */
  arrived([monotonic, epoch]: SendTime): number {
    const [steady, set] = this.#delays;
    const now = performance.now() / 1000;
    const minute = Math.floor(now / 60);
    const lag = Math.min(steady.of(monotonic, now, minute), set.of(epoch, Date.now() / 1000, minute));
    this.#show(lag);
    return lag;
  }

  /**
   * A message has been applied that would have arrived at `due` without any delay, in milliseconds of `performance.now()`; the
   * next frame begins to draw it. `share` is the kernel's rate as a share of its usual one.
   */
  applied(seq: number, due: number, unsent: number, share: number): void {
    const count = this.#appliedCount.peek() + 1;
    const undrawn = { count, seq, due, appliedAt: performance.now(), unsent };
    const last = this.#undrawn.at(-1);
    this.#undrawn =
      last !== undefined && this.#undrawn.length >= MAX_UNDRAWN
        ? this.#undrawn.with(-1, { ...last, count, unsent })
        : [...this.#undrawn, undrawn];
    this.#appliedCount.value = count;
    if (share < 1) {
      // The kernel has heard a report.
      this.#reportPause = REPORT_PAUSE_MS;
    }
  }

  /** Frames have drawn the first `count` applied messages. */
  drawn(count: number): void {
    const drawn = this.#undrawn.filter((message) => message.count <= count);
    const [oldest] = [...drawn].sort((a, b) => a.due - b.due);
    if (oldest === undefined) {
      return;
    }
    this.#undrawn = this.#undrawn.slice(drawn.length);
    const now = performance.now();
    this.#drawingMs = now - Math.min(...drawn.map(({ appliedAt }) => appliedAt));
    // Until now the screen was that old.
    const lag = (now - oldest.due) / 1000;
    this.#show(lag + (drawn.at(-1)?.unsent ?? 0));
    if (lag <= PAGE_BEHIND) {
      this.#reportPause = REPORT_PAUSE_MS;
    } else if (now >= this.#reportAt) {
      this.#reportAt = now + this.#reportPause;
      this.#reportPause = Math.min(2 * this.#reportPause, MAX_REPORT_PAUSE_MS);
      this.#report({ seq: oldest.seq, behind: lag });
    }
  }

  /** Until now the page was hidden, or had no view, and drew nothing: that is no lag. */
  shown(): void {
    const now = performance.now();
    this.#undrawn = this.#undrawn.map((message) => ({ ...message, due: now, appliedAt: now }));
  }

  /** The connection is a new one, perhaps to a machine that was moved: its clocks are unknown. */
  reset(): void {
    this.#delays = [new Delay(), new Delay()];
    this.#undrawn = [];
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
