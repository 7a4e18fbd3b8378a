// The clips of a tag as they travel. Twin of AudioContent in tbwidget/panels/audio.py, which describes them.

import type { ItemRow, ItemsCodec } from "../../../wire/codec";
import type { TagItems } from "../../../wire/items";
import { numbersOf } from "../../../wire/steps";

export interface ClipRow extends ItemRow {
  /** Its place among the clips of its value. */
  readonly sample: number;
}

export type TagClips = TagItems<ClipRow>;

export const clips: ItemsCodec<ClipRow> = {
  sort: "items",
  kind: "audio",
  decodeRows: ({ sample }, columns, common) => {
    const samples = columns.steps(sample as number);
    return common.map((row, i) => ({ ...row, sample: Number(samples[i]) }));
  },
  encodeRows: (rows, columns) => ({ sample: columns.add(numbersOf(rows, ({ sample }) => sample)) }),
};
