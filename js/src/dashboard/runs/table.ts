// What the list of runs lists: the runs that match, in groups, sorted, and what stands in their columns.

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { formatCount, formatSpan, formatValue } from "../../lib/format";
import { compareNatural } from "../../lib/natural";
import { parseColumn, parseSort, type RunColumn } from "../../lib/runcolumns";
import { type CellValue, sortRows } from "../../lib/sortrows";
import { strings } from "../../lib/strings";
import { formatDuration } from "../../lib/times";
import { runsByGroup } from "../../options/rungroups";
import type { View } from "../../ui/view";
import { attributeOf, type RunFacts } from "../../wire/runfacts";

/** Seconds after its last point for which a run counts as live. */
const LIVE = 120;

const texts = strings.runTable;

/** Roles of a table's parts: one of which most rows do not exist is no <table>. */
export const ROLES = {
  table: "table",
  rows: "rowgroup",
  row: "row",
  name: "rowheader",
  cell: "cell",
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

export class RunTable {
  readonly columns: ReadonlySignal<readonly ShownColumn[]>;
  /** The runs that match the filter, in natural order. */
  readonly matching: ReadonlySignal<readonly string[]>;
  /** All of them, as they are listed, also where their group is folded. */
  readonly sorted: ReadonlySignal<readonly string[]>;
  readonly items: ReadonlySignal<readonly Item[]>;
  /** Groups whose runs are not listed. */
  readonly folded: Signal<ReadonlySet<string>> = signal(new Set());
  readonly #view: View;
  /** Looked at anew once a second at most, and only where something came. */
  readonly #facts: ReadonlySignal<ReadonlyMap<string, RunFacts>>;
  readonly #seen: ReadonlySignal<number>;

  constructor(view: View) {
    this.#view = view;
    const { options, channel, now } = view;
    const { store } = channel;
    const { run_columns, run_sort } = options.runTable;
    this.#seen = computed(() => {
      void now.value;
      void store.runs.value;
      return store.seq;
    });
    this.#facts = computed(() => {
      void this.#seen.value;
      return store.runFacts();
    });
    this.columns = computed(() =>
      run_columns.value.flatMap((key) => {
        const column = parseColumn(key);
        return column === null ? [] : [{ key, column, title: titleOf(column), hint: hintOf(column) }];
      }),
    );
    this.matching = computed(() => store.runs.value.filter(options.runFilter.matches.value));
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
      const order = groups.sort(([a], [b]) => Number(a === "") - Number(b === "") || compareNatural(a, b));
      const folded = this.folded.value;
      return order.flatMap(([group, members]): Item[] => {
        const open = !folded.has(group);
        const rows = open ? members.map((run): Item => ({ type: "run", run })) : [];
        return [{ type: "group", group, runs: members, open }, ...rows];
      });
    });
  }

  fold(group: string): void {
    const folded = new Set(this.folded.peek());
    if (!folded.delete(group)) {
      folded.add(group);
    }
    this.folded.value = folded;
  }

  /** What a column says of a run. Reading it within a component follows it. */
  valueOf(column: RunColumn, run: string): CellValue {
    const { store } = this.#view.channel;
    if (column.type === "name") {
      return run;
    }
    if (column.type === "hparam") {
      return attributeOf(store.runAttributes.value, run, column.name) ?? null;
    }
    if (column.type === "statistic") {
      void this.#seen.value;
      return store.statistics(run, column.tag)?.[column.what] ?? null;
    }
    const facts = this.#facts.value.get(run);
    if (column.what === "steps") {
      return facts?.step ?? null;
    }
    const { began = Number.NaN, ended = Number.NaN } = facts ?? {};
    const seconds = column.what === "age" ? ended : ended - began;
    return Number.isFinite(seconds) ? seconds : null;
  }

  /** The same as people read it. */
  textOf(column: RunColumn, run: string): string {
    const value = this.valueOf(column, run);
    if (value === null) {
      return "";
    }
    if (column.type === "fixed") {
      if (column.what === "age") {
        const seconds = this.#view.now.value / 1000 - Number(value);
        const age = formatSpan(1000 * seconds);
        return seconds < LIVE ? texts.live(age) : age;
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
    const columns = this.columns.peek();
    const renamed = names.size > 0;
    const head = columns.map(({ key, column }) => (column.type === "fixed" ? texts.fileColumns[column.what] : key));
    const runs = this.sorted.peek();
    return [
      [texts.runColumn, ...(renamed ? [texts.shownName] : []), ...head],
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

  /** What it is sorted by: the youngest comes first. */
  #sortedBy(column: RunColumn, run: string): CellValue {
    const value = this.valueOf(column, run);
    return column.type === "fixed" && column.what === "age" && typeof value === "number" ? -value : value;
  }
}

export function titleOf(column: RunColumn): string {
  switch (column.type) {
    case "name":
      return texts.name;
    case "fixed":
      return texts.fixed[column.what];
    case "hparam":
      return column.name;
    default:
      return texts.statisticOf(texts.statistics[column.what], column.tag);
  }
}

function hintOf(column: RunColumn): string {
  switch (column.type) {
    case "name":
      return texts.name;
    case "fixed":
      return texts.fixedHints[column.what];
    case "hparam":
      return texts.hparamHint(column.name);
    default:
      return texts.statisticHint(texts.statistics[column.what], column.tag);
  }
}
