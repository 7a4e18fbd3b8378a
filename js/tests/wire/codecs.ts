// Made-up kinds for tests: pictures with a width, and documents of JSON.

import type { DocumentCodec, ItemRow, ItemsCodec } from "../../src/wire/codec";
import { integer } from "../../src/wire/columns";
import { numbersOf } from "../../src/wire/steps";

export interface Picture extends ItemRow {
  readonly width: number;
}

export const pictures: ItemsCodec<Picture> = {
  sort: "items",
  kind: "pictures",
  decodeRows: (entry, columns, common) => {
    const widths = columns.floats(integer(entry.width));
    return common.map((row, i) => ({ ...row, width: widths[i] ?? Number.NaN }));
  },
  encodeRows: (rows, columns) => ({ width: columns.add(numbersOf(rows, ({ width }) => width)) }),
};

export const notes: DocumentCodec<unknown> = {
  sort: "document",
  kind: "notes",
  decode: (bytes) => JSON.parse(new TextDecoder().decode(bytes)),
};

/** Bytes of the JSON of a value. */
export function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
