// What the browser's side has to know of a kind of series, whichever it is. Twin of tbwidget/panels/kinds.py.

import type { ColumnReader, Row } from "./columns";
import type { ColumnWriter } from "./writer";

/** What a message says of a series: its kind tells the rest. */
export interface Named {
  readonly kind: string;
  readonly run: string;
  readonly tag: string;
}

/** A series as it is held. Never changed, only replaced. */
export interface Versioned {
  /** While it stays the same, rows were only appended. */
  readonly revision: number;
  /** Another one whenever anything changed. */
  readonly version: number;
}

/** The ways of one kind: `S` is a series as it is held, `P` what continues it, `D` a stretch of it in detail. */
export interface Kind<S extends Versioned, P extends Named, D extends Named & { readonly revision: number }> {
  /** Throws ProtocolError, or what comes of nonsense, when the entry cannot be understood. */
  decode(entry: Row, names: Named, columns: ColumnReader): P;
  decodeDetail(entry: Row, names: Named, columns: ColumnReader): D;
  /** The series after `part`: the same as before where it holds more already; null if it continues what is not held. */
  apply(held: S | undefined, part: P): S | null;
  /** The stretch to hold from now on, after the one held: a series has one, whatever that consists of. */
  joined(held: D | null, next: D): D;
  /** The series with the stretch in it; the same where that does not fit. */
  withDetail(base: S, detail: D): S;
  /** The series in few rows; the same if it has no more. */
  coarsened(base: S): S;
  /** Whether the kernel has more of it to give. */
  isCoarse(base: S): boolean;
  bytesOf(series: S): number;
  bytesOfDetail(detail: D): number;
  /** Bytes of columns that `encode` adds for it, about. */
  bytesWritten(series: S): number;
  /** A part that says the whole series, without its names. */
  encode(series: S, columns: ColumnWriter): Row;
}
