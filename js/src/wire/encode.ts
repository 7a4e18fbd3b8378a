// A message as the kernel would send it, made here of what is held: for a page that is saved and opened without a kernel.

import { ALIGNMENT, PROTOCOL, type Status } from "./protocol";
import type { Series, StepColumn } from "./series";

/** One message as text: its header, and its buffer in base64. */
export interface SavedMessage {
  readonly header: unknown;
  readonly buffer: string;
}

export interface Named {
  readonly run: string;
  readonly tag: string;
  readonly series: Series;
}

/** A keyframe that says each of these series from its first row on. */
export function encode(named: readonly Named[], status: Status): SavedMessage {
  const columns = new ColumnWriter();
  const runs = new Map<string, number>();
  const tags = new Map<string, number>();
  const series = named.map(({ run, tag, series: held }) => ({
    run: indexIn(runs, run),
    tag: indexIn(tags, tag),
    ...entryOf(held, columns),
  }));
  const { ready, read, path, exists, newest, leftOut, problems, problemList, kinds } = status;
  const list = problemList?.map(({ path: file, offset, message }) => [file, offset, message]);
  const told = { ready, read, path, exists, newest, age: null, left_out: leftOut, problems, kinds };
  const header = {
    type: "data",
    protocol: PROTOCOL,
    seq: 1,
    keyframe: 1,
    begins: true,
    ends: true,
    status: list === undefined ? told : { ...told, problem_list: list },
    runs: [...runs.keys()],
    tags: [...tags.keys()],
    columns: columns.table,
    series,
    details: [],
  };
  return { header, buffer: columns.base64() };
}

function entryOf(held: Series, columns: ColumnWriter): Record<string, unknown> {
  const { revision, width, total, superseded, startWall, step, first, wall, value, min, max, count } = held;
  const start = Number.isNaN(startWall) ? null : startWall;
  const entry = {
    keep: 0,
    revision,
    width,
    total,
    superseded,
    start,
    step: columns.add(step),
    // Times are shown by the second: of these, float32 leaves no more than that uncertain.
    wall: start === null ? columns.add(wall) : columns.addNarrow(wall.map((time) => time - start)),
    value: columns.add(value),
  };
  if (width === 1) {
    return entry;
  }
  const gaps = Float64Array.from(count, (finite, i) => Math.min(width, total - i * width) - finite);
  return {
    ...entry,
    first: columns.add(first),
    min: columns.add(min),
    max: columns.add(max),
    gaps: columns.add(gaps),
  };
}

function indexIn(table: Map<string, number>, name: string): number {
  const index = table.get(name) ?? table.size;
  table.set(name, index);
  return index;
}

class ColumnWriter {
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

  base64(): string {
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += Math.ceil(chunk.length / ALIGNMENT) * ALIGNMENT;
    }
    const parts: string[] = [];
    for (let i = 0; i < bytes.length; i += 0x8000) {
      parts.push(String.fromCharCode(...bytes.subarray(i, i + 0x8000)));
    }
    return btoa(parts.join(""));
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
