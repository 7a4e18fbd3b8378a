// The container that all data of graphs travel in: a JSON header and columns of numbers, deflated.
// Described in tbwidget/panels/graph_columns.py.

import { list, ProtocolError, type Row, row } from "../../../wire/columns";

/** Bytes at whose multiples columns begin. */
const ALIGNMENT = 8;

/** Bytes that a container may inflate to: several times what a graph of a million nodes takes. */
const MOST_BYTES = 2 ** 30;

const TYPES = { u1: Uint8Array, i4: Int32Array, f4: Float32Array, f8: Float64Array } as const;

type ColumnType = keyof typeof TYPES;
type Column<T extends ColumnType> = InstanceType<(typeof TYPES)[T]>;

/** An inflated container. What is asked of it and is not there, or is of another type or length, is a ProtocolError. */
export interface Container {
  readonly header: Row;
  /** The column of this name; `length`, where given, is what it must have. */
  column<T extends ColumnType>(name: string, type: T, length?: number): Column<T>;
}

export async function readContainer(bytes: Uint8Array): Promise<Container> {
  const buffer = await inflate(bytes);
  const begin = 4;
  const end = buffer.byteLength < begin ? Infinity : begin + new DataView(buffer).getUint32(0, true);
  if (end > buffer.byteLength) {
    throw new ProtocolError("a graph without its header");
  }
  let header: Row;
  try {
    header = row(JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, begin, end - begin))));
  } catch {
    throw new ProtocolError("a graph whose header is no JSON object");
  }
  const places = new Map<string, readonly [unknown, number, number]>();
  let offset = end;
  for (const [name, entry] of Object.entries(row(header.columns))) {
    const [type, length] = list(entry);
    const size = TYPES[type as ColumnType]?.BYTES_PER_ELEMENT;
    offset = Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
    if (size === undefined || !isCount(length) || offset + size * length > buffer.byteLength) {
      throw new ProtocolError(`a graph whose column ${name} is incomplete`);
    }
    places.set(name, [type, offset, length]);
    offset += size * length;
  }
  return {
    header,
    column(name, type, length) {
      const place = places.get(name);
      if (place?.[0] !== type || (length !== undefined && place[2] !== length)) {
        throw new ProtocolError(`a graph without its column ${name}`);
      }
      return new TYPES[type](buffer, place[1], place[2]) as Column<typeof type>;
    },
  };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

async function inflate(bytes: Uint8Array): Promise<ArrayBuffer> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream("deflate"));
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); part.value !== undefined; part = await reader.read()) {
      parts.push(part.value);
      length += part.value.length;
      if (length > MOST_BYTES) {
        await reader.cancel();
        break;
      }
    }
  } catch {
    throw new ProtocolError("a graph whose compressed bytes are damaged");
  }
  if (length > MOST_BYTES) {
    throw new ProtocolError("a graph that is too large");
  }
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole.buffer;
}
