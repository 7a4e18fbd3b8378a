// Requests to the kernel, and their answers. While a cell runs, an answer may take until it ends.

import { type Signal, signal } from "@preact/signals";
import type { ReasonCode } from "./codec";
import type { Assembler, BlobOwner } from "./pieces";
import type { AnswerEntry, AnswerPiece, ClientMessage } from "./protocol";
import { WordedError } from "./reasons";
import { wireTexts } from "./texts";

/** Requests that are with the kernel at once; it refuses more than 64, which other pages share. */
const MAX_PENDING_REQUESTS = 32;

/** Milliseconds that an idle kernel may take before a request is sent again, which may have been lost. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Data of an answer that there is room to save, in bytes: a quarter of MAX_SAVED_CHARACTERS in snapshot.ts, as base64. */
export const MAX_KEPT_BYTES = 93_750;

/** Arguments by name, as JSON has them. */
type Args = Readonly<Record<string, unknown>>;

export interface Answer {
  /** As JSON has it. */
  readonly value: unknown;
  readonly data: Uint8Array;
}

/** The kernel refused a request. The message says why, for people. */
export class Refused extends WordedError {
  override readonly name = "Refused";
  /** Code and values of the message; null if this page refused the request itself. */
  readonly madeOf: ReasonCode | null;

  constructor(message: () => string, madeOf: ReasonCode | null = null) {
    super(message);
    this.madeOf = madeOf;
  }
}

/** An answer that a saved page holds. */
export interface SavedAnswer {
  readonly name: string;
  readonly args: Args;
  readonly answer: Answer;
}

class Request implements BlobOwner {
  readonly id: string;
  readonly name: string;
  readonly args: Args;
  /** Milliseconds since the epoch; null until it is sent. */
  sentAt: number | null = null;
  /** The answer, whose data have yet to come. */
  entry: AnswerEntry | null = null;

  /** Stops waiting for the signal that cancels it. */
  unlisten: () => void = () => {};
  readonly promise: Promise<Answer>;
  resolve: (answer: Answer) => void = () => {};
  reject: (reason: unknown) => void = () => {};

  constructor(id: string, name: string, args: Args) {
    this.id = id;
    this.name = name;
    this.args = args;
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  piecesLost(): void {
    this.entry = null;
  }
}

export class Requests {
  readonly #page: string;
  readonly #send: (message: ClientMessage) => void;
  readonly #assembler: Assembler;
  /** In the order in which they were made. */
  readonly #open = new Map<string, Request>();
  #cancelled: string[] = [];
  #flushing = false;
  #count = 0;
  readonly #kept = new Map<string, SavedAnswer>();
  #restored: readonly SavedAnswer[] = [];
  /** The answers that a saved page holds, until a kernel speaks; null elsewhere. */
  readonly saved: Signal<readonly SavedAnswer[] | null> = signal(null);
  /** Since when the kernel is known not to run a cell. */
  #idleSince: number | null = null;

  /** `page`: a name for this page that no other has. */
  constructor(page: string, send: (message: ClientMessage) => void, assembler: Assembler) {
    this.#page = page;
    this.#send = send;
    this.#assembler = assembler;
  }

  /**
   * Asks the kernel; `name` consists of the panel and the request: "images.blob". Rejects with `Refused`, or, once `until`
   * aborts, with its reason: the request is then cancelled.
   */
  ask(name: string, args: Args, until: AbortSignal): Promise<Answer> {
    this.#count += 1;
    const request = new Request(`${this.#page}-${this.#count}`, name, args);
    if (until.aborted) {
      request.reject(until.reason);
    } else {
      this.#open.set(request.id, request);
      const cancel = () => {
        this.#cancel(request);
        request.reject(until.reason);
      };
      until.addEventListener("abort", cancel);
      request.unlisten = () => until.removeEventListener("abort", cancel);
      this.#sendNext();
    }
    return request.promise;
  }

  /** Saves an answer with the page, in place of the last one of this name; none that is too large for that. */
  keep(name: string, args: Args, answer: Answer): void {
    this.drop(name);
    if (answer.data.byteLength <= MAX_KEPT_BYTES) {
      this.#kept.set(name, { name, args, answer });
    }
  }

