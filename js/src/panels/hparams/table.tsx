// The table of sessions: what they were run with, and what came of it.

import { computed, type ReadonlySignal, type Signal, signal, useSignalEffect } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import { formatCount, formatValue } from "../../lib/format";
import type { Sort } from "../../lib/sortrows";
import { language } from "../../lib/texts";
import { formatDuration } from "../../lib/times";
import { RunName } from "../../ui/runname";
import { type ColumnWidths, ROW_HEIGHT_PX, Table, type TableColumn } from "../../ui/table/table";
import { useView, type View } from "../../ui/view";
import { ColumnActions } from "./columnactions";
import { endsOf, type SessionRow, stepsText, textOf, type Value } from "./columns";
import { previewOf } from "./preview";
import { type HParamsState, hparamsOf, moveColumn } from "./sessions";
import { hparamsTexts } from "./texts";

/** A row of the table: an index into `HParamsState.sessions`, or, from -1 downward, a trial of an unfolded group. */
export type TableRow = number;

/** Keys of columns that are neither hyperparameters nor metrics. */
type FixedKey = "run" | "group" | "status" | "duration";

function trialRow(session: number): TableRow {
  return -1 - session;
}

/** Rows that the table shows at least without scrolling. */
const MIN_ROWS = 8;
/** Values that the hint of a cell lists. */
const MAX_HINT_VALUES = 8;
/** Milliseconds after which a dragged brush rests: the lines follow each of its moves, which new rows would slow down. */
const REST_MS = 150;
/** CSS pixels of the titles and of a scroll bar. */
const HEAD_PX = 44;

interface ShownCell {
  readonly text: string;
  /** All digits, and the parts of a group's value. */
  readonly hint: string;
  /** Color of the goal's value; null in other columns. */
  readonly color: string | null;
  /** It stands at the decimal point of its column. */
  readonly isNumber: boolean;
  /** The metric has other values than those that are chosen, or none in this page. */
  readonly isStale: boolean;
}

export class TableState {
  /** Groups whose trials are listed. */
  readonly unfolded: Signal<ReadonlySet<string>> = signal(new Set());
  readonly widths: Signal<ColumnWidths> = signal(new Map());
  readonly fractions = new Fractions();
  readonly state: HParamsState;
  readonly #view: View;
  readonly rows;
  /** The fixed columns that say something. */
  readonly fixed;
  readonly columns;

