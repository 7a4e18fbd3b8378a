// Cards in groups: a tag belongs to the text before its first slash.

import { useSignal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { formatCount } from "../lib/format";
import { groupTags, type TagGroup } from "../lib/groups";
import { strings } from "../lib/strings";
import type { TagData } from "../wire/store";
import { ALL } from "./selection";
import { useView } from "./view";

/** Cards of a group that exist at once until more are asked for. */
const MOST_CARDS = 120;

/** Draws the card of a tag. */
export type Card = FunctionComponent<{ readonly tag: string; readonly label: string; readonly data: TagData }>;

export function Groups({ Card }: { readonly Card: Card }) {
  const { session, choices } = useView();
  const { store } = session;
  const filter = choices.tagFilter.value;
  const pattern = choices.tagPattern.value;
  const matching = store.tags.value.filter((tag) => pattern.matches(tag));
  const pins = choices.pinned.value.filter((tag) => store.tags.value.includes(tag));
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
      {pins.length > 0 && <Group key=" pinned" group={pinned} Card={Card} />}
      {groups.map((group) => (
        <Group key={`/${group.name}`} group={group} Card={Card} />
      ))}
      {groups.length === 0 && pins.length === 0 && filter !== "" && (
        <p class="tbwidget-waiting">
          {strings.nothingMatches} <code>{filter}</code>
        </p>
      )}
    </>
  );
}

function Group({ group, Card }: { readonly group: TagGroup; readonly Card: Card }) {
  const { store } = useView().session;
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
          {group.tags.slice(0, most.value).map(({ tag, label }) => {
            const data = store.tag(tag);
            return data && <Card key={tag} tag={tag} label={label || strings.emptyTag} data={data} />;
          })}
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
