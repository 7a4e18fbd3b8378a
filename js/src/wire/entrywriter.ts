// Writes the entries of a saved page's messages as the kernel would send them.

import type { Key } from "./codec";
import type { Row } from "./columns";
import { ColumnWriter } from "./writer";

/** Characters that an entry takes beside its columns and names, at most. */
const ENTRY = 500;

/** Something that can be saved. Sizes are in characters, at most. */
export interface Saveable {
  readonly full: number;
  /** Size of its short form; 0: it has none and may be left out. */
  readonly short: number;
  save(writer: EntryWriter, full: boolean): void;
  /** A smaller version, for a page without room for the whole one; null for none. */
  reduced?(): Saveable | null;
}

export class EntryWriter {
  readonly columns = new ColumnWriter();
  readonly runs = new Map<string, number>();
  readonly tags = new Map<string, number>();
  /** Entries by the list of the message that they belong to. */
  readonly lists: Record<string, Row[]> = {};

  add(list: string, { kind, run, tag }: Key, entry: Row): void {
    this.lists[list] ??= [];
    this.lists[list].push({ kind, run: indexIn(this.runs, run), tag: indexIn(this.tags, tag), ...entry });
  }

  /** Adds a blob as one piece. */
  addBlob(of: "item" | "document", key: Key, id: number, bytes: Uint8Array): void {
    this.add("pieces", key, { of, id, from: 0, size: bytes.length, bytes: this.columns.addBytes(bytes) });
  }
}

/** Characters of an entry whose columns, as bytes, and whose text take so much. */
export function lengthOf({ run, tag }: Key, bytes: number, text = 0): number {
  return Math.ceil(bytes / 3) * 4 + text + ENTRY + run.length + tag.length;
}

/** Characters of an entry; it is written to find out. */
export function measure(key: Key, encode: (columns: ColumnWriter) => Row): number {
  const columns = new ColumnWriter();
  const entry = JSON.stringify(encode(columns));
  return lengthOf(key, columns.size, entry.length + JSON.stringify(columns.table).length);
}

function indexIn(table: Map<string, number>, name: string): number {
  const index = table.get(name) ?? table.size;
  table.set(name, index);
  return index;
}
