// Texts that were not pushed: they are requested, those on the screen together in one request.

import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import { strings } from "../../lib/strings";
import type { ItemCollection } from "../../wire/items";
import type { Requests } from "../../wire/requests";
import type { TextRow } from "./kind/codec";

/** Milliseconds before texts are requested: those of new rows come by themselves, mostly in the next message. */
const PAUSE = 250;

/** Texts of one request. Keep it below MOST_TEXTS in tbwidget/panels/text.py. */
const MOST_REQUESTED = 64;

/** A text of one tag. */
export interface WantedText {
  readonly run: string;
  /** Of the index that the row is in. */
  readonly revision: number;
  readonly row: TextRow;
}

interface AnswerEntry {
  readonly size?: unknown;
  readonly reason?: unknown;
}

/** The texts of one tag that are looked at and not here. */
export class MissingTexts {
  readonly #tag: string;
  readonly #texts: ItemCollection<TextRow>;
  readonly #requests: Requests;
  readonly #end = new AbortController();
  readonly #wanted = new Set<WantedText>();
  readonly #requested = new Set<WantedText>();
  readonly #waits = signal(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(tag: string, texts: ItemCollection<TextRow>, requests: Requests) {
    this.#tag = tag;
    this.#texts = texts;
    this.#requests = requests;
  }

  /** A request has not been answered yet. */
  get waits(): ReadonlySignal<boolean> {
    return this.#waits;
  }

  /** Asks for a text; returns what takes that back. */
  want(text: WantedText): () => void {
    this.#wanted.add(text);
    this.#timer ??= setTimeout(() => this.#ask(), PAUSE);
    return () => {
      this.#wanted.delete(text);
    };
  }

  /** Asks for all of a long text; aborted with `until`. */
  askWhole({ run, revision, row }: WantedText, until: AbortSignal) {
    return this.#requests.ask("text.texts", { texts: [[run, this.#tag, revision, row.place]], whole: true }, until);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#end.abort();
  }

  #ask(): void {
    this.#timer = undefined;
    const texts = [...this.#wanted].filter((text) => !this.#requested.has(text)).slice(0, MOST_REQUESTED);
    if (texts.length === 0) {
      return;
    }
    for (const text of texts) {
      this.#wanted.delete(text);
      this.#requested.add(text);
    }
    const named = texts.map(({ run, revision, row }) => [run, this.#tag, revision, row.place]);
    const pending = this.#requests.ask("text.texts", { texts: named, whole: false }, this.#end.signal);
    this.#waits.value = true;
    const stop = effect(() => {
      if (pending.state.value === "waits") {
        return;
      }
      const answer = pending.answer.peek();
      for (const text of texts) {
        this.#requested.delete(text);
      }
      this.#waits.value = this.#requested.size > 0;
      untracked(() => this.#take(texts, answer?.value, answer?.data ?? new Uint8Array(0), pending.reason.peek()));
      queueMicrotask(() => stop());
    });
    if (this.#wanted.size > 0) {
      this.#timer = setTimeout(() => this.#ask(), PAUSE);
    }
  }

  #take(texts: readonly WantedText[], value: unknown, data: Uint8Array, refused: string | null): void {
    const entries = Array.isArray(value) ? (value as readonly AnswerEntry[]) : [];
    let from = 0;
    for (const [i, text] of texts.entries()) {
      const { size, reason } = entries[i] ?? {};
      const why = typeof reason === "string" ? reason : refused;
      const { run, row } = text;
      if (typeof size === "number" && from + size <= data.length) {
        this.#texts.fillBlob(run, this.#tag, row.id, data.slice(from, from + size));
        from += size;
      } else if (why !== null) {
        const of = { kind: this.#texts.codec.kind, run, tag: this.#tag };
        this.#texts.applyPiece({ ...of, id: row.id, from: 0, size: 0, bytes: new Uint8Array(0), reason: why });
      } else {
        this.want(text);
      }
    }
  }
}

/** The answer to a request for one whole text: its bytes, or why there are none. */
export function wholeOf(value: unknown, data: Uint8Array): Uint8Array | string {
  const [{ size, reason } = {}] = Array.isArray(value) ? (value as readonly AnswerEntry[]) : [];
  return size === data.length ? data : typeof reason === "string" ? reason : strings.text.textUnreadable;
}
