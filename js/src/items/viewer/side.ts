// One side of the viewer: the item at its place, as far as it has come, and the other steps, samples and runs there.

import { useMemo } from "preact/hooks";
import { useView, type View } from "../../ui/view";
import type { ItemKind, ItemPlace } from "../kind";
import { lastArrived, newerThan, type SampledRow } from "../shown";
import { useItem, useWantedItem } from "../source";
import type { TileState } from "../tile";
import { type Place, rowsOfSample, samplesOf, shownOf } from "./place";

const NOWHERE: Place = { run: "", tag: "", sample: 0, at: "newest", id: null };

export interface ItemSide<R extends SampledRow, V> {
  readonly place: Place;
  /** Rows of the sample; empty where the run has none under this tag. */
  readonly rows: readonly R[];
  readonly samples: readonly number[];
  /** The index of the shown row; -1 if there is none. */
  readonly shown: number;
  readonly row: R | undefined;
  /** Null until it has come. */
  readonly value: V | null;
  /** Why it cannot be shown. */
  readonly reason: string | null;
  /** The screen shows this item, not the one before it. */
  readonly isCurrent: boolean;
  /** A request for it has not been answered yet. */
  readonly waits: boolean;
}

/** State of a side's stage: broken if the step has no item, or the item cannot be shown. */
export function stateOf({
  row,
  reason,
  isCurrent,
}: Pick<ItemSide<SampledRow, unknown>, "row" | "reason" | "isCurrent">): TileState {
  return row === undefined || reason !== null ? "broken" : isCurrent ? "shown" : "waits";
}

type Kind<R extends SampledRow, V> = Pick<ItemKind<R, V>, "codec" | "samplesIn">;

/** The runs that have items of a tag and are shown, and `own`. */
export function runsWith<R extends SampledRow, V>(
  { codec }: Kind<R, V>,
  tag: string,
  own: string,
  { channel, options }: View,
): readonly string[] {
  const data = channel.store.items(codec).tag(tag);
  return channel.store.runs.value.filter((run) => run === own || (options.shows(run) && data?.byRun.has(run)));
}

/** The tags under which a run has items. */
export function tagsOf<R extends SampledRow, V>(
  { codec }: Pick<ItemKind<R, V>, "codec">,
  run: string,
  { channel }: Pick<View, "channel">,
): readonly string[] {
  const items = channel.store.items(codec);
  return items.tags.value.filter((tag) => items.tag(tag)?.byRun.has(run));
}

/** The same place in another run; its first sample where it has fewer. */
export function placeIn<R extends SampledRow, V>(
  { codec, samplesIn }: Kind<R, V>,
  run: string,
  place: Place,
  { channel }: View,
): Place {
  const samples = samplesOf(channel.store.items(codec).tag(place.tag)?.byRun.get(run)?.rows ?? []);
  const hasSample = samplesIn !== undefined || samples.includes(place.sample);
  return { ...place, run, sample: hasSample ? place.sample : (samples[0] ?? place.sample), id: null };
}

/** The same place under another tag; in another run where this one has none. */
export function placeUnder<R extends SampledRow, V>(kind: Kind<R, V>, tag: string, place: Place, view: View): Place {
  const byRun = view.channel.store.items(kind.codec).tag(tag)?.byRun;
  const run = byRun?.has(place.run) ? place.run : (runsWith(kind, tag, "", view)[0] ?? place.run);
  return placeIn(kind, run, { ...place, tag }, view);
}

/** The item at a place, in a variant of `size`; null for no place. */
export function useItemSide<R extends SampledRow, V>(
  kind: ItemKind<R, V>,
  place: Place | null,
  size: number,
): ItemSide<R, V> | null {
  const { channel } = useView();
  const { run, tag, sample } = place ?? NOWHERE;
  const data = place === null ? undefined : channel.store.items(kind.codec).tag(tag);
  const items = data?.byRun.get(run);
  const all = items?.rows;
  const { samplesIn } = kind;
  const rows = useMemo(
    () => (all === undefined ? [] : samplesIn === undefined ? rowsOfSample(all, sample) : all),
    [all, sample, samplesIn],
  );
  const newest = place?.at === "newest" && place.id === null && items ? lastArrived(items, rows) : -1;
  const shown = newest >= 0 ? newest : shownOf(rows, place ?? NOWHERE);
  const row = rows[shown];
  const newer = newest >= 0 && items && row ? newerThan(items, row) : null;
  // A row that moved within the index is the same item.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const at = useMemo((): ItemPlace<R> | null => (row === undefined ? null : { run, tag, row }), [run, tag, row?.id]);
  const state = useItem(kind, at, { size });
  useWantedItem(kind, newer && { tag, run, row: newer }, { pushed: true });
  const value = state.state === "held" ? state.value : null;
  const ofRows = useMemo(() => samplesOf(all ?? []), [all]);
  // A saved page has no kernel that could answer.
  const isSaved = channel.store.savedAt.value !== null;
  if (place === null) {
    return null;
  }
  return {
    place,
    rows,
    samples: samplesIn === undefined ? ofRows : Array.from({ length: value ? samplesIn(value) : 0 }, (_, i) => i),
    shown,
    row,
    value,
    reason: state.state === "broken" ? state.reason : null,
    isCurrent: value !== null,
    waits: !isSaved && at !== null && (state.state === "waits" || (state.state === "held" && state.coarse)),
  };
}
