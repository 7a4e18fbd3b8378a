// Writes columns as the kernel would send them, for a page that is saved.

import { ALIGNMENT } from "./columns";
import type { Counts, StepColumn } from "./steps";

export class ColumnWriter {
  readonly table: unknown[][] = [];
  readonly #rows = new Map<StepColumn, number>();
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  /** Adds a column with all its digits; returns its row. One that is shared is added once. */
  add(column: StepColumn): number {
    const known = this.#rows.get(column);
    if (known !== undefined) {
      return known;
    }
    const row = this.#write(column);
    this.#rows.set(column, row);
    return row;
  }

  addNarrow(column: Float64Array): number {
    return this.#binary("f4", column.length, Float32Array.from(column));
  }

  /** Adds numbers in the type that they have. */
  addCounts(parts: readonly Counts[]): number {
    const floats = parts.every((part) => part instanceof Float32Array);
    const name = parts.every((part) => part instanceof Uint8Array)
      ? "u1"
      : parts.every((part) => part instanceof Uint16Array || part instanceof Uint8Array)
        ? "u2"
        : floats
          ? "f4"
          : "f8";
    const all = parts.flatMap((part) => [...part]);
    const types = { u1: Uint8Array, u2: Uint16Array, f4: Float32Array, f8: Float64Array };
    return this.#binary(name, all.length, types[name].from(all));
  }

  addBytes(bytes: Uint8Array): number {
    return this.#binary("u1", bytes.length, bytes);
  }

  /** Bytes of all columns. */
  get size(): number {
    return this.#size;
  }

  base64(): string {
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += Math.ceil(chunk.length / ALIGNMENT) * ALIGNMENT;
    }
    return toBase64(bytes);
  }

  #write(column: StepColumn): number {
    if (column instanceof BigInt64Array) {
      return this.#binary("i8", column.length, column);
    }
    const [start = 0, second = start] = column;
    const stride = second - start;
    if (column.every((number, i) => number === start + stride * i)) {
      this.table.push(["range", column.length, start, stride]);
      return this.table.length - 1;
    }
    const narrow = column.every((number) => Object.is(Math.fround(number), number));
    return narrow ? this.addNarrow(column) : this.#binary("f8", column.length, column);
  }

  #binary(type: string, length: number, column: ArrayBufferView): number {
    this.table.push([type, length, this.#size]);
    this.#chunks.push(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
    this.#size += Math.ceil(column.byteLength / ALIGNMENT) * ALIGNMENT;
    return this.table.length - 1;
  }
}

export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 0x8000) {
    parts.push(String.fromCharCode(...bytes.subarray(i, i + 0x8000)));
  }
  return btoa(parts.join(""));
}
