// The scalars: cards by tag, and the controls that hold for all of them.

import { type ReadonlySignal, useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { formatCount } from "../../lib/format";
import { splitOf, tellingSplit } from "../../lib/tagorder";
import {
  clearSteps,
  emptyCards,
  joinSplits,
  lineCardActions,
  lineGestures,
  namedRanges,
  tagChartActions,
  valuesTable,
} from "../../lines/actions";
import { scalars as scalarsCodec, scalarsTable, type TagScalars } from "../../lines/codec";
import { useTagAlongX } from "../../lines/compare";
import { LineCard } from "../../lines/linecard";
import { compareOptions, scalarsOptions } from "../../lines/options";
import { useLineSteps } from "../../lines/steps";
import { compareTexts } from "../../lines/texts";
import { namedRangeOptions } from "../../options/namedranges";
import { logValueOptions, stepOverviewOptions, timeAxisOptions } from "../../options/shared";
import type { Action } from "../../ui/actions";
import { stepOverview } from "../../ui/axisactions";
import { cardActions } from "../../ui/cardactions";
import { arrangeActions, joinCard, severalActions, takeOut } from "../../ui/cardcommands";
import { Check, FilterTags } from "../../ui/controls";
import { cardGestures } from "../../ui/gestures";
import { type CardProps, Groups, type SeveralProps } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { SavePanel } from "../../ui/save/savepanel";
import { JoinIcon, SeveralTagsCard } from "../../ui/severalcard";
import { cardTexts } from "../../ui/texts";
import { Toolbar } from "../../ui/toolbar";
import { useOptions, useView, type View } from "../../ui/view";
import { LastValue, Notes } from "./notes";
import { scalarTexts } from "./texts";

const TABLE = scalarsTable("scalars");

const tagsOf = ({ channel }: View) => channel.store.series(scalarsCodec).tags.value;

const shownTagsOf = (view: View) => tagsOf(view).filter(view.options.tagFilter.matches.value);

const ACTIONS: readonly Action[] = [
  ...tagChartActions(shownTagsOf),
  stepOverview,
  valuesTable,
  clearSteps,
  namedRanges,
  ...cardActions(tagsOf),
  emptyCards,
  joinSplits,
  ...lineCardActions,
  ...severalActions,
  joinCard,
  takeOut,
  ...arrangeActions,
  ...lineGestures,
  ...cardGestures(true),
];

export function ScalarsPanel() {
  const view = useView();
  const { of, hidden } = useShownTags(view);
  useTagAlongX(view);
  return (
    <>
      <Groups
        of={of}
        joinsSplits={view.options.of(compareOptions).join_splits.value}
        Card={ScalarCard}
        Several={SeveralCard}
      />
      <EmptyTags count={hidden} />
    </>
  );
}

export function ScalarsToolbar() {
  const view = useView();
  return (
    <Toolbar
      name={scalarTexts().title}
      actions={ACTIONS}
      save={<SavePanel table={TABLE} />}
      filter={<FilterTags tags={tagsOf(view)} />}
    />
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
        <Check option={empty_cards} name={compareTexts().emptyCards} />
      </p>
    )
  );
}

export function ScalarCard({ tag, label, data, join }: CardProps<TagScalars>) {
  return (
    <LineCard
      panel="scalars"
      label={label}
      shown={[{ tag, data }]}
      composed={null}
      marks={<Notes tags={[data]} />}
      value={<LastValue data={data} />}
      buttons={join !== null && <JoinButton join={join} />}
    />
  );
}

function JoinButton({ join }: { join(): void }) {
  const hint = cardTexts().join;
  return (
    <button type="button" class="tbwidget-word tbwidget-dissolve" title={hint} data-action="card.join" onClick={join}>
      <JoinIcon />
    </button>
  );
}

export function SeveralCard({ id, takeOut, ...several }: SeveralProps<TagScalars>) {
  const { tags, stem, pattern, of } = several;
  const telling = stem === null ? "" : tellingSplit(tags);
  const told = of.tag(telling);
  // The button of the card gives each of two a card of its own.
  const canTakeOut = pattern === null && (stem === null || tags.length > 2);
  return (
    <SeveralTagsCard panel="scalars" {...several}>
      {({ shown, label, title, buttons }) => (
        <LineCard
          panel="scalars"
          label={label}
          shown={shown}
          composed={{ ...{ id, title, buttons }, pins: stem !== null, takeOut: canTakeOut ? takeOut : undefined }}
          marks={stem !== null && <Notes tags={shown.map(({ data }) => data)} />}
          value={stem !== null && told !== undefined && <LastValue data={told} split={splitOf(telling)} />}
        />
      )}
    </SeveralTagsCard>
  );
}

export const scalars = definePanel({
  name: "scalars",
  title: () => scalarTexts().title,
  codecs: [scalarsCodec],
  options: [timeAxisOptions, namedRangeOptions, logValueOptions, scalarsOptions, compareOptions, stepOverviewOptions],
  actions: ACTIONS,
  useSteps: useLineSteps,
  Toolbar: ScalarsToolbar,
  Body: ScalarsPanel,
});
