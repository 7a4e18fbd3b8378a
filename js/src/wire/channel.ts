// The browser's end of the connection to the kernel: connects messages with the store, the views and the requests of one
// widget. Nothing here waits for an answer.

import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { AnyCodec } from "./codec";
import { Connection, type Loss, startHeartbeat } from "./connection";
import { Lag } from "./lag";
import {
  type ClientMessage,
  type DataMessage,
  decode,
  sendTimeOf,
  VersionError,
  type VisibleContent,
} from "./protocol";
import { Requests } from "./requests";
import { exposeSnapshot, readSnapshot } from "./snapshot";
import { Store } from "./store";
import type { Transport } from "./transport";

/** Milliseconds at least between two attempts to make up for lost messages. */
const RECOVERY_PAUSE_MS = 4000;

/** Seconds that a message is late from which it waits for those behind it: all are applied at once, and drawn once. */
const LATE_S = 0.5;

/** Milliseconds that late messages wait: half as long as the last ones took until they were drawn, between these bounds. */
const MIN_GATHERING_MS = 50;
const MAX_GATHERING_MS = 500;

/** Messages that wait at most, and bytes of their buffers. */
const MAX_GATHERED = 200;
const MAX_GATHERED_BYTES = 20e6;

/** The value of the host's state that a page is saved with. */
const SAVED = "_saved";

/** Model value that holds the last view of a page that was left. */
const LAST_VIEW = "_last_view";

/** A message that has arrived. */
interface Arrival {
  readonly content: unknown;
  readonly buffers: readonly DataView[];
  /** When it would have arrived without any delay, in milliseconds of `performance.now()`. */
  readonly due: number;
}

export class Channel {
  readonly store: Store;
  readonly requests: Requests;
  /** When a question was sent that no message has answered yet, in milliseconds since the epoch. */
  readonly askedAt: Signal<number | null> = signal(null);
  /** Why no kernel sends, or null. A saved page needs none. */
  readonly loss: ReadonlySignal<Loss | null>;

  /** How far the page is behind the kernel. */
  readonly lag: Lag;

  readonly #transport: Transport;
  readonly #connection: Connection;
  /** Begins the ids of this page's views and requests. */
  readonly #page = Math.random().toString(36).slice(2);
  readonly #views = new Set<Viewport>();
  #viewCount = 0;
  #announced = false;
  #resyncAt = Number.NEGATIVE_INFINITY;
  /** A message was lost since the last resync: keyframes name all content, but bring no blobs and no answers again. */
  #lost = false;
  #arrivals: Arrival[] = [];
  #arrivedBytes = 0;
  #gathering: ReturnType<typeof setTimeout> | undefined;

