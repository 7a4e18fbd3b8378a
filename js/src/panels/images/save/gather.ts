// The files to be saved: images as they were written, some of which only the kernel has.

import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import type { Requests } from "../../../wire/requests";
import { type AnswerPart, partsOf } from "../fetcher";
import type { ImagePlace } from "../kind/codec";
import { type Picture, unpack } from "../kind/picture";

/** Images in one request. */
const MOST_REQUESTED = 64;

/** Bytes that are gathered at most: they are in memory until they are saved. */
export const MOST_SAVED = 512e6;

/** Whether what the browser has of an image is what was written, byte for byte. */
export function isAsWritten({ scaled, size, data, note }: Picture): boolean {
  return scaled === null && note === null && size === data.length;
}

/** An image, and what the browser has of it. */
export interface Candidate {
  readonly place: ImagePlace;
  readonly picture: Picture | null;
}

export interface File {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly written: boolean;
  /** As Pillow names it; null where that is not known, or the file is another than what was written. */
  readonly format: string | null;
  /** MIME type. */
  readonly type: string;
}

/** Gathers files; requests those of which the browser has not every byte. */
export class Gathering {
  readonly #candidates: readonly Candidate[];
  readonly #requests: Pick<Requests, "ask">;
  readonly #written = new Map<Candidate, File>();
  readonly #left = signal(0);
  readonly #end = new AbortController();
  #bytes = 0;
  #toRequest: readonly Candidate[];

  constructor(candidates: readonly Candidate[], requests: Pick<Requests, "ask">) {
    this.#candidates = candidates;
    this.#requests = requests;
    for (const candidate of candidates) {
      const { picture } = candidate;
      if (picture !== null && isAsWritten(picture)) {
        const { data: bytes, format, type } = picture;
        this.#add(candidate, { bytes, written: true, format, type });
      }
    }
    this.#toRequest = candidates.filter((candidate) => !this.#written.has(candidate));
    this.#left.value = this.#toRequest.length;
    this.#requestNext();
  }

  /** Images that the kernel has yet to answer for. */
  get left(): ReadonlySignal<number> {
    return this.#left;
  }

  /** Sends no more requests. */
  end(): void {
    this.#end.abort();
  }

  /** A file of each image, as good as there is one by now; null where there is none. */
  files(): (File | null)[] {
    return this.#candidates.map((candidate) => {
      const written = this.#written.get(candidate);
      if (written !== undefined) {
        return written;
      }
      const { picture } = candidate;
      return picture === null ? null : { bytes: picture.data, written: false, format: null, type: picture.type };
    });
  }

  #add(candidate: Candidate, file: File): void {
    this.#bytes += file.bytes.length;
    if (this.#bytes <= MOST_SAVED) {
      this.#written.set(candidate, file);
    }
  }

  #addBlob(candidate: Candidate, blob: Uint8Array): void {
    try {
      const { header, data: bytes } = unpack(blob);
      const format = typeof header.format === "string" ? header.format : null;
      this.#add(candidate, { bytes, written: true, format, type: String(header.type) });
    } catch {
      // A malformed answer counts as none.
    }
  }

  /** One request after the other, so that the images left are in the memory of the kernel alone. */
  #requestNext(): void {
    const batch = this.#toRequest.slice(0, MOST_REQUESTED);
    if (batch.length === 0 || this.#bytes > MOST_SAVED) {
      this.#left.value = 0;
      return;
    }
    const list = batch.map(({ place: { run, tag, row } }) => {
      const wall = Number.isFinite(row.wall) ? row.wall : 0;
      return [run, tag, row.step.toString(), row.sample, wall];
    });
    const args = { images: list, pixels: null, written: true };
    const pending = this.#requests.ask("images.pictures", args, this.#end.signal);
    const stop = effect(() => {
      if (pending.state.value !== "waits") {
        queueMicrotask(() => stop());
        const { value } = pending.answer;
        untracked(() => this.#answered(batch, value === null ? [] : partsOf(value)));
      }
    });
    this.#end.signal.addEventListener("abort", () => stop(), { once: true });
  }

  #answered(batch: readonly Candidate[], parts: readonly AnswerPart[]): void {
    const again = new Set<Candidate>();
    for (const [i, candidate] of batch.entries()) {
      const part = parts[i];
      if (part !== undefined && "blob" in part) {
        this.#addBlob(candidate, part.blob);
      } else if (part !== undefined && "later" in part && i > 0) {
        again.add(candidate);
      }
    }
    this.#toRequest = this.#toRequest.filter((candidate, i) => i >= batch.length || again.has(candidate));
    this.#left.value = this.#toRequest.length;
    this.#requestNext();
  }
}
