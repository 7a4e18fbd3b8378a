// The messages from the kernel, decoded. Described in tbwidget/panels/WIRE.md; twin of tbwidget/panels/feed.py.

/** Version of the messages. Keep in step with PROTOCOL in tbwidget/panels/feed.py. */
export const PROTOCOL = 1;

/** A series of up to this many points travels whole. Keep in step with WHOLE_SERIES in tbwidget/panels/scalars.py. */
export const WHOLE_SERIES = 4096;

/** Seconds of silence after which the kernel sends a bare status. Keep in step with HEARTBEAT in tbwidget/panels/pace.py. */
export const HEARTBEAT = 30;

/** Bytes at whose multiples columns begin. Keep in step with ALIGNMENT in tbwidget/panels/columns.py. */
export const ALIGNMENT = 8;

export type Values = Float32Array | Float64Array;

/** Steps to draw with; `exact` where float64 would round some of them. */
export interface Steps {
  readonly drawn: Float64Array;
  readonly exact: BigInt64Array | null;
}

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
  /** The first problems; absent when they are the same as before. */
  readonly problemList?: readonly Problem[];
}

/** Points of one series: the first `keep` of those held stay, these follow. */
export interface SeriesPart {
  readonly run: string;
  readonly tag: string;
  /** `seq` of the message that this one continues. */
  readonly base: number;
  readonly keep: number;
  readonly steps: Steps;
  readonly values: Values;
  readonly total: number;
  readonly superseded: number;
  readonly width: number;
}

export interface DataMessage {
  readonly seq: number;
  readonly keyframe: number;
  readonly begins: boolean;
  readonly ends: boolean;
  readonly status: Status;
  readonly series: readonly SeriesPart[];
}

/** What the browser says: a greeting once drawn, or a request to send all anew. */
export interface Greeting {
  readonly type: "hello" | "resync";
  /** Every message since the last keyframe began was seen. */
  readonly complete: boolean;
}

export class ProtocolError extends Error {}

type Row = Record<string, unknown>;

/** Decodes one message; null if it is none of ours. Throws ProtocolError when it cannot be understood. */
export function decode(content: unknown, buffers: readonly DataView[]): DataMessage | null {
  if (!isRow(content) || content.type !== "data") {
    return null;
  }
  if (content.protocol !== PROTOCOL) {
    throw new ProtocolError(String(content.protocol));
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
  };
}

function decodeSeries(entry: Row, runs: readonly string[], tags: readonly string[], columns: ColumnReader): SeriesPart {
  const part = {
    run: at(runs, integer(entry.run)),
    tag: at(tags, integer(entry.tag)),
    base: integer(entry.base),
    keep: integer(entry.keep),
    steps: columns.steps(integer(entry.step)),
    values: columns.values(integer(entry.value)),
    total: integer(entry.total),
    superseded: integer(entry.superseded),
    width: integer(entry.width),
  };
  if (part.steps.drawn.length !== part.values.length) {
    throw new ProtocolError("columns of different lengths");
  }
  return part;
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
  readonly #steps = new Map<number, Steps>();

  constructor(table: readonly unknown[], bytes: DataView | undefined) {
    this.#table = table;
    this.#bytes = bytes ?? new DataView(new ArrayBuffer(0));
  }

  steps(index: number): Steps {
    let steps = this.#steps.get(index);
    if (steps === undefined) {
      steps = this.#readSteps(list(this.#table[index]));
      this.#steps.set(index, steps);
    }
    return steps;
  }

  values(index: number): Values {
    const [type, count, offset] = list(this.#table[index]);
    const size = type === "f4" ? 4 : 8;
    const bytes = this.#slice(integer(count) * size, integer(offset));
    if (type === "f4") {
      return new Float32Array(bytes);
    }
    if (type === "f8") {
      return new Float64Array(bytes);
    }
    throw new ProtocolError(`values of type ${String(type)}`);
  }

  #readSteps(column: readonly unknown[]): Steps {
    const [type, count, third, stride] = column;
    const length = integer(count);
    if (type === "range") {
      const start = integer(third);
      const each = integer(stride);
      return { drawn: Float64Array.from({ length }, (_, i) => start + each * i), exact: null };
    }
    const bytes = this.#slice(length * 8, integer(third));
    if (type === "f8") {
      return { drawn: new Float64Array(bytes), exact: null };
    }
    if (type === "i8") {
      const exact = new BigInt64Array(bytes);
      return { drawn: Float64Array.from(exact, Number), exact };
    }
    throw new ProtocolError(`steps of type ${String(type)}`);
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
