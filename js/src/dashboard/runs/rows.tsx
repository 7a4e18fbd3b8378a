// The rows of the list of runs: one for each run, and one above each group of them.

import { useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { formatCount, formatValue, formatWithin } from "../../lib/format";
import { splitsCharacter } from "../../lib/names";
import { showCheckpoints } from "../../lines/checkpointlist";
import { checkpointsOf } from "../../lines/checkpoints";
import { compareOptions } from "../../lines/options";
import { checkpointTexts } from "../../lines/texts";
import { toggled } from "../../options/selection";
import { runTableTexts } from "../../ui/texts";
import { useView } from "../../ui/view";
import { dashboardTexts } from "../texts";
import { SPARK_HEIGHT, SPARK_WIDTH, sparkPath } from "./spark";
import { ROLES, type RunTable, type ShownColumn } from "./table";

export interface RowActions {
  show(runs: readonly string[], show: boolean): void;
  only(run: string): void;
  highlight(run: string | null): void;
  pick(run: string, color: string, at: HTMLElement): void;
  rename(run: string, name: string): void;
  /** Opens the note about a run. */
  note(run: string): void;
  /** Puts it into the archive, or takes it back, by a button of its row. */
  archive(run: string, button: HTMLElement): void;
}

interface RowProps {
  readonly run: string;
  readonly table: RunTable;
  /** Below the row of its group. */
  readonly inGroup: boolean;
  readonly actions: RowActions;
}

/** One run; drawn again only when something of its own changes, so that hundreds of them stay cheap. */
export function Row({ run, table, inGroup, actions }: RowProps) {
  const view = useView();
  const { options, theme, id, runChoice } = view;
  const hasCheckpoints = useComputed(() => checkpointsOf(view.channel.store).counts.has(run)).value;
  const editing = useSignal(false);
  const chooses = useComputed(() => runChoice.value !== null).value;
  const offered = useComputed(() => runChoice.value?.offered.has(run) !== false).value;
  const shown = useComputed(() => {
    const choice = runChoice.value;
    return choice === null ? options.shows(run) : choice.run === run;
  }).value;
  const color = useComputed(() => options.colorOf.value(run, theme.value)).value;
  const renamed = useComputed(() => options.runTable.run_names.value.get(run)).value;
  const note = useComputed(() => options.runTable.run_notes.value.get(run)).value;
  const isArchived = useComputed(() => options.runTable.archived_runs.value.has(run)).value;
  const span = options.runFilter.spanOf.value(run);
  const elision = useComputed(() => table.names.value.get(run)).value;
  const name = elision?.text ?? renamed ?? run;
  const [from, to] = span === null || renamed !== undefined ? [0, 0] : (elision?.span(span[0], span[1]) ?? span);
  const columns = table.columns.value;
  const headline = table.headline.value;
  const title = [
    ...(renamed === undefined ? [run] : [renamed, runTableTexts().ownName(run)]),
    ...(note === undefined ? [] : [note]),
    ...(chooses ? [] : [dashboardTexts().onlyThisHint]),
  ];
  return (
    <li
      data-run={run}
      data-shown={shown ? "" : undefined}
      data-in-group={inGroup ? "" : undefined}
      data-archived={isArchived ? "" : undefined}
      role={ROLES.between}
      onMouseEnter={() => actions.highlight(run)}
      onFocusIn={(event) => (event.target as Element).matches(":focus-visible") && actions.highlight(run)}
      onKeyDown={(event) => {
        if (event.key === "F2") {
          event.preventDefault();
          editing.value = true;
        }
      }}
    >
      <div class="tbwidget-run-row" role={ROLES.row}>
        <div class="tbwidget-run" {...{ role: ROLES.name, "aria-label": renamed ?? run }}>
          {editing.value ? (
            <NameBox
              run={run}
              name={renamed ?? run}
              end={(name) => {
                // The removed box loses the focus, and would apply the abandoned text.
                const ends = editing.peek();
                editing.value = false;
                if (ends && name !== null) {
                  actions.rename(run, name);
                }
              }}
            />
          ) : (
            <label title={title.join("\n")} onDblClick={() => chooses || actions.only(run)}>
              <input
                // Boxes that became radio buttons one after the other would uncheck the chosen one.
                key={chooses}
                type={chooses ? "radio" : "checkbox"}
                name={chooses ? `${id}-run` : undefined}
                tabIndex={-1}
                aria-label={renamed ?? run}
                checked={shown}
                disabled={!offered}
                onChange={(event) =>
                  chooses ? runChoice.peek()?.choose(run) : actions.show([run], event.currentTarget.checked)
                }
              />
              {/* The box has the name, which would be read out twice. */}
              <span class="tbwidget-run-name" aria-hidden="true">
                {withMark(name, from, to)}
              </span>
            </label>
          )}
          {note !== undefined && (
            <button
              type="button"
              class="tbwidget-run-note"
              tabIndex={-1}
              title={note}
              aria-label={runTableTexts().noteOf(run)}
              data-action="runs.note"
              onClick={() => actions.note(run)}
            >
              ¶
            </button>
          )}
          <button
            type="button"
            class="tbwidget-swatch"
            tabIndex={-1}
            title={dashboardTexts().pickColor}
            aria-label={dashboardTexts().colorOf(run)}
            style={{ "--tbwidget-run": color }}
            onClick={(event) => actions.pick(run, color, event.currentTarget)}
          />
          <span class="tbwidget-run-tools">
            <button
              type="button"
              class="tbwidget-rename-run"
              tabIndex={-1}
              title={runTableTexts().renameHint}
              aria-label={runTableTexts().rename(run)}
              onClick={() => {
                editing.value = true;
              }}
            >
              ✎
            </button>
            {hasCheckpoints && (
              <button
                type="button"
                class="tbwidget-run-checkpoints"
                tabIndex={-1}
                title={checkpointTexts().of(run)}
                onClick={() => showCheckpoints(view, [{ run, checkpoints: null }])}
              >
                <span aria-hidden="true">◆</span>
              </button>
            )}
            {note === undefined && (
              <button
                type="button"
                tabIndex={-1}
                title={runTableTexts().noteOf(run)}
                data-action="runs.note"
                onClick={() => actions.note(run)}
              >
                <span aria-hidden="true">¶</span>
              </button>
            )}
            <button
              type="button"
              class="tbwidget-archive-run"
              tabIndex={-1}
              title={isArchived ? runTableTexts().unarchiveHint : runTableTexts().archiveHint}
              aria-label={isArchived ? runTableTexts().unarchive(run) : runTableTexts().archive(run)}
              onClick={(event) => actions.archive(run, event.currentTarget)}
            >
              {isArchived ? "⊕" : "⊖"}
            </button>
            {!chooses && (
              <button
                type="button"
                class="tbwidget-only"
                tabIndex={-1}
                aria-label={dashboardTexts().onlyRun(run)}
                onClick={() => actions.only(run)}
              >
                {dashboardTexts().only}
              </button>
            )}
          </span>
        </div>
        {/* The key: what a cell computes is of the tag that it was made with. */}
        {headline !== null && <HeadlineCell key={headline} run={run} tag={headline} table={table} color={color} />}
        {columns.map((column) => (
          <Cell key={column.key} column={column} table={table} run={run} />
        ))}
      </div>
    </li>
  );
}

interface CellProps {
  readonly column: ShownColumn;
  readonly table: RunTable;
  readonly run: string;
}

function Cell({ column, table, run }: CellProps) {
  const text = useComputed(() => table.textOf(column.column, run)).value;
  return (
    <span class="tbwidget-run-cell" role={ROLES.cell} title={text}>
      {text}
    </span>
  );
}

interface NameBoxProps {
  readonly run: string;
  readonly name: string;
  /** Null: nothing was entered. */
  end(name: string | null): void;
}

function NameBox({ run, name, end }: NameBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.select(), []);
  const back = () => {
    const row = box.current?.closest("li");
    queueMicrotask(() => row?.querySelector("input")?.focus());
  };
  return (
    <input
      ref={box}
      type="text"
      class="tbwidget-filter"
      aria-label={runTableTexts().newName(run)}
      spellcheck={false}
      value={name}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter" || event.key === "Escape") {
          event.preventDefault();
          end(event.key === "Enter" ? event.currentTarget.value : null);
          back();
        }
      }}
      onBlur={(event) => end(event.currentTarget.value)}
    />
  );
}

