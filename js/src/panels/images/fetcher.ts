// Requests pictures from the kernel: once what is on the screen has come to rest, all of them together.

import { effect, untracked } from "@preact/signals";
import { strings } from "../../lib/strings";
import { isRow, list, ProtocolError } from "../../wire/columns";
import type { Answer, Requests } from "../../wire/requests";
import type { ImagePlace } from "./kind/codec";
import { THUMBNAIL } from "./kind/picture";

/** Milliseconds without another call of `ask` after which a request is sent; a call that comes later is not part of a drag. */
const REST = 70;

/** Milliseconds after the first call of several, or the only one. */
const AT_ONCE = 10;

/** Milliseconds after which a picture is requested that the kernel should send by itself. */
const PATIENCE = 500;

/** Pictures in one request. */
const MOST_REQUESTED = 64;

/** Where the answers go. */
export interface Sinks {
  /** A picture of the size that the kernel would have sent by itself. */
  thumbnail(place: ImagePlace, blob: Uint8Array): void;
  sharp(place: ImagePlace, blob: Uint8Array): void;
  /** `pixels`: those requested; null where there is no picture at all. */
  refused(place: ImagePlace, pixels: number | null, reason: string): void;
}

interface QueuedPicture {
  readonly key: string;
  readonly place: ImagePlace;
  readonly pixels: number;
  /** When it may be requested, in milliseconds since the page began. */
  readonly due: number;
  /** The request it is part of. */
  batch: Batch | null;
}

/** The pictures of one request, in its order; by key, the calls of `ask` that are not cancelled. */
interface Batch {
  readonly pictures: ReadonlyMap<string, { readonly place: ImagePlace; readonly queued: Set<QueuedPicture> }>;
  readonly pixels: number;
  readonly end: AbortController;
}

export class Fetcher {
  readonly #requests: Pick<Requests, "ask">;
  readonly #sinks: Sinks;
  readonly #waiting = new Set<QueuedPicture>();
  /** By key: what has been requested and not been answered. */
  readonly #open = new Map<string, Batch>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When a picture was last asked for that the kernel does not push, in milliseconds since the page began. */
  #queuedAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds that such a call waits now. */
  #pause = AT_ONCE;

  constructor(requests: Pick<Requests, "ask">, sinks: Sinks) {
    this.#requests = requests;
    this.#sinks = sinks;
  }

  /** Requests a picture whose longer side has at most so many pixels (Infinity: all); the function that is returned cancels. */
  ask(place: ImagePlace, pixels: number, pushed = false): () => void {
    const key = JSON.stringify([place.tag, place.run, place.row.id, String(pixels)]);
    const batch = this.#open.get(key) ?? null;
    const now = performance.now();
    if (!pushed) {
      this.#pause = now - this.#queuedAt > REST ? AT_ONCE : this.#pause;
      this.#queuedAt = now;
    }
    const pause = pushed ? PATIENCE : this.#pause;
    const one: QueuedPicture = { key, place, pixels, due: now + pause, batch };
    if (batch === null) {
      this.#waiting.add(one);
      this.#arm(this.#pause);
    } else {
      batch.pictures.get(key)?.queued.add(one);
    }
    return () => {
      this.#waiting.delete(one);
      if (one.batch?.pictures.get(key)?.queued.delete(one)) {
        this.#endIfUnwanted(one.batch);
      }
    };
  }

