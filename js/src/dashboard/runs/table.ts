// The content of the list of runs: the runs that match, in groups, sorted, with their names and columns.

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { formatCount, formatSpan, formatValue } from "../../lib/format";
import { headlineTag } from "../../lib/headline";
import { type Elision, elisionsOf, fittedNames } from "../../lib/names";
import { compareNatural } from "../../lib/natural";
import { HPARAM, parseColumn, parseSort, type RunColumn } from "../../lib/runcolumns";
import { type CellValue, sortRows } from "../../lib/sortrows";
import { formatDuration } from "../../lib/times";
import { checkpointsOf } from "../../lines/checkpoints";
import { scalars } from "../../lines/codec";
import { type AggregateValue, aggregateValues } from "../../lines/compare";
import { compareOptions } from "../../lines/options";
import { checkpointTexts } from "../../lines/texts";
import { type ValueThere, valueThere } from "../../lines/values";
import { FOLDER, runsByGroup } from "../../options/rungroups";
import { type ExactStep, timeAxisOptions } from "../../options/shared";
import { unfollowed } from "../../ui/runs";
import { runTableTexts } from "../../ui/texts";
import { everySecond, type View } from "../../ui/view";
import { attributeOf, hasEnded, isLive, type Outline, type RunFacts } from "../../wire/runfacts";
import type { Store } from "../../wire/store";
import { displayName } from "../../wire/tagtexts";
import { type SparkScale, sparkScale } from "./spark";

/** Whether a run goes on, and whether its last value is finite: "notFinite" says nothing of the former. */
export type RunState = "running" | "ended" | "notFinite" | "runningNotFinite";

/** Roles of a table's parts: a table whose rows mostly do not exist cannot be a <table>. */
export const ROLES = {
  table: "grid",
  /** The list between the table and its rows, and what is between the list and a row. */
  between: "presentation",
  row: "row",
  name: "rowheader",
  cell: "gridcell",
  title: "columnheader",
} as const;

export interface ShownColumn {
  /** As the trait has it. */
  readonly key: string;
  readonly column: RunColumn;
  readonly title: string;
  readonly hint: string;
}

export type Item =
  | { readonly type: "group"; readonly group: string; readonly runs: readonly string[]; readonly open: boolean }
  | { readonly type: "run"; readonly run: string };

/** Headers of files, for programs: the same in all languages. */
const FILE_COLUMNS = { steps: "last_step", age: "last_point", duration: "duration_s", checkpoints: "checkpoints" };

/** The store at a message. A new object replaces this one when later messages have come. */
interface Looked {
  readonly store: Store;
  readonly seq: number;
  readonly runs: readonly string[];
}

/** A list that is narrower cuts the ends of its names. */
const MIN_NAME_CHARACTERS = 6;

export class RunTable {
  /** The tag of the spark lines; null where there are none. */
  readonly headline: ReadonlySignal<string | null>;
  /** The headline while the option names none. */
  readonly automaticHeadline: ReadonlySignal<string | null>;
  /** The values between which its spark lines are drawn; null where no run has any. */
  readonly sparkScale: ReadonlySignal<SparkScale | null>;
  /** The user's columns; the headline is not among them. */
  readonly columns: ReadonlySignal<readonly ShownColumn[]>;
  /** The runs that match the filter, in natural order. */
  readonly matching: ReadonlySignal<readonly string[]>;
  /** Characters of a name that the list has room for. */
  readonly room: Signal<number> = signal(Number.POSITIVE_INFINITY);
  /** The names of all runs, also those that users gave, as they are listed. */
  readonly names: ReadonlySignal<ReadonlyMap<string, Elision>>;
  /** Characters of the longest name that a list with room for all would have. */
  readonly longest: ReadonlySignal<number>;
  /** All of them, as they are listed, also where their group is folded. */
  readonly sorted: ReadonlySignal<readonly string[]>;
  readonly items: ReadonlySignal<readonly Item[]>;
  /** The step whose values stand in the column of the headline; null for the last ones. */
  readonly linked: ReadonlySignal<ExactStep | null>;
  /** Whether charts draw groups, whose runs are listed on demand. */
  readonly #drawsGroups: ReadonlySignal<boolean>;
  /** Groups folded by the user while charts draw runs, and unfolded by the user while they draw groups. */
  readonly #folded: Signal<ReadonlySet<string>> = signal(new Set());
  readonly #unfolded: Signal<ReadonlySet<string>> = signal(new Set());
  /** By group, what its line comes to under the headline tag. */
  readonly #groupValues: ReadonlySignal<ReadonlyMap<string, AggregateValue>>;
  readonly #view: View;
  /** Replaced once a second at most, and at once when the list of runs changes. */
  readonly #looked: ReadonlySignal<Looked>;
  readonly #facts: ReadonlySignal<ReadonlyMap<string, RunFacts>>;

