// A small kernel for tests: content of every kind that changes at random, sent as protocol and pace allow.

import { scalars } from "../../src/lines/codec";
import type { Key } from "../../src/wire/codec";
import { PROTOCOL } from "../../src/wire/columns";
import { EntryWriter } from "../../src/wire/entrywriter";
import { json, type Picture, pictures } from "./codecs";
import { points } from "./made";

export interface Sent {
  readonly header: Record<string, unknown>;
  readonly buffer: DataView;
}

interface Series {
  readonly revision: number;
  readonly steps: number[];
}

interface Index {
  readonly revision: number;
  readonly ids: number[];
}

const RUNS = ["a", "b"];
const TAGS = ["x", "y", "z"];

/** Bytes in a piece, so that blobs take several. */
const PIECE = 7;

export class Kernel {
  readonly series = new Map<string, Series>();
  readonly indexes = new Map<string, Index>();
  readonly documents = new Map<string, { readonly revision: number; readonly value: unknown }>();
  readonly failed = new Map<string, string>();
  readonly #random: () => number;
  #seq = 0;
  #keyframe = 0;
  #next = 1;
  /** Pieces still to be sent, with their keys. */
  #pieces: {
    readonly key: Key;
    readonly of: "item" | "document";
    readonly id: number;
    readonly from: number;
    readonly bytes: Uint8Array;
  }[] = [];

  constructor(random: () => number) {
    this.#random = random;
  }

  /** The blob of an item, which is derived from its id. */
  static blob(id: number): Uint8Array {
    return Uint8Array.from({ length: id % 23 }, (_, i) => (id * 31 + i) % 256);
  }

  /** Sends everything again: as many messages as a keyframe takes. */
  keyframe(): Sent[] {
    this.#keyframe += 1;
    this.#pieces = [];
    const parts: ((writer: EntryWriter) => void)[] = [];
    for (const [name, { revision, steps }] of this.series) {
      parts.push((writer) => this.#addSeries(writer, keyOf("scalars", name), revision, steps, 0));
    }
    for (const [name, { revision, ids }] of this.indexes) {
      const half = Math.floor(ids.length / 2);
      parts.push((writer) => this.#addIndex(writer, keyOf("pictures", name), revision, ids, 0, half));
      parts.push((writer) => this.#addIndex(writer, keyOf("pictures", name), revision, ids, half, ids.length));
    }
    for (const [name, { revision, value }] of this.documents) {
      const key = keyOf("notes", name);
      parts.push((writer) => {
        writer.add("documents", key, { revision, size: json(value).length });
        this.#queue(key, "document", revision, json(value));
      });
    }
    for (const [name, reason] of this.failed) {
      parts.push((writer) => writer.add("failed", keyOf("scalars", name), { reason }));
    }
    const messages: Sent[] = [];
    while (parts.length > 0 || messages.length === 0) {
      const some = parts.splice(0, 1 + Math.floor(3 * this.#random()));
      messages.push(
        this.#message((writer) => some.map((add) => add(writer)), messages.length === 0, parts.length === 0),
      );
    }
    return messages;
  }

  /** Changes something, and announces it in one message. */
  change(): Sent[] {
    const roll = this.#random();
    const [run, tag] = [this.#pick(RUNS), this.#pick(TAGS)];
    const name = `${run}/${tag}`;
    if (roll < 0.35) {
      const known = this.series.get(name);
      const restart = known === undefined || this.#random() < 0.1;
      const series = restart ? { revision: this.#number(), steps: [] } : known;
      const keep = restart ? 0 : Math.floor(series.steps.length * (this.#random() < 0.1 ? this.#random() : 1));
      series.steps.splice(keep);
      series.steps.push(this.#number(), this.#number());
      this.series.set(name, series);
      this.failed.delete(name);
      return [
        this.#message((writer) => this.#addSeries(writer, keyOf("scalars", name), series.revision, series.steps, keep)),
      ];
    }
    if (roll < 0.6) {
      const known = this.indexes.get(name);
      const restart = known === undefined || this.#random() < 0.1;
      const index = restart ? { revision: this.#number(), ids: [] } : known;
      const place = Math.floor(this.#random() * (index.ids.length + 1));
      const id = this.#number();
      index.ids.splice(place, this.#random() < 0.2 ? 1 : 0, id);
      this.indexes.set(name, index);
      const key = keyOf("pictures", name);
      this.#queue(key, "item", id, Kernel.blob(id));
      return [
        this.#message((writer) => this.#addIndex(writer, key, index.revision, index.ids, place, index.ids.length)),
      ];
    }
    if (roll < 0.8) {
      const document = {
        revision: this.#number(),
        value: Array.from({ length: Math.floor(9 * this.#random()) }, () => run),
      };
      this.documents.set(`${run}/`, document);
      const bytes = json(document.value);
      const key = keyOf("notes", `${run}/`);
      this.#queue(key, "document", document.revision, bytes);
      return [
        this.#message((writer) => writer.add("documents", key, { revision: document.revision, size: bytes.length })),
      ];
    }
    if (roll < 0.85) {
      this.series.delete(name);
      this.failed.set(name, `OSError: ${this.#number()}`);
      return [
        this.#message((writer) => writer.add("failed", keyOf("scalars", name), { reason: this.failed.get(name) })),
      ];
    }
    if (roll < 0.9) {
      this.series.delete(name);
      this.indexes.delete(name);
      this.failed.delete(name);
      return this.keyframe();
    }
    return [this.#message(() => {})];
  }

  /** Sends the remaining pieces, in as many messages as needed. */
  rest(): Sent[] {
    const messages: Sent[] = [];
    while (this.#pieces.length > 0) {
      messages.push(this.#message(() => {}));
    }
    return messages;
  }

  #message(add: (writer: EntryWriter) => void, begins = false, ends = false): Sent {
    this.#seq += 1;
    const writer = new EntryWriter();
    add(writer);
    for (const { key, of, id, from, bytes } of this.#pieces.splice(0, Math.floor(4 * this.#random()))) {
      const piece = writer.columns.addBytes(bytes.subarray(from, from + PIECE));
      writer.add("pieces", key, { of, id, from, size: bytes.length, bytes: piece });
    }
    const runs = [...writer.runs.keys()];
    const status = {
      ready: true,
      read: [1, 1],
      path: "/",
      exists: true,
      newest: null,
      age: 1,
      left_out: 0,
      problems: 0,
      kinds: [],
      empty_files: 0,
    };
    const header = {
      type: "data",
      protocol: PROTOCOL,
      seq: this.#seq,
      keyframe: this.#keyframe,
      begins,
      ends,
      status: { ...status, cell: false, fresh: true },
      runs,
      numbers: runs.map((run) => RUNS.indexOf(run)),
      tags: [...writer.tags.keys()],
      columns: writer.columns.table,
      ...writer.lists,
    };
    const text = atob(writer.columns.base64());
    return { header, buffer: new DataView(Uint8Array.from(text, (character) => character.charCodeAt(0)).buffer) };
  }

  #addSeries(writer: EntryWriter, key: Key, revision: number, steps: readonly number[], keep: number): void {
    const entry = scalars.encode(points(steps.slice(keep)), writer.columns);
    writer.add("series", key, { ...entry, revision, keep, total: steps.length });
  }

  #addIndex(writer: EntryWriter, key: Key, revision: number, ids: readonly number[], keep: number, end: number): void {
    const rows = ids.slice(keep, end).map((id): Picture => ({ id, step: BigInt(id), wall: id, width: id % 7 }));
    const { columns } = writer;
    writer.add("items", key, {
      ...pictures.encodeRows(rows, columns),
      revision,
      keep,
      total: ids.length,
      superseded: 0,
      start: null,
      id: columns.add(Float64Array.from(rows, ({ id }) => id)),
      step: columns.add(BigInt64Array.from(rows, ({ step }) => step)),
      wall: columns.add(Float64Array.from(rows, ({ wall }) => wall)),
    });
  }

  #queue(key: Key, of: "item" | "document", id: number, bytes: Uint8Array): void {
    for (let from = 0; from === 0 || from < bytes.length; from += PIECE) {
      this.#pieces.push({ key, of, id, from, bytes });
    }
  }

  #number(): number {
    this.#next += 1;
    return this.#next;
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }
}

function keyOf(kind: string, name: string): Key {
  const [run = "", tag = ""] = name.split("/");
  return { kind, run, tag };
}
