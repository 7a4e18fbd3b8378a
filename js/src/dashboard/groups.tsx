// Cards in groups: a tag belongs to the text before its first slash.

import { useSignal } from "@preact/signals";
import { formatCount } from "../lib/format";
import { groupTags, type TagGroup } from "../lib/groups";
import { strings } from "../lib/strings";
import { ScalarCard } from "../panels/scalars/card";
import { useView } from "./view";

/** Cards of a group that exist at once until more are asked for. */
const MOST_CARDS = 120;

export function Groups() {
  const { store, choices } = useView().session;
  const wanted = choices.tagFilter.value.toLowerCase();
  const tags = store.tags.value.filter((tag) => tag.toLowerCase().includes(wanted));
  if (tags.length === 0) {
    return (
      <p class="tbwidget-waiting">
        {strings.nothingMatches} <code>{choices.tagFilter.value}</code>
      </p>
    );
  }
  return (
    <>
      {groupTags(tags).map((group) => (
        <Group key={group.name} group={group} />
      ))}
    </>
  );
}

function Group({ group }: { readonly group: TagGroup }) {
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
            return data && <ScalarCard key={tag} tag={tag} label={label || strings.emptyTag} data={data} />;
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
