// One line that says what the dashboard is doing.

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { formatAge, formatBytes, formatCount } from "../lib/format";
import { listOf } from "../lib/texts";
import { formatMoment } from "../lib/times";
import { alertsOpenIn } from "../ui/alerts";
import { RunName } from "../ui/runname";
import { useView } from "../ui/view";
import type { Channel } from "../wire/channel";
import type { Loss } from "../wire/connection";
import type { Status } from "../wire/protocol";
import type { Store } from "../wire/store";
import { Alerts, AlertsButton } from "./alerts";
import { HeaderTools } from "./headertools";
import { FileOfOptions, ProfileMenu } from "./profile";
import { LIVE_MS, type State } from "./state";
import { dashboardTexts } from "./texts";
import "./header.css";

/** The directory itself as a run: the path says its name. */
const ROOT = ".";

interface Props {
  readonly state: State;
  readonly runsOpen: boolean;
  onToggleRuns(): void;
}

export function Header({ state, runsOpen, onToggleRuns }: Props) {
  const view = useView();
  const { channel, now, coarseAt, options, panel } = view;
  const { store } = channel;
  const problemsOpen = useSignal(false);
  const alertsOpen = alertsOpenIn(view);
  const runs = store.runs.value.length;
  const [only] = runs === 1 ? store.runs.value : [];
  const tags = store.tags.value.length;
  const count = store.status.value?.problems ?? 0;
  const leftOut = store.status.value?.leftOut ?? 0;
  const Count = options.onlyPanel === null ? undefined : panel.value?.Count;
  const savedAt = store.savedAt.value;
  const [saved, isLastView] = [savedAt !== null, store.isLastView.value];
  const isStopped = store.status.value?.reading?.phase === "stopped" && state !== "busy" && state !== "disconnected";
  const lacking = useMemo(() => (saved && !isLastView ? lackingIn(store) : ""), [store, saved, isLastView]);
  return (
    <header class="tbwidget-header">
      {runs > 0 && (
        <button
          type="button"
          class="tbwidget-toggle"
          title={dashboardTexts().toggleRuns}
          aria-label={dashboardTexts().toggleRuns}
          aria-expanded={runsOpen}
          onClick={onToggleRuns}
        >
          <span />
        </button>
      )}
      <strong
        class="tbwidget-state"
        role="status"
        title={isLastView ? dashboardTexts().lastViewHint : saved ? dashboardTexts().savedHint : undefined}
      >
        {isLastView
          ? dashboardTexts().lastView
          : saved
            ? dashboardTexts().saved
            : isStopped
              ? dashboardTexts().stopped
              : stateName(state)}
      </strong>
      <span
        class="tbwidget-news"
        title={isThrottled(store) && isOwed(channel, now.value) ? dashboardTexts().fewerUpdatesHint : undefined}
      >
        {isLastView
          ? lastViewNews(savedAt ?? 0, now.value, channel.loss.value)
          : news(state, channel, now.value, coarseAt.value !== null && store.status.value?.ready === true)}
        {lacking !== "" && <span title={dashboardTexts().savedLackingHint}> · {lacking}</span>}
      </span>
      {!saved && state !== "disconnected" && <ReadingSwitch isBusy={state === "busy"} />}
      <span class="tbwidget-path" title={store.status.value?.path}>
        {runs > 0 && <bdi>{store.status.value?.path}</bdi>}
      </span>
      {only !== undefined && only !== ROOT && (
        <span class="tbwidget-single-run" title={only}>
          <RunName run={only} />
        </span>
      )}
      {runs > 0 && (
        <span class="tbwidget-quiet">
          {Count === undefined ? (
            listOf([
              dashboardTexts().runCount(runs, formatCount(runs)),
              dashboardTexts().tagCount(tags, formatCount(tags)),
            ])
          ) : (
            <>
              {dashboardTexts().runCount(runs, formatCount(runs))}, <Count />
            </>
          )}
        </span>
      )}
      <AlertsButton
        isOpen={alertsOpen.value}
        toggle={() => {
          alertsOpen.value = !alertsOpen.value;
        }}
      />
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
      <FileOfOptions />
      {runs > 0 && <ProfileMenu />}
      <HeaderTools />
      <Maximize />
      {alertsOpen.value && <Alerts />}
      {problemsOpen.value && <Problems count={count} />}
    </header>
  );
}

