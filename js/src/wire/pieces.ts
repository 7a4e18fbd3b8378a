// Blobs travel in pieces, since they may be larger than a message; here they are put together again.

import type { CacheBudget } from "./cache";

/** Bytes that one blob, and all unfinished ones together, may have at most. */
export const MAX_BLOB_BYTES = 256 * 2 ** 20;

/** Bytes `from` … of a blob of `size` bytes. */
export interface Piece {
  readonly from: number;
  readonly size: number;
  readonly bytes: Uint8Array;
}

/** The item or document that a blob belongs to. */
export interface BlobOwner {
  /** The pieces that came are dropped: the rest would not fit. */
  piecesLost(): void;
}

/** The beginning of a blob. Its memory grows with the bytes received, not with the size announced. */
class PartialBlob {
  readonly size: number;
  received = 0;
  #bytes = new Uint8Array(0);

  constructor(size: number) {
    this.size = size;
  }

  get allocated(): number {
    return this.#bytes.length;
  }

  append(bytes: Uint8Array): void {
    const needed = this.received + bytes.length;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(this.size, Math.max(needed, 2 * this.#bytes.length)));
      larger.set(this.#bytes.subarray(0, this.received));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.received);
    this.received = needed;
  }

  /** All bytes of a complete blob. */
  whole(): Uint8Array {
    return this.#bytes;
  }
}

export class Assembler {
  readonly #budget: CacheBudget;
  /** Unfinished blobs, the one that got a piece last at the end. */
  readonly #unfinished = new Map<BlobOwner, PartialBlob>();
  #allocated = 0;

  constructor(budget: CacheBudget) {
    this.#budget = budget;
  }

  /** Whether a blob for `owner` has begun to come. */
  has(owner: BlobOwner): boolean {
    return this.#unfinished.has(owner);
  }

  /** Bytes of the owner's blob that have come. */
  received(owner: BlobOwner): number {
    return this.#unfinished.get(owner)?.received ?? 0;
  }

  /** Adds a piece; returns the blob when it is whole, else null. Throws RangeError for a blob beyond MAX_BLOB_BYTES. */
  add(owner: BlobOwner, { from, size, bytes }: Piece): Uint8Array | null {
    if (size > MAX_BLOB_BYTES) {
      this.drop(owner);
      throw new RangeError(`${size} bytes`);
    }
    const blob = from === 0 ? new PartialBlob(size) : this.#unfinished.get(owner);
    this.#drop(owner);
    if (blob?.received !== from || blob.size !== size || from + bytes.length > size) {
      owner.piecesLost();
      return null;
    }
    blob.append(bytes);
    if (blob.received === size) {
      return blob.whole();
    }
    this.#unfinished.set(owner, blob);
    this.#account(blob.allocated);
    for (const other of this.#unfinished.keys()) {
      if (this.#allocated <= MAX_BLOB_BYTES || other === owner) {
        break;
      }
      this.drop(other);
    }
    return null;
  }

  /** Forgets unfinished blobs: after a lost message they cannot be completed. */
  clear(): void {
    for (const owner of [...this.#unfinished.keys()]) {
      this.drop(owner);
    }
  }

  drop(owner: BlobOwner): void {
    if (this.#unfinished.has(owner)) {
      this.#drop(owner);
      owner.piecesLost();
    }
  }

  #drop(owner: BlobOwner): void {
    this.#account(-(this.#unfinished.get(owner)?.allocated ?? 0));
    this.#unfinished.delete(owner);
  }

  #account(bytes: number): void {
    this.#allocated += bytes;
    this.#budget.add(bytes);
  }
}
