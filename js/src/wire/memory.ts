// Which tags may stay in full when there is too much to hold.

import type { Rows } from "./series";

/** Bytes of series that are held at most. */
export const MOST_BYTES = 200e6;

/** Share of that to get down to, once it is exceeded. */
const ROOM = 0.9;

/** Bytes of rows; an array that they use twice counts once, one that they share with other rows every time. */
export function bytesOf({ step, first, wall, value, min, max, count }: Rows): number {
  let bytes = 0;
  for (const column of new Set<{ readonly byteLength: number }>([step, first, wall, value, min, max])) {
    // Exact steps are kept as numbers too, to draw with.
    bytes += column instanceof BigInt64Array ? 2 * column.byteLength : column.byteLength;
  }
  // Series of points share their counts.
  return bytes + (min === value ? 0 : count.byteLength);
}

/** Remembers what was looked at, and how much is held. */
export class Memory {
  readonly #most: number;
  readonly #seen = new Map<string, number>();
  readonly #beside = new Map<object, number>();
  #clock = 0;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get bytes(): number {
    let bytes = this.#bytes;
    for (const more of this.#beside.values()) {
      bytes += more;
    }
    return bytes;
  }

  /** What a view has computed to draw with counts as well; 0 when it has let it go. */
  beside(owner: object, bytes: number): void {
    if (bytes > 0) {
      this.#beside.set(owner, bytes);
    } else {
      this.#beside.delete(owner);
    }
  }

  /** These tags are on the screen, in this order. */
  see(tags: readonly string[]): void {
    // The first is the last to go.
    for (const tag of [...tags].reverse()) {
      this.#clock += 1;
      this.#seen.set(tag, this.#clock);
    }
  }

  /** The tags, those seen last first, then those never seen. */
  seenFirst(tags: readonly string[]): string[] {
    return [...tags].sort((a, b) => (this.#seen.get(b) ?? 0) - (this.#seen.get(a) ?? 0));
  }

  /** So many bytes more are held; or less, if it is negative. */
  changed(bytes: number): void {
    this.#bytes += bytes;
  }

  /**
   * Makes room if too much is held: `shrink` is called tag by tag, those never seen first, the last of `tags` before
   * the first, then those least recently seen; until enough is free.
   */
  makeRoom(tags: readonly string[], shrink: (tag: string) => void): void {
    if (this.bytes <= this.#most) {
      return;
    }
    const order = [...tags].reverse().sort((a, b) => (this.#seen.get(a) ?? 0) - (this.#seen.get(b) ?? 0));
    for (const tag of order) {
      if (this.bytes <= this.#most * ROOM) {
        return;
      }
      shrink(tag);
    }
  }
}
