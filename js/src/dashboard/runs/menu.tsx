// The menu of the list of runs: columns, selection, copies.

import { useSignal } from "@preact/signals";
import { compareNatural } from "../../lib/natural";
import { bestRuns, FIXED_COLUMNS, HPARAM, parseSort, STATISTICS, type Statistic } from "../../lib/runcolumns";
import { Segments } from "../../ui/controls";
import { MenuLabel, Popover } from "../../ui/popover";
import { TableFiles } from "../../ui/table/files";
import { runTableTexts } from "../../ui/texts";
import { useView } from "../../ui/view";
import { selections, selectOnly } from "./selecting";
import { type RunTable, titleOf } from "./table";
import "./menu.css";

/** Tags that are offered for the headline. */
const MAX_LISTED_TAGS = 300;

const SECTIONS = ["columns", "select"] as const;

export function TableMenu({ table }: { readonly table: RunTable }) {
  const section = useSignal<(typeof SECTIONS)[number]>("columns");
  return (
    <Popover label={<MenuLabel text={runTableTexts().menu} />} title={runTableTexts().menuHint}>
      {() => (
        <div class="tbwidget-run-menu" data-lm-suppress-shortcuts="true">
          <Segments
            title={runTableTexts().sectionsTitle}
            options={SECTIONS}
            names={runTableTexts().sections}
            hints={runTableTexts().sections}
            chosen={section.value}
            choose={(chosen) => {
              section.value = chosen;
            }}
          />
          {section.value === "columns" && <ColumnsSection table={table} />}
          {section.value === "select" && <SelectSection table={table} />}
          <Copies table={table} />
        </div>
      )}
    </Popover>
  );
}