interface GroupRowProps {
  readonly group: string;
  readonly runs: readonly string[];
  readonly open: boolean;
  readonly table: RunTable;
  readonly actions: RowActions;
}

export function GroupRow({ group, runs, open, table, actions }: GroupRowProps) {
  const { options, theme, runChoice } = useView();
  const box = useRef<HTMLInputElement>(null);
  const shown = runs.filter((run) => options.shows(run)).length;
  const { group_by } = options.board;
  const by = options.colors.by.value;
  const colorOf = options.colors.colorOfGroup.value;
  const hasColor = colorOf !== null && (by === "group" || by === group_by.value);
  useEffect(() => {
    if (box.current !== null) {
      box.current.indeterminate = shown > 0 && shown < runs.length;
    }
  }, [shown, runs]);
  const name = group === "" ? runTableTexts().noGroup : group;
  return (
    <li class="tbwidget-run-group" data-group={group} data-shown={shown > 0 ? "" : undefined} role={ROLES.between}>
      <div class="tbwidget-run-row" role={ROLES.row}>
        <div class="tbwidget-run" {...{ role: ROLES.name, "aria-label": name }}>
          <label title={name} hidden={runChoice.value !== null}>
            <input
              ref={box}
              type="checkbox"
              tabIndex={-1}
              aria-label={runTableTexts().groupRuns(name)}
              checked={shown === runs.length}
              onChange={() => actions.show(runs, shown < runs.length)}
            />
          </label>
          <button
            type="button"
            tabIndex={-1}
            aria-expanded={open}
            aria-label={runTableTexts().fold(name)}
            onClick={() => table.fold(group)}
          >
            <span class="tbwidget-group-name">{name}</span>
            <span class="tbwidget-quiet">
              {runTableTexts().groupCount(formatCount(shown), formatCount(runs.length))}
            </span>
          </button>
          {hasColor && <i class="tbwidget-swatch" style={{ "--tbwidget-run": colorOf(group, theme.value) }} />}
        </div>
        <GroupHeadlineCell group={group} table={table} />
      </div>
    </li>
  );
}

