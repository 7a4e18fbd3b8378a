// Embeddings as they travel: three kinds of items with a row a step, which are points, vectors and sprites. Twin of
// tbwidget/panels/projector.py, which describes the bytes of each.

import { type ItemKind, type Reading, unreadable } from "../../items/kind";
import type { SampledRow } from "../../items/shown";
import type { ItemsCodec } from "../../wire/codec";
import { isRow } from "../../wire/columns";
import type { TagItems } from "../../wire/items";
import { reasonIn, reasonsIn } from "../../wire/reasons";
import { type Halves, halvesOf } from "./halves";
import { projectorTexts } from "./texts";

/** A step has one embedding: its sample is 0. */
export type EmbeddingRow = SampledRow;

export type TagEmbeddings = TagItems<EmbeddingRow>;

export type Kind = "embeddings" | "embedding_vectors" | "embedding_sprites";

function codecOf(kind: Kind): ItemsCodec<EmbeddingRow> {
  return {
    sort: "items",
    kind,
    sources: ["embeddings"],
    decodeRows: (_entry, _columns, common) => common.map((row) => ({ ...row, sample: 0 })),
    encodeRows: () => ({}),
  };
}

export const embeddings = { ...codecOf("embeddings"), kind: "embeddings", reduced: reducedPoints };
export const embeddingVectors = { ...codecOf("embedding_vectors"), kind: "embedding_vectors" };
export const embeddingSprites = { ...codecOf("embedding_sprites"), kind: "embedding_sprites" };

/** A column of metadata. */
export type Column =
  | { readonly name: string; readonly sort: "number"; readonly numbers: Float64Array }
  | {
      readonly name: string;
      readonly sort: "text";
      /** Distinct, in the order of their first appearance. */
      readonly values: readonly string[];
      /** The index of each point's text in `values`. */
      readonly codes: Uint32Array;
    };

/** The points of an embedding at one step. */
export interface Points {
  readonly count: number;
  readonly dimensions: number;
  /** Shares of the total variance, one a component, descending. */
  readonly variance: readonly number[];
  /** Points with a value that is not finite: they have no place. */
  readonly withoutPlace: number;
  /** Principal components, one array each; NaN where a point has no place. */
  readonly components: readonly Float32Array[];
  readonly columns: readonly Column[];
  readonly columnsLeftOut: number;
  /** Sentences about what could not be read as it was meant. */
  readonly notes: readonly string[];
  /** Why there are no points yet, as where a file is still being written; null where they are here. */
  readonly waits: string | null;
}

/** The vectors of an embedding, as far as the page holds them. */
export interface Vectors {
  readonly count: number;
  readonly dimensions: number;
  /** Numbers that are held of each vector: its dimensions, or its first principal components. */
  readonly held: number;
  /** Names the vectors by their content; null where the kernel keeps nothing that the page computes of them. */
  readonly digest: string | null;
  /** Row-major. */
  readonly values: Float32Array | Halves;
}

/** An image with a small picture for each point, row by row. */
export interface Sprites {
  readonly width: number;
  readonly height: number;
  /** Pictures in a row of the image. */
  readonly columns: number;
  readonly count: number;
  readonly type: string;
  readonly image: Uint8Array<ArrayBuffer>;
}

/** More than any dashboard could hold: counts above it are damage. */
const MAX_POINTS = 1e8;

type Header = Readonly<Record<string, unknown>>;

/** The header of a blob, and its arrays by their offsets. Throws RangeError where the bytes make no sense. */
class Blob8 {
  readonly header: Header;
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(blob: Uint8Array) {
    const length = new DataView(blob.buffer, blob.byteOffset, blob.length).getUint32(0, true);
    this.header = JSON.parse(new TextDecoder().decode(blob.subarray(4, 4 + length))) as Header;
    const rest = blob.subarray(4 + length);
    // Arrays of numbers begin at multiples of their size.
    this.#bytes = (rest.byteOffset % 8 === 0 ? rest : rest.slice()) as Uint8Array<ArrayBuffer>;
  }

  /** A whole number of the header, from 0 up to `most`. */
  count(name: string, most = MAX_POINTS): number {
    const value = this.header[name];
    if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > most) {
      throw new RangeError(name);
    }
    return value;
  }

  array<A>(
    type: { new (buffer: ArrayBuffer, offset: number, length: number): A; readonly BYTES_PER_ELEMENT: number },
    offset: unknown,
    length: number,
  ): A {
    const { buffer, byteOffset, length: most } = this.#bytes;
    if (typeof offset !== "number" || !Number.isInteger(offset) || offset < 0) {
      throw new RangeError("offset");
    }
    if (offset + length * type.BYTES_PER_ELEMENT > most) {
      throw new RangeError("length");
    }
    return new type(buffer, byteOffset + offset, length);
  }
}

