// The menu of a column of the table: order, filter, place.

import { useSignal } from "@preact/signals";
import { formatCount } from "../../lib/format";
import { compareNatural } from "../../lib/natural";
import { parseNumber, RangeBoxes } from "../../ui/rangeboxes";
import { uiTexts } from "../../ui/texts";
import { STATUSES } from "./codec";
import { parameterText, type Value } from "./columns";
import type { ColumnFilter } from "./options";
import { type HParamsState, moveColumn, orderBy, useHParams } from "./sessions";
import { hparamsTexts } from "./texts";

/** Values that are listed with a box each; of more, an expression chooses. */
const MAX_VALUES = 200;

/** Up to this many different numbers have boxes in place of a range. */
const MAX_NUMBER_VALUES = 8;

interface Props {
  readonly column: string;
  close(): void;
}

export function ColumnActions({ column: key, close }: Props) {
  const state = useHParams();
  const { hparams_sort, hparams_columns, hparams_goal } = state.options;
  const keys = state.columns.value.map((column) => column.key);
  const place = keys.indexOf(key);
  const sort = state.shownSorts.find((one) => one.key === key);
  const order = (descending: boolean) => {
    orderBy(state, key, descending);
    close();
  };
  const isMetric = state.columnOf(key)?.kind === "metric";
  return (
    <>
      <ul>
        <Action name={hparamsTexts().sortAscending} checked={sort?.descending === false} act={() => order(false)} />
        <Action name={hparamsTexts().sortDescending} checked={sort?.descending === true} act={() => order(true)} />
        {sort !== undefined && state.sorts.length > 0 && (
          <Action
            name={hparamsTexts().unsort}
            act={() => {
              hparams_sort.set(hparams_sort.peek().filter((text) => text !== key && text !== `-${key}`));
              close();
            }}
          />
        )}
      </ul>
      <p class="tbwidget-quiet">{hparamsTexts().addToSort}</p>
      {key !== "duration" && <FilterForm column={key} close={close} />}
      {place >= 0 && (
        <ul>
          {isMetric && (
            <Action
              name={hparamsTexts().useAsGoal}
              checked={state.goal.value?.key === key}
              act={() => {
                hparams_goal.set(key);
                close();
              }}
            />
          )}
          <Action
            name={hparamsTexts().moveLeft}
            disabled={place === 0}
            act={() => moveColumn(state, key, keys[place - 1] ?? null)}
          />
          <Action
            name={hparamsTexts().moveRight}
            disabled={place === keys.length - 1}
            act={() => moveColumn(state, key, keys[place + 2] ?? null)}
          />
          <Action
            name={hparamsTexts().hide}
            disabled={keys.length === 1}
            act={() => {
              hparams_columns.set(keys.filter((one) => one !== key));
              close();
            }}
          />
        </ul>
      )}
    </>
  );
}

interface ActionProps {
  readonly name: string;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  act(): void;
}

function Action({ name, checked = false, disabled = false, act }: ActionProps) {
  return (
    <li>
      <button type="button" disabled={disabled} aria-pressed={checked} onClick={act}>
        {name}
        {checked && <span class="tbwidget-quiet">✓</span>}
      </button>
    </li>
  );
}

export function setFilter(
  { options: { hparams_filters } }: HParamsState,
  key: string,
  filter: ColumnFilter | null,
): void {
  const filters = new Map(hparams_filters.peek());
  if (filter === null) {
    filters.delete(key);
  } else {
    filters.set(key, filter);
  }
  hparams_filters.set(filters);
}

function FilterForm({ column: key, close }: Pick<Props, "column" | "close">) {
  const state = useHParams();
  const filter = state.options.hparams_filters.value.get(key);
  const values = state.valuesOf(key) ?? [];
  const different = new Set<Value | undefined>(values);
  const numbers = values.filter((value) => typeof value === "number");
  const isMetric = state.columnOf(key)?.kind === "metric";
  const isRange = numbers.length > 0 && (isMetric || different.size > MAX_NUMBER_VALUES);
  const isListed = key !== "run" && !isMetric && different.size <= MAX_VALUES && !isRange;
  const isTyped = !isMetric && !isRange && (key === "run" || different.size > MAX_NUMBER_VALUES);
  return (
    <section aria-label={hparamsTexts().filter}>
      <h4>
        {hparamsTexts().filter}
        {filter !== undefined && (
          <button type="button" class="tbwidget-link" onClick={() => setFilter(state, key, null)}>
            {hparamsTexts().clear}
          </button>
        )}
      </h4>
      {isRange && <RangeForm column={key} numbers={numbers} filter={filter} />}
      {isTyped && <PatternForm column={key} filter={filter} close={close} />}
      {isListed && <ValueBoxes column={key} different={different} values={values} filter={filter} />}
    </section>
  );
}

