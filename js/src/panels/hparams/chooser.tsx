// The button that chooses columns and their order.

import { useSignal } from "@preact/signals";
import { formatCount } from "../../lib/format";
import { MenuLabel, Popover } from "../../ui/popover";
import type { SessionColumn } from "./columns";
import { MAX_COLUMNS, useHParams } from "./sessions";
import { hparamsTexts } from "./texts";

/** Columns that are listed at once. */
const MAX_LISTED = 200;

/** From this many columns on, they can be searched. */
const MIN_SEARCHED = 12;

export function ColumnChooser() {
  const state = useHParams();
  const { hparams_columns } = state.options;
  const isChosen = hparams_columns.value.length > 0;
  return (
    <Popover label={<MenuLabel text={hparamsTexts().columns} />} title={hparamsTexts().columnsHint} active={isChosen}>
      {() => <Columns />}
    </Popover>
  );
}

function Columns() {
  const state = useHParams();
  const { hparams_columns } = state.options;
  const search = useSignal("");
  const { hparams, metrics } = state.sessions.value;
  const shown = state.columns.value.map(({ key }) => key);
  const chosen = hparams_columns.value;
  const all = [...hparams, ...metrics];
  const wanted = search.value.toLowerCase();
  const matches = ({ key, title }: SessionColumn) =>
    key.toLowerCase().includes(wanted) || title.toLowerCase().includes(wanted);
  const sections = [
    [hparamsTexts().hparams, all.filter(({ kind, source }) => kind === "hparam" && source !== "name")],
    [hparamsTexts().fromNames, all.filter(({ source }) => source === "name")],
    [hparamsTexts().metrics, all.filter(({ kind }) => kind === "metric")],
  ] as const;
  const leftOut = state.document.value.leftOut;
  return (
    <div class="tbwidget-column-chooser" data-lm-suppress-shortcuts="true">
      <div class="tbwidget-run-form">
        {all.length >= MIN_SEARCHED && (
          <input
            type="search"
            class="tbwidget-filter"
            placeholder={hparamsTexts().findColumn}
            aria-label={hparamsTexts().findColumn}
            value={search.value}
            onInput={({ currentTarget }) => {
              search.value = currentTarget.value;
            }}
          />
        )}
        <button
          type="button"
          class="tbwidget-link"
          title={hparamsTexts().automaticHint}
          disabled={chosen.length === 0}
          onClick={() => hparams_columns.set([])}
        >
          {hparamsTexts().automatic}
        </button>
      </div>
      {sections.map(([title, of]) => {
        const found = of.filter(matches);
        return (
          found.length > 0 && (
            <Section
              key={title}
              title={title}
              columns={found}
              shown={shown}
              set={(keys) => hparams_columns.set(keys)}
            />
          )
        );
      })}
      {!all.some(matches) && <p>{hparamsTexts().noColumn}</p>}
      {chosen.length > MAX_COLUMNS && (
        <p>{hparamsTexts().tooManyColumns(formatCount(MAX_COLUMNS), formatCount(chosen.length))}</p>
      )}
      {leftOut > 0 && <p>{hparamsTexts().leftOut(leftOut, formatCount(leftOut))}</p>}
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly columns: readonly SessionColumn[];
  /** Keys of the columns that are shown, in their order. */
  readonly shown: readonly string[];
  set(keys: readonly string[]): void;
}

function Section({ title, columns, shown, set }: SectionProps) {
  const places = new Map(shown.map((key, i) => [key, i]));
  const keys = columns.map(({ key }) => key);
  const off = shown.filter((key) => !keys.includes(key));
  // The shown columns come first, in their order.
  const order = [...columns].sort((a, b) => (places.get(a.key) ?? shown.length) - (places.get(b.key) ?? shown.length));
  const own = order.filter(({ key }) => places.has(key)).map(({ key }) => key);
  const toggle = (key: string) => set(places.has(key) ? shown.filter((one) => one !== key) : [...shown, key]);
  const swap = (key: string, by: 1 | -1) => {
    const other = own[own.indexOf(key) + by];
    if (other !== undefined) {
      set(shown.map((one) => (one === key ? other : one === other ? key : one)));
    }
  };
  return (
    <section aria-label={title}>
      <h4>
        {title}
        <button
          type="button"
          class="tbwidget-link"
          disabled={own.length === keys.length}
          onClick={() => set([...shown, ...keys.filter((key) => !places.has(key))])}
        >
          {hparamsTexts().allOf}
        </button>
        {/* Without any column, there would be the automatic ones. */}
        <button
          type="button"
          class="tbwidget-link"
          disabled={own.length === 0 || off.length === 0}
          onClick={() => set(off)}
        >
          {hparamsTexts().noneOf}
        </button>
      </h4>
      {order.slice(0, MAX_LISTED).map(({ key, title: name, hint }) => (
        <div key={key} class="tbwidget-column-choice">
          <label title={hint}>
            <input
              type="checkbox"
              checked={places.has(key)}
              disabled={places.has(key) && shown.length === 1}
              onChange={() => toggle(key)}
            />
            <span>{name}</span>
          </label>
          {places.has(key) && own.length > 1 && (
            <>
              <button
                type="button"
                title={hparamsTexts().moveUp(name)}
                disabled={own[0] === key}
                onClick={() => swap(key, -1)}
              >
                <span aria-hidden="true">↑</span>
              </button>
              <button
                type="button"
                title={hparamsTexts().moveDown(name)}
                disabled={own.at(-1) === key}
                onClick={() => swap(key, 1)}
              >
                <span aria-hidden="true">↓</span>
              </button>
            </>
          )}
        </div>
      ))}
      {order.length > MAX_LISTED && <p>{hparamsTexts().moreColumns(formatCount(order.length - MAX_LISTED))}</p>}
    </section>
  );
}
