// Texts as items: an index of steps, and strings of any shape behind each row. Twin of tbwidget/panels/text.py.

import { requestItems } from "../../items/fetcher";
import { type ItemKind, type ItemPlace, unreadable, type WantedItem } from "../../items/kind";
import type { ItemRow, ItemsCodec } from "../../wire/codec";
import type { TagItems } from "../../wire/items";
import type { Requests } from "../../wire/requests";
import { numbersOf } from "../../wire/steps";
import { textPanelTexts } from "./texts";

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

export type TextPlace = ItemPlace<TextRow>;

/** The size of a text as the kernel sends it by itself: of a long one the beginning. Infinity is all of it. */
const BEGINNING = 1;

export const textItems: ItemKind<TextRow, TextValue> = {
  codec: text,
  baseSize: BEGINNING,
  read: (blob) => {
    try {
      return { value: decodeText(blob), problem: null, whole: true };
    } catch {
      return unreadable(() => textPanelTexts().textUnreadable);
    }
  },
  request: {
    name: "text.texts",
    // Keep it below MAX_TEXTS in tbwidget/panels/text.py.
    most: 64,
    patienceMs: 250,
    get damaged() {
      return textPanelTexts().textUnreadable;
    },
    args: (wanted, size) => ({
      texts: wanted.map(({ run, tag, revision, row }) => [run, tag, revision, row.place]),
      whole: size > BEGINNING,
    }),
  },
};

/** All of a long text, from the kernel. Rejects with why there is none; for people. */
export async function wholeText(
  requests: Pick<Requests, "ask">,
  place: WantedItem<TextRow>,
  until: AbortSignal,
): Promise<TextValue> {
  const { request } = textItems;
  const [part] = await requestItems(requests, request, [place], Number.POSITIVE_INFINITY, false, until);
  const blob = part !== undefined && "blob" in part ? part.blob : null;
  const { value, problem } = blob === null ? { value: null, problem: null } : textItems.read(blob);
  if (value === null) {
    throw new Error(problem ?? (part !== undefined && "reason" in part ? part.reason : request.damaged));
  }
  return value;
}