  constructor(transport: Transport, codecs: readonly AnyCodec[], until: AbortSignal) {
    const page = globalThis.document as Document | undefined;
    this.#transport = transport;
    this.store = new Store(codecs);
    this.requests = new Requests(this.#page, (message) => this.#send(message), this.store.assembler);
    const isWatched = () => this.#views.size > 0;
    const calls = { resumed: () => this.#sendHere(), fellSilent: () => transport.reconnect?.() };
    this.#connection = new Connection(page, isWatched, calls, until);
    const { loss } = this.#connection;
    const { savedAt, isLastView } = this.store;
    this.loss = computed(() => (savedAt.value === null || isLastView.value ? loss.value : null));
    startHeartbeat(page, () => this.#sendHere(), until);
    // The kernel drops the views of a page that was hidden for long.
    page?.addEventListener("visibilitychange", () => this.#repeatViews(), { signal: until });
    // Before the page's own way to the kernel is closed.
    const leave = () => this.#leave();
    globalThis.window?.addEventListener("pagehide", leave, { signal: until, capture: true });
    this.store.onWanted(() => this.#dataChanged(), until);
    const left = readSnapshot(transport.state(LAST_VIEW), this.store.codecs);
    if (left !== null) {
      this.store.restore(left.messages, left.at, true);
    }
    const readState = () => this.#readState();
    readState();
    transport.onStateChanged(SAVED, readState, until);
    this.lag = new Lag((report) => this.#send({ type: "drawn", ...report }));
    page?.addEventListener("visibilitychange", () => this.lag.shown(), { signal: until });
    const dispose = () => {
      clearTimeout(this.#gathering);
      this.lag.dispose();
    };
    until.addEventListener("abort", dispose, { once: true });
    transport.listen((content, buffers) => this.#receive(content, buffers), until);
    const link = {
      ended: () => this.#connection.ended(),
      interrupted: () => this.#connection.interrupted(),
      restored: () => this.#restored(),
    };
    transport.watch?.(link, until);
  }

  /** A view begins. Until it ends, heartbeats tell the kernel that it is looked at. */
  addView(until: AbortSignal): Viewport {
    this.#viewCount += 1;
    const viewport = new Viewport(`${this.#page}-${this.#viewCount}`, this.store, (message) => this.#send(message));
    this.#views.add(viewport);
    until.addEventListener(
      "abort",
      () => {
        this.#views.delete(viewport);
        viewport.end();
      },
      { once: true },
    );
    if (this.#views.size === 1) {
      // Without a view no heartbeats were sent, and the kernel may have stopped sending.
      this.#connection.allowGrace();
      this.lag.shown();
    }
    this.#announce(this.#announced ? "here" : "hello");
    this.#announced = true;
    return viewport;
  }

  #announce(type: "hello" | "here", complete = this.store.complete): void {
    const views = [...this.#views].map(({ id }) => id);
    this.#send({ type, complete, views });
  }

  /** Stops the first pass over the directory, or lets it go on; an idle kernel hears it. */
  setReading(goesOn: boolean): void {
    this.#send({ type: goesOn ? "resume" : "stop" });
  }

  #sendHere(): void {
    if (this.#views.size > 0) {
      this.#announce("here");
    }
  }

  /** The page is left: a kernel that hears this does not wait for its views. */
  #leave(): void {
    for (const { id } of this.#views) {
      this.#send({ type: "bye", view: id });
    }
  }

  #repeatViews(): void {
    for (const viewport of this.#views) {
      viewport.repeat();
    }
  }

  #dataChanged(): void {
    for (const viewport of this.#views) {
      viewport.dataChanged();
    }
  }

  /** Reads a saved page's data from the state, or makes the state answer with the store's data when it is saved. */
  #readState(): void {
    const state = this.#transport.state(SAVED);
    const saved = readSnapshot(state, this.store.codecs);
    if (saved === null) {
      exposeSnapshot(state, this.store, () => this.requests.kept);
    } else if (this.store.receivedAt.peek() === null) {
      this.requests.restore(saved.answers);
      this.store.restore(saved.messages, saved.at);
    }
  }

  /** Applies a message; one that is late together with those that have queued up behind it. */
  #receive(content: unknown, buffers: readonly DataView[]): void {
    const sent = sendTimeOf(content);
    const lag = sent === null ? 0 : this.lag.arrived(sent);
    this.#arrivals.push({ content, buffers, due: performance.now() - 1000 * lag });
    this.#arrivedBytes += sizeOf(buffers);
    const isFull = this.#arrivals.length >= MAX_GATHERED || this.#arrivedBytes >= MAX_GATHERED_BYTES;
    if (this.#gathering === undefined && lag > LATE_S) {
      const pause = Math.min(Math.max(this.lag.drawingMs / 2, MIN_GATHERING_MS), MAX_GATHERING_MS);
      this.#gathering = setTimeout(() => this.#applyArrivals(), pause);
    } else if (this.#gathering === undefined || isFull) {
      this.#applyArrivals();
    }
  }

  #applyArrivals(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    const arrivals = this.#arrivals;
    this.#arrivals = [];
    this.#arrivedBytes = 0;
    try {
      batch(() => {
        for (const arrival of arrivals) {
          this.#apply(arrival);
        }
      });
    } catch (error) {
      // Thrown by a view that draws what changed: the messages were applied nevertheless, and the host could do nothing.
      reportLater(error);
    }
    this.#dataChanged();
  }

  #apply({ content, buffers, due }: Arrival): void {
    let message: DataMessage | null;
    try {
      message = decode(content, buffers, this.store.codecs);
    } catch (error) {
      if (error instanceof VersionError) {
        this.store.failed.value = true;
      } else {
        // Damaged on its way: as good as lost.
        this.#answered(false);
      }
      return;
    }
    if (message === null) {
      return;
    }
    this.store.failed.value = false;
    const now = Date.now();
    const { answers, answerPieces, status } = message;
    const wasLastView = this.store.isLastView.peek();
    this.#lost ||= this.store.seq !== 0 && message.seq !== this.store.seq + 1;
    this.store.apply(message, now);
    if (this.store.savedAt.peek() === null) {
      // A kernel speaks, which answers by itself.
      this.requests.saved.value = null;
    }
    if (wasLastView && !this.store.isLastView.peek()) {
      // No kernel could hear earlier questions.
      this.askedAt.value = now;
    }
    this.requests.apply(answers, answerPieces);
    this.lag.applied(message.seq, due, status.unsent, status.share);
    if (this.#connection.received(status.cell)) {
      this.#repeatViews();
      this.requests.repeat();
    }
    this.requests.noteStatus(status.cell, now);
    this.#answered(this.store.complete);
  }

  /** Called with each message; if one before it was lost, everything is requested again. */
  #answered(complete: boolean): void {
    if (complete) {
      this.askedAt.value = null;
    }
    if ((this.#lost || !complete) && Date.now() - this.#resyncAt > RECOVERY_PAUSE_MS) {
      this.#lost = false;
      this.#resyncAt = Date.now();
      this.#send({ type: "resync", complete: false });
      this.requests.repeat();
    }
  }

  /** The host is connected again: the kernel may have sent in between, or have stopped because no client was there. */
  #restored(): void {
    this.#connection.restored();
    this.lag.reset();
    if (this.#views.size > 0 && this.#connection.loss.peek()?.why !== "ended") {
      this.#lost = false;
      this.#resyncAt = Date.now();
      this.#announce("here", false);
      this.requests.repeat();
      this.#repeatViews();
    }
  }

  #send(message: ClientMessage): void {
    if (this.#connection.isInterrupted) {
      // All is said again once the page is connected. JupyterLab would keep it, and everything else behind it for 3 s more.
      return;
    }
    if ("complete" in message && !message.complete) {
      this.askedAt.value = Date.now();
    }
    try {
      this.#transport.send(message);
    } catch {
      // The connection is closed: its state shows it.
    }
  }
}

/** Returns the bytes of a message's buffers, which may be damaged. */
function sizeOf(buffers: unknown): number {
  const views = Array.isArray(buffers) ? buffers.filter((buffer) => ArrayBuffer.isView(buffer)) : [];
  return views.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
}

/** Leaves the error to the developer's console. */
function reportLater(error: unknown): void {
  setTimeout(() => {
    throw error;
  });
}

// Reports to the kernel what one view shows: it then sends that in detail first. An enhancement; nothing waits for it.

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