  constructor(view: View) {
    this.#view = view;
    const { options, channel } = view;
    const { store } = channel;
    const { run_columns, run_sort, headline_tag } = options.runTable;
    const seq = everySecond(view, () => store.seq);
    this.#looked = computed(() => ({ store, seq: seq.value, runs: store.runs.value }));
    this.#facts = computed(() => this.#looked.value.store.runFacts());
    this.linked = computed(() =>
      options.declares(timeAxisOptions) ? options.of(timeAxisOptions).linked_step.value : null,
    );
    this.#drawsGroups = computed(
      () =>
        options.declares(compareOptions) &&
        options.of(compareOptions).aggregate.value !== null &&
        options.runGroups.grouped.value &&
        view.runChoice.value === null,
    );
    this.automaticHeadline = computed(() => headlineTag(store.measuredTags(), options.board.pinned.value));
    this.headline = computed(() => {
      const tag = headline_tag.value ?? this.automaticHeadline.value;
      return tag === "" || store.runs.value.length < 2 ? null : tag;
    });
    this.#groupValues = computed(() => {
      const tag = this.headline.value;
      const data = tag === null ? undefined : this.#looked.value.store.series(scalars).tag(tag);
      const values =
        data === undefined || !this.#drawsGroups.value
          ? null
          : aggregateValues(unfollowed(data), view, this.linked.value);
      return new Map(values?.filter(({ approximate }) => !approximate).map((value) => [value.group, value]));
    });
    this.sparkScale = computed(() => {
      const tag = this.headline.value;
      return tag === null
        ? null
        : sparkScale(store.runs.value.map((run) => this.outlineOf(run, tag)).filter((outline) => outline !== null));
    });
    this.columns = computed(() => {
      const before = this.headline.value === null ? null : headlineKey(this.headline.value);
      return run_columns.value.flatMap((key) => {
        const column = key === before ? null : parseColumn(key);
        return column === null ? [] : [{ key, column, title: titleOf(column, this.shownAs), hint: hintOf(column) }];
      });
    });
    // While the user drags the edge of the list, only the room changes.
    const elisions = computed(() => {
      const { by, grouped, groupOf } = options.runGroups;
      const runs = store.runs.value;
      const groups = grouped.value ? [...runsByGroup(runs, groupOf.value)] : [["", runs] as const];
      const ofFolders = grouped.value && by.value === FOLDER;
      return groups.map(([group, members]) => elisionsOf(members, ofFolders ? group : ""));
    });
    this.names = computed(() => {
      const [room, own] = [this.room.value, options.runTable.run_names.value];
      return new Map(
        elisions.value.flatMap((names) => {
          const elided = [...names.within(room)].map(([run, elision]) => [run, own.get(run), elision] as const);
          const shown = elided.map(([, renamed, { text }]) => renamed ?? text);
          const whole = new Set(shown);
          // Only a cut leaves less room: an ellipsis is as wide as two characters.
          const width = (name: string) => name.length + (whole.has(name) ? 0 : name.split("…").length - 1);
          const fitted = fittedNames(shown, Math.max(MIN_NAME_CHARACTERS, room), width);
          return elided.map(([run, , elision], i): [string, Elision] => {
            const { text, span } = fitted.get(shown[i] as string) as Elision;
            return [run, { text, span: (from, to) => span(...elision.span(from, to)) }];
          });
        }),
      );
    });
    this.longest = computed(() => elisions.value.reduce((most, { longest }) => Math.max(most, longest), 0));
    this.matching = computed(() => {
      const leftOut = options.leftOut.value;
      return store.runs.value.filter(options.runFilter.matches.value).filter((run) => !leftOut.has(run));
    });
    this.sorted = computed(() => {
      const sort = parseSort(run_sort.value);
      const runs = this.matching.value;
      if (sort === null || run_sort.value === "" || run_sort.value === "name") {
        return runs;
      }
      return sortRows(runs, (run) => this.#sortedBy(sort.column, run), sort.descending);
    });
    this.items = computed(() => {
      const { grouped, groupOf } = options.runGroups;
      const runs = this.sorted.value;
      if (!grouped.value) {
        return runs.map((run): Item => ({ type: "run", run }));
      }
      const groups = [...runsByGroup(runs, groupOf.value)];
      const by = options.runGroups.by.value;
      const name = by.startsWith(HPARAM) ? by.slice(HPARAM.length) : null;
      // Groups of numbers are in their order, which the texts may not have: 1e-5 comes before 0.01.
      const numberOf = ([run = ""]: readonly string[]) =>
        name === null ? undefined : attributeOf(store.runAttributes.value, run, name);
      const order = groups.sort(([a, ofA], [b, ofB]) => {
        const [one, other] = [numberOf(ofA), numberOf(ofB)];
        const ordered = typeof one === "number" && typeof other === "number" ? one - other : compareNatural(a, b);
        return Number(a === "") - Number(b === "") || ordered || compareNatural(a, b);
      });
      const [drawsGroups, folded, unfolded] = [this.#drawsGroups.value, this.#folded.value, this.#unfolded.value];
      return order.flatMap(([group, members]): Item[] => {
        const open = drawsGroups ? unfolded.has(group) : !folded.has(group);
        const rows = open ? members.map((run): Item => ({ type: "run", run })) : [];
        return [{ type: "group", group, runs: members, open }, ...rows];
      });
    });
  }

  fold(group: string): void {
    const toggled = this.#drawsGroups.peek() ? this.#unfolded : this.#folded;
    const groups = new Set(toggled.peek());
    if (!groups.delete(group)) {
      groups.add(group);
    }
    toggled.value = groups;
  }

  /** The group's value under the headline tag; undefined without one. */
  groupValue(group: string): AggregateValue | undefined {
    return this.#groupValues.value.get(group);
  }

  /** The value of a run under a tag at the linked step, else at the last one before it. */
  valueThere(run: string, tag: string, linked: ExactStep): ValueThere | null {
    const data = this.#looked.value.store.series(scalars).tag(tag);
    const series = data === undefined ? undefined : unfollowed(data).byRun.get(run)?.series;
    return series === undefined ? null : valueThere(series, linked);
  }

  /** The display name of a tag of scalars, else the tag. */
  readonly shownAs = (tag: string): string =>
    displayName(this.#view.channel.store.tagTexts.value, [scalars.kind], tag) ?? tag;

  /** The value of a run in a column. A component that reads it follows it. */
  valueOf(column: RunColumn, run: string): CellValue {
    const { store } = this.#view.channel;
    if (column.type === "name") {
      return run;
    }
    if (column.type === "hparam") {
      return attributeOf(store.runAttributes.value, run, column.name) ?? null;
    }
    if (column.type === "statistic") {
      return this.#looked.value.store.statistics(run, column.tag)?.[column.what] ?? null;
    }
    if (column.what === "checkpoints") {
      return checkpointsOf(store).counts.get(run) ?? null;
    }
    const facts = this.#facts.value.get(run);
    if (column.what === "steps") {
      return facts?.step ?? null;
    }
    const { began = Number.NaN, ended = Number.NaN } = facts ?? {};
    const seconds = column.what === "age" ? ended : ended - began;
    return Number.isFinite(seconds) ? seconds : null;
  }

  /** The course of a run under a tag, looked at once a second at most. */
  outlineOf(run: string, tag: string): Outline | null {
    return this.#looked.value.store.outline(run, tag);
  }

  /** Null where nothing is known of the run. */
  stateOf(run: string, tag: string): RunState | null {
    const isRunning = this.#isRunning(run, tag);
    const last = this.#view.channel.store.statistics(run, tag)?.last ?? 0;
    if (!Number.isFinite(last)) {
      return isRunning ? "runningNotFinite" : "notFinite";
    }
    return isRunning === null ? null : isRunning ? "running" : "ended";
  }

  /** Whether data came lately, for the pace at which the run writes this tag; null where no kernel says what came. */
  #isRunning(run: string, tag: string | null): boolean | null {
    const { store, loss } = this.#view.channel;
    const facts = this.#facts.value.get(run);
    if (facts === undefined || !Number.isFinite(facts.ended) || store.savedAt.value !== null || loss.value !== null) {
      return null;
    }
    if (hasEnded(store.runAttributes.value, run)) {
      return false;
    }
    const total = tag === null ? 0 : (this.outlineOf(run, tag)?.total ?? 0);
    return isLive(facts, total, this.#view.now.value / 1000);
  }

  /** The same as people read it. */
  textOf(column: RunColumn, run: string): string {
    const value = this.valueOf(column, run);
    if (value === null) {
      return "";
    }
    if (column.type === "fixed") {
      if (column.what === "checkpoints") {
        const last =
          checkpointsOf(this.#view.channel.store)
            .of(run)
            .findLast(({ step }) => step !== null)?.step ?? null;
        return checkpointTexts().counted(formatCount(Number(value)), last === null ? null : formatCount(last));
      }
      if (column.what === "age") {
        const age = formatSpan(this.#view.now.value - 1000 * Number(value));
        return this.#isRunning(run, this.headline.value) ? runTableTexts().live(age) : age;
      }
      return typeof value === "bigint" ? formatCount(value) : formatDuration(Math.round(Number(value)));
    }
    if (typeof value !== "number") {
      return String(value);
    }
    return formatValue(value);
  }

  /** The listed runs with all columns, as they go into files: a header, and a row for each run. */
  rows(): (string | number | bigint)[][] {
    const { run_names } = this.#view.options.runTable;
    const names = run_names.peek();
    const headline = this.headline.peek();
    const columns = [...(headline === null ? [] : [columnOfHeadline(headline, this.shownAs)]), ...this.columns.peek()];
    const renamed = names.size > 0;
    const head = columns.map(({ key, column }) => (column.type === "fixed" ? FILE_COLUMNS[column.what] : key));
    const runs = this.sorted.peek();
    return [
      ["run", ...(renamed ? [runTableTexts().shownName] : []), ...head],
      ...runs.map((run) => [
        run,
        ...(renamed ? [names.get(run) ?? run] : []),
        ...columns.map(({ column }) => this.#fileCell(column, run)),
      ]),
    ];
  }

  #fileCell(column: RunColumn, run: string): string | number | bigint {
    const value = this.valueOf(column, run);
    const isTime = column.type === "fixed" && column.what === "age" && typeof value === "number";
    if (isTime && Math.abs(value) < 8.64e12) {
      return new Date(1000 * value).toISOString();
    }
    return typeof value === "boolean" ? String(value) : (value ?? "");
  }

  /** The value that sorts it: the youngest run comes first. */
  #sortedBy(column: RunColumn, run: string): CellValue {
    const linked = this.linked.value;
    if (
      linked !== null &&
      column.type === "statistic" &&
      column.what === "last" &&
      column.tag === this.headline.value
    ) {
      return this.valueThere(run, column.tag, linked)?.value ?? null;
    }
    const value = this.valueOf(column, run);
    return column.type === "fixed" && column.what === "age" && typeof value === "number" ? -value : value;
  }
}

const tables = new WeakMap<View, RunTable>();

/** The table of a view. Which groups are folded stays while the side bar shows something else. */
export function runTableOf(view: View): RunTable {
  const table = tables.get(view) ?? new RunTable(view);
  tables.set(view, table);
  return table;
}

export function headlineKey(tag: string): string {
  return `last:${tag}`;
}

/** The column of the values that the spark lines stand beside: the last ones, or those at a linked step. */
export function columnOfHeadline(
  tag: string,
  shownAs: (tag: string) => string,
  scale: SparkScale | null = null,
  linked: ExactStep | null = null,
): ShownColumn {
  const column = { type: "statistic", what: "last", tag } as const;
  const step = linked === null ? null : formatCount(linked);
  const hint = runTableTexts().headlineHint(tag, step, scale?.isLog === true);
  return {
    key: headlineKey(tag),
    column,
    title: step === null ? titleOf(column, shownAs) : runTableTexts().headlineAt(shownAs(tag), step),
    hint,
  };
}

export function titleOf(column: RunColumn, shownAs: (tag: string) => string): string {
  switch (column.type) {
    case "name":
      return runTableTexts().name;
    case "fixed":
      return runTableTexts().fixed[column.what];
    case "hparam":
      return column.name;
    default:
      return runTableTexts().statisticOf(runTableTexts().statistics[column.what], shownAs(column.tag));
  }
}

function hintOf(column: RunColumn): string {
  switch (column.type) {
    case "name":
      return runTableTexts().name;
    case "fixed":
      return runTableTexts().fixedHints[column.what];
    case "hparam":
      return runTableTexts().hparamHint(column.name);
    default:
      return runTableTexts().statisticHint(runTableTexts().statistics[column.what], column.tag);
  }
}
