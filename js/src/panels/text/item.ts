// Texts as items: how they are requested, and all of a long one.

import { requestItems } from "../../items/fetcher";
import type { ItemKind, ItemPlace, WantedItem } from "../../items/kind";
import type { Requests } from "../../wire/requests";
import { decodeText, type TextRow, type TextValue, text } from "./codec";
import { textPanelTexts } from "./texts";

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
      return { value: null, problem: textPanelTexts().textUnreadable, whole: true };
    }
  },
  request: {
    name: "text.texts",
    // Keep it below MOST_TEXTS in tbwidget/panels/text.py.
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
