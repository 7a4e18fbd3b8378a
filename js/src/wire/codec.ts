// The interfaces that a panel implements for each kind of content that it draws. The wire itself knows no kind.
// Twin of tbwidget/wire/content.py.

import type { Range } from "../lib/search";
import type { ColumnReader, Row } from "./columns";
import type { Outline, RunAttributes, RunFacts, Statistics } from "./runfacts";
import type { ColumnWriter } from "./writer";

/** The key of all content. */
export interface Key {
  readonly kind: string;
  readonly run: string;
  readonly tag: string;
}

/** A text of the kernel as data: its code, which docs/problems.md lists, and its values. */
export interface ReasonCode {
  readonly code: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Why something cannot be read. */
export interface Reason {
  /** For people. */
  readonly reason: string;
  /** Absent where the page itself says so. */
  readonly madeOf?: ReasonCode;
}

/** Content that belongs to one revision of what it is about. */
export interface Revised extends Key {
  readonly revision: number;
}

/** A series as it is held. Never changed, only replaced. */
export interface Versioned {
  /** While it stays the same, rows were only appended. */
  readonly revision: number;
  /** Another one whenever anything changed. */
  readonly version: number;
}

interface CodecOfKind {
  /** The name of the kind, as messages have it. */
  readonly kind: string;
  /** The kinds of data in the logs that it is made of, as `status.kinds` names them; without it, the one of its own name. */
  readonly sources?: readonly string[];
}

/** Rows appended within a revision. `S`: a series as it is held; `P`: a part that continues it; `D`: a stretch in detail. */
export interface SeriesCodec<S extends Versioned, P extends Key, D extends Revised> extends CodecOfKind {
  readonly sort: "series";
  /** May throw anything when the entry cannot be understood; so may `decodeDetail`. */
  decodePart(entry: Row, key: Key, columns: ColumnReader): P;
  decodeDetail(entry: Row, key: Key, columns: ColumnReader): D;
  /** The series after `part`: the same object if it holds more already; null if the rows before the part are missing. */
  append(held: S | undefined, part: P): S | null;
  /** The detail to hold after `next` came: a series has one, whatever that consists of. */
  mergeDetails(held: D | null, next: D): D;
  /** The series with the detail in it; the same object where that does not fit. */
  withDetail(base: S, detail: D): S;
  /** The series in `rows` rows at most, without a number in few; the same object if it has no more. */
  coarsen(base: S, rows?: number): S;
  /** Whether the kernel has more of it to give. */
  isCoarse(base: S): boolean;
  /** Bytes of what only this series holds. */
  bytesOf(series: S): number;
  /** Buffers beside these bytes. Several series may hold the same, which counts once. */
  buffersOf?(series: S): readonly ArrayBufferLike[];
  /** Bytes that it would take in full, with what charts compute of it, about. */
  bytesInFull(series: S): number;
  bytesOfDetail(detail: D): number;
  /** Points, or places, from one row to the next. */
  widthOf(series: S): number;
  /** About how many bytes of columns `encode` adds for it. */
  encodedBytes(series: S): number;
  /** A part that holds the whole series, without its key. */
  encode(series: S, columns: ColumnWriter): Row;
  /** The least and the greatest step written in a range of wall times (`relative`: since each series began); null if none. */
  stepsDuring(series: readonly S[], times: Range, relative: boolean): Range | null;
  /** When it began and ended, and its last step; null without rows. */
  factsOf?(series: S): RunFacts | null;
  /** Statistics of its values, for kinds of numbers. */
  statisticsOf?(series: S): Statistics;
  /** Its course; only where it has statistics. */
  outlineOf?(series: S): Outline;
}

/** A row of an index of items. */
export interface ItemRow {
  /** Names the row's blob as long as the revision stays the same. */
  readonly id: number;
  readonly step: bigint;
  /** Seconds since the epoch. */
  readonly wall: number;
}

/** An index of steps, samples, sizes … with a blob behind each row. */
export interface ItemsCodec<R extends ItemRow> extends CodecOfKind {
  readonly sort: "items";
  /** The rows of an entry: `common` with what the codec's own columns and fields add to each. May throw anything. */
  decodeRows(entry: Row, columns: ColumnReader, common: readonly ItemRow[]): readonly R[];
  /** The codec's own columns and fields for these rows, as `decodeRows` reads them. */
  encodeRows(rows: readonly R[], columns: ColumnWriter): Row;
  /** A smaller blob, for a saved page without room for the whole one; null for none. */
  reduced?(blob: Uint8Array): Uint8Array | null;
}

/** One value, replaced as a whole. */
export interface DocumentCodec<V> extends CodecOfKind {
  readonly sort: "document";
  /** May throw or reject with anything. */
  decode(bytes: Uint8Array): V | Promise<V>;
  /** About how many bytes the value holds; without it, as many as it traveled in. */
  bytesOf?(value: V): number;
  /** There is one document, of the directory: its key names no run. Runs are listed only if they hold something else. */
  readonly isOfDirectory?: true;
  /** The document of the directory holds this about the runs. */
  attributesOf?(value: V): RunAttributes;
}

export type AnySeriesCodec = SeriesCodec<Versioned, Key, Revised>;
export type AnyItemsCodec = ItemsCodec<ItemRow>;
export type AnyDocumentCodec = DocumentCodec<unknown>;
export type AnyCodec = AnySeriesCodec | AnyItemsCodec | AnyDocumentCodec;

let version = 0;

/** A number for a series that no other has. */
export function nextVersion(): number {
  version += 1;
  return version;
}