  constructor(view: View) {
    this.#view = view;
    const state = hparamsOf(view);
    this.state = state;
    const { shown, sessions, members } = state;
    const brushed = rested(state.brushed, previewOf(view, state).isBrushing);
    this.rows = computed((): readonly TableRow[] => {
      const inside = brushed.value;
      const listed = inside === null ? shown.value : shown.value.filter((row) => inside.has(row));
      const open = this.unfolded.value;
      const of = members.value;
      if (of === null || open.size === 0) {
        return listed;
      }
      const { rows } = sessions.value;
      return listed.flatMap((row) => {
        const group = rows[row]?.group ?? null;
        return group === null || !open.has(group) ? [row] : [row, ...this.#listedTrials(row).map(trialRow)];
      });
    });
    this.fixed = computed((): readonly FixedKey[] => {
      const trials = state.trials.value;
      const averages = members.value !== null;
      const differs = trials.some(({ status }) => status !== "SUCCESS" && status !== "UNKNOWN");
      const isTimed = trials.some(({ start, end }) => start !== null && end !== null);
      return [
        ...(state.hasGroups.value && !averages ? (["group"] as const) : []),
        ...(differs || trials.some(({ status }) => status !== trials[0]?.status) ? (["status"] as const) : []),
        ...(isTimed ? (["duration"] as const) : []),
      ];
    });
    let last: { readonly key: string; readonly columns: readonly TableColumn<TableRow>[] } = { key: "", columns: [] };
    // The same objects while titles and types stay: cells follow their values by themselves.
    this.columns = computed((): readonly TableColumn<TableRow>[] => {
      const fixed = this.fixed.value;
      const chosen = state.columns.value.map(({ key, title, hint, type }) => ({
        key,
        title,
        hint,
        isText: type !== "number",
      }));
      const filtered = [...state.options.hparams_filters.value.keys()];
      const goal = state.goal.value?.key;
      const key = JSON.stringify([language(), fixed, chosen, filtered, goal]);
      if (last.key !== key) {
        const isActive = (one: string) => filtered.includes(one);
        const ofFixed = (one: FixedKey) => ({ ...this.#fixedColumn(one), isActive: isActive(one) });
        const end = fixed.filter((one) => one === "duration");
        const columns = chosen.map((column) => ({
          ...column,
          isActive: isActive(column.key),
          cellOf: (row: TableRow) => this.valueOf(column.key, row) ?? null,
          shown: (row: TableRow) => <ValueCell table={this} column={column.key} row={row} />,
        }));
        const begin = (["run", ...fixed] as const).filter((one) => one !== "duration");
        last = { key, columns: [...begin.map(ofFixed), ...columns, ...end.map(ofFixed)] };
      }
      return last.columns;
    });
  }

  /** The session, or group of them, of a row. */
  sessionOf(row: TableRow): SessionRow | undefined {
    return row < 0 ? this.state.trials.value[-1 - row] : this.state.sessions.value.rows[row];
  }

  /** The sessions that a row is made of. */
  trialsOf(row: TableRow): readonly number[] {
    return row < 0 ? [-1 - row] : (this.state.members.value?.[row] ?? [row]);
  }

  /** The trials of a row that are selected and pass the filters. */
  #listedTrials(row: TableRow): readonly number[] {
    return this.trialsOf(row).filter((i) => this.state.shownTrials.value.has(i));
  }

  /** How many trials a group has, in words: where some are filtered out, how many are listed. */
  trialsText(row: TableRow): string {
    const [some, all] = [this.#listedTrials(row).length, this.trialsOf(row).length];
    return some < all ? hparamsTexts().shownOf(String(some), hparamsTexts().trials(all)) : hparamsTexts().trials(all);
  }

  /** The group that a row averages, or its session is one of; empty for none. */
  groupOf(row: TableRow): string {
    return this.state.document.value.sessions[this.trialsOf(row)[0] ?? -1]?.group ?? "";
  }

  valueOf(key: string, row: TableRow): Value | undefined {
    const column = this.state.columnOf(key);
    return row < 0 ? column?.sessions[-1 - row] : column?.values[row];
  }

  /** The hint of a cell: all digits, and the parts of a group's value. */
  hintOf(key: string, row: TableRow): string {
    const column = this.state.columnOf(key);
    const value = this.valueOf(key, row);
    const places = row < 0 ? undefined : this.state.members.value?.[row];
    if (column === undefined || places === undefined || places.length < 2) {
      return value === undefined
        ? this.#isNotSaved(key, row)
          ? hparamsTexts().notSavedHint
          : ""
        : withSteps(String(value), this.#stepsOf(key, row));
    }
    const held = places.flatMap((i) => column.sessions[i] ?? []);
    if (column.kind === "metric") {
      const numbers = held.filter((one) => typeof one === "number");
      const ordered = numbers.filter((one) => !Number.isNaN(one)).sort((a, b) => a - b);
      const [least, most] = [ordered[0], ordered.at(-1)];
      const range =
        least === undefined || most === undefined ? null : ([formatValue(least), formatValue(most)] as const);
      const withoutNumber = numbers.length - ordered.length;
      return numbers.length === 0
        ? ""
        : withSteps(
            `${value}\n${hparamsTexts().meanHint(numbers.length, places.length, range, withoutNumber)}`,
            this.#stepsOf(key, row),
          );
    }
    const different = [...new Set(held)];
    return hparamsTexts().listed(different.slice(0, MAX_HINT_VALUES).map(String), different.length > MAX_HINT_VALUES);
  }

  /** The steps at which the trials of a row have the values of a metric; none where they are no values at a best step. */
  #stepsOf(key: string, row: TableRow): bigint[] {
    return this.trialsOf(row).flatMap((session) => this.state.stepOf(key, session) ?? []);
  }

  /** The best steps of the trials of a row, the first and the last; null without any. */
  bestStepsOf(row: TableRow): readonly [bigint, bigint] | null {
    return endsOf(this.state.bestStepsOf(this.trialsOf(row)));
  }

  /** As the page shows it, also of fixed columns. */
  textOf(key: string, row: TableRow): string {
    const column = this.state.columnOf(key);
    const value = this.valueOf(key, row);
    if (column === undefined) {
      const cell = this.columns.value.find((one) => one.key === key)?.cellOf(row) ?? null;
      return key === "status"
        ? hparamsTexts().statuses[this.sessionOf(row)?.status ?? "UNKNOWN"]
        : key === "duration" && typeof cell === "number"
          ? formatDuration(Math.round(cell))
          : String(cell ?? "");
    }
    const places = row < 0 ? undefined : this.state.members.value?.[row];
    if (value === undefined && column.kind === "hparam" && places !== undefined) {
      const count = new Set(places.map((i) => column.sessions[i])).size;
      return count > 1 ? hparamsTexts().differs(count, formatCount(count)) : "";
    }
    return this.#isNotSaved(key, row) ? hparamsTexts().notSaved : textOf(column, value);
  }

  /** A metric without a value, in a page that had no room for all. */
  #isNotSaved(key: string, row: TableRow): boolean {
    const isMissing = this.state.columnOf(key)?.kind === "metric" && this.valueOf(key, row) === undefined;
    return isMissing && this.state.mayLack(key);
  }

  /** A cell as it is shown. */
  cellOf(key: string, row: TableRow): ReadonlySignal<ShownCell> {
    const { state } = this;
    let last: ShownCell | undefined;
    return computed(() => {
      const column = state.columnOf(key);
      const next = {
        text: this.textOf(key, row),
        hint: this.hintOf(key, row),
        color: row >= 0 && state.goal.value?.key === key ? state.colorOf(row) : null,
        isNumber: column?.type === "number" && typeof this.valueOf(key, row) === "number",
        isStale: (column?.kind === "metric" && state.isStale.value) || this.#isNotSaved(key, row),
      };
      const { text, hint, color, isNumber, isStale } = next;
      const isSame =
        last?.text === text &&
        last.hint === hint &&
        last.color === color &&
        last.isNumber === isNumber &&
        last.isStale === isStale;
      last = isSame ? last : next;
      return last ?? next;
    });
  }

  fold(group: string): void {
    const open = new Set(this.unfolded.peek());
    if (!open.delete(group)) {
      open.add(group);
    }
    this.unfolded.value = open;
  }

  #fixedColumn(key: FixedKey): TableColumn<TableRow> {
    const common = { key, title: hparamsTexts().fixed[key], hint: hparamsTexts().fixedHints[key], isFixed: true };
    const session = (row: TableRow) => this.sessionOf(row);
    switch (key) {
      case "run":
        return {
          ...{ ...common, isText: true },
          cellOf: (row) => session(row)?.group ?? session(row)?.run ?? null,
          shown: (row) => <RunCell table={this} row={row} />,
        };
      case "group":
        return {
          ...{ ...common, isText: true },
          cellOf: (row) => this.groupOf(row),
          shown: (row) => this.groupOf(row),
        };
      case "status":
        return {
          ...{ ...common, isText: true },
          cellOf: (row) => session(row)?.status ?? null,
          shown: (row) => <StatusCell table={this} row={row} />,
        };
      case "duration":
        return {
          ...{ ...common, isText: false },
          cellOf: (row) => durationOf(session(row)),
          shown: (row) => <DurationCell table={this} row={row} />,
        };
    }
  }

  /** Attributes of a row's element. */
  readonly attributesOf = (row: TableRow) => {
    const session = this.sessionOf(row);
    const { hovered } = this.state;
    const point = () => {
      hovered.value = row < 0 ? null : row;
      this.#view.highlightedRun.value = row < 0 ? (session?.run ?? null) : null;
    };
    return {
      ...(session?.group == null ? { "data-run": session?.run ?? "" } : { "data-group": session.group }),
      "data-trial": row < 0 ? "" : undefined,
      onMouseEnter: point,
    };
  };

  readonly keyOf = (row: TableRow) => `${row} ${this.sessionOf(row)?.key ?? ""}`;

  readonly isLit = (row: TableRow) =>
    row < 0 ? this.#view.highlightedRun.value === this.sessionOf(row)?.run : this.state.lit.value === row;
}

/** Follows the brushed rows; while a brush is dragged, only where it rests. */
function rested<T>(brushed: ReadonlySignal<T>, isBrushing: ReadonlySignal<boolean>): ReadonlySignal<T> {
  const rests = signal(0);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let seen: { readonly value: T } | undefined;
  let last: T | undefined;
  return computed(() => {
    const value = brushed.value;
    clearTimeout(timer);
    if (seen !== undefined && isBrushing.value && rests.value >= 0 && value !== seen.value) {
      seen = { value };
      timer = setTimeout(() => {
        rests.value += 1;
      }, REST_MS);
      return last as T;
    }
    seen = { value };
    last = value;
    return value;
  });
}

/** A hint of a value with the steps that it is of. */
function withSteps(hint: string, steps: readonly bigint[]): string {
  return steps.length === 0 ? hint : `${hint}\n${stepsText(steps)}`;
}

const tables = new WeakMap<View, TableState>();

export function tableOf(view: View): TableState {
  let table = tables.get(view);
  if (table === undefined) {
    table = new TableState(view);
    tables.set(view, table);
  }
  return table;
}

export function SessionsTable() {
  const view = useView();
  const table = useMemo(() => tableOf(view), [view]);
  const { state, widths } = table;
  const { hparams_sort } = state.options;
  const rows = table.rows.value;
  const columns = table.columns.value;
  // The list of runs and the charts point at the same run.
  useSignalEffect(() => {
    const row = state.hovered.value;
    const run = row === null ? undefined : state.sessions.peek().rows[row]?.run;
    if (run === undefined) {
      return;
    }
    view.highlightedRun.value = run;
    return () => {
      if (view.highlightedRun.peek() === run) {
        view.highlightedRun.value = null;
      }
    };
  });
  useEffect(
    () => () => {
      state.hovered.value = null;
      view.highlightedRun.value = null;
    },
    [state, view],
  );
  const leave = () => {
    state.hovered.value = null;
    view.highlightedRun.value = null;
  };
  const move = (key: string, before: string | null) => moveColumn(state, key, before);
  return (
    <section
      ref={table.fractions.attach}
      class="tbwidget-hparams-table"
      aria-label={hparamsTexts().table}
      style={{ minHeight: `${HEAD_PX + ROW_HEIGHT_PX * Math.min(rows.length, MIN_ROWS)}px` }}
      onMouseLeave={leave}
    >
      <Table
        columns={columns}
        rows={rows}
        sorts={state.shownSorts}
        setSorts={(sorts) => hparams_sort.set(sortTexts(sorts, state))}
        keyOf={table.keyOf}
        attributesOf={table.attributesOf}
        isLit={table.isLit}
        widths={widths}
        move={move}
        menuOf={(key, close) => <ColumnActions column={key} close={close} />}
      />
    </section>
  );
}

/** For the option. The click that would end the order by the goal, which there is by default, turns it around. */
function sortTexts(sorts: readonly Sort[], state: HParamsState): string[] {
  const isDefault = sorts.length === 0 && state.sorts.length === 0;
  const next = isDefault ? state.shownSorts.map(({ key, descending }) => ({ key, descending: !descending })) : sorts;
  return next.map(({ key, descending }) => `${descending ? "-" : ""}${key}`);
}

interface CellProps {
  readonly table: TableState;
  readonly row: TableRow;
}

/** A value; drawn again when it changes. */
function ValueCell({ table, column, row }: CellProps & { readonly column: string }) {
  // One signal a cell: a table has thousands of cells.
  const cell = useMemo(() => table.cellOf(column, row), [table, column, row]).value;
  const { text, hint, color, isNumber, isStale } = cell;
  const digits = isNumber && text !== "" ? digitsBehindPoint(text) : null;
  useLayoutEffect(() => table.fractions.grow(column, digits ?? 0), [table, column, digits]);
  return (
    <span
      title={hint}
      data-stale={isStale ? "" : undefined}
      style={digits === null ? {} : { paddingInlineEnd: table.fractions.paddingOf(column, digits) }}
    >
      {color !== null && text !== "" && <i class="tbwidget-goal-color" style={{ background: color }} />}
      {text}
    </span>
  );
}

function RunCell({ table, row }: CellProps) {
  const { options, theme } = useView();
  const session = table.sessionOf(row);
  const run = session?.run ?? "";
  const isShown = useMemo(
    () => computed(() => session?.runs.some((one) => options.shows(one)) === true),
    [session, options],
  ).value;
  const color = useMemo(() => computed(() => options.colorOf.value(run, theme.value)), [run, options, theme]).value;
  const group = session?.group ?? null;
  const open = group !== null && table.unfolded.value.has(group);
  return (
    <span class="tbwidget-session" data-trial={row < 0 ? "" : undefined}>
      {group === null ? (
        <i data-shown={isShown ? "" : undefined} style={{ "--tbwidget-run": color }} />
      ) : (
        <button
          type="button"
          class="tbwidget-unfold"
          aria-expanded={open}
          aria-label={hparamsTexts().unfold(group)}
          onClick={() => table.fold(group)}
        />
      )}
      {group === null ? <RunName run={run} /> : <span title={group}>{group}</span>}
      {group !== null && <span class="tbwidget-quiet">{table.trialsText(row)}</span>}
    </span>
  );
}

function StatusCell({ table, row }: CellProps) {
  const status = table.sessionOf(row)?.status ?? "UNKNOWN";
  return (
    <span class="tbwidget-status" data-status={status} title={hparamsTexts().statusHints[status]}>
      {hparamsTexts().statuses[status]}
    </span>
  );
}

function DurationCell({ table, row }: CellProps) {
  const seconds = durationOf(table.sessionOf(row));
  return <span>{seconds === null ? "" : formatDuration(Math.round(seconds))}</span>;
}

function durationOf(session: SessionRow | undefined): number | null {
  const { start = null, end = null } = session ?? {};
  return start === null || end === null ? null : end - start;
}

// Aligns the numbers of a column at their decimal points: what follows the point is as wide as the longest one seen.

/** CSS of a point, beside which every character is a digit wide. */
const POINT = "0.3em";

/** One a table. Widths are properties of its element: cells are not rendered again when a column becomes wider. */
export class Fractions {
  readonly #columns = new Map<string, { readonly property: string; digits: number }>();
  #root: HTMLElement | null = null;

