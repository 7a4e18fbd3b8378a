// The byte budget of a page: how much is held, and which values are dropped first beyond it.

/** Bytes that a page holds at most: series, items, documents, and what views compute of them. */
export const MAX_BYTES = 200e6;

/** Share of that to get down to, once it is exceeded. */
const TARGET = 0.9;

/** A value that can be dropped as a whole: a blob, a document. */
export interface Evictable {
  readonly bytes: number;
  /** When it was looked at last, by the budget's own count; 0: never. */
  readonly seenAt: number;
  /** Something on the screen depends on it now. */
  readonly watched: boolean;
  /** Drops the value, and takes its bytes off the budget. */
  evict(): void;
}

/** Tags whose last time on the screen is remembered; others count as never seen. */
const MAX_SEEN_TAGS = 10_000;

export class CacheBudget {
  readonly #most: number;
  readonly #tagSeenAt = new Map<string, number>();
  readonly #accounts = new Map<object, number>();
  /** How often each buffer is held. */
  readonly #buffers = new Map<ArrayBufferLike, number>();
  readonly #evictable = new Set<Evictable>();
  #clock = 0;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get bytes(): number {
    let bytes = this.#bytes;
    for (const more of this.#accounts.values()) {
      bytes += more;
    }
    return bytes;
  }

  /** Adds to the bytes held; a negative number subtracts. */
  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Holds buffers once more. The bytes of a buffer count once, however often it is held, unused capacity included. */
  holdBuffers(buffers: readonly ArrayBufferLike[]): void {
    for (const buffer of buffers) {
      const times = this.#buffers.get(buffer) ?? 0;
      this.#buffers.set(buffer, times + 1);
      this.#bytes += times === 0 ? buffer.byteLength : 0;
    }
  }

  /** Holds buffers once less. */
  releaseBuffers(buffers: readonly ArrayBufferLike[]): void {
    for (const buffer of buffers) {
      const times = this.#buffers.get(buffer) ?? 0;
      if (times > 1) {
        this.#buffers.set(buffer, times - 1);
      } else if (this.#buffers.delete(buffer)) {
        this.#bytes -= buffer.byteLength;
      }
    }
  }

  /** Whether `bytes` more fit without exceeding the target. */
  hasRoom(bytes: number): boolean {
    return this.bytes + bytes <= this.#most * TARGET;
  }

  /** Sets the bytes that `owner` holds besides the content; 0 once it has dropped them. */
  account(owner: object, bytes: number): void {
    if (bytes > 0) {
      this.#accounts.set(owner, bytes);
    } else {
      this.#accounts.delete(owner);
    }
  }

  /** A time for `seenAt`: later than all before. */
  now(): number {
    this.#clock += 1;
    return this.#clock;
  }

  /** These tags were looked at, in the order of the screen. */
  see(tags: readonly string[]): void {
    // The first is the last to go.
    for (const tag of [...tags].reverse()) {
      this.#tagSeenAt.delete(tag);
      this.#tagSeenAt.set(tag, this.now());
    }
    for (const tag of this.#tagSeenAt.keys()) {
      if (this.#tagSeenAt.size <= MAX_SEEN_TAGS) {
        return;
      }
      this.#tagSeenAt.delete(tag);
    }
  }

  /** The tags, those seen last first, then those never seen. */
  seenFirst(tags: readonly string[]): string[] {
    return [...tags].sort((a, b) => this.#seenAt(b) - this.#seenAt(a));
  }

  /** The value is held from now on, and may be dropped to make room. */
  hold(value: Evictable): void {
    this.#evictable.add(value);
    this.#bytes += value.bytes;
  }

  /** The value is not held any more. */
  release(value: Evictable): void {
    if (this.#evictable.delete(value)) {
      this.#bytes -= value.bytes;
    }
  }

  /**
   * Makes room if too much is held: of the values that nothing on the screen depends on, those seen least recently go
   * first; then each of `shrink` is called tag by tag, tags never seen first, the last of `tags` before the first, then
   * those seen least recently; then values go that are on the screen. It ends as soon as enough is free.
   */
  makeRoom(tags: readonly string[], ...shrink: readonly ((tag: string) => void)[]): void {
    if (this.bytes <= this.#most) {
      return;
    }
    const enough = () => this.hasRoom(0);
    const evict = (watched: boolean) => {
      const values = [...this.#evictable].filter((value) => value.watched === watched);
      for (const value of values.sort((a, b) => a.seenAt - b.seenAt)) {
        if (enough()) {
          return;
        }
        value.evict();
      }
    };
    evict(false);
    const order = [...tags].reverse().sort((a, b) => this.#seenAt(a) - this.#seenAt(b));
    for (const shrinkTag of shrink) {
      for (const tag of order) {
        if (enough()) {
          return;
        }
        shrinkTag(tag);
      }
    }
    evict(true);
  }

  #seenAt(tag: string): number {
    return this.#tagSeenAt.get(tag) ?? 0;
  }
}
