// Cards in groups: a tag belongs to the text before its first slash.

import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { ComponentChildren, FunctionComponent } from "preact";
import { formatCount } from "../lib/format";
import { groupTags, type TagGroup } from "../lib/groups";
import { strings } from "../lib/strings";
import { ALL } from "./selection";
import { useView } from "./view";

/** Cards of a group that exist at once until more are asked for. */
const MOST_CARDS = 120;

export interface CardProps<D> {
  readonly tag: string;
  readonly label: string;
  readonly data: D;
}

interface Props<D> {
  /** What there are cards of. */
  readonly of: {
    /** Natural order. */
    readonly tags: ReadonlySignal<readonly string[]>;
    tag(name: string): D | undefined;
  };
  readonly Card: FunctionComponent<CardProps<D>>;
}

/** A card for every tag of which there is something. */
export function Groups<D>({ of, Card }: Props<D>) {
  const { session, choices } = useView();
  const { store } = session;
  const tags = of.tags.value;
  const card: CardOf = (tag, label) => {
    const data = of.tag(tag);
    return data !== undefined && <Card key={tag} tag={tag} label={label} data={data} />;
  };
  const filter = choices.tagFilter.value;
  const pattern = choices.tagPattern.value;
  const matching = tags.filter((tag) => pattern.matches(tag));
  const pins = choices.pinned.value.filter((tag) => tags.includes(tag));
  const pinned = { name: strings.pinned, tags: pins.map((tag) => ({ tag, label: tag })) };
  const groups = groupTags(matching.filter((tag) => !pins.includes(tag)));
  const noRunShown = !store.runs.value.some((run) => choices.shows(run));
  return (
    <>
      {noRunShown && (
        <p class="tbwidget-hint">
          {strings.noRunShown}{" "}
          {choices.strayed.value && (
            <button type="button" class="tbwidget-link" onClick={() => choices.select(ALL)}>
              {strings.showAll}
            </button>
          )}
        </p>
      )}
      {pins.length > 0 && <Group key=" pinned" group={pinned} card={card} />}
      {groups.map((group) => (
        <Group key={`/${group.name}`} group={group} card={card} />
      ))}
      {groups.length === 0 && pins.length === 0 && filter !== "" && (
        <p class="tbwidget-waiting">
          {strings.nothingMatches} <code>{filter}</code>
        </p>
      )}
    </>
  );
}

type CardOf = (tag: string, label: string) => ComponentChildren;

function Group({ group, card }: { readonly group: TagGroup; readonly card: CardOf }) {
  const open = useSignal(true);
  const most = useSignal(MOST_CARDS);
  const left = group.tags.length - most.value;
  return (
    <section class="tbwidget-group">
      {group.name !== "" && (
        <h3>
          <button
            type="button"
            aria-expanded={open.value}
            onClick={() => {
              open.value = !open.value;
            }}
          >
            <span class="tbwidget-group-name">{group.name}</span>
            <span class="tbwidget-quiet">{formatCount(group.tags.length)}</span>
          </button>
        </h3>
      )}
      {open.value && (
        <div class="tbwidget-cards">
          {group.tags.slice(0, most.value).map(({ tag, label }) => card(tag, label || strings.emptyTag))}
        </div>
      )}
      {open.value && left > 0 && (
        <button
          type="button"
          class="tbwidget-link"
          onClick={() => {
            most.value += MOST_CARDS;
          }}
        >
          {strings.showMore(formatCount(Math.min(left, MOST_CARDS)))}
        </button>
      )}
    </section>
  );
}
