// Images as they travel: an index of steps and samples, and a picture behind each row. Twin of tbwidget/panels/images.py.

import type { ItemPlace } from "../../items/kind";
import type { ItemRow, ItemsCodec } from "../../wire/codec";
import { integer } from "../../wire/columns";
import type { TagItems } from "../../wire/items";
import { numbersOf } from "../../wire/steps";

export interface ImageRow extends ItemRow {
  /** Which of the images that were written together it is. */
  readonly sample: number;
}

/** One image of the logs. */
export type ImagePlace = ItemPlace<ImageRow>;

export type TagImages = TagItems<ImageRow>;

export const images: ItemsCodec<ImageRow> = {
  sort: "items",
  kind: "images",
  decodeRows: ({ sample }, columns, common) => {
    const samples = columns.steps(integer(sample));
    return common.map((row, i) => ({ ...row, sample: Number(samples[i] ?? 0) }));
  },
  encodeRows: (rows, columns) => ({ sample: columns.add(numbersOf(rows, ({ sample }) => sample)) }),
};
