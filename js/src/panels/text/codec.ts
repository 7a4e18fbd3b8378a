// Texts as they travel: an index of steps, and strings of any shape behind each row. Twin of tbwidget/panels/text.py.

import type { ItemRow, ItemsCodec } from "../../wire/codec";
import type { TagItems } from "../../wire/items";
import { numbersOf } from "../../wire/steps";

export interface TextRow extends ItemRow {
  /** Its place in the order written, by which it is requested. */
  readonly place: number;
}

export type TagTexts = TagItems<TextRow>;

export const text: ItemsCodec<TextRow> = {
  sort: "items",
  kind: "text",
  decodeRows: ({ place }, columns, common) => {
    const places = columns.steps(place as number);
    return common.map((row, i) => ({ ...row, place: Number(places[i]) }));
  },
  encodeRows: (rows, columns) => ({ place: columns.add(numbersOf(rows, ({ place }) => place)) }),
};

/** Strings of any shape, or the beginning of them. */
export interface TextValue {
  readonly shape: readonly number[];
  /** In row-major order; of a long text the first ones. */
  readonly values: readonly string[];
  /** Bytes that the last of the values lacks. */
  readonly cut: number;
}

/** Throws where the bytes are no text. */
export function decodeText(bytes: Uint8Array): TextValue {
  const { shape, values, cut } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Record<string, unknown>>;
  const isText =
    Array.isArray(shape) &&
    shape.every((size) => Number.isInteger(size) && size >= 0) &&
    Array.isArray(values) &&
    values.every((value) => typeof value === "string") &&
    typeof cut === "number" &&
    cut >= 0;
  if (!isText) {
    throw new TypeError("this is no text");
  }
  return { shape, values, cut };
}

/** How many values the whole text has. */
export function countOf({ shape }: TextValue): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** Whether something of it was not sent. */
export function isCut(value: TextValue): boolean {
  return value.cut > 0 || value.values.length < countOf(value);
}

/** As plain text: columns apart by tabs, rows by line breaks, slices by empty lines. */
export function plainText({ shape, values }: TextValue): string {
  if (shape.length < 2) {
    return values.join("\n");
  }
  const columns = Math.max(1, shape.at(-1) ?? 1);
  const rows = Math.max(1, shape.at(-2) ?? 1);
  const lines: string[] = [];
  for (let begin = 0; begin < values.length; begin += columns) {
    if (begin > 0 && begin % (rows * columns) === 0) {
      lines.push("");
    }
    lines.push(values.slice(begin, begin + columns).join("\t"));
  }
  return lines.join("\n");
}