/** The button that stops the first pass over the directory, and lets it go on. */
export function ReadingSwitch({ isBusy }: { readonly isBusy: boolean }) {
  const { channel } = useView();
  const reading = channel.store.status.value?.reading ?? null;
  if (reading === null) {
    return null;
  }
  const isStopped = reading.phase === "stopped";
  return (
    <button
      type="button"
      class="tbwidget-link tbwidget-reading-switch"
      disabled={isBusy}
      title={isBusy ? dashboardTexts().stopWaits : isStopped ? dashboardTexts().resumeHint : dashboardTexts().stopHint}
      onClick={() => channel.setReading(isStopped)}
    >
      {isStopped ? dashboardTexts().resume : dashboardTexts().stop}
    </button>
  );
}

/** The button that shows the dashboard over the whole window, and at its place again. */
function Maximize() {
  const { isMaximized } = useView();
  const hint = isMaximized.value ? dashboardTexts().restore : dashboardTexts().maximize;
  return (
    <button
      type="button"
      class="tbwidget-maximize"
      title={hint}
      aria-label={hint}
      aria-pressed={isMaximized.value}
      onClick={() => {
        isMaximized.value = !isMaximized.peek();
      }}
    >
      <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        <path
          d={
            isMaximized.value
              ? "M5.5 1.5v4h-4M8.5 1.5v4h4M5.5 12.5v-4h-4M8.5 12.5v-4h4"
              : "M1.5 5V1.5H5M9 1.5h3.5V5M1.5 9v3.5H5M9 12.5h3.5V9"
          }
        />
      </svg>
    </button>
  );
}

function stateName(state: State): string {
  const names = {
    reading: dashboardTexts().reading,
    live: dashboardTexts().live,
    idle: dashboardTexts().idle,
    busy: dashboardTexts().kernelBusyShort,
    waiting: dashboardTexts().waiting,
    disconnected: dashboardTexts().disconnected,
    error: dashboardTexts().error,
  };
  return names[state];
}

/** Names the content that a saved page lacks. */
function lackingIn(store: Store): string {
  const { coarse, absent } = store.shortfall();
  return listOf([
    ...(coarse > 0 ? [dashboardTexts().savedCoarse(coarse, formatCount(coarse))] : []),
    ...(absent > 0 ? [dashboardTexts().savedWithout(formatCount(absent))] : []),
  ]);
}

/** Status text of the last view of a page that was left. */
function lastViewNews(at: number, now: number, lost: Loss | null): string {
  const then = dashboardTexts().savedAt(formatMoment(at / 1000, new Date(now)));
  if (lost?.why === "silent") {
    return listOf([then, lossNews(lost, now)]);
  }
  return listOf([then, lost?.why === "ended" ? dashboardTexts().lastViewAlone : dashboardTexts().lastViewWaiting]);
}

function lossNews({ why, since }: Loss, now: number): string {
  return dashboardTexts().disconnectedSince[why](formatMoment(since / 1000, new Date(now)));
}

/** Whether the kernel sends fewer updates because a page is behind. */
function isThrottled({ savedAt, status }: Store): boolean {
  return savedAt.value === null && (status.value?.share ?? 1) < 1;
}

/** Whether updates wait, are being drawn, or came lately. A page without any is up to date, however late its last one was drawn. */
function isOwed({ store, lag }: Channel, now: number): boolean {
  const status = store.status.value;
  const changedAt = store.changedAt.value;
  const isRecent = changedAt !== null && now - changedAt < LIVE_MS;
  return isRecent || status?.ready !== true || status.unsent > 0 || lag.isDrawing;
}

/** Seconds that the page is behind the kernel, rounded; 0 where nothing is owed to it. */
export function secondsBehind(channel: Channel, now: number): number {
  const behind = Math.round(channel.lag.behind.value);
  return isOwed(channel, now) ? behind : 0;
}

/** How far the page is behind, and that the kernel therefore sends fewer updates. */
export function lagNews(channel: Channel, now: number): string[] {
  const behind = secondsBehind(channel, now);
  return [
    ...(behind > 0 ? [dashboardTexts().behind(formatCount(behind))] : []),
    ...(isThrottled(channel.store) && isOwed(channel, now) ? [dashboardTexts().fewerUpdates] : []),
  ];
}