  /** Aborts a request whose calls are all cancelled; a moment later, since the next step may need part of the answer. */
  #endIfUnwanted(batch: Batch): void {
    const isWanted = () => [...batch.pictures.values()].some(({ queued }) => queued.size > 0);
    if (!isWanted()) {
      setTimeout(() => {
        if (!isWanted()) {
          this.#close(batch);
          batch.end.abort();
        }
      });
    }
  }

  #close(batch: Batch): void {
    for (const key of batch.pictures.keys()) {
      if (this.#open.get(key) === batch) {
        this.#open.delete(key);
      }
    }
  }

  #arm(pause: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), pause);
  }

  #send(): void {
    const now = performance.now();
    this.#pause = REST;
    const due = [...this.#waiting].filter((one) => one.due <= now + 1);
    for (const pixels of new Set(due.map((one) => one.pixels))) {
      const alike = due.filter((one) => one.pixels === pixels);
      for (let i = 0; i < alike.length; i += MOST_REQUESTED) {
        this.#sendBatch(alike.slice(i, i + MOST_REQUESTED), pixels);
      }
    }
    if (this.#waiting.size > 0) {
      this.#arm(Math.max(1, Math.min(...[...this.#waiting].map((one) => one.due)) - now));
    }
  }

  #sendBatch(queued: readonly QueuedPicture[], pixels: number): void {
    const pictures = new Map<string, { place: ImagePlace; queued: Set<QueuedPicture> }>();
    const batch: Batch = { pictures, pixels, end: new AbortController() };
    for (const one of queued) {
      const { key, place } = one;
      this.#waiting.delete(one);
      one.batch = batch;
      pictures.set(key, { place, queued: (pictures.get(key)?.queued ?? new Set()).add(one) });
      this.#open.set(key, batch);
    }
    const images = [...pictures.values()].map(({ place: { run, tag, row } }) => {
      return [run, tag, row.step.toString(), row.sample, Number.isFinite(row.wall) ? row.wall : 0];
    });
    const args = { images, pixels: Number.isFinite(pixels) ? pixels : null, written: false };
    const pending = this.#requests.ask("images.pictures", args, batch.end.signal);
    const stop = effect(() => {
      if (pending.state.value !== "waits") {
        // The effect is still being made when the answer is there at once.
        queueMicrotask(() => stop());
        untracked(() =>
          this.#apply(batch, pending.answer.value, pending.reason.value ?? strings.images.damagedPicture),
        );
      }
    });
    batch.end.signal.addEventListener("abort", () => stop(), { once: true });
  }

  #apply(batch: Batch, answer: Answer | null, reason: string): void {
    this.#close(batch);
    const parts = answer === null ? [] : partsOf(answer);
    for (const [i, { place, queued }] of [...batch.pictures.values()].entries()) {
      this.#deliver(parts[i] ?? { reason }, place, batch.pixels, queued);
    }
  }

  #deliver(part: AnswerPart, place: ImagePlace, pixels: number, queued: ReadonlySet<QueuedPicture>): void {
    if ("blob" in part) {
      if (pixels === THUMBNAIL) {
        this.#sinks.thumbnail(place, part.blob);
      } else {
        this.#sinks.sharp(place, part.blob);
      }
    } else if (queued.size > 0 && "reason" in part) {
      this.#sinks.refused(place, pixels === THUMBNAIL ? null : pixels, part.reason);
    } else {
      for (const one of queued) {
        one.batch = null;
        this.#waiting.add(one);
        this.#arm(0);
      }
    }
  }
}

export type AnswerPart = { readonly blob: Uint8Array } | { readonly reason: string } | { readonly later: true };

/** The parts of an answer, one for each picture requested, up to the first malformed one. */
export function partsOf({ value, data }: Answer): AnswerPart[] {
  const parts: AnswerPart[] = [];
  let from = 0;
  try {
    for (const entry of list(value)) {
      const { size, reason, later } = isRow(entry) ? entry : {};
      if (later === true) {
        parts.push({ later });
      } else if (typeof size === "number" && Number.isInteger(size) && size >= 0 && from + size <= data.length) {
        // A copy: else each of them would keep the whole answer.
        parts.push({ blob: data.slice(from, from + size) });
        from += size;
      } else if (typeof reason === "string") {
        parts.push({ reason });
      } else {
        throw new ProtocolError("an answer without a part for each picture");
      }
    }
  } catch {
    // The parts before are valid.
  }
  return parts;
}
