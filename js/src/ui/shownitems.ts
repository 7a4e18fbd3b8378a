// The images, or clips, that the cards show, on the screen or farther down.

import type { ItemRow, ItemsCodec } from "../wire/codec";
import { rowsShown } from "./arrived";
import { cardStep } from "./itemsteps";
import { cardTime, repeatsAt } from "./repeats";
import type { View } from "./view";

export interface ShownItem<R> {
  readonly tag: string;
  readonly run: string;
  readonly row: R;
}

/** Those of all cards of the panel, or of one. */
export function shownItems<R extends ItemRow & { readonly sample: number }>(
  view: View,
  codec: ItemsCodec<R>,
  only?: string,
): ShownItem<R>[] {
  const { channel, options } = view;
  const panel = codec.kind;
  const items = channel.store.items(codec);
  const matches = options.tagFilter.matches.peek();
  const pinned = options.board.pinned.peek();
  const runs = channel.store.runs.peek().filter((run) => options.shows(run));
  const tags = items.tags.peek().filter((tag) => matches(tag) || pinned.includes(tag));
  return (only === undefined ? tags : [only]).flatMap((tag) => {
    const { at } = cardStep(view, panel, tag);
    const time = cardTime(view, panel, tag).at;
    const byRun = items.tag(tag)?.byRun;
    return runs.flatMap((run) => {
      const held = byRun?.get(run);
      const rows = held === undefined ? [] : rowsShown(held, at);
      return repeatsAt(rows, time).map(({ row }) => ({ tag, run, row }));
    });
  });
}
