// The scalars: cards by tag, and the controls that hold for all of them.

import { type ReadonlySignal, useComputed } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { formatCount } from "../../lib/format";
import { tellingTag } from "../../lib/headline";
import { chartActions, emptyCards, lineGestures, stepActions } from "../../lines/actions";
import { scalars as scalarsCodec, scalarsTable, type TagScalars } from "../../lines/codec";
import { useTagAlongX } from "../../lines/compare";
import { LineCard } from "../../lines/linecard";
import { compareOptions, scalarsOptions } from "../../lines/options";
import { StepBar } from "../../lines/stepbar";
import { compareTexts } from "../../lines/texts";
import { ValuesTable } from "../../lines/valuestable";
import { logValueOptions, timeAxisOptions } from "../../options/shared";
import type { Action } from "../../ui/actions";
import { cardActions } from "../../ui/cardactions";
import { FilterTags, LinkedStep, StepsInSight } from "../../ui/controls";
import { cardGestures } from "../../ui/gestures";
import { type CardProps, Groups, type SeveralProps } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { SavePanel } from "../../ui/save/savepanel";
import { SeveralTagsCard } from "../../ui/severalcard";
import { Toolbar } from "../../ui/toolbar";
import { useOptions, useView, type View } from "../../ui/view";
import { LastValue, Notes } from "./notes";
import { scalarTexts } from "./texts";

const TABLE = scalarsTable("scalars");

const tagsOf = ({ channel }: View) => channel.store.series(scalarsCodec).tags.value;

const ACTIONS: readonly Action[] = [
  ...chartActions,
  ...stepActions,
  ...cardActions(tagsOf),
  emptyCards,
  ...lineGestures,
  ...cardGestures(true),
];

export function ScalarsPanel() {
  const view = useView();
  const { of, hidden } = useShownTags(view);
  useTagAlongX(view);
  return (
    <>
      <Groups of={of} lead={useLead(view)} Card={ScalarCard} Several={SeveralCard} />
      <EmptyTags count={hidden} />
    </>
  );
}

/**
 * The tag whose card comes first: the chosen headline, else the first loss or score. It stays once the initial scan has
 * arrived, even if better ones come: cards do not change places under the pointer.
 */
function useLead({ channel, options }: View): string | null {
  const settled = useRef<string | null>(null);
  const telling = settled.current ?? tellingTag(channel.store.series(scalarsCodec).tags.value);
  if (channel.store.settled.value) {
    settled.current = telling;
  }
  return options.runTable.headline_tag.value ?? telling;
}

export function ScalarsToolbar() {
  const view = useView();
  return (
    <>
      <Toolbar
        name={scalarTexts().title}
        actions={ACTIONS}
        save={<SavePanel table={TABLE} />}
        filter={<FilterTags tags={tagsOf(view)} />}
      >
        <StepsInSight />
        <LinkedStep />
      </Toolbar>
      <StepBar />
      <ValuesTable />
    </>
  );
}

interface Shown {
  readonly of: { readonly tags: ReadonlySignal<readonly string[]>; tag(name: string): TagScalars | undefined };
  /** Tags matching the filter that have no card, or would have none. */
  readonly hidden: number;
}

/** The tags that have cards. With no run shown at all they stay; so do those whose data have not arrived yet. */
function useShownTags({ channel, options }: View): Shown {
  const { empty_cards } = options.of(compareOptions);
  const of = channel.store.series(scalarsCodec);
  // A text, so that what depends on it does not follow every point.
  const empty = useComputed(() => {
    if (!channel.store.runs.value.some((run) => options.shows(run))) {
      return "[]";
    }
    const isEmpty = (tag: string) => {
      const data = of.tag(tag);
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
  // The same object at each render: otherwise every card would be rendered again.
  const shown = useMemo(() => ({ tags, tag: (name: string) => of.tag(name) }), [tags, of]);
  return { of: shown, hidden: matching.length };
}

function EmptyTags({ count }: { readonly count: number }) {
  const { empty_cards } = useOptions(compareOptions);
  return (
    count > 0 && (
      <p class="tbwidget-hint">
        {compareTexts().emptyHidden(count, formatCount(count))}{" "}
        <button type="button" class="tbwidget-link" onClick={() => empty_cards.set(!empty_cards.peek())}>
          {empty_cards.value ? compareTexts().hideEmpty : compareTexts().showEmpty}
        </button>
      </p>
    )
  );
}

export function ScalarCard({ tag, label, data }: CardProps<TagScalars>) {
  return (
    <LineCard
      panel="scalars"
      label={label}
      shown={[{ tag, data }]}
      composed={null}
      marks={<Notes data={data} />}
      value={<LastValue data={data} />}
    />
  );
}

export function SeveralCard({ id, takeOut, ...several }: SeveralProps<TagScalars>) {
  return (
    <SeveralTagsCard panel="scalars" {...several}>
      {({ shown, label, title, buttons }) => (
        <LineCard
          panel="scalars"
          label={label}
          shown={shown}
          composed={{ ...{ id, title, buttons }, takeOut: several.pattern === null ? takeOut : undefined }}
        />
      )}
    </SeveralTagsCard>
  );
}

export const scalars = definePanel({
  name: "scalars",
  title: () => scalarTexts().title,
  codecs: [scalarsCodec],
  options: [timeAxisOptions, logValueOptions, scalarsOptions, compareOptions],
  actions: ACTIONS,
  Toolbar: ScalarsToolbar,
  Body: ScalarsPanel,
});
