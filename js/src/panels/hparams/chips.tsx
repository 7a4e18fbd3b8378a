// The line above the table: how many sessions there are, what filters them, and the runs that this selects.

import { batch } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { commonTexts } from "../../lib/commontexts";
import { formatCount } from "../../lib/format";
import { formatMoment } from "../../lib/times";
import { ALL } from "../../options/selection";
import { Popover } from "../../ui/popover";
import { uiTexts } from "../../ui/texts";
import { useView, type View } from "../../ui/view";
import { setFilter, valueText } from "./columnactions";
import { HPARAM_KEY, METRIC_KEY, parameterText, sessionsVary } from "./columns";
import type { ColumnFilter } from "./options";
import { rangeText } from "./parallel/axes";
import { type Brush, type HParamsState, useHParams } from "./sessions";
import { hparamsTexts } from "./texts";

/** Constant hyperparameters that are listed. */
const MAX_LISTED = 500;

export function SessionsLine({ children }: { readonly children?: ComponentChildren }) {
  const view = useView();
  const state = useHParams();
  const { rows } = state.sessions.value;
  const inside = state.brushed.value;
  const shown = inside === null ? state.shown.value : [...inside];
  const selected = state.selected.value;
  const offered = selected?.size ?? rows.length;
  const isPart = shown.length < offered;
  const some = formatCount(shown.length);
  const counted = state.members.value === null ? hparamsTexts().sessions : hparamsTexts().groupCount;
  const all = counted(rows.length, formatCount(rows.length));
  const { names, only } = view.options.runs.selection.value;
  const filters = [...state.options.hparams_filters.value];
  return (
    <div class="tbwidget-sessions-line">
      <span class="tbwidget-quiet" role="status">
        {selected === null
          ? isPart
            ? hparamsTexts().shownOf(some, all)
            : all
          : isPart
            ? hparamsTexts().shownOfSelected(some, counted(offered, formatCount(offered)), all)
            : hparamsTexts().selectedOf(formatCount(offered), all)}
      </span>
      {state.isIncomplete.value && (
        <span class="tbwidget-quiet" role="status" title={hparamsTexts().incompleteHint}>
          {hparamsTexts().incomplete}
        </span>
      )}
      {filters.map(([key, filter]) => (
        <FilterChip key={key} column={key} filter={filter} />
      ))}
      {filters.length > 1 && (
        <button
          type="button"
          class="tbwidget-link"
          data-action="hparams.clear_filters"
          onClick={() => state.options.hparams_filters.set(new Map())}
        >
          {hparamsTexts().clearFilters}
        </button>
      )}
      <BrushChips />
      {isPart && shown.length > 0 && (
        <button
          type="button"
          class="tbwidget-button"
          title={hparamsTexts().onlyTheseHint}
          data-action="hparams.only_these"
          onClick={() =>
            view.options.select({
              names: new Set(runsOf(shown, state.sessions.peek(), view.channel.store.runs.peek())),
              only: true,
            })
          }
        >
          {hparamsTexts().onlyThese(counted(shown.length, some))}
        </button>
      )}
      {(only || names.size > 0) && !view.options.runs.onlyNewest.value && (
        <button
          type="button"
          class="tbwidget-link"
          title={selected === null ? hparamsTexts().allRunsHint : hparamsTexts().showAllHint}
          data-action={selected === null ? undefined : "hparams.show_all"}
          onClick={() => showAll(view, state)}
        >
          {selected === null ? uiTexts().allRuns : hparamsTexts().showAll(all)}
        </button>
      )}
      <Equal />
      <AtBestNote />
      {children}
    </div>
  );
}

/** Selects all runs. Where that is to show all sessions, nothing else leaves any out. */
export function showAll({ options }: Pick<View, "options">, state: HParamsState): void {
  batch(() => {
    if (state.selected.peek() !== null) {
      state.options.hparams_filters.set(new Map());
      state.clearBrushes();
    }
    options.select(ALL);
  });
}

/** How many sessions there are. */
export function SessionCount() {
  const { length } = useHParams().document.value.sessions;
  return <>{hparamsTexts().sessions(length, formatCount(length))}</>;
}

/** The runs of some rows, with those below them that are no sessions of their own. */
export function runsOf(
  rows: readonly number[],
  sessions: { readonly rows: readonly { readonly runs: readonly string[] }[] },
  runs: readonly string[],
): string[] {
  const all = new Set(sessions.rows.flatMap((row) => row.runs));
  const chosen = new Set(rows.flatMap((row) => sessions.rows[row]?.runs ?? []));
  const ownerOf = (run: string): string => {
    for (let place = run; ; place = place.slice(0, place.lastIndexOf("/"))) {
      if (all.has(place) || !place.includes("/")) {
        return place;
      }
    }
  };
  return [...new Set([...chosen, ...runs.filter((run) => chosen.has(ownerOf(run)))])];
}

function FilterChip({ column: key, filter }: { readonly column: string; readonly filter: ColumnFilter }) {
  const state = useHParams();
  const column = state.columnOf(key);
  const isFixed = Object.hasOwn(hparamsTexts().fixed, key);
  const name = nameOf(state, key);
  const problem = "pattern" in filter ? state.patternOf(key, filter.pattern).problem.value : null;
  const isWaiting = column === undefined && !isFixed;
  const text = filterText(key, name, filter);
  const why = problem !== null ? uiTexts().filterProblems[problem] : isWaiting ? hparamsTexts().notThere : null;
  return (
    <button
      type="button"
      class="tbwidget-chip"
      data-filter={key}
      aria-invalid={problem !== null}
      title={[...(why === null ? [] : [why]), hparamsTexts().removeFilter(name)].join("\n")}
      onClick={() => setFilter(state, key, null)}
    >
      {commonTexts().removable(
        problem === null ? text : commonTexts().labeled(text, uiTexts().filterProblems[problem]),
      )}
    </button>
  );
}

