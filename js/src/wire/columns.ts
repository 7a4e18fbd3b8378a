// Reads the columns of a message, and checks its other fields. Described in docs/wire.md.

import type { Counts, StepColumn } from "./steps";

/** Version of the messages. Keep in step with PROTOCOL in tbwidget/wire/message.py. */
export const PROTOCOL = 5;

/** Bytes at whose multiples columns begin. Keep in step with ALIGNMENT in tbwidget/wire/columns.py. */
export const ALIGNMENT = 8;

/** Rows that all ranges of a message may have: unlike other columns they are larger than what they travel in. */
const MAX_RANGE_ROWS = 2 ** 25;

export class ProtocolError extends Error {
  override readonly name: string = "ProtocolError";
}

export type Row = Record<string, unknown>;

/** The columns of one message; a column shared by several series is decoded once. */
export class ColumnReader {
  readonly #table: readonly unknown[];
  readonly #bytes: DataView;
  readonly #read = new Map<number, StepColumn>();
  /** Rows of all ranges so far. */
  #ranges = 0;

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
      return new Uint8Array(this.#slice(count(length), count(offset)));
    }
    if (type === "u2") {
      return new Uint16Array(this.#slice(2 * count(length), count(offset)));
    }
    return type === "f4" ? new Float32Array(this.#slice(4 * count(length), count(offset))) : this.floats(index);
  }

  /** The bytes of a column of bytes, within the message's own buffer: a caller that stores them copies them. */
  bytes(index: number): Uint8Array {
    const [type, length, offset] = list(this.#table[index]);
    if (type !== "u1") {
      throw new ProtocolError("a column of bytes is missing");
    }
    return this.#view(count(length), count(offset));
  }

  #column([type, rows, third, fourth]: readonly unknown[]): StepColumn {
    const length = count(rows);
    if (type === "range") {
      const start = number(third);
      const stride = number(fourth);
      this.#ranges += length;
      if (this.#ranges > MAX_RANGE_ROWS) {
        throw new ProtocolError("ranges of too many rows");
      }
      return Float64Array.from({ length }, (_, i) => start + stride * i);
    }
    if (type === "u1" || type === "u2") {
      const bytes = this.#slice(type === "u1" ? length : 2 * length, count(third));
      return Float64Array.from(type === "u1" ? new Uint8Array(bytes) : new Uint16Array(bytes));
    }
    const size = type === "f4" ? 4 : 8;
    const bytes = this.#slice(length * size, count(third));
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

  /** A copy: the view handed over may start anywhere in a shared buffer. */
  #slice(length: number, offset: number): ArrayBuffer {
    return this.#view(length, offset).slice().buffer;
  }

  #view(length: number, offset: number): Uint8Array<ArrayBuffer> {
    if (length < 0 || offset < 0 || offset + length > this.#bytes.byteLength) {
      throw new ProtocolError("a column beyond the buffer");
    }
    return new Uint8Array(this.#bytes.buffer as ArrayBuffer, this.#bytes.byteOffset + offset, length);
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

/** An integer that is not negative. */
export function count(value: unknown): number {
  const number = integer(value);
  if (number < 0) {
    throw new ProtocolError("a count is negative");
  }
  return number;
}

/** An integer above zero. */
export function positive(value: unknown): number {
  const number = integer(value);
  if (number < 1) {
    throw new ProtocolError("a number above zero is missing");
  }
  return number;
}

export function nameAt(names: readonly unknown[], index: number): string {
  const name = names[index];
  if (typeof name !== "string") {
    throw new ProtocolError("a name is missing");
  }
  return name;
}
