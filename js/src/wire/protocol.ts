// The messages from the kernel, decoded. Described in tbwidget/panels/WIRE.md; twin of tbwidget/panels/feed.py.

import type { DetailPart } from "./detail";
import { pointCounts, type Rows, type SeriesPart, type StepColumn } from "./series";

/** Version of the messages. Keep in step with PROTOCOL in tbwidget/panels/draft.py. */
export const PROTOCOL = 3;

/** Seconds of silence after which the kernel sends a bare status. Keep in step with HEARTBEAT in tbwidget/panels/pace.py. */
export const HEARTBEAT = 30;

/** Bytes at whose multiples columns begin. Keep in step with ALIGNMENT in tbwidget/panels/columns.py. */
export const ALIGNMENT = 8;

export interface Problem {
  readonly path: string;
  readonly offset: string | null;
  readonly message: string;
}

/** What the kernel's side is doing. */
export interface Status {
  /** The first pass over the directory has ended. */
  readonly ready: boolean;
  /** Bytes read, bytes found. */
  readonly read: readonly [number, number];
  readonly path: string;
  readonly exists: boolean;
  /** Wall time of the newest point, seconds since the epoch. */
  readonly newest: number | null;
  /** Seconds since something new was read, as the message left; null if nothing was since the first pass. */
  readonly age: number | null;
  /** Series that are not sent. */
  readonly leftOut: number;
  readonly problems: number;
  /** Kinds that have data. */
  readonly kinds: readonly string[];
  /** The first problems; absent when they are the same as before. */
  readonly problemList?: readonly Problem[];
}

export interface DataMessage {
  readonly seq: number;
  readonly keyframe: number;
  readonly begins: boolean;
  readonly ends: boolean;
  readonly status: Status;
  readonly series: readonly SeriesPart[];
  readonly details: readonly DetailPart[];
}

/** What the browser says. `complete`: every message since the last keyframe began was seen. */
export type Said = { readonly type: "hello" | "here" | "resync"; readonly complete: boolean } | ViewRequest;

/** What the user looks at. */
export interface ViewRequest {
  readonly type: "view";
  /** Tags, in the order of the screen. */
  readonly tags: readonly string[];
  /** Those of them that are held in less detail than they could be. */
  readonly want: readonly string[];
  /** First and last step in sight; null for all. */
  readonly range: readonly [number, number] | null;
  /** The tags of which only these steps are in sight; null: all of them. */
  readonly near: readonly string[] | null;
  /** The last message seen. */
  readonly seq: number;
}

export type { SeriesPart } from "./series";

export class ProtocolError extends Error {}

/** The message is of another version of the messages: none will be understood. */
export class VersionError extends ProtocolError {}

type Row = Record<string, unknown>;

/** Decodes one message; null if it is none of ours. Throws ProtocolError, or what comes of nonsense, when it cannot be understood. */
export function decode(content: unknown, buffers: readonly DataView[]): DataMessage | null {
  if (!isRow(content) || content.type !== "data") {
    return null;
  }
  if (content.protocol !== PROTOCOL) {
    throw new VersionError(String(content.protocol));
  }
  const columns = new ColumnReader(list(content.columns), buffers[0]);
  const runs = list(content.runs).map(String);
  const tags = list(content.tags).map(String);
  return {
    seq: integer(content.seq),
    keyframe: integer(content.keyframe),
    begins: content.begins === true,
    ends: content.ends === true,
    status: decodeStatus(row(content.status)),
    series: list(content.series).map((item) => decodeSeries(row(item), runs, tags, columns)),
    details: list(content.details).map((item) => {
      const entry = row(item);
      return { ...decodeSeries(entry, runs, tags, columns), from: integer(entry.from) };
    }),
  };
}

function decodeSeries(entry: Row, runs: readonly string[], tags: readonly string[], columns: ColumnReader): SeriesPart {
  const keep = integer(entry.keep);
  const width = integer(entry.width);
  const total = integer(entry.total);
  const startWall = numberOrNull(entry.start);
  const step = columns.steps(integer(entry.step));
  const wall = columns.floats(integer(entry.wall));
  const value = columns.floats(integer(entry.value));
  const times = { step, wall: startWall === null ? wall : wall.map((offset) => startWall + offset), value };
  let rows: Rows;
  if (width === 1) {
    rows = { ...times, first: step, min: value, max: value, count: pointCounts(value) };
  } else {
    const gaps = columns.floats(integer(entry.gaps));
    rows = {
      ...times,
      first: columns.steps(integer(entry.first)),
      min: columns.floats(integer(entry.min)),
      max: columns.floats(integer(entry.max)),
      // Every bucket is full but the last.
      count: Uint32Array.from(gaps, (gap, i) => Math.min(width, total - (keep + i) * width) - gap),
    };
  }
  if (Object.values(rows).some((column) => column.length !== step.length)) {
    throw new ProtocolError("columns of different lengths");
  }
  return {
    run: at(runs, integer(entry.run)),
    tag: at(tags, integer(entry.tag)),
    revision: integer(entry.revision),
    width,
    keep,
    startWall: startWall ?? Number.NaN,
    total,
    superseded: integer(entry.superseded),
    rows,
  };
}

function decodeStatus(status: Row): Status {
  const read = list(status.read);
  const problems = status.problem_list;
  return {
    ready: status.ready === true,
    read: [Number(read[0]), Number(read[1])],
    path: String(status.path),
    exists: status.exists === true,
    newest: numberOrNull(status.newest),
    age: numberOrNull(status.age),
    leftOut: integer(status.left_out),
    problems: integer(status.problems),
    kinds: list(status.kinds).map(String),
    ...(problems === undefined ? {} : { problemList: list(problems).map(decodeProblem) }),
  };
}

function decodeProblem(item: unknown): Problem {
  const [path, offset, message] = list(item);
  return { path: String(path), offset: offset === null ? null : String(offset), message: String(message) };
}

/** The columns of one message; a column shared by several series is decoded once. */
class ColumnReader {
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

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function row(value: unknown): Row {
  if (!isRow(value)) {
    throw new ProtocolError("an object is missing");
  }
  return value;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw new ProtocolError("a list is missing");
  }
  return value;
}

function integer(value: unknown): number {
  if (typeof value !== "number" || !Number.isInteger(value)) {
    throw new ProtocolError("an integer is missing");
  }
  return value;
}

function number(value: unknown): number {
  if (typeof value !== "number") {
    throw new ProtocolError("a number is missing");
  }
  return value;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function at(names: readonly string[], index: number): string {
  const name = names[index];
  if (name === undefined) {
    throw new ProtocolError("a name is missing");
  }
  return name;
}
