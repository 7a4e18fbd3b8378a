// What the parts of the panel share: the sessions, which of them are shown in which order, the goal metric, and the brush.

import { batch, computed, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { NO_COLOR, scaleColor } from "../../lib/colors";
import type { Range } from "../../lib/range";
import { type CellValue, sortRowsBy } from "../../lib/sortrows";
import { scalars } from "../../lines/codec";
import type { OptionsOf } from "../../options/declare";
import { useView, type View } from "../../ui/view";
import { type HParamsDocument, hparamsDocument, type MetricInfo } from "./codec";
import {
  type Column,
  groupBelow,
  groupRows,
  hparamColumns,
  joinedRun,
  type Members,
  type Metric,
  MetricColumn,
  meanValue,
  membersOf,
  metricsOf,
  type SessionRow,
  type Sessions,
  sessionRows,
  type Value,
  varies,
} from "./columns";
import { passesFilter } from "./filters";
import { type Goal, hparamsOptions, type Scale } from "./options";

export type { Status } from "./codec";
export type { Column, ColumnType, SessionRow, Sessions, Value } from "./columns";

/** Rows inside a range of numbers, ends included, or with one of some values; undefined is a missing one. */
export type Brush = { readonly range: Range } | { readonly values: ReadonlySet<Value | undefined> };

/** Columns that are shown while none are chosen. */
export const MAX_AUTOMATIC_HPARAMS = 24;
export const MAX_AUTOMATIC_METRICS = 8;

/** Columns that are shown at all. */
export const MAX_COLUMNS = 200;

/** Milliseconds between two looks at the metrics, while points come. */
const METRICS_MS = 250;

/** A column is on a logarithmic axis if it is positive and its ends are more than this many times apart. */
const LOGARITHMIC = 50;

/** Steps of the scale of colors. */
const COLOR_STEPS = 64;

const SMALLER_IS_BETTER =
  /loss|err(?:or)?(?![a-z])|perplexity|ppl(?![a-z])|mse|mae(?![a-z])|latency|(?:^|[/_.])(?:time|wer|cer|fid|nll)(?![a-z])/i;
const SCORE = /acc(?:uracy)?(?![a-z])|auc|f1|score|reward|return|loss|err(?:or)?(?![a-z])|mse|precision|recall/i;
const HELD_OUT = /val(?:id|idation)?(?![a-z])|test|eval|dev(?![a-z])/i;

const EMPTY: HParamsDocument = {
  hparams: [],
  metrics: [],
  sessions: [],
  values: [],
  attributes: { names: [], byRun: new Map() },
};

/** One a view. It computes only while something shows it. */
export class HParamsState {
  /** All sessions, or all groups of them. */
  readonly sessions: ReadonlySignal<Sessions>;
  /** Rows that pass the filters, in the table's order. */
  readonly shown: ReadonlySignal<readonly number[]>;
  /** Chosen columns in their order: table, axes and matrix show these. */
  readonly columns: ReadonlySignal<readonly Column[]>;
  /** The metric that colors and ranks; null without metrics. */
  readonly goal: ReadonlySignal<Column | null>;
  readonly goalBest: ReadonlySignal<Goal>;
  /** By column key; several a column. */
  readonly brushes: Signal<ReadonlyMap<string, readonly Brush[]>> = signal(new Map());
  /** Shown rows inside the brushes of all columns; null: there is no brush. */
  readonly brushed: ReadonlySignal<ReadonlySet<number> | null>;
  /** The row below the pointer. */
  readonly hovered: Signal<number | null> = signal(null);
  readonly options: OptionsOf<typeof hparamsOptions>;
  /** The sessions of each row; null: each row is a session. */
  readonly members: ReadonlySignal<Members | null>;
  readonly document: ReadonlySignal<HParamsDocument>;
  /** A row by each of its runs. */
  readonly rowOf: ReadonlySignal<ReadonlyMap<string, number>>;
  readonly #colors: ReadonlySignal<(row: number) => string>;
  readonly #extents = new WeakMap<Column, Range | null>();

  constructor(view: View) {
    const { channel, options } = view;
    const { store } = channel;
    const own = options.of(hparamsOptions);
    this.options = own;
    const series = store.series(scalars);
    const held = store.documents(hparamsDocument).get("", "");
    this.document = computed(() => held.value?.value ?? EMPTY);
    const apart = computed(() => sessionRows(this.document.value.sessions));
    this.members = computed(() => {
      const members = own.hparams_groups.value ? membersOf(this.document.value.sessions) : null;
      return members?.some((places) => places.length > 1) ? members : null;
    });
    const rows = computed(() => {
      const members = this.members.value;
      return members === null ? apart.value : groupRows(this.document.value.sessions, members);
    });
    this.rowOf = computed(() => new Map(rows.value.flatMap(({ runs }, row) => runs.map((run) => [run, row] as const))));
    const hparams = computed(() => hparamColumns(this.document.value, this.members.value));

    // What of each tag was looked at, by version.
    const versionOf = (tag: string) => series.tag(tag)?.version.value ?? -1;
    const changes = throttled(() => {
      void store.runs.value;
      const declared = this.document.value.metrics;
      const tags = declared.length > 0 ? declared.map(({ tag }) => tag) : series.tags.value;
      // A tag that nothing is held of has no version to follow.
      void series.tags.value;
      return tags.reduce((sum, tag) => sum + versionOf(tag), 0);
    }, METRICS_MS);
    const below = new Map<string, { readonly version: number; readonly groups: ReadonlySet<string> }>();
    let belowSessions: ReadonlySet<string> | null = null;
    const sessionRuns = computed(() => new Set(this.document.value.sessions.map(({ run }) => run)));
    const discovered = (): MetricInfo[] => {
      const known = sessionRuns.value;
      if (belowSessions !== known) {
        belowSessions = known;
        below.clear();
      }
      return series.tags.peek().flatMap((tag) => {
        const content = series.tag(tag);
        const version = content?.version.peek() ?? -1;
        let found = below.get(tag);
        if (found?.version !== version) {
          const runs = untracked(() => [...(content?.byRun.keys() ?? [])]);
          const groups = runs.flatMap((run) => groupBelow(run, known) ?? []);
          found = { version, groups: new Set(groups) };
          below.set(tag, found);
        }
        return [...found.groups].map((group) => ({ group, tag, title: "", description: "" }));
      });
    };
    const declared = computed(() => metricsOf(this.document.value.metrics));
    let found: { readonly key: string; readonly metrics: readonly Metric[] } = { key: "", metrics: [] };
    const metrics = computed((): readonly Metric[] => {
      if (declared.value.length > 0 || this.document.value.sessions.length === 0) {
        return declared.value;
      }
      void changes.value;
      const infos = discovered();
      const key = JSON.stringify(infos.map(({ group, tag }) => [group, tag]));
      if (found.key !== key) {
        found = { key, metrics: metricsOf(infos) };
      }
      return found.metrics;
    });
    let cache = new Map<string, { readonly by: readonly unknown[]; readonly column: MetricColumn }>();
    const metricColumns = computed(() => {
      void changes.value;
      const [sessions, members, what] = [this.document.value.sessions, this.members.value, own.hparams_metric.value];
      const next: typeof cache = new Map();
      for (const metric of metrics.value) {
        const versions = metric.sources.map(({ tag }) => series.tag(tag)?.version.peek() ?? -1);
        const by = [metric, sessions, members, what, ...versions];
        const known = cache.get(metric.key);
        if (known !== undefined && known.by.length === by.length && known.by.every((one, i) => one === by[i])) {
          next.set(metric.key, known);
          continue;
        }
        const compute = () => {
          const values = sessions.map(({ run }) => {
            for (const { group, tag } of metric.sources) {
              const value = series.statistics(joinedRun(run, group), tag)?.[what];
              if (value !== null && value !== undefined) {
                return value;
              }
            }
            return undefined;
          });
          return members === null ? values : members.map((places) => meanValue(values, places));
        };
        const column = new MetricColumn(metric, compute);
        // A column that is the same as before spares its cells and the plots their work.
        const before = known?.by[0] === metric && known.column.isComputed ? known.column : null;
        const isSame =
          before !== null &&
          before.values.length === column.values.length &&
          before.values.every((value, i) => Object.is(value, column.values[i]));
        next.set(metric.key, { by, column: isSame ? before : column });
      }
      cache = next;
      return [...next.values()].map(({ column }) => column);
    });
    this.sessions = computed(() => ({ rows: rows.value, hparams: hparams.value, metrics: metricColumns.value }));

    this.columns = computed(() => {
      const { hparams, metrics } = this.sessions.value;
      const keys = own.hparams_columns.value;
      if (keys.length === 0) {
        return [...hparams.filter(varies).slice(0, MAX_AUTOMATIC_HPARAMS), ...metrics.slice(0, MAX_AUTOMATIC_METRICS)];
      }
      const byKey = new Map([...hparams, ...metrics].map((column) => [column.key, column]));
      return keys.flatMap((key) => byKey.get(key) ?? []).slice(0, MAX_COLUMNS);
    });
    this.goal = computed(() => {
      const all = this.sessions.value.metrics;
      const chosen = all.find(({ key }) => key === own.hparams_goal.value);
      return chosen ?? automaticGoal(all);
    });
    this.goalBest = computed(() => {
      const key = this.goal.value?.key ?? "";
      return own.hparams_goal_best.value ?? (SMALLER_IS_BETTER.test(key) ? "min" : "max");
    });
    this.shown = computed(() => {
      const filters = [...own.hparams_filters.value].flatMap(([key, filter]) => {
        const values = this.valuesOf(key);
        return values === null ? [] : [{ values, passes: passesFilter(filter) }];
      });
      const all = this.sessions.value.rows.map((_, row) => row);
      const some =
        filters.length === 0 ? all : all.filter((row) => filters.every(({ values, passes }) => passes(values[row])));
      const sorts = own.hparams_sort.value.flatMap((text) => {
        const descending = text.startsWith("-");
        const values = this.valuesOf(descending ? text.slice(1) : text);
        return values === null ? [] : [{ cellOf: (row: number): CellValue => values[row] ?? null, descending }];
      });
      return sortRowsBy(some, sorts);
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
    this.#colors = computed(() => {
      const theme = view.theme.value;
      const none = NO_COLOR[theme];
      const goal = this.goal.value;
      const best = this.goalBest.value;
      const palette = Array.from({ length: COLOR_STEPS }, (_, i) => scaleColor(i / (COLOR_STEPS - 1), theme));
      const place = goal === null ? () => null : this.placesOf(goal);
      return (row) => {
        const at = place(row);
        return at === null ? none : (palette[Math.round((best === "max" ? at : 1 - at) * (COLOR_STEPS - 1))] ?? none);
      };
    });
  }

  /** By the goal metric: the best at the light end of the scale; gray without a value. */
  colorOf(row: number): string {
    return this.#colors.value(row);
  }

  /** What a key of an option stands for: a column, or "run", "status", "group", "start", "duration"; null for nothing. */
  valuesOf(key: string): readonly (Value | undefined)[] | null {
    const { rows, hparams, metrics } = this.sessions.value;
    switch (key) {
      case "run":
        // Sessions come in the natural order of their runs.
        return rows.map((_, row) => row);
      case "status":
        return rows.map(({ status }) => status);
      case "group":
        return this.groupsOf(rows);
      case "start":
        return rows.map(({ start }) => start ?? undefined);
      case "duration":
        return rows.map(({ start, end }) => (start === null || end === null ? undefined : end - start));
      default:
        return [...hparams, ...metrics].find((column) => column.key === key)?.values ?? null;
    }
  }

  /** The group of each row; undefined where it has none. */
  groupsOf(rows: readonly SessionRow[]): (string | undefined)[] {
    const groups = new Map(this.document.value.sessions.map(({ run, group }) => [run, group]));
    return rows.map(({ run }) => groups.get(run) || undefined);
  }

  /** How a column of numbers is spread along an axis. */
  scaleOf(column: Column): Scale {
    const chosen = this.options.hparams_scales.value.get(column.key);
    const [least, most] = this.extentOf(column) ?? [0, 0];
    return chosen ?? (least > 0 && most / least > LOGARITHMIC ? "log" : "linear");
  }

  /** The least and the greatest finite number of a column; null without any. */
  extentOf(column: Column): Range | null {
    let extent = this.#extents.get(column);
    if (extent === undefined) {
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const value of column.values) {
        if (typeof value === "number" && Number.isFinite(value)) {
          [least, most] = [Math.min(least, value), Math.max(most, value)];
        }
      }
      extent = least <= most ? [least, most] : null;
      this.#extents.set(column, extent);
    }
    return extent;
  }

  /** The place of a row's number between the least and the greatest, from 0 to 1; null without a finite one. */
  placesOf(column: Column): (row: number) => number | null {
    const extent = this.extentOf(column);
    if (extent === null) {
      return () => null;
    }
    const isLog = this.scaleOf(column) === "log" && extent[0] > 0;
    const place = isLog ? Math.log10 : (value: number) => value;
    const [from, to] = [place(extent[0]), place(extent[1])];
    return (row) => {
      const value = column.values[row];
      if (typeof value !== "number" || !Number.isFinite(value)) {
        return null;
      }
      return from === to ? 1 : (place(value) - from) / (to - from);
    };
  }

  /** Removes all brushes. */
  clearBrushes(): void {
    batch(() => {
      this.brushes.value = new Map();
    });
  }
}

