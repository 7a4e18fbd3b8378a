// The columns of a message, and what else of it must be what it says. Described in tbwidget/panels/WIRE.md.

import type { Counts } from "./bins";
import type { StepColumn } from "./series";

/** Bytes at whose multiples columns begin. Keep in step with ALIGNMENT in tbwidget/panels/columns.py. */
export const ALIGNMENT = 8;

export class ProtocolError extends Error {}

export type Row = Record<string, unknown>;

/** The columns of one message; a column shared by several series is decoded once. */
export class ColumnReader {
  readonly #table: readonly unknown[];
  readonly #bytes: DataView;
  readonly #read = new Map<number, StepColumn>();

  constructor(table: readonly unknown[], bytes: DataView | undefined) {
    this.#table = table;
    this.#bytes = bytes ?? new DataView(new ArrayBuffer(0));
  }

  steps(index: number): StepColumn {
    let column = this.#read.get(index);
    if (column === undefined) {
      column = this.#column(list(this.#table[index]));
      this.#read.set(index, column);
    }
    return column;
  }

  floats(index: number): Float64Array {
    const column = this.steps(index);
    if (column instanceof Float64Array) {
      return column;
    }
    throw new ProtocolError("integers where numbers belong");
  }

  /** Numbers in the type that they came in. */
  counts(index: number): Counts {
    const [type, length, offset] = list(this.#table[index]);
    if (type === "u1") {
      return new Uint8Array(this.#slice(integer(length), integer(offset)));
    }
    if (type === "u2") {
      return new Uint16Array(this.#slice(2 * integer(length), integer(offset)));
    }
    return type === "f4" ? new Float32Array(this.#slice(4 * integer(length), integer(offset))) : this.floats(index);
  }

  #column([type, count, third, fourth]: readonly unknown[]): StepColumn {
    const length = integer(count);
    if (type === "range") {
      const start = number(third);
      const stride = number(fourth);
      return Float64Array.from({ length }, (_, i) => start + stride * i);
    }
    const size = type === "f4" ? 4 : 8;
    const bytes = this.#slice(length * size, integer(third));
    if (type === "f4") {
      return Float64Array.from(new Float32Array(bytes));
    }
    if (type === "f8") {
      return new Float64Array(bytes);
    }
    if (type === "i8") {
      return new BigInt64Array(bytes);
    }
    throw new ProtocolError(`a column of type ${String(type)}`);
  }

  /** A copy: the view handed over may start anywhere in a buffer that belongs to others. */
  #slice(length: number, offset: number): ArrayBuffer {
    if (offset + length > this.#bytes.byteLength) {
      throw new ProtocolError("a column beyond the buffer");
    }
    const copy = new Uint8Array(length);
    copy.set(new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + offset, length));
    return copy.buffer;
  }
}

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function row(value: unknown): Row {
  if (!isRow(value)) {
    throw new ProtocolError("an object is missing");
  }
  return value;
}

export function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw new ProtocolError("a list is missing");
  }
  return value;
}

export function integer(value: unknown): number {
  if (typeof value !== "number" || !Number.isInteger(value)) {
    throw new ProtocolError("an integer is missing");
  }
  return value;
}

export function number(value: unknown): number {
  if (typeof value !== "number") {
    throw new ProtocolError("a number is missing");
  }
  return value;
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

export function at(names: readonly string[], index: number): string {
  const name = names[index];
  if (name === undefined) {
    throw new ProtocolError("a name is missing");
  }
  return name;
}