interface FormProps {
  readonly column: string;
  readonly filter: ColumnFilter | undefined;
}

function RangeForm({ column, numbers, filter }: FormProps & { readonly numbers: readonly number[] }) {
  const state = useHParams();
  const { min = null, max = null } = (filter ?? {}) as { readonly min?: number; readonly max?: number };
  const finite = numbers.filter(Number.isFinite);
  const [least, most] = finite.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number]);
  return (
    <RangeBoxes
      names={[hparamsTexts().least, hparamsTexts().most]}
      hint={hparamsTexts().filter}
      low={min}
      high={max}
      open={least > most ? ["", ""] : [parameterText(least), parameterText(most)]}
      mayBeEqual
      parse={parseNumber}
      set={(low, high) => {
        const bounds = { ...(low === null ? {} : { min: low }), ...(high === null ? {} : { max: high }) };
        setFilter(state, column, low === null && high === null ? null : bounds);
      }}
    />
  );
}

function PatternForm({ column, filter, close }: FormProps & { close(): void }) {
  const state = useHParams();
  const pattern = filter !== undefined && "pattern" in filter ? filter.pattern : "";
  const text = useSignal(pattern);
  const problem = pattern === "" ? null : state.patternOf(column, pattern).problem.value;
  const set = () => setFilter(state, column, text.peek() === "" ? null : { pattern: text.peek() });
  return (
    <>
      <input
        type="text"
        class="tbwidget-filter"
        value={text.value}
        placeholder={hparamsTexts().pattern}
        title={hparamsTexts().patternHint}
        aria-label={hparamsTexts().pattern}
        aria-invalid={problem !== null}
        spellcheck={false}
        data-lm-suppress-shortcuts="true"
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          set();
        }}
        onKeyDown={({ key }) => key === "Enter" && close()}
      />
      {problem !== null && <p role="alert">{uiTexts().filterProblems[problem]}</p>}
    </>
  );
}

interface BoxesProps extends FormProps {
  readonly different: ReadonlySet<Value | undefined>;
  readonly values: readonly (Value | undefined)[];
}

function ValueBoxes({ column, different, values, filter }: BoxesProps) {
  const state = useHParams();
  const accepted = filter !== undefined && "values" in filter ? new Set(filter.values) : null;
  const counts = new Map<Value | undefined, number>();
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  // A value that is waited for can be taken out again, too.
  const all = [...new Set([...different, ...[...(accepted ?? [])].map((value) => value ?? undefined)])].sort(
    compareValues,
  );
  const toggle = (value: Value | undefined) => {
    const before = accepted ?? new Set(all.map((one) => one ?? null));
    const after = new Set(before);
    if (!after.delete(value ?? null)) {
      after.add(value ?? null);
    }
    setFilter(state, column, all.every((one) => after.has(one ?? null)) ? null : { values: [...after] });
  };
  return (
    <div class="tbwidget-value-boxes">
      {all.map((value) => (
        <label key={`${typeof value} ${String(value)}`}>
          <input type="checkbox" checked={accepted?.has(value ?? null) !== false} onChange={() => toggle(value)} />
          <span>{valueText(column, value)}</span>
          <span class="tbwidget-quiet">{formatCount(counts.get(value) ?? 0)}</span>
        </label>
      ))}
    </div>
  );
}

/** A value in a list of them. */
export function valueText(column: string, value: Value | null | undefined): string {
  if (value === undefined || value === null) {
    return hparamsTexts().missing;
  }
  const status = column === "status" ? STATUSES.find((one) => one === value) : undefined;
  if (status !== undefined) {
    return hparamsTexts().statuses[status];
  }
  return value === "" ? hparamsTexts().empty : parameterText(value);
}

function compareValues(a: Value | undefined, b: Value | undefined): number {
  if (typeof a === "number" && typeof b === "number") {
    return a - b;
  }
  return Number(a === undefined) - Number(b === undefined) || compareNatural(String(a), String(b));
}
