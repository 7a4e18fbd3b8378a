// Alerts about runs, which the kernel evaluates: one document, and the ways from an alert to its chart. Twin of tbwidget/dashboard/alerts.py.

import { type Signal, signal } from "@preact/signals";
import { timeAxisOptions, toExactStep } from "../options/shared";
import type { DocumentCodec } from "../wire/codec";
import { list, type Row, row } from "../wire/columns";
import { reasonIn, withReason } from "../wire/reasons";
import { goToCard, showRun } from "./journey";
import type { View } from "./view";

export interface Alert {
  readonly run: string;
  readonly tag: string;
  readonly step: bigint;
  /** The name of its rule, such as "diverged". */
  readonly rule: string;
  /** Seconds since the epoch; null where that is not known. */
  readonly wallTime: number | null;
  /** Its message, in the language of the page. */
  readonly reason: string;
}

export interface AlertsDocument {
  /** The number of all alerts; some may not be listed. */
  readonly count: number;
  /** The earliest first. */
  readonly alerts: readonly Alert[];
}

/** The kinds of data that alerts are about. */
const KINDS: readonly string[] = ["scalars"];

export const alertsDocument: DocumentCodec<AlertsDocument> = {
  kind: "alerts",
  sources: KINDS,
  sort: "document",
  isOfDirectory: true,
  decode: (bytes) => {
    const { count, alerts } = row(JSON.parse(new TextDecoder().decode(bytes)));
    return { count: Number(count), alerts: list(alerts).map((alert) => alertIn(row(alert))) };
  },
};

const NONE: AlertsDocument = { count: 0, alerts: [] };

function alertIn(alert: Row): Alert {
  const { run, tag, step, rule, wall_time } = alert;
  const wallTime = typeof wall_time === "number" ? wall_time : null;
  const found = { run: String(run), tag: String(tag), step: BigInt(String(step)), rule: String(rule), wallTime };
  return withReason(found, () => reasonIn(alert) ?? "");
}

/** The alerts, as far as they have come, without those of runs that are left out everywhere. Follows them. */
export function alertsOf({ channel: { store }, options }: View): AlertsDocument {
  const found =
    store.codecs.get(alertsDocument.kind) === alertsDocument
      ? (store.documents(alertsDocument).get("", "").value?.value ?? NONE)
      : NONE;
  const leftOut = options.leftOut.value;
  if (leftOut.size === 0) {
    return found;
  }
  const alerts = found.alerts.filter(({ run }) => !leftOut.has(run));
  return { count: found.count - (found.alerts.length - alerts.length), alerts };
}

/** Alerts of one rule about one tag, the newest first. */
export type AlertGroup = readonly [Alert, ...Alert[]];

/** The group with the newest alert first. */
export function alertGroups(alerts: readonly Alert[]): readonly AlertGroup[] {
  const groups = new Map<string, [Alert, ...Alert[]]>();
  for (const alert of [...alerts].reverse()) {
    const key = JSON.stringify([alert.rule, alert.tag]);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [alert]);
    } else {
      group.push(alert);
    }
  }
  return [...groups.values()];
}

const open = new WeakMap<View, Signal<boolean>>();

/** Whether the list of alerts in the header is open. */
export function alertsOpenIn(view: View): Signal<boolean> {
  const held = open.get(view) ?? signal(false);
  open.set(view, held);
  return held;
}

/** Goes to the card of an alert, in the first panel that draws its kind, and links its step. */
export function goToAlert({ run, tag, step }: Alert, view: View): void {
  const { options } = view;
  const panel = view.tabs.peek().find(({ codecs }) => codecs.some(({ kind }) => KINDS.includes(kind)))?.name;
  if (panel === undefined) {
    return;
  }
  showRun(run, view);
  options.of(timeAxisOptions).linked_step.set(toExactStep(step));
  goToCard(panel, tag, view);
}
