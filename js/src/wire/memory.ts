// Which tags may stay in full when there is too much to hold.

import type { Series } from "./series";

/** Bytes of series that are held at most. */
export const MOST_BYTES = 200e6;

/** Share of that to get down to, once it is exceeded. */
const ROOM = 0.9;

/** Bytes of a series; an array that it uses twice counts once, one that it shares with other series every time. */
export function bytesOf({ step, first, wall, value, min, max, count }: Series): number {
  let bytes = 0;
  for (const column of new Set<{ readonly byteLength: number }>([step, first, wall, value, min, max])) {
    bytes += column.byteLength;
  }
  // Series of points share their counts.
  return bytes + (min === value ? 0 : count.byteLength);
}

/** Remembers what was looked at, and how much is held. */
export class Memory {
  readonly #most: number;
  readonly #seen = new Map<string, number>();
  #clock = 0;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** These tags are on the screen, in this order. */
  see(tags: readonly string[]): void {
    // The first is the last to go.
    for (const tag of [...tags].reverse()) {
      this.#clock += 1;
      this.#seen.set(tag, this.#clock);
    }
  }

  /** What is held in place of `before` is `after`. */
  replaced(before: Series | undefined, after: Series | undefined): void {
    this.#bytes += (after === undefined ? 0 : bytesOf(after)) - (before === undefined ? 0 : bytesOf(before));
  }

  /**
   * Makes room if too much is held: `shrink` is called tag by tag, those never seen first, the last of `tags` before
   * the first, then those least recently seen; until enough is free.
   */
  makeRoom(tags: readonly string[], shrink: (tag: string) => void): void {
    if (this.#bytes <= this.#most) {
      return;
    }
    const order = [...tags].reverse().sort((a, b) => (this.#seen.get(a) ?? 0) - (this.#seen.get(b) ?? 0));
    for (const tag of order) {
      if (this.#bytes <= this.#most * ROOM) {
        return;
      }
      shrink(tag);
    }
  }
}
