// One side of the viewer: the image at its place, as far as it is there, and what stands beside it.

import type { ReadonlySignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { lastArrived, newerThan } from "../../../items/shown";
import { useItem, useWantedItem } from "../../../items/source";
import { useView, type View } from "../../../ui/view";
import { type ImagePlace, type ImageRow, images } from "../codec";
import { imageItems } from "../item";
import type { Picture } from "../picture";
import { MOST_VALUES, type Opened, type Opening, useOpened } from "./opened";
import { type Place, rowsOfSample, samplesOf, shownOf } from "./place";

const NOWHERE: Place = { run: "", tag: "", sample: 0, at: "newest", id: null };
const NO_ROWS: readonly ImageRow[] = [];

export interface Side {
  readonly place: Place;
  /** Of the sample; empty where the run has none under this tag. */
  readonly rows: readonly ImageRow[];
  readonly samples: readonly number[];
  /** The place among the rows of the one that is shown; -1 if none is. */
  readonly shown: number;
  readonly row: ImageRow | undefined;
  readonly picture: Picture | null;
  /** What is on the screen: another image until the picture is decoded. */
  readonly opened: Opened | null;
  /** Why it cannot be shown. */
  readonly reason: string | null;
  /** A request for it has not been answered yet. */
  readonly waits: boolean;
}

/** The runs that have images of a tag and are shown, and `own`. */
export function runsWith(tag: string, own: string, { channel, options }: View): readonly string[] {
  const data = channel.store.items(images).tag(tag);
  return channel.store.runs.value.filter((run) => run === own || (options.shows(run) && data?.byRun.has(run)));
}

/** The same place in another run; its first sample where it has fewer. */
export function placeIn(run: string, place: Place, { channel }: View): Place {
  const samples = samplesOf(channel.store.items(images).tag(place.tag)?.byRun.get(run)?.rows ?? NO_ROWS);
  const sample = samples.includes(place.sample) ? place.sample : (samples[0] ?? place.sample);
  return { ...place, run, sample, id: null };
}

/** The same place under another tag; in another run where this one has none. */
export function placeUnder(tag: string, place: Place, view: View): Place {
  const byRun = view.channel.store.items(images).tag(tag)?.byRun;
  const run = byRun?.has(place.run) ? place.run : (runsWith(tag, "", view)[0] ?? place.run);
  return placeIn(run, { ...place, tag }, view);
}

/** The image at a place, with so many pixels of its longer side, and the values of so many of them at most. */
export function useSide(place: Place, pixels?: number, mostValues?: number): Side;
export function useSide(place: Place | null): Side | null;
export function useSide(place: Place | null, pixels = Number.POSITIVE_INFINITY, mostValues = MOST_VALUES): Side | null {
  const { channel } = useView();
  const { run, tag, sample } = place ?? NOWHERE;
  const data = place === null ? undefined : channel.store.items(images).tag(tag);
  const items = data?.byRun.get(run);
  const all = items?.rows ?? NO_ROWS;
  const rows = useMemo(() => rowsOfSample(all, sample), [all, sample]);
  const newest = place?.at === "newest" && place.id === null && items ? lastArrived(items, rows) : -1;
  const shown = newest >= 0 ? newest : shownOf(rows, place ?? NOWHERE);
  const row = rows[shown];
  const newer = newest >= 0 && items && row ? newerThan(items, row) : null;
  // A row that moved within the index is the same image.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const at = useMemo((): ImagePlace | null => (row === undefined ? null : { run, tag, row }), [run, tag, row?.id]);
  const state = useItem(imageItems, at, { size: pixels });
  useWantedItem(imageItems, newer && { tag, run, row: newer }, { pushed: true });
  const picture = state.state === "held" ? state.value : null;
  const opening: ReadonlySignal<Opening> = useOpened(picture, mostValues);
  const now = opening.value;
  const reason = state.state === "broken" ? state.reason : now.state === "broken" && picture ? now.reason : null;
  const samples = useMemo(() => samplesOf(all), [all]);
  // Nobody answers in a page that was saved.
  const isSaved = channel.store.savedAt.value !== null;
  if (place === null) {
    return null;
  }
  return {
    place,
    rows,
    samples,
    shown,
    row,
    picture,
    opened: now.state === "opened" && reason === null && row !== undefined ? now.opened : null,
    reason,
    waits: !isSaved && at !== null && (state.state === "waits" || (state.state === "held" && state.coarse)),
  };
}