export function isInside(value: Value | undefined, brush: Brush): boolean {
  if ("values" in brush) {
    return brush.values.has(value);
  }
  return typeof value === "number" && value >= brush.range[0] && value <= brush.range[1];
}

/** A score or a loss of data held out, else of any; else the first metric. */
function automaticGoal(metrics: readonly Column[]): Column | null {
  const scores = metrics.filter(({ key }) => SCORE.test(key));
  return scores.find(({ key }) => HELD_OUT.test(key)) ?? scores[0] ?? metrics[0] ?? null;
}

/** What `compute` gives, at most once in some milliseconds; at once after a pause. */
function throttled<T>(compute: () => T, milliseconds: number): ReadonlySignal<T> {
  const source = computed(compute);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unsubscribe = () => {};
  let last = Number.NEGATIVE_INFINITY;
  const take = () => {
    timer = undefined;
    last = performance.now();
    result.value = source.peek();
  };
  const result: Signal<T> = signal<T>(undefined as T, {
    watched: () => {
      unsubscribe = source.subscribe(() => {
        timer ??= setTimeout(take, Math.max(0, last + milliseconds - performance.now()));
      });
    },
    unwatched: () => {
      unsubscribe();
      clearTimeout(timer);
      timer = undefined;
    },
  });
  return result;
}

const states = new WeakMap<View, HParamsState>();

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
