// State that the parts of the panel share: the sessions, which of them are shown in which order, the goal metric, and the brush.

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { scaleColor } from "../../lib/colors";
import { smallerIsBetter } from "../../lib/headline";
import type { Range } from "../../lib/search";
import { type CellValue, computedList, type Sort, sortRowsBy } from "../../lib/sortrows";
import { noColor, type Theme } from "../../lib/tokens";
import type { OptionsOf } from "../../options/declare";
import type { PatternMatches } from "../../options/patterns";
import { useView, type View } from "../../ui/view";
import { AtBest } from "./atbest";
import { type HParamsDocument, hparamsDocument } from "./codec";
import {
  type Column,
  groupRows,
  hparamColumns,
  METRIC_KEY,
  type Members,
  type Metric,
  matchedText,
  membersOf,
  type Passes,
  PatternFilters,
  passesFilter,
  type SessionColumn,
  type SessionRow,
  type Sessions,
  sessionAbove,
  sessionRows,
  sessionsVary,
  stepsText,
  type Value,
  varies,
} from "./columns";
import { metricsIn } from "./metrics";
import { documentOfNames, withNames } from "./names";
import { type ColorRange, colorRange, numberScale, sortedNumbers, suitsLog } from "./numberscale";
import { type ColumnFilter, type Goal, hparamsOptions, type Scale } from "./options";
import { rankedRows, SettledRanking } from "./ranking";
import { runningSessions } from "./running";

export type { Status } from "./codec";
export type { Column, ColumnType, SessionRow, Sessions, Value } from "./columns";

/**
 * Rows inside a range of finite numbers, ends included, or with one of some values; undefined is a missing one. A range that
 * touches an end of its axis is infinite there: later values beyond that end are inside.
 */
export type Brush = { readonly range: Range } | { readonly values: ReadonlySet<Value | undefined> };

/** Columns that are shown while none are chosen. */
export const MAX_AUTOMATIC_HPARAMS = 24;
export const MAX_AUTOMATIC_METRICS = 8;

/** Columns that are shown at all. */
export const MAX_COLUMNS = 200;

/** Steps of the scale of colors. */
const COLOR_STEPS = 64;

const SCORE = /acc(?:uracy)?(?![a-z])|auc|f1|score|reward|return|loss|err(?:or)?(?![a-z])|mse|precision|recall/i;
const HELD_OUT = /val(?:id|idation)?(?![a-z])|test|eval|dev(?![a-z])/i;

const EMPTY: HParamsDocument = {
  hparams: [],
  metrics: [],
  sessions: [],
  values: [],
  attributes: { names: [], byRun: new Map(), ended: new Set() },
  directories: [],
  leftOut: 0,
};