/** How often remote storage is polled: new data cannot come sooner. */
export function pollNews({ store }: Channel): string[] {
  const seconds = store.status.value?.polled ?? null;
  return seconds === null ? [] : [dashboardTexts().polledEvery(formatCount(seconds))];
}

/** Counts and bytes of the files that are being listed, fetched and read. */
export function readingNews({ read: [read, found], reading }: Status): string[] {
  if (reading?.phase === "listing") {
    const { entries } = reading;
    return [entries > 0 ? dashboardTexts().listed(entries, formatCount(entries)) : dashboardTexts().listing];
  }
  const { filesRead = 0, files = 0, fetched = 0 } = reading ?? {};
  return [
    ...(files > 0 ? [dashboardTexts().filesRead(formatCount(filesRead), files, formatCount(files))] : []),
    ...(found > 0 ? [dashboardTexts().readingProgress(formatBytes(read), formatBytes(found))] : []),
    ...(reading?.phase === "fetching" ? [dashboardTexts().fetched(formatBytes(fetched))] : []),
  ];
}

function news(state: State, channel: Channel, now: number, waitingForFiner: boolean): string {
  const { store, loss } = channel;
  const status = store.status.value;
  const receivedAt = store.receivedAt.value;
  if (state === "error") {
    return dashboardTexts().incompatible;
  }
  if (store.savedAt.value !== null) {
    return dashboardTexts().savedAt(formatMoment(store.savedAt.value / 1000, new Date(now)));
  }
  if (state === "disconnected") {
    const lost = loss.value;
    // The time is unknown if the kernel ended before it was heard.
    return lost === null || (lost.why === "ended" && receivedAt === null)
      ? dashboardTexts().endedBefore
      : lossNews(lost, now);
  }
  const late = lagNews(channel, now);
  const changedAt = status?.fresh === true ? store.changedAt.value : null;
  // In a page that is behind, even the newest data are old.
  const newData =
    changedAt === null || secondsBehind(channel, now) > 0
      ? []
      : [dashboardTexts().lastData(formatAge(now - changedAt))];
  // A kernel that cannot hear the page still tells how far it has come.
  const progress = status === null || status.ready ? [] : readingNews(status);
  if (state === "busy" && progress.length === 0 && (waitingForFiner || !store.settled.value)) {
    return listOf([
      ...late,
      ...(waitingForFiner ? [dashboardTexts().finerLater, ...newData] : [dashboardTexts().kernelBusy]),
    ]);
  }
  if (status === null || receivedAt === null) {
    return dashboardTexts().connecting;
  }
  if (!status.ready) {
    return listOf([...late, ...progress]);
  }
  if (!store.settled.value) {
    return listOf([...late, dashboardTexts().arriving]);
  }
  if (late.length === 0 && newData.length === 0 && status.newest !== null) {
    newData.push(dashboardTexts().lastData(formatAge(now - status.newest * 1000)));
  }
  return listOf([...late, ...newData, ...pollNews(channel)]);
}

/** Label of the button that opens the list. */
export function problemsName(count: number, leftOut: number): string {
  const problems = count > 0 ? [dashboardTexts().problemCount(count, formatCount(count))] : [];
  return listOf([...problems, ...(leftOut > 0 ? [dashboardTexts().leftOutShort(formatCount(leftOut))] : [])]);
}

export function Problems({ count }: { readonly count: number }) {
  const { store } = useView().channel;
  const listed = store.problems.value;
  const leftOut = store.status.value?.leftOut ?? 0;
  return (
    <ul class="tbwidget-problems">
      {listed.map(({ path, offset, message }) => (
        <li key={`${path}\n${offset}\n${message}`}>
          <b>{path}</b>
          {offset !== null && <span class="tbwidget-quiet"> {dashboardTexts().atByte(offset)}</span>}: {message}
        </li>
      ))}
      {count > listed.length && (
        <li class="tbwidget-quiet">{dashboardTexts().moreProblems(formatCount(count - listed.length))}</li>
      )}
      {leftOut > 0 && <li class="tbwidget-quiet">{dashboardTexts().leftOut(leftOut, formatCount(leftOut))}</li>}
    </ul>
  );
}