function ColumnsSection({ table }: { readonly table: RunTable }) {
  const { options, channel } = useView();
  const { run_columns, run_sort } = options.runTable;
  const statistic = useSignal<Statistic>("last");
  const tag = useSignal("");
  const keys = run_columns.value;
  const toggle = (key: string) =>
    run_columns.set(keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key]);
  const hparams = channel.store.runAttributes.value.names;
  const sort = parseSort(run_sort.value);
  const sortable = [{ key: "name", title: runTableTexts().name }, ...table.columns.value];
  return (
    <>
      <HeadlineSelect table={table} />
      {FIXED_COLUMNS.map((key) => (
        <Box key={key} name={runTableTexts().fixed[key]} on={keys.includes(key)} toggle={() => toggle(key)} />
      ))}
      {table.columns.value
        .filter(({ column }) => column.type === "statistic")
        .map(({ key, title }) => (
          <Box key={key} name={title} on toggle={() => toggle(key)} />
        ))}
      <form
        class="tbwidget-run-form"
        onSubmit={(event) => {
          event.preventDefault();
          const key = `${statistic.value}:${tag.value}`;
          if (tag.value !== "" && !keys.includes(key)) {
            run_columns.set([...keys, key]);
          }
        }}
      >
        <StatisticSelect of={statistic} />
        <TagBox of={tag} />
        <button type="submit" class="tbwidget-button" disabled={tag.value === ""}>
          {runTableTexts().add}
        </button>
      </form>
      {hparams.length > 0 && <h4>{runTableTexts().hparams}</h4>}
      {hparams.map((name) => (
        <Box key={name} name={name} on={keys.includes(HPARAM + name)} toggle={() => toggle(HPARAM + name)} />
      ))}
      <div class="tbwidget-run-form">
        <span>{runTableTexts().sort}</span>
        <select
          class="tbwidget-select"
          aria-label={runTableTexts().sort}
          value={sort?.key ?? "name"}
          onChange={({ currentTarget: { value } }) =>
            run_sort.set((sort?.descending ? "-" : "") + (value === "name" && !sort?.descending ? "" : value))
          }
        >
          {sortable.map(({ key, title }) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
          {sort !== null && !sortable.some(({ key }) => key === sort.key) && (
            <option value={sort.key}>{titleOf(sort.column, table.shownAs)}</option>
          )}
        </select>
        <label>
          <input
            type="checkbox"
            checked={sort?.descending ?? false}
            onChange={({ currentTarget: { checked } }) => {
              const key = sort?.key ?? "name";
              run_sort.set(checked ? `-${key}` : key === "name" ? "" : key);
            }}
          />
          <span>{runTableTexts().descending}</span>
        </label>
      </div>
    </>
  );
}

/** Which tag the spark lines are of. */
function HeadlineSelect({ table }: { readonly table: RunTable }) {
  const { options, channel } = useView();
  const { headline_tag } = options.runTable;
  const tags = channel.store.measuredTags().slice(0, MAX_LISTED_TAGS);
  const chosen = headline_tag.value;
  const others = chosen === null || chosen === "" || tags.includes(chosen) ? tags : [chosen, ...tags];
  const of = [null, "", ...others];
  return (
    <div class="tbwidget-run-form">
      <span>{runTableTexts().headline}</span>
      <select
        class="tbwidget-select"
        aria-label={runTableTexts().headline}
        onChange={({ currentTarget }) => headline_tag.set(of[currentTarget.selectedIndex] ?? null)}
      >
        {of.map((tag) => (
          <option key={String(tag)} selected={tag === chosen}>
            {tag === null
              ? runTableTexts().automaticHeadline(table.automaticHeadline.value)
              : tag === ""
                ? runTableTexts().noHeadline
                : table.shownAs(tag)}
          </option>
        ))}
      </select>
    </div>
  );
}

function Copies({ table }: { readonly table: RunTable }) {
  return (
    <div class="tbwidget-run-form tbwidget-run-copies">
      <TableFiles class="tbwidget-button" name="runs.csv" rows={() => table.rows()} />
    </div>
  );
}

export function SelectSection({ table }: { readonly table: RunTable }) {
  const view = useView();
  const { store } = view.channel;
  const count = useSignal(10);
  const greatest = useSignal(false);
  const statistic = useSignal<Statistic>("min");
  const tag = useSignal("");
  const hparam = useSignal("");
  const value = useSignal("");
  const noneFound = useSignal(false);
  const select = (runs: readonly string[]) => {
    noneFound.value = runs.length === 0;
    selectOnly(view, runs);
  };
  const matching = table.matching.value;
  const { names } = store.runAttributes.value;
  const textOf = (run: string) => table.textOf({ type: "hparam", name: hparam.value }, run);
  const values = hparam.value === "" ? [] : [...new Set(matching.map(textOf))].sort(compareNatural);
  return (
    <>
      <div class="tbwidget-run-form">
        <span>{runTableTexts().selectListed}:</span>
        {selections.map(([name, act]) => (
          <button key={name()} type="button" class="tbwidget-link" onClick={() => act(view)}>
            {name()}
          </button>
        ))}
      </div>
      <h4>{runTableTexts().best}</h4>
      <form
        class="tbwidget-run-form"
        onSubmit={(event) => {
          event.preventDefault();
          const column = { type: "statistic", what: statistic.value, tag: tag.value } as const;
          select(bestRuns(matching, (run) => table.valueOf(column, run), count.value, greatest.value));
        }}
      >
        <input
          type="number"
          min={1}
          aria-label={runTableTexts().count}
          value={count.value}
          onChange={({ currentTarget }) => {
            count.value = Math.max(1, Math.round(Number(currentTarget.value)) || 1);
          }}
        />
        <select
          class="tbwidget-select"
          aria-label={runTableTexts().best}
          value={greatest.value ? runTableTexts().greatest : runTableTexts().lowest}
          onChange={({ currentTarget }) => {
            greatest.value = currentTarget.value === runTableTexts().greatest;
          }}
        >
          <option>{runTableTexts().lowest}</option>
          <option>{runTableTexts().greatest}</option>
        </select>
        <StatisticSelect of={statistic} />
        <TagBox of={tag} />
        <button type="submit" class="tbwidget-button" disabled={tag.value === ""}>
          {runTableTexts().select}
        </button>
      </form>
      {names.length > 0 && (
        <>
          <h4>{runTableTexts().withValue}</h4>
          <form
            class="tbwidget-run-form"
            onSubmit={(event) => {
              event.preventDefault();
              select(matching.filter((run) => textOf(run) === value.value));
            }}
          >
            <select
              class="tbwidget-select"
              aria-label={runTableTexts().hparam}
              value={hparam.value}
              onChange={({ currentTarget }) => {
                hparam.value = currentTarget.value;
                value.value = "";
              }}
            >
              {["", ...names].map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
            <select
              class="tbwidget-select"
              aria-label={runTableTexts().value}
              value={value.value}
              onChange={({ currentTarget }) => {
                value.value = currentTarget.value;
              }}
            >
              {["", ...values.filter((one) => one !== "")].map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
            <button type="submit" class="tbwidget-button" disabled={value.value === ""}>
              {runTableTexts().select}
            </button>
          </form>
        </>
      )}
      {noneFound.value && (
        <p class="tbwidget-hint" role="status">
          {runTableTexts().noneFound}
        </p>
      )}
    </>
  );
}

// The fields that the menu of the list of runs is made of.

/** Tags that are offered; others can be typed. */
const MAX_OFFERED = 300;

interface BoxProps {
  readonly name: string;
  readonly on: boolean;
  toggle(): void;
}

function Box({ name, on, toggle }: BoxProps) {
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

function StatisticSelect({ of }: { readonly of: Held<Statistic> }) {
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

function TagBox({ of }: { readonly of: Held<string> }) {
  const { id, channel } = useView();
  const tags = channel.store.measuredTags().slice(0, MAX_OFFERED);
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