function rowsOf(value: unknown): readonly Header[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : [];
}

/** Throws where the bytes are no points. */
export function decodePoints(bytes: Uint8Array): Points {
  const blob = new Blob8(bytes);
  const { header } = blob;
  const [count, components] = [blob.count("points"), blob.count("components", 10)];
  const { offset, steps } = (header.coordinates ?? {}) as Header;
  const begin = components === 0 ? 0 : offset;
  const planesOf = <A extends Float32Array | Int16Array>(all: A) =>
    Array.from({ length: components }, (_, i) => all.subarray(i * count, (i + 1) * count) as A);
  const notes = () => reasonsIn(header.notes);
  const variance = Array.isArray(header.variance) ? header.variance : [];
  return {
    count,
    dimensions: blob.count("dimensions"),
    variance: Array.from({ length: components }, (_, i) => (Number.isFinite(variance[i]) ? variance[i] : 0)),
    withoutPlace: blob.count("without_place"),
    components: Array.isArray(steps)
      ? planesOf(blob.array(Int16Array, begin, components * count)).map((plane, i) => toPlane(plane, Number(steps[i])))
      : planesOf(blob.array(Float32Array, begin, components * count)),
    columns: rowsOf(header.columns).map((column) => decodeColumn(column, blob, count)),
    columnsLeftOut: Number(header.columns_left_out) || 0,
    get notes() {
      return Array.isArray(steps) ? [...notes(), projectorTexts().rounded(components)] : notes();
    },
    get waits() {
      return isRow(header.waits) ? reasonIn(header.waits) : null;
    },
  };
}

function decodeColumn(column: Header, blob: Blob8, count: number): Column {
  const name = String(column.name);
  if (column.sort === "number") {
    const numbers =
      column.bits === 32
        ? Float64Array.from(blob.array(Float32Array, column.offset, count))
        : blob.array(Float64Array, column.offset, count);
    return { name, sort: "number", numbers };
  }
  const values = Array.isArray(column.values) ? column.values.map(String) : [];
  const codes =
    column.bits === 8
      ? Uint32Array.from(blob.array(Uint8Array, column.offset, count))
      : column.bits === 16
        ? Uint32Array.from(blob.array(Uint16Array, column.offset, count))
        : blob.array(Uint32Array, column.offset, count);
  if (codes.some((code) => code >= values.length)) {
    throw new RangeError(name);
  }
  return { name, sort: "text", values, codes };
}

/** Throws where the bytes are no vectors. */
export function decodeVectors(bytes: Uint8Array): Vectors {
  const blob = new Blob8(bytes);
  const { offset, type, scale, digest } = blob.header;
  const [count, held] = [blob.count("points"), blob.count("held")];
  const values =
    type === "float32"
      ? blob.array(Float32Array, offset, count * held)
      : halvesOf(blob.array(Uint16Array, offset, count * held), typeof scale === "number" && scale > 0 ? scale : 1);
  const name = typeof digest === "string" ? digest : null;
  return { count, dimensions: blob.count("dimensions"), held, digest: name, values };
}

/** Throws where the bytes are no sprites. */
export function decodeSprites(bytes: Uint8Array): Sprites {
  const blob = new Blob8(bytes);
  const [width, height, columns] = [blob.count("width"), blob.count("height"), blob.count("columns")];
  const type = String(blob.header.type);
  if (width < 1 || height < 1 || columns < 1 || !/^image\/[a-z0-9.+-]+$/.test(type)) {
    throw new RangeError(type);
  }
  const image = blob.array(Uint8Array, blob.header.offset, blob.count("bytes", Number.MAX_SAFE_INTEGER));
  return { width, height, columns, count: blob.count("count"), type, image };
}

/** Milliseconds after which the page asks for what the kernel should send by itself. */
const PATIENCE_MS = 1500;

function kindOf<V>(codec: ItemsCodec<EmbeddingRow>, request: string, decode: (blob: Uint8Array) => V) {
  return {
    codec,
    baseSize: 1,
    request: {
      name: `projector.${request}`,
      most: 1,
      patienceMs: PATIENCE_MS,
      get damaged() {
        return projectorTexts().damaged;
      },
      args: ([wanted]) => {
        const { run, tag, row } = wanted as NonNullable<typeof wanted>;
        return { run, tag, step: row.step.toString() };
      },
    },
    read: (blob): Reading<V> => {
      try {
        return { value: decode(blob), problem: null, whole: true };
      } catch {
        return unreadable(() => projectorTexts().damaged);
      }
    },
  } satisfies ItemKind<EmbeddingRow, V>;
}