/** One a view. It computes only while something shows it. */
export class HParamsState {
  /** All sessions, or all groups of them. */
  readonly sessions: ReadonlySignal<Sessions>;
  /** The metrics by key, without their values: it changes only with their names. */
  readonly metrics: ReadonlySignal<ReadonlyMap<string, Metric>>;
  /** Rows that are selected and pass the filters, in the table's order. */
  readonly shown: ReadonlySignal<readonly number[]>;
  /** Rows with a selected run, by the list of runs or by *Show only these*; null: all rows have one. */
  readonly selected: ReadonlySignal<ReadonlySet<number> | null>;
  /** Sessions that are selected and pass the filters themselves, also where the rows are groups. */
  readonly shownTrials: ReadonlySignal<ReadonlySet<number>>;
  /** Chosen columns in their order: table, axes and matrix show these. The goal is the first automatic column. */
  readonly columns: ReadonlySignal<readonly Column[]>;
  /** The same for axes, where the automatic goal is the last: lines end at what came of a session. */
  readonly axes: ReadonlySignal<readonly Column[]>;
  /** The metric that colors and ranks; null without metrics. */
  readonly goal: ReadonlySignal<Column | null>;
  /** The goal while the user has chosen none. */
  readonly automaticGoal: ReadonlySignal<Metric | null>;
  /** The chosen goal while no metric has that name; null otherwise. */
  readonly missingGoal: ReadonlySignal<string | null>;
  readonly goalBest: ReadonlySignal<Goal>;
  /** The numbers of the goal that colors are spread over; null without any. */
  readonly colorRange: ReadonlySignal<ColorRange | null>;
  /** By column key; several a column. */
  readonly brushes: Signal<ReadonlyMap<string, readonly Brush[]>> = signal(new Map());
  /** Shown rows inside the brushes of all columns; null without a brush. */
  readonly brushed: ReadonlySignal<ReadonlySet<number> | null>;
  /** The row below the pointer. */
  readonly hovered: Signal<number | null> = signal(null);
  /** That, or the one of the run that is pointed at in the list of runs. */
  readonly lit: ReadonlySignal<number | null>;
  /** A row by each of its runs. */
  readonly rowOf: ReadonlySignal<ReadonlyMap<string, number>>;
  readonly options: OptionsOf<typeof hparamsOptions>;
  /** The sessions of each row; null: each row is a session. */
  readonly members: ReadonlySignal<Members | null>;
  readonly document: ReadonlySignal<HParamsDocument>;
  /** The hyperparameters are those in the names of runs, as none were logged. */
  readonly areFromNames: ReadonlySignal<boolean>;
  /** A row for each session, also where `sessions` has groups. */
  readonly trials: ReadonlySignal<readonly SessionRow[]>;
  /** A saved page had no room for the sessions. */
  readonly areLeftOut: ReadonlySignal<boolean>;
  /** The kernel has not sent all sessions and metrics yet. */
  readonly isIncomplete: ReadonlySignal<boolean>;
  /** There are not yet two sessions to compare. */
  readonly isSingle: ReadonlySignal<boolean>;
  /** There are groups of several trials. */
  readonly hasGroups: ReadonlySignal<boolean>;
  /** Values of metrics at the best step of one of them. */
  readonly atBest: AtBest;
  /** Values at the best step are chosen and not there: the metrics have those that `hparams_metric` names. */
  readonly isStale: ReadonlySignal<boolean>;
  readonly #all: ReadonlySignal<ReadonlyMap<string, SessionColumn>>;
  readonly #byKey = new Map<string, ReadonlySignal<SessionColumn | undefined>>();
  readonly #store: View["channel"]["store"];
  readonly #patterns = new PatternFilters();
  readonly #colors: ReadonlySignal<(value: Value | undefined) => string>;
  readonly #numbers = new WeakMap<Column, Float64Array>();
  readonly #suitsLog = new WeakMap<Column, boolean>();