  /** Saves no answer of this name any more. */
  drop(name: string): void {
    this.#kept.delete(name);
    this.#restored = this.#restored.filter((answer) => answer.name !== name);
  }

  /** Takes in the answers of a saved page. */
  restore(answers: readonly SavedAnswer[]): void {
    this.#restored = answers;
    this.saved.value = answers;
  }

  /** Restored answers that no newer one has replaced: the kernel may go away before it has answered. */
  get restored(): readonly SavedAnswer[] {
    return this.#restored;
  }

  /** The answers that are to be saved. */
  get kept(): readonly SavedAnswer[] {
    return [...this.#kept.values(), ...this.#restored];
  }

  /** Sends unanswered requests again: a message was lost, or the kernel was away. */
  repeat(): void {
    for (const request of this.#open.values()) {
      if (request.sentAt !== null) {
        this.#assembler.drop(request);
        this.#sendNow(request);
      }
    }
  }

  /** Called with each message; `cell`: whether a cell of the kernel runs. */
  noteStatus(cell: boolean | null, now: number): void {
    if (cell === true) {
      this.#idleSince = null;
      return;
    }
    this.#idleSince ??= now;
    for (const request of this.#open.values()) {
      const since = Math.max(request.sentAt ?? now, this.#idleSince);
      if (now - since >= ANSWER_TIMEOUT_MS && !this.#assembler.has(request)) {
        this.#sendNow(request);
      }
    }
  }

  apply(answers: readonly AnswerEntry[], pieces: readonly AnswerPiece[]): void {
    for (const entry of answers) {
      const request = this.#open.get(entry.request);
      if (request === undefined) {
        continue;
      }
      if (!entry.ok) {
        this.#refuse(request, new Refused(() => entry.reason, entry.madeOf));
      } else if (entry.size === 0) {
        this.#answer(request, entry, new Uint8Array(0));
      } else {
        request.entry = entry;
      }
    }
    for (const piece of pieces) {
      this.#applyPiece(piece);
    }
  }

  #applyPiece({ request: id, ...piece }: AnswerPiece): void {
    const request = this.#open.get(id);
    const entry = request?.entry;
    if (request === undefined || entry === null || entry === undefined) {
      return;
    }
    try {
      const data = this.#assembler.add(request, piece);
      if (data !== null) {
        this.#answer(request, entry, data);
      }
    } catch {
      this.#refuse(request, new Refused(() => wireTexts().tooLarge));
    }
  }

  #answer(request: Request, { value }: AnswerEntry, data: Uint8Array): void {
    this.#close(request);
    this.#sendNext();
    request.resolve({ value, data });
  }

  #refuse(request: Request, refused: Refused): void {
    this.#close(request);
    this.#sendNext();
    request.reject(refused);
  }

  #close(request: Request): void {
    this.#open.delete(request.id);
    this.#assembler.drop(request);
    request.unlisten();
  }

  #cancel(request: Request): void {
    this.#close(request);
    if (request.sentAt !== null) {
      this.#cancelled.push(request.id);
    }
    // Requests that leave the screen together are cancelled together, before others take their place.
    if (!this.#flushing) {
      this.#flushing = true;
      queueMicrotask(() => this.#flush());
    }
  }

  #flush(): void {
    const ids = this.#cancelled;
    this.#cancelled = [];
    this.#flushing = false;
    if (ids.length > 0) {
      this.#send({ type: "cancel", ids });
    }
    this.#sendNext();
  }

  #sendNext(): void {
    let sent = 0;
    for (const request of this.#open.values()) {
      if (sent >= MAX_PENDING_REQUESTS) {
        return;
      }
      sent += 1;
      if (request.sentAt === null) {
        this.#sendNow(request);
      }
    }
  }

  #sendNow(request: Request): void {
    request.sentAt = Date.now();
    request.entry = null;
    const { id, name, args } = request;
    this.#send({ type: "request", id, name, args });
  }
}
