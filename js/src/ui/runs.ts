// The runs of a tag that are shown, and their colors.

import { type ReadonlySignal, untracked } from "@preact/signals";
import type { TagContent } from "../wire/collection";
import type { View } from "./view";

type ByRun<H> = Pick<TagContent<H>, "byRun">;

/** The content held for a run and tag. */
export interface HeldBase<S> {
  readonly series: S;
}

/** A run that is shown, and how it is drawn. */
interface DrawnRun {
  readonly run: string;
  /** As #rrggbb. */
  readonly color: string;
  /** Lengths of dashes and gaps in CSS pixels; empty for a solid line. */
  readonly dash?: readonly number[];
  /** Another run is highlighted. */
  readonly faded: boolean;
}

/** A shown run and its data under a tag, such as items or a document. */
export interface HeldRun<H> extends DrawnRun {
  readonly held: H;
}

/** A shown run and its series under a tag. */
export interface RunOf<S> extends DrawnRun {
  readonly series: S;
}

/** Return the shown runs of a tag with their data, in natural order. */
export function heldRunsOf<H>(data: ByRun<H>, { channel, options, theme, highlightedRun }: View): HeldRun<H>[] {
  const highlighted = highlightedRun.value;
  const shown = channel.store.runs.value.filter((run) => data.byRun.has(run) && options.shows(run));
  const fading = highlighted !== null && shown.includes(highlighted);
  return shown.flatMap((run) => {
    const held = data.byRun.get(run);
    const color = options.colorOf.value(run, theme.value);
    const dash = options.colors.dashOf.value(run);
    return held === undefined ? [] : [{ run, color, dash, held, faded: fading && run !== highlighted }];
  });
}

/** Return the shown runs of a tag with their series, in natural order. */
export function runsOf<S>(data: ByRun<HeldBase<S>>, view: View): RunOf<S>[] {
  return heldRunsOf(data, view).map(({ held, ...run }) => ({ ...run, series: held.series }));
}

/** The series of the runs that are shown. */
export function shownSeries<S>(data: ByRun<HeldBase<S>>, { options }: View): S[] {
  return [...data.byRun].filter(([run]) => options.shows(run)).map(([, { series }]) => series);
}

export interface SeriesOfKind<S> {
  readonly tags: ReadonlySignal<readonly string[]>;
  tag(name: string): TagContent<HeldBase<S>> | undefined;
}

const withoutFollowing = new WeakMap<object, ByRun<unknown>>();

/** The data of a tag, to be read without following them: every message changes them. */
export function unfollowed<H>(data: ByRun<H>): ByRun<H> {
  let known = withoutFollowing.get(data) as ByRun<H> | undefined;
  if (known === undefined) {
    known = {
      get byRun() {
        return untracked(() => data.byRun);
      },
    };
    withoutFollowing.set(data, known);
  }
  return known;
}

/** The series of the runs that are shown, under these tags, which it follows. */
export function shownUnder<S>(of: SeriesOfKind<S>, tags: readonly string[], view: View): S[] {
  return tags.flatMap((tag) => shownSeries(of.tag(tag) ?? { byRun: new Map() }, view));
}

/** The series of the runs that are shown, under all tags that match the filter. It does not follow the series. */
export function shownUnderTags<S>(of: SeriesOfKind<S>, view: View): S[] {
  const tags = of.tags.value.filter(view.options.tagFilter.matches.value);
  return tags.flatMap((tag) => {
    const data = of.tag(tag);
    return data === undefined ? [] : shownSeries(unfollowed(data), view);
  });
}
