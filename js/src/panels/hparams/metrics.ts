// The columns of metrics. Their values are scalars: a new point changes the column of its tag alone.

import { computed, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { isSameList } from "../../lib/sortrows";
import { scalars } from "../../lines/codec";
import type { Store } from "../../wire/store";
import { displayName } from "../../wire/tagtexts";
import type { ValuesAt } from "./atbest";
import type { HParamsDocument, MetricInfo } from "./codec";
import { groupBelow, joinedName, joinedRun, type Members, type Metric, MetricColumn, metricsOf } from "./columns";
import type { MetricValue } from "./options";

/** Milliseconds between two polls of the metrics while points come. */
const POLL_MS = 250;

interface Props {
  readonly store: Store;
  readonly document: ReadonlySignal<HParamsDocument>;
  readonly members: ReadonlySignal<Members | null>;
  /** Which value of each metric counts. */
  readonly what: ReadonlySignal<MetricValue>;
}

export interface Metrics {
  readonly metrics: ReadonlySignal<readonly Metric[]>;
  /** Changes with new points, a few times a second at most. */
  readonly changes: ReadonlySignal<unknown>;
  /** One a metric; the same objects as long as their values are the same. With `at`, its values replace the statistics of the series. */
  columns(at: ReadonlySignal<ValuesAt | null>): ReadonlySignal<readonly MetricColumn[]>;
}

export function metricsIn(props: Props): Metrics {
  const { store, document, members, what } = props;
  const series = store.series(scalars);
  const versionOf = (tag: string) => series.tag(tag)?.version;
  const changes = throttled(() => {
    const declared = document.value.metrics;
    // A tag that nothing is held of has no version to follow.
    const all = series.tags.value;
    const tags = declared.length > 0 ? declared.map(({ tag }) => tag) : all;
    return tags.reduce((sum, tag) => sum + (versionOf(tag)?.value ?? -1), 0);
  }, POLL_MS);
  /** The store as of the last look: another object when series have changed. */
  const looked = computed(() => ({ store, version: changes.value }));
  /** The metric with the display name of its scalars, where it declares none. */
  const named = (info: MetricInfo): MetricInfo => {
    const name = info.title === "" ? displayName(store.tagTexts.value, [scalars.kind], info.tag) : null;
    return name === null ? info : { ...info, title: joinedName(info.group, name) };
  };
  const declared = computed(() => metricsOf(document.value.metrics.map(named)));
  const discover = discoverer();
  let found: { readonly key: string; readonly metrics: readonly Metric[] } = { key: "", metrics: [] };
  const metrics = computed((): readonly Metric[] => {
    const { sessions } = document.value;
    if (declared.value.length > 0 || sessions.length === 0) {
      return declared.value;
    }
    const infos = discover(looked.value.store, sessions).map(named);
    const key = JSON.stringify(infos.map(({ group, tag, title }) => [group, tag, title]));
    if (found.key !== key) {
      found = { key, metrics: metricsOf(infos) };
    }
    return found.metrics;
  });
  let known = new Map<string, { readonly by: readonly unknown[]; readonly column: MetricColumn }>();
  const columns = (at: ReadonlySignal<ValuesAt | null>) =>
    computed(() => {
      const held = looked.value.store.series(scalars);
      const { sessions, directories } = document.value;
      const [groups, statistic, values] = [members.value, what.value, at.value];
      const next: typeof known = new Map();
      for (const metric of metrics.value) {
        const versions = metric.sources.map(({ tag }) => versionOf(tag)?.peek());
        const by = [metric, sessions, groups, statistic, values, ...versions];
        const before = known.get(metric.key);
        if (before !== undefined && isSameList(before.by, by)) {
          next.set(metric.key, before);
          continue;
        }
        const read = (run: string, source: MetricInfo) =>
          values === null
            ? held.statistics(joinedRun(run, source.group, directories), source.tag)?.[statistic]
            : values.valueOf(run, source);
        const column = new MetricColumn(metric, groups, () =>
          sessions.map(({ run }) => {
            for (const source of metric.sources) {
              const value = read(run, source);
              if (value !== null && value !== undefined) {
                return value;
              }
            }
            return undefined;
          }),
        );
        // A column that is the same as before spares its cells and the plots their work.
        const isOfSame = before?.by[0] === metric && before.by[1] === sessions && before.by[2] === groups;
        const isSame = isOfSame && before.column.isComputed && isSameList(before.column.sessions, column.sessions);
        next.set(metric.key, { by, column: isSame ? before.column : column });
      }
      known = next;
      return [...next.values()].map(({ column }) => column);
    });
  return { metrics, changes, columns };
}

/** Finds all scalars of the sessions' runs and of the runs below them. */
function discoverer(): (store: Store, sessions: HParamsDocument["sessions"]) => MetricInfo[] {
  const known = new Map<string, { readonly version: number | undefined; readonly groups: ReadonlySet<string> }>();
  let of: HParamsDocument["sessions"] = [];
  let runs: ReadonlySet<string> = new Set();
  return (store, sessions) => {
    const series = store.series(scalars);
    if (of !== sessions) {
      of = sessions;
      runs = new Set(sessions.map(({ run }) => run));
      known.clear();
    }
    return series.tags.peek().flatMap((tag) => {
      const content = series.tag(tag);
      const version = content?.version.peek();
      let found = known.get(tag);
      if (found === undefined || found.version !== version) {
        const written = untracked(() => [...(content?.byRun.keys() ?? [])]);
        found = { version, groups: new Set(written.flatMap((run) => groupBelow(run, runs) ?? [])) };
        known.set(tag, found);
      }
      return [...found.groups].map((group) => ({ group, tag, title: "", description: "" }));
    });
  };
}

/** Throttles `compute` to one call in some milliseconds; calls it at once after a pause. */
function throttled<T>(compute: () => T, milliseconds: number): ReadonlySignal<T | undefined> {
  const source = computed(compute);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unsubscribe = () => {};
  let last = Number.NEGATIVE_INFINITY;
  const take = () => {
    timer = undefined;
    last = performance.now();
    result.value = source.peek();
  };
  const result: Signal<T | undefined> = signal<T | undefined>(undefined, {
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
