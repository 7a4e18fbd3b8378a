// Tags under which none of the shown runs has anything: they have no card but are counted.

import { type ReadonlySignal, useComputed } from "@preact/signals";
import { formatCount } from "../../../lib/format";
import { strings } from "../../../lib/strings";
import { useOptions, type View } from "../../../ui/view";
import { scalars as scalarsCodec, type TagScalars } from "../kind/codec";
import { compareOptions } from "../options";

const { compare: texts } = strings;

interface Shown {
  readonly of: { readonly tags: ReadonlySignal<readonly string[]>; tag(name: string): TagScalars | undefined };
  /** Tags matching the filter that have no card, or would have none. */
  readonly hidden: number;
}

/** The tags that have cards. With no run shown at all they stay; so do those whose data have not arrived yet. */
export function useShownTags({ channel, options }: View): Shown {
  const { empty_cards } = options.of(compareOptions);
  const of = channel.store.series(scalarsCodec);
  // A text, so that what depends on it does not follow every point.
  const empty = useComputed(() => {
    if (!channel.store.runs.value.some((run) => options.shows(run))) {
      return "[]";
    }
    const isEmpty = (tag: string) => {
      const data = of.tag(tag);
      void data?.version.value;
      if (data === undefined || data.byRun.size === 0) {
        return false;
      }
      for (const run of data.byRun.keys()) {
        if (options.shows(run)) {
          return false;
        }
      }
      return true;
    };
    return JSON.stringify(of.tags.value.filter(isEmpty));
  });
  const tags = useComputed(() => {
    const hidden = new Set<string>(empty_cards.value ? [] : JSON.parse(empty.value));
    return hidden.size === 0 ? of.tags.value : of.tags.value.filter((tag) => !hidden.has(tag));
  });
  const matching = (JSON.parse(empty.value) as string[]).filter(options.tagFilter.matches.value);
  return { of: { tags, tag: (name) => of.tag(name) }, hidden: matching.length };
}

export function EmptyTags({ count }: { readonly count: number }) {
  const { empty_cards } = useOptions(compareOptions);
  return (
    count > 0 && (
      <p class="tbwidget-hint">
        {texts.emptyHidden(count, formatCount(count))}{" "}
        <button type="button" class="tbwidget-link" onClick={() => empty_cards.set(!empty_cards.peek())}>
          {empty_cards.value ? texts.hideEmpty : texts.showEmpty}
        </button>
      </p>
    )
  );
}
