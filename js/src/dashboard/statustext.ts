// The words that say what the dashboard is doing: its state, its age, how far it is behind, what a saved page lacks.

import { formatAge, formatBytes, formatCount } from "../lib/format";
import { listOf } from "../lib/texts";
import { formatMoment } from "../lib/times";
import type { Channel } from "../wire/channel";
import type { Loss } from "../wire/connection";
import type { Status } from "../wire/protocol";
import type { Store } from "../wire/store";
import { LIVE_MS, type State } from "./state";
import { dashboardTexts } from "./texts";

/** The word that stands for the state. */
export function stateWord(state: State, channel: Channel, now: number): string {
  const { store } = channel;
  if (store.isLastView.value) {
    return dashboardTexts().lastView;
  }
  if (store.savedAt.value !== null) {
    return dashboardTexts().saved;
  }
  const isStopped = store.status.value?.reading?.phase === "stopped" && state !== "busy" && state !== "disconnected";
  if (isStopped) {
    return dashboardTexts().stopped;
  }
  const isCalm = state === "live" || state === "idle";
  return isCalm && secondsBehind(channel, now) > 0 ? dashboardTexts().catchingUp : stateName(state);
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
export function lackingIn(store: Store): string {
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

/** Why fewer updates come, where they do; else undefined. */
export function throttledHint(channel: Channel, now: number): string | undefined {
  return isThrottled(channel.store) && isOwed(channel, now) ? dashboardTexts().fewerUpdatesHint : undefined;
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

/** The line of text beside the word. */
export function statusText(state: State, channel: Channel, now: number, waitingForFiner: boolean): string {
  const { store, loss } = channel;
  return store.isLastView.value
    ? lastViewNews(store.savedAt.value ?? 0, now, loss.value)
    : news(state, channel, now, waitingForFiner);
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
