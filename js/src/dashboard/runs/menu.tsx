// The menu of the list of runs: columns, selection, copies.

import { useSignal } from "@preact/signals";
import { FIXED_COLUMNS, HPARAM, parseSort, type Statistic } from "../../lib/runcolumns";
import { Segments } from "../../ui/controls";
import { Popover } from "../../ui/popover";
import { TableFiles } from "../../ui/table/files";
import { runTableTexts } from "../../ui/texts";
import { useView } from "../../ui/view";
import { Box, StatisticSelect, TagBox } from "./fields";
import { SelectSection } from "./select";
import { type RunTable, titleOf } from "./table";
import "./menu.css";

/** Tags that are offered for the headline. */
const MAX_LISTED_TAGS = 300;

const SECTIONS = ["columns", "select"] as const;

export function TableMenu({ table }: { readonly table: RunTable }) {
  const section = useSignal<(typeof SECTIONS)[number]>("columns");
  return (
    <Popover label={runTableTexts().menu} title={runTableTexts().menuHint}>
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
            <option value={sort.key}>{titleOf(sort.column)}</option>
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
                : tag}
          </option>
        ))}
      </select>
    </div>
  );
}

function Copies({ table }: { readonly table: RunTable }) {
  return (
    <div class="tbwidget-run-form tbwidget-run-copies">
      <TableFiles
        class="tbwidget-button"
        name={runTableTexts().fileName}
        texts={runTableTexts()}
        rows={() => table.rows()}
      />
    </div>
  );
}
