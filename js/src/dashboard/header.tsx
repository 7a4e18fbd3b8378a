// One line that says what the dashboard is doing.

import { useSignal } from "@preact/signals";
import { formatAge, formatBytes, formatCount } from "../lib/format";
import { strings } from "../lib/strings";
import { formatMoment } from "../lib/times";
import type { Store } from "../wire/store";
import { Problems, problemsName } from "./problems";
import { isSilent, type State } from "./state";
import { useView } from "./view";

interface Props {
  readonly state: State;
  readonly runsOpen: boolean;
  onToggleRuns(): void;
}

export function Header({ state, runsOpen, onToggleRuns }: Props) {
  const { session, now, coarseAt } = useView();
  const { store } = session;
  const problemsOpen = useSignal(false);
  const runs = store.runs.value.length;
  const tags = store.tags.value.length;
  const count = store.status.value?.problems ?? 0;
  const leftOut = store.status.value?.leftOut ?? 0;
  return (
    <header class="tbwidget-header">
      {runs > 0 && (
        <button
          type="button"
          class="tbwidget-toggle"
          title={strings.toggleRuns}
          aria-label={strings.toggleRuns}
          aria-expanded={runsOpen}
          onClick={onToggleRuns}
        >
          <span />
        </button>
      )}
      <strong class="tbwidget-state" role="status" title={store.savedAt.value === null ? undefined : strings.savedHint}>
        {store.savedAt.value === null ? stateName(state) : strings.saved}
      </strong>
      <span class="tbwidget-news">
        {news(state, store, now.value, coarseAt.value !== null && store.status.value?.ready === true)}
      </span>
      <span class="tbwidget-path" title={store.status.value?.path}>
        {runs > 0 && <bdi>{store.status.value?.path}</bdi>}
      </span>
      {runs > 0 && (
        <span class="tbwidget-quiet">
          {strings.runCount(formatCount(runs), runs === 1)}, {strings.tagCount(formatCount(tags), tags === 1)}
        </span>
      )}
      {(count > 0 || leftOut > 0) && (
        <button
          type="button"
          class="tbwidget-problems-button"
          aria-expanded={problemsOpen.value}
          onClick={() => {
            problemsOpen.value = !problemsOpen.value;
          }}
        >
          {problemsName(count, leftOut)}
        </button>
      )}
      {problemsOpen.value && <Problems count={count} />}
    </header>
  );
}

function stateName(state: State): string {
  const names = {
    reading: strings.reading,
    live: strings.live,
    idle: strings.idle,
    busy: strings.kernelBusyShort,
    waiting: strings.waiting,
    error: strings.error,
  };
  return names[state];
}

function news(state: State, store: Store, now: number, waitingForFiner: boolean): string {
  const status = store.status.value;
  const heardAt = store.heardAt.value;
  if (state === "error") {
    return strings.incompatible;
  }
  if (store.savedAt.value !== null) {
    return strings.savedAt(formatMoment(store.savedAt.value / 1000, new Date(now)));
  }
  if (heardAt !== null && isSilent(now, heardAt)) {
    return strings.kernelSilent(formatAge(now - heardAt));
  }
  if (state === "busy") {
    const changedAt = store.changedAt.value;
    const newest = changedAt === null ? "" : `, ${strings.newData(formatAge(now - changedAt))}`;
    return waitingForFiner ? strings.finerLater + newest : strings.kernelBusy;
  }
  if (status === null || heardAt === null) {
    return strings.connecting;
  }
  if (!status.ready) {
    const [read, found] = status.read;
    return found > 0 ? strings.readingProgress(formatBytes(read), formatBytes(found)) : "";
  }
  if (store.changedAt.value !== null) {
    return strings.newData(formatAge(now - store.changedAt.value));
  }
  return status.newest === null ? "" : strings.newestPoint(formatAge(now - status.newest * 1000));
}
