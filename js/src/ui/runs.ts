// The runs of a tag that are shown, and their colours.

import type { ReadonlySignal } from "@preact/signals";
import type { TagContent } from "../wire/collection";
import type { View } from "./view";

/** What is held of a run under a tag. */
export interface HeldBase<S> {
  readonly series: S;
}

/** What a run has of a tag, and how it is drawn. */
export interface RunOf<S> {
  readonly run: string;
  /** As #rrggbb. */
  readonly colour: string;
  /** Lengths of dashes and gaps in CSS pixels; empty for a solid line. */
  readonly dash?: readonly number[];
  readonly series: S;
  /** Another run is highlighted. */
  readonly faded: boolean;
}

/** In natural order. */
export function runsOf<S>(
  data: Pick<TagContent<HeldBase<S>>, "byRun">,
  { channel, options, theme, highlightedRun }: View,
): RunOf<S>[] {
  const highlighted = highlightedRun.value;
  const shown = channel.store.runs.value.filter((run) => data.byRun.has(run) && options.shows(run));
  const fading = highlighted !== null && shown.includes(highlighted);
  return shown.flatMap((run) => {
    const held = data.byRun.get(run);
    const colour = options.colourOf.value(run, theme.value);
    const dash = options.colours.dashOf.value(run);
    return held === undefined ? [] : [{ run, colour, dash, series: held.series, faded: fading && run !== highlighted }];
  });
}

/** The series of the runs that are shown. */
export function shownSeries<S>(data: TagContent<HeldBase<S>>, { options }: View): S[] {
  return [...data.byRun].filter(([run]) => options.shows(run)).map(([, { series }]) => series);
}

interface SeriesOfKind<S> {
  readonly tags: ReadonlySignal<readonly string[]>;
  tag(name: string): TagContent<HeldBase<S>> | undefined;
}

/** The series of the runs that are shown, under all tags that match the filter. */
export function shownUnderTags<S>(of: SeriesOfKind<S>, view: View): S[] {
  const tags = of.tags.value.filter(view.options.tagFilter.matches.value);
  return tags.flatMap((tag) => {
    const data = of.tag(tag);
    return data === undefined ? [] : shownSeries(data, view);
  });
}

/** Subscribe the caller to the shown tags and runs. */
export function followShown({ tags }: Pick<SeriesOfKind<unknown>, "tags">, { channel, options }: View): void {
  void [tags.value, options.tagFilter.matches.value, channel.store.runs.value];
  void [options.runs.selection.value, options.runFilter.matches.value];
}