export const pointItems: ItemKind<EmbeddingRow, Points> = kindOf(embeddings, "points", decodePoints);
export const vectorItems: ItemKind<EmbeddingRow, Vectors> = kindOf(embeddingVectors, "vectors", decodeVectors);
export const spriteItems: ItemKind<EmbeddingRow, Sprites> = kindOf(embeddingSprites, "sprites", decodeSprites);

/** The value of a column at a point, as it is shown; empty where there is none. */
export function cellText(column: Column, point: number): string {
  if (column.sort === "text") {
    return column.values[column.codes[point] as number] ?? "";
  }
  const number = column.numbers[point] as number;
  return Number.isNaN(number) ? "" : String(number);
}

const reducedOf = new WeakMap<Uint8Array, Uint8Array>();

/** Points as they are saved where there is little room; null where these bytes are no points, or are reduced already. */
function reducedPoints(bytes: Uint8Array): Uint8Array | null {
  let found = reducedOf.get(bytes);
  if (found === undefined) {
    try {
      const points = decodePoints(bytes);
      const { header } = new Blob8(bytes);
      found = Array.isArray((header.coordinates as Header).steps) ? bytes : reducedBlob(header, points);
    } catch {
      found = bytes;
    }
    reducedOf.set(bytes, found);
  }
  return found === bytes ? null : found;
}

/** Components that a plot can draw. */
const MAX_COMPONENTS = 3;

/** The largest rounded coordinate, and the value for a point without a position. */
const MAX_ROUNDED = 32_767;
const NO_POSITION = -32_768;

type Numbers = Int16Array | Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** A blob like the kernel's. `header`: of the whole blob. Places are rounded, values of columns are not. */
function reducedBlob(header: Header, points: Points): Uint8Array {
  const arrays: Numbers[] = [];
  let size = 0;
  const add = (array: Numbers) => {
    const offset = size;
    arrays.push(array);
    size += aligned(array.byteLength);
    return offset;
  };
  const planes = points.components.slice(0, MAX_COMPONENTS);
  const steps = planes.map(stepOf);
  const all = new Int16Array(planes.length * points.count);
  for (const [i, plane] of planes.entries()) {
    all.set(rounded(plane, steps[i] as number), i * points.count);
  }
  const reduced = {
    ...header,
    components: planes.length,
    coordinates: { offset: add(all), steps },
    columns: points.columns.map((column) => ({ ...head(column), ...packed(column, add) })),
  };
  const text = new TextEncoder().encode(JSON.stringify(reduced));
  const begin = aligned(4 + text.length);
  const blob = new Uint8Array(begin + size).fill(32, 4, begin);
  new DataView(blob.buffer).setUint32(0, begin - 4, true);
  blob.set(text, 4);
  let offset = begin;
  for (const { buffer, byteOffset, byteLength } of arrays) {
    blob.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
    offset += aligned(byteLength);
  }
  return blob;
}

/** Places along one axis as they were before they were rounded, but for half a step. */
function toPlane(places: Int16Array, step: number): Float32Array {
  return Float32Array.from(places, (place) => (place === NO_POSITION ? Number.NaN : place * step));
}

function aligned(length: number): number {
  return Math.ceil(length / 8) * 8;
}

function stepOf(plane: Float32Array): number {
  return plane.reduce((most, value) => Math.max(most, Math.abs(value) || 0), 0) / MAX_ROUNDED || 1;
}

function rounded(plane: Float32Array, step: number): Int16Array {
  return Int16Array.from(plane, (value) => (Number.isNaN(value) ? NO_POSITION : Math.round(value / step)));
}

function head({ name, sort, ...column }: Column) {
  return { name, sort, ...("values" in column && { values: column.values }) };
}

/** The values in as few bits as hold them. */
function packed(column: Column, add: (array: Numbers) => number) {
  if (column.sort === "number") {
    const isShort = column.numbers.every((value) => Object.is(Math.fround(value), value));
    return isShort ? { bits: 32, offset: add(Float32Array.from(column.numbers)) } : { offset: add(column.numbers) };
  }
  const { values, codes } = column;
  return values.length <= 2 ** 8
    ? { bits: 8, offset: add(Uint8Array.from(codes)) }
    : values.length <= 2 ** 16
      ? { bits: 16, offset: add(Uint16Array.from(codes)) }
      : { offset: add(codes) };
}