  constructor(view: View) {
    const { channel, options } = view;
    const { store } = channel;
    this.#store = store;
    const own = options.of(hparamsOptions);
    this.options = own;
    const held = store.documents(hparamsDocument).get("", "");
    const logged = computed(() => {
      const document = held.value?.value;
      return document === undefined || document.sessions.length === 0 ? null : withNames(document);
    });
    this.document = computed(() => logged.value ?? documentOfNames(store.runs.value) ?? EMPTY);
    this.areFromNames = computed(() => logged.value === null && this.document.value.sessions.length > 0);
    this.areLeftOut = computed(() => {
      const hasSessions = store.status.value?.kinds.includes(hparamsDocument.kind) === true;
      return store.savedAt.value !== null && hasSessions && held.value?.value === undefined;
    });
    this.isIncomplete = computed(() => store.savedAt.value === null && !store.settled.value);
    this.trials = computed(() => sessionRows(this.document.value.sessions, running.value));
    this.isSingle = computed(() => this.trials.value.length < 2);
    const groups = computed(() => membersOf(this.document.value.sessions));
    this.hasGroups = computed(() => groups.value.some((places) => places.length > 1));
    this.members = computed(() => (own.hparams_groups.value && this.hasGroups.value ? groups.value : null));
    const rows = computed(() => {
      const members = this.members.value;
      return members === null ? this.trials.value : groupRows(this.document.value.sessions, members, this.trials.value);
    });
    const hparams = computed(() => hparamColumns(this.document.value, this.members.value));
    const read = metricsIn({
      ...{ store, document: this.document, members: this.members },
      what: computed(() => own.hparams_metric.value),
    });
    const running = runningSessions(view, { document: this.document, metrics: read.metrics });
    const selected = selectedRows(view, rows);
    this.selected = selected;
    const goal = computed(() => goalOf(read.metrics.value, own.hparams_goal.value));
    // A metric that filters, sorts or colors needs values at that step even when it is not shown.
    const used = computedList(() => {
      const chosen = own.hparams_columns.value;
      const keys = new Set([
        ...[own.hparams_at.value, goal.value?.key, ...chosen, ...this.sorts.map(({ key }) => key)],
        ...[...own.hparams_filters.value.keys(), ...this.brushes.value.keys()],
      ]);
      const isShown = (place: number) => chosen.length === 0 && place < MAX_AUTOMATIC_METRICS;
      return read.metrics.value.filter(({ key }, place) => keys.has(key) || isShown(place));
    });
    this.atBest = new AtBest({
      ...{ channel, changes: read.changes },
      isChosen: () => own.hparams_at.value !== null,
      wanted: () => {
        const at = own.hparams_at.value;
        const metric = at === null ? undefined : read.metrics.value.find(({ key }) => key === at);
        const best = at === goal.value?.key ? own.hparams_goal_best.value : null;
        return metric === undefined
          ? null
          : {
              ...{ metric, sessions: this.document.value.sessions },
              best: best ?? bestByName(metric.key),
              metrics: used.value,
            };
      },
    });
    this.isStale = computed(() => own.hparams_at.value !== null && this.atBest.values.value === null);
    this.metrics = computed(() => new Map(read.metrics.value.map((metric) => [metric.key, metric])));
    const metrics = read.columns(this.atBest.values);
    this.sessions = computed(() => ({ rows: rows.value, hparams: hparams.value, metrics: metrics.value }));
    this.#all = computed(() => new Map([...hparams.value, ...metrics.value].map((column) => [column.key, column])));

    // With a single session nothing varies yet, and all are shown.
    const isShown = (column: SessionColumn) => this.isSingle.value || sessionsVary(column);
    const varying = computed(() => hparams.value.filter((column) => column.source !== "name" && isShown(column)));
    const automatic = computed(() => {
      const some = this.areFromNames.value ? hparams.value.filter((column) => varies(column)) : varying.value;
      const others = metrics.value.slice(0, MAX_AUTOMATIC_METRICS).filter(({ key }) => key !== this.goal.value?.key);
      return [...some.slice(0, MAX_AUTOMATIC_HPARAMS), ...others];
    });
    this.columns = computedList((): readonly Column[] => {
      const keys = own.hparams_columns.value;
      const byKey = this.#all.value;
      const goals = this.goal.value === null ? [] : [this.goal.value];
      return keys.length === 0
        ? [...goals, ...automatic.value]
        : keys.flatMap((key) => byKey.get(key) ?? []).slice(0, MAX_COLUMNS);
    });
    this.axes = computedList((): readonly Column[] => {
      const [first, ...others] = this.columns.value;
      return own.hparams_columns.value.length > 0 || first === undefined || first.key !== this.goal.value?.key
        ? this.columns.value
        : [...others, first];
    });
    this.automaticGoal = computed(() => automaticGoal(read.metrics.value));
    this.goal = computed(() => goalOf(metrics.value, own.hparams_goal.value));
    this.missingGoal = computed(() => {
      const chosen = own.hparams_goal.value;
      return chosen === null || this.goal.value?.key === chosen ? null : chosen.replace(METRIC_KEY, "");
    });
    this.goalBest = computed(() => {
      const key = this.goal.value?.key ?? "";
      return own.hparams_goal_best.value ?? bestByName(key);
    });
    const settled = new SettledRanking();
    const ranking = computed(() => {
      const choices = [own.hparams_metric.value, own.hparams_at.value, this.isStale.value];
      // Values come in any order until all is read.
      return store.settled.value ? settled.rank(this, rows.value, choices) : rankedRows(this, [...rows.value.keys()]);
    });
    this.shown = computedList(() => {
      const some = this.#passing(rows.value, selected.value, (key) => this.valuesOf(key));
      const sorts = this.sorts.flatMap(({ key, descending }) => {
        // Sessions come in the natural order of their runs.
        const values = key === "run" ? some.map((_, place) => place) : this.valuesOf(key);
        const cellOf = (row: number): CellValue => (key === "run" ? row : (values?.[row] ?? null));
        return values === null ? [] : [{ cellOf, descending }];
      });
      if (sorts.length > 0) {
        return sortRowsBy(some, sorts);
      }
      const passing = new Set(some);
      return ranking.value.filter((row) => passing.has(row));
    });
    const selectedTrials = selectedRows(view, this.trials);
    this.shownTrials = computed(() => {
      const valuesOf = (key: string) => this.#trialValuesOf(key);
      return new Set(this.#passing(this.trials.value, selectedTrials.value, valuesOf));
    });
    this.brushed = computed(() => {
      const brushes = [...this.brushes.value].flatMap(([key, of]) => {
        const values = this.valuesOf(key);
        return values === null || of.length === 0 ? [] : [{ values, of }];
      });
      if (brushes.length === 0) {
        return null;
      }
      const inside = (row: number) => brushes.every(({ values, of }) => of.some((one) => isInside(values[row], one)));
      return new Set(this.shown.value.filter(inside));
    });
    this.rowOf = computed(() => new Map(rows.value.flatMap(({ runs }, row) => runs.map((run) => [run, row] as const))));
    this.lit = computed(() => {
      const run = view.highlightedRun.value;
      return this.hovered.value ?? (run === null ? null : (this.rowOf.value.get(run) ?? null));
    });
    this.colorRange = computed(() => {
      const goal = this.goal.value;
      const finished = goal?.values.filter((_, row) => rows.value[row]?.status !== "RUNNING") ?? [];
      return goal && colorRange(this.numbersOf(goal), sortedNumbers(finished), this.scaleOf(goal));
    });
    this.#colors = computed(() => this.colorsIn(view.theme.value));
  }

  /** The step at which a session has the value of a metric that is shown; undefined where that is no value at a best step. */
  stepOf(key: string, session: number): bigint | undefined {
    const values = this.atBest.values.value;
    const run = this.document.value.sessions[session]?.run;
    const sources = this.metrics.value.get(key)?.sources;
    if (values === null || run === undefined || sources === undefined) {
      return undefined;
    }
    const held = sources.find((source) => values.valueOf(run, source) !== undefined);
    return held && values.stepOf(run, held);
  }

  /** Whether a saved page may lack values of a metric, for which it had no room. */
  mayLack(key: string): boolean {
    const { savedAt, status } = this.#store;
    const values = this.atBest.values.value;
    const isSaved = savedAt.value !== null || (values !== null && this.atBest.waits.value);
    if (!isSaved) {
      return false;
    }
    const sources = this.metrics.value.get(key)?.sources ?? [];
    return values === null ? (status.value?.leftOut ?? 0) > 0 : !sources.some((source) => values.has(source));
  }

  /** Whether the best step of a metric can be had. */
  hasBestStepOf(key: string): boolean {
    return this.atBest.isToBeHad(this.metrics.value.get(key)?.sources ?? []);
  }

  /** The best steps of some sessions; none where no values at a best step are shown. */
  bestStepsOf(some: readonly number[]): readonly bigint[] {
    const values = this.atBest.values.value;
    const { sessions } = this.document.value;
    return values === null ? [] : some.flatMap((i) => values.bestStepOf(sessions[i]?.run ?? "") ?? []);
  }

  /** The best steps of a row in words; empty without any. */
  bestStepText(row: number): string {
    return stepsText(this.bestStepsOf(this.members.value?.[row] ?? [row]));
  }

  /** The chosen order of the table, else the order by the goal. */
  get shownSorts(): readonly Sort[] {
    const goal = this.goal.value;
    const { sorts } = this;
    return sorts.length > 0 || goal === null ? sorts : [{ key: goal.key, descending: this.goalBest.value === "max" }];
  }

  /** The chosen order of the table. */
  get sorts(): readonly Sort[] {
    return this.options.hparams_sort.value.map((text) =>
      text.startsWith("-") ? { key: text.slice(1), descending: true } : { key: text, descending: false },
    );
  }

  /** By the goal metric: the best at the light end of the scale; gray without a value. */
  colorOf(row: number): string {
    return this.#colors.value(this.goal.value?.values[row]);
  }

  /** The colors of values of the goal metric. */
  colorsIn(theme: Theme): (value: Value | undefined) => string {
    const none = noColor[theme];
    const goal = this.goal.value;
    const best = this.goalBest.value;
    const palette = Array.from({ length: COLOR_STEPS }, (_, i) => scaleColor(i / (COLOR_STEPS - 1), theme));
    const range = this.colorRange.value;
    if (goal === null || range === null) {
      return () => none;
    }
    const [least, most] = range.ends;
    const within = this.numbersOf(goal).map((value) => Math.min(most, Math.max(least, value)));
    // As on its axis. A single value is the best one.
    const scale = least === most ? null : numberScale(within, this.scaleOf(goal));
    return (value: Value | undefined) => {
      if (typeof value !== "number" || !Number.isFinite(value)) {
        return none;
      }
      const at = Math.min(1, Math.max(0, scale?.place(value) ?? 1));
      return palette[Math.round((scale === null || best === "max" ? at : 1 - at) * (COLOR_STEPS - 1))] ?? none;
    };
  }

  /** A column, also of those that are not chosen. It changes only with its own values. */
  columnOf(key: string): SessionColumn | undefined {
    let column = this.#byKey.get(key);
    if (column === undefined) {
      column = computed(() => this.#all.value.get(key));
      this.#byKey.set(key, column);
    }
    return column.value;
  }

  /** The values for a key of an option: of a column, or of "run", "status", "group", "start" or "duration"; null for any other key. */
  valuesOf(key: string): readonly (Value | undefined)[] | null {
    const column = this.columnOf(key);
    return column === undefined ? fixedValues(key, this.sessions.value.rows, this.document.value) : column.values;
  }

  /** One value a session, as `valuesOf` has one a row. */
  #trialValuesOf(key: string): readonly (Value | undefined)[] | null {
    return this.columnOf(key)?.sessions ?? fixedValues(key, this.trials.value, this.document.value);
  }

  /** The expression of a filter, matched against a column. */
  patternOf(key: string, pattern: string): PatternMatches {
    // Groups unfold into sessions, which have values of their own.
    const valuesOf = () => [...(this.valuesOf(key) ?? []), ...((this.members.value && this.#trialValuesOf(key)) ?? [])];
    return this.#patterns.of(key, valuesOf, pattern);
  }

  /** How a column of numbers is spread along an axis. */
  scaleOf(column: Column): Scale {
    const chosen = this.options.hparams_scales.value.get(column.key);
    return chosen ?? (known(this.#suitsLog, column, () => suitsLog(this.numbersOf(column))) ? "log" : "linear");
  }

  /** The finite numbers of a column, the least first. */
  readonly numbersOf = (column: Column): Float64Array =>
    known(this.#numbers, column, () => sortedNumbers(column.values));

  /** Replaces the brushes of a column. */
  setBrushes(key: string, brushes: readonly Brush[]): void {
    const all = new Map(this.brushes.peek());
    if (brushes.length > 0) {
      all.set(key, brushes);
    } else {
      all.delete(key);
    }
    this.brushes.value = all;
  }

  /** Removes all brushes. */
  clearBrushes(): void {
    this.brushes.value = new Map();
  }

  /** The places of rows that are selected and pass the filters; `valuesOf` gives one value a row. */
  #passing(
    rows: readonly SessionRow[],
    selected: ReadonlySet<number> | null,
    valuesOf: (key: string) => readonly (Value | undefined)[] | null,
  ): number[] {
    const filters = [...this.options.hparams_filters.value].flatMap(([key, filter]) => {
      const values = valuesOf(key);
      return values === null ? [] : [{ values, passes: this.#passesOf(key, filter) }];
    });
    return rows.flatMap((_, row) =>
      selected?.has(row) !== false && filters.every(({ values, passes }) => passes(values[row])) ? [row] : [],
    );
  }

  #passesOf(key: string, filter: ColumnFilter): Passes {
    if (!("pattern" in filter)) {
      return passesFilter(filter);
    }
    // One that is no expression, or takes too long, filters nothing: the chip says why.
    const { matches, problem } = this.patternOf(key, filter.pattern);
    const isRefused = problem.value !== null && problem.value !== "plainText";
    const found = matches.value;
    return (value) => isRefused || (value !== undefined && found(matchedText(value)));
  }
}

/**
 * Rows with a selected run, their own or one below it; null: all rows have one, or no run was chosen yet. The same set as long
 * as it holds the same.
 */
function selectedRows(
  { channel, options }: View,
  rows: ReadonlySignal<readonly SessionRow[]>,
): ReadonlySignal<ReadonlySet<number> | null> {
  let last: ReadonlySet<number> = new Set();
  return computed(() => {
    const { selection, onlyNewest } = options.runs;
    const { names, only } = selection.value;
    if (onlyNewest.value || (!only && names.size === 0)) {
      return null;
    }
    const rowOf = new Map(rows.value.flatMap(({ runs }, row) => runs.map((run) => [run, row] as const)));
    // A session may have no run in the list: it has written nothing else yet.
    const unlisted = new Map(rowOf);
    const found = new Set<number>();
    for (const run of channel.store.runs.value) {
      const session = sessionAbove(run, rowOf) ?? "";
      const row = rowOf.get(session);
      unlisted.delete(session);
      if (row !== undefined && names.has(run) === only) {
        found.add(row);
      }
    }
    for (const [run, row] of unlisted) {
      if (names.has(run) === only) {
        found.add(row);
      }
    }
    last = found.size === last.size && [...found].every((row) => last.has(row)) ? last : found;
    return found.size === rows.value.length ? null : last;
  });
}

/** The values of a fixed column; null for an unknown key. */
function fixedValues(
  key: string,
  rows: readonly SessionRow[],
  { sessions }: HParamsDocument,
): readonly (Value | undefined)[] | null {
  switch (key) {
    case "run":
      return rows.map(({ run }) => run);
    case "status":
      return rows.map(({ status }) => status);
    case "group": {
      const groups = new Map(sessions.map(({ run, group }) => [run, group]));
      return rows.map(({ run }) => groups.get(run) || undefined);
    }
    case "start":
      return rows.map(({ start }) => start ?? undefined);
    case "duration":
      return rows.map(({ start, end }) => (start === null || end === null ? undefined : end - start));
    default:
      return null;
  }
}

/** Returns the value kept for a column, which is computed once. */
function known<T>(kept: WeakMap<Column, T>, column: Column, compute: () => T): T {
  let found = kept.get(column);
  if (found === undefined) {
    found = compute();
    kept.set(column, found);
  }
  return found;
}

export function isInside(value: Value | undefined, brush: Brush): boolean {
  if ("values" in brush) {
    return brush.values.has(value);
  }
  const [from, to] = brush.range;
  return typeof value === "number" && Number.isFinite(value) && value >= from && value <= to;
}

function bestByName(key: string): Goal {
  return smallerIsBetter(key.slice(METRIC_KEY.length)) ? "min" : "max";
}

/** A score or a loss of data held out, else of any; else the first metric. */
function automaticGoal<M extends Pick<Column, "key">>(metrics: readonly M[]): M | null {
  const scores = metrics.filter(({ key }) => SCORE.test(key));
  return scores.find(({ key }) => HELD_OUT.test(key)) ?? scores[0] ?? metrics[0] ?? null;
}

/** The chosen metric; the automatic one while that is not there. */
function goalOf<M extends Pick<Column, "key">>(metrics: readonly M[], chosen: string | null): M | null {
  return metrics.find(({ key }) => key === chosen) ?? automaticGoal(metrics);
}

const states = new WeakMap<View, HParamsState>();

/** Puts a shown column before another; null: at the end. */
export function moveColumn({ columns, options }: HParamsState, key: string, before: string | null): void {
  const keys = columns
    .peek()
    .map((column) => column.key)
    .filter((one) => one !== key);
  const place = before === null ? -1 : keys.indexOf(before);
  options.hparams_columns.set(place < 0 ? [...keys, key] : [...keys.slice(0, place), key, ...keys.slice(place)]);
}

/** Sorts by one column alone. */
export function orderBy({ options }: HParamsState, key: string, descending: boolean): void {
  options.hparams_sort.set([descending ? `-${key}` : key]);
}

export function hparamsOf(view: View): HParamsState {
  let state = states.get(view);
  if (state === undefined) {
    state = new HParamsState(view);
    states.set(view, state);
  }
  return state;
}

export function useHParams(): HParamsState {
  return hparamsOf(useView());
}
