// The button in the header that counts alerts, and the list of them.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { formatCount } from "../lib/format";
import { type Alert, type AlertGroup, alertGroups, alertsOf, alertsOpenIn, goToAlert } from "../ui/alerts";
import { Popover, PopoverHead } from "../ui/popover";
import { useRoving } from "../ui/roving";
import { RunName } from "../ui/runname";
import { uiTexts } from "../ui/texts";
import { useView } from "../ui/view";
import { dashboardTexts } from "./texts";
import "./alerts.css";

/** Groups of alerts, and alerts of one of them, that are listed: the newest ones. */
const MAX_LISTED = 100;

export function AlertsMenu() {
  const view = useView();
  const { count } = alertsOf(view);
  const name = dashboardTexts().alertCount(count, formatCount(count));
  return count === 0 ? null : (
    <Popover
      class="tbwidget-alerts-button"
      label={view.widthClass.value === "narrow" ? formatCount(count) : name}
      title={name}
      name={name}
      open={alertsOpenIn(view)}
    >
      {(close) => (
        <>
          <PopoverHead title={name} close={close} />
          <Alerts close={close} />
        </>
      )}
    </Popover>
  );
}

export function Alerts({ close }: { close(): void }) {
  const view = useView();
  const { count, alerts } = alertsOf(view);
  const groups = alertGroups(alerts).slice(0, MAX_LISTED);
  const earlier = count - groups.reduce((total, { length }) => total + length, 0);
  const list = useRef<HTMLUListElement>(null);
  useRoving(list);
  return (
    <ul ref={list} class="tbwidget-problems tbwidget-alerts" aria-label={dashboardTexts().alerts}>
      {groups.map((group) => {
        const [alert, ...others] = group;
        return others.length === 0 ? (
          <AlertRow key={keyOf(alert)} alert={alert} close={close} />
        ) : (
          <AlertsOfRuns key={JSON.stringify([alert.rule, alert.tag])} group={group} close={close} />
        );
      })}
      {earlier > 0 && <Earlier count={earlier} />}
    </ul>
  );
}

function keyOf({ run, tag, rule }: Alert): string {
  return JSON.stringify([run, tag, rule]);
}

function Earlier({ count }: { readonly count: number }) {
  return <li class="tbwidget-quiet">{dashboardTexts().moreAlerts(formatCount(count))}</li>;
}

/** Alerts that differ in their runs: one row, and theirs on demand. */
function AlertsOfRuns({ group, close }: { readonly group: AlertGroup; close(): void }) {
  const isOpen = useSignal(false);
  const [{ rule, tag, step }] = group;
  const [first, last] = group.reduce(
    ([low, high], alert) => [alert.step < low ? alert.step : low, alert.step > high ? alert.step : high],
    [step, step],
  );
  const rules: Readonly<Record<string, string>> = dashboardTexts().alertRules;
  return (
    <>
      <li data-rule={rule}>
        <button
          type="button"
          class="tbwidget-alert-group"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.peek();
          }}
        >
          <b>{dashboardTexts().runCount(group.length, formatCount(group.length))}</b>
          <span>{tag}</span>
          <span class="tbwidget-quiet">
            {first === last
              ? uiTexts().atStep(formatCount(first))
              : uiTexts().atSteps(formatCount(first), formatCount(last))}
          </span>
          <span>{rules[rule] ?? rule}</span>
        </button>
      </li>
      {isOpen.value && (
        <>
          {group.slice(0, MAX_LISTED).map((alert) => (
            <AlertRow key={keyOf(alert)} alert={alert} isInGroup close={close} />
          ))}
          {group.length > MAX_LISTED && <Earlier count={group.length - MAX_LISTED} />}
        </>
      )}
    </>
  );
}

interface RowProps {
  readonly alert: Alert;
  readonly isInGroup?: boolean;
  close(): void;
}

function AlertRow({ alert, isInGroup = false, close }: RowProps) {
  const view = useView();
  const { run, tag, step, rule, reason } = alert;
  return (
    <li data-rule={rule} data-in-group={isInGroup ? "" : undefined}>
      <button
        type="button"
        title={dashboardTexts().alertHint}
        onClick={() => {
          close();
          goToAlert(alert, view);
        }}
      >
        <i style={{ background: view.options.colorOf.value(run, view.theme.value) }} />
        <b title={run}>
          <RunName run={run} />
        </b>
        {!isInGroup && <span>{tag}</span>}
        <span class="tbwidget-quiet">{uiTexts().atStep(formatCount(step))}</span>
        <span>{reason}</span>
      </button>
    </li>
  );
}
