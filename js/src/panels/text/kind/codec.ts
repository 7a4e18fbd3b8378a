// Texts, one a step. Twin of TextContent in tbwidget/panels/text.py.

import type { ItemRow, ItemsCodec } from "../../../wire/codec";
import type { TagItems } from "../../../wire/items";
import { numbersOf } from "../../../wire/steps";

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