/** The selection after some runs were shown or hidden. */
export function selectionAfter(
  view: ReturnType<typeof useView>,
  runs: readonly string[],
  show: boolean,
): ReturnType<typeof toggled> {
  return toggled(view.options.runs.selection.peek(), runs, show, view.channel.store.runs.peek());
}

function withMark(text: string, start: number, end: number): ComponentChildren {
  // A dot of the filter matches half of a character as well.
  const from = splitsCharacter(text, start) ? start - 1 : start;
  const to = splitsCharacter(text, end) ? end + 1 : end;
  if (from >= Math.min(to, text.length)) {
    return text;
  }
  return (
    <>
      {text.slice(0, from)}
      <mark>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </>
  );
}

// The result of a run in one cell: a spark line and the last value of the headline tag, and whether the run goes on.

/** Characters of a value that the narrowest column has room for. */
const VALUE_ROOM = 8;

const NO_VALUE = { text: "", hint: "", isElsewhere: false };

interface Props {
  readonly run: string;
  readonly tag: string;
  readonly table: RunTable;
  readonly color: string;
}

export function HeadlineCell({ run, tag, table, color }: Props) {
  const { options } = useView();
  const path = useComputed(() => {
    const outline = table.outlineOf(run, tag);
    return outline === null ? "" : sparkPath(outline, table.sparkScale.value);
  }).value;
  const { text, hint, isElsewhere } = useComputed(() => {
    const linked = table.linked.value;
    if (linked !== null) {
      const there = table.valueThere(run, tag, linked);
      if (there === null) {
        return NO_VALUE;
      }
      const { meanValue, valueAt } = runTableTexts();
      const mark = there.approximate ? meanValue : (value: string) => value;
      const text = mark(formatWithin(there.value, VALUE_ROOM - mark("").length));
      const hint = valueAt(mark(formatValue(there.value)), formatCount(there.step), formatCount(linked));
      return { text, hint, isElsewhere: there.step !== BigInt(linked) };
    }
    const last = table.valueOf({ type: "statistic", what: "last", tag }, run);
    const [text, hint] = typeof last === "number" ? [formatWithin(last, VALUE_ROOM), formatValue(last)] : ["", ""];
    return { text, hint, isElsewhere: false };
  }).value;
  const state = useComputed(() => table.stateOf(run, tag)).value;
  const dash = useComputed(() => options.colors.dashOf.value(run)).value;
  return (
    <span class="tbwidget-run-cell tbwidget-headline" role={ROLES.cell}>
      <svg viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} stroke={color} stroke-dasharray={dash.length > 0 ? dash.join(" ") : undefined} />
      </svg>
      <span class="tbwidget-headline-value" data-elsewhere={isElsewhere ? "" : undefined} title={hint}>
        {text}
      </span>
      {state !== null && (
        <i
          class="tbwidget-run-state"
          role="img"
          data-run-state={state}
          aria-label={runTableTexts().runStates[state]}
          title={runTableTexts().runStateHints[state]}
        />
      )}
    </span>
  );
}

interface GroupProps {
  readonly group: string;
  readonly table: RunTable;
}

/** The result of a group: the mean or the median of its runs. */
function GroupHeadlineCell({ group, table }: GroupProps) {
  const { options } = useView();
  const found = useComputed(() => table.groupValue(group)).value;
  if (found === undefined) {
    return null;
  }
  const text = formatValue(found.value);
  const aggregate = options.of(compareOptions).aggregate.value ?? "";
  const hint = runTableTexts().groupValueAt(aggregate, found.runs.length, text, formatCount(found.step));
  return (
    <span class="tbwidget-run-cell tbwidget-headline" role={ROLES.cell}>
      <span class="tbwidget-headline-value" title={hint}>
        {formatWithin(found.value, VALUE_ROOM)}
      </span>
    </span>
  );
}