  /** The element that has the widths; null when it is gone. */
  readonly attach = (root: HTMLElement | null): void => {
    this.#root = root;
    for (const column of this.#columns.values()) {
      this.#set(column);
    }
  };

  /** CSS for the space behind a number with `digits` digits behind its point. */
  paddingOf(key: string, digits: number): string {
    return `max(0px, var(${this.#columnOf(key).property}, 0px) - ${widthOf(digits)})`;
  }

  /** Makes room for a number with `digits` digits behind the point. */
  grow(key: string, digits: number): void {
    const column = this.#columnOf(key);
    if (digits > column.digits) {
      column.digits = digits;
      this.#set(column);
    }
  }

  #columnOf(key: string) {
    let column = this.#columns.get(key);
    if (column === undefined) {
      column = { property: `--tbwidget-fraction-${this.#columns.size}`, digits: 0 };
      this.#columns.set(key, column);
    }
    return column;
  }

  #set({ property, digits }: { readonly property: string; readonly digits: number }): void {
    if (digits > 0) {
      this.#root?.style.setProperty(property, widthOf(digits));
    }
  }
}

function widthOf(digits: number): string {
  return digits > 0 ? `(${digits}ch + ${POINT})` : "0px";
}

/** How many characters follow the decimal point of a number, or the first one of its exponent. */
export function digitsBehindPoint(text: string): number {
  const whole = /^[-−+]?\d[\d\u202f,]*/u.exec(text)?.[0].length ?? text.length;
  return Math.max(0, text.length - whole - 1);
}
