// The fields that the menu of the list of runs is made of.

import { STATISTICS, type Statistic } from "../../lib/runcolumns";
import { runTableTexts } from "../../ui/texts";
import { useView } from "../../ui/view";

/** Tags that are offered; others can be typed. */
const MOST_OFFERED = 300;

interface BoxProps {
  readonly name: string;
  readonly on: boolean;
  toggle(): void;
}

export function Box({ name, on, toggle }: BoxProps) {
  return (
    <label>
      <input type="checkbox" checked={on} onChange={toggle} />
      <span>{name}</span>
    </label>
  );
}

interface Held<T> {
  value: T;
}

export function StatisticSelect({ of }: { readonly of: Held<Statistic> }) {
  return (
    <select
      class="tbwidget-select"
      aria-label={runTableTexts().statistic}
      value={of.value}
      onChange={({ currentTarget }) => {
        of.value = STATISTICS.find((one) => one === currentTarget.value) ?? "last";
      }}
    >
      {STATISTICS.map((one) => (
        <option key={one} value={one}>
          {runTableTexts().statistics[one]}
        </option>
      ))}
    </select>
  );
}

export function TagBox({ of }: { readonly of: Held<string> }) {
  const { id, channel } = useView();
  const tags = channel.store.measuredTags().slice(0, MOST_OFFERED);
  return (
    <>
      <input
        type="search"
        class="tbwidget-filter"
        list={`${id}-tags`}
        aria-label={runTableTexts().tag}
        placeholder={runTableTexts().tag}
        spellcheck={false}
        value={of.value}
        onInput={({ currentTarget }) => {
          of.value = currentTarget.value;
        }}
      />
      <datalist id={`${id}-tags`}>
        {tags.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </>
  );
}
