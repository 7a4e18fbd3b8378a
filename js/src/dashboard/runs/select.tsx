// Selects runs by what is known of them: the newest, the best by a value, those with a hyperparameter.

import { useSignal } from "@preact/signals";
import { compareNatural } from "../../lib/natural";
import { bestRuns, type Statistic } from "../../lib/runcolumns";
import { NEWEST } from "../../options/runselection";
import { ALL } from "../../options/selection";
import { runTableTexts } from "../../ui/texts";
import { useView } from "../../ui/view";
import { newestRuns } from "../../wire/runfacts";
import { StatisticSelect, TagBox } from "./fields";
import type { RunTable } from "./table";

export function SelectSection({ table }: { readonly table: RunTable }) {
  const { options, channel } = useView();
  const { store } = channel;
  const count = useSignal(10);
  const greatest = useSignal(false);
  const statistic = useSignal<Statistic>("min");
  const tag = useSignal("");
  const hparam = useSignal("");
  const value = useSignal("");
  const noneFound = useSignal(false);
  const select = (runs: readonly string[]) => {
    noneFound.value = runs.length === 0;
    if (runs.length > 0) {
      options.select({ names: new Set(runs), only: true });
    }
  };
  const selected = () => {
    const { names, only } = options.runs.selection.peek();
    return store.runs.peek().filter((run) => names.has(run) === only);
  };
  const matching = table.matching.value;
  const { names } = store.runAttributes.value;
  const textOf = (run: string) => table.textOf({ type: "hparam", name: hparam.value }, run);
  const values = hparam.value === "" ? [] : [...new Set(matching.map(textOf))].sort(compareNatural);
  return (
    <>
      <div class="tbwidget-run-form">
        <span>{runTableTexts().selectListed}</span>
        {[
          [
            runTableTexts().all,
            () => (matching.length === store.runs.peek().length ? options.select(ALL) : select(matching)),
          ],
          [runTableTexts().none, () => options.select({ names: new Set(), only: true })],
          [
            runTableTexts().invert,
            () => {
              const listed = new Set(matching);
              const before = new Set(selected());
              const after = store.runs.peek().filter((run) => before.has(run) !== listed.has(run));
              options.select({ names: new Set(after), only: true });
            },
          ],
          [runTableTexts().newest, () => select([...newestRuns(matching, store.runFacts(), NEWEST)])],
        ].map(([name, act]) => (
          <button key={String(name)} type="button" class="tbwidget-link" onClick={act as () => void}>
            {String(name)}
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