/** The title of what a filter names, also while that is not there. */
export function nameOf(state: HParamsState, key: string): string {
  const own = key.startsWith(HPARAM_KEY) ? key.slice(HPARAM_KEY.length) : key.slice(METRIC_KEY.length);
  const fixed = Object.hasOwn(hparamsTexts().fixed, key)
    ? hparamsTexts().fixed[key as keyof ReturnType<typeof hparamsTexts>["fixed"]]
    : own;
  return state.columnOf(key)?.title ?? fixed;
}

export function filterText(key: string, name: string, filter: ColumnFilter): string {
  if ("pattern" in filter) {
    return hparamsTexts().filterPattern(name, filter.pattern);
  }
  if ("values" in filter) {
    return hparamsTexts().filterValues(
      name,
      filter.values.map((value) => valueText(key, value)),
    );
  }
  const { min, max } = filter as { readonly min?: number; readonly max?: number };
  const text = (end: number | undefined) =>
    end === undefined ? null : key === "start" ? formatMoment(end, new Date()) : parameterText(end);
  return hparamsTexts().filterRange(name, text(min), text(max));
}

/** A chip for each brushed column. They take only free space: the plot that is brushed must not move. */
function BrushChips() {
  const state = useHParams();
  const brushed = [...state.brushes.value];
  return brushed.length === 0 ? null : (
    <span class="tbwidget-brush-chips">
      {brushed.map(([key, brushes]) => {
        const name = nameOf(state, key);
        const text = brushText(key, name, brushes);
        return (
          <button
            key={key}
            type="button"
            class="tbwidget-chip"
            data-brush={key}
            title={`${text}\n${hparamsTexts().removeBrush(name)}`}
            onClick={() => state.setBrushes(key, [])}
          >
            {commonTexts().removable(text)}
          </button>
        );
      })}
    </span>
  );
}

/** Digits of the ends of a brush, which are wherever the pointer was. */
const BRUSH_DIGITS = 4;

/** Describes the selection by the brushes of one column. */
export function brushText(key: string, name: string, brushes: readonly Brush[]): string {
  const parts = brushes.flatMap((brush) =>
    "range" in brush
      ? [rangeText(brush.range, (bound) => parameterText(bound, BRUSH_DIGITS))]
      : [...brush.values].map((value) => valueText(key, value)),
  );
  return hparamsTexts().brushOf(name, parts);
}

/** The hyperparameters that are no columns because all sessions have the same value. */
function Equal() {
  const state = useHParams();
  const { hparams_columns } = state.options;
  const shown = new Set(state.columns.value.map(({ key }) => key));
  const columns = state.sessions.value.hparams.filter((column) => !shown.has(column.key) && !sessionsVary(column));
  if (columns.length === 0 || state.isSingle.value) {
    return null;
  }
  const listed = columns.slice(0, MAX_LISTED);
  return (
    <Popover
      label={commonTexts().labeled(hparamsTexts().equal, formatCount(columns.length))}
      title={hparamsTexts().equalHint}
    >
      {(close) => (
        <div class="tbwidget-equal">
          <dl>
            {listed.map((column) => (
              <div key={column.key}>
                <dt title={column.hint}>{column.title}</dt>
                <dd>{column.sessions[0] === undefined ? hparamsTexts().missing : parameterText(column.sessions[0])}</dd>
              </div>
            ))}
          </dl>
          {columns.length > listed.length && (
            <p>{hparamsTexts().moreNames(formatCount(columns.length - listed.length))}</p>
          )}
          <button
            type="button"
            class="tbwidget-link"
            onClick={() => {
              const keys = state.columns.peek().map(({ key }) => key);
              const end = keys.findLastIndex((key) => !key.startsWith(METRIC_KEY)) + 1;
              hparams_columns.set([...keys.slice(0, end), ...listed.map(({ key }) => key), ...keys.slice(end)]);
              close();
            }}
          >
            {hparamsTexts().showAsColumns}
          </button>
        </div>
      )}
    </Popover>
  );
}

/** What is shown while values at the best step are waited for, or why there are none. */
function AtBestNote() {
  const state = useHParams();
  const { requests } = useView().channel;
  const key = state.options.hparams_at.value;
  if (key === null) {
    return null;
  }
  const shown = hparamsTexts().metricValues[state.options.hparams_metric.value];
  const { reason: why, waits: isWaiting } = state.atBest;
  const [reason, waits, isSaved] = [why.value, isWaiting.value, requests.saved.value !== null];
  if (reason !== null) {
    return (
      <span class="tbwidget-hint" role="alert">
        {reason} {hparamsTexts().atInstead(shown)}
      </span>
    );
  }
  if (!(state.isStale.value || waits)) {
    return null;
  }
  const text = waits ? (isSaved ? hparamsTexts().atNotSaved : hparamsTexts().atWaits) : hparamsTexts().atMissing;
  return (
    <span class="tbwidget-quiet" role="status" title={waits && !isSaved ? uiTexts().waitsForKernelHint : undefined}>
      {text(nameOf(state, key))} {hparamsTexts().atInstead(state.isStale.value ? shown : hparamsTexts().saved)}
    </span>
  );
}
