// The button in the header that counts alerts, and the list of them.

import { useRef } from "preact/hooks";
import { formatCount } from "../lib/format";
import { alertsOf, alertsOpenIn, goToAlert } from "../ui/alerts";
import { Popover, PopoverHead } from "../ui/popover";
import { useRoving } from "../ui/roving";
import { RunName } from "../ui/runname";
import { uiTexts } from "../ui/texts";
import { useView } from "../ui/view";
import { dashboardTexts } from "./texts";
import "./alerts.css";

/** Alerts that are listed, the newest ones. */
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
  const { options, theme } = view;
  const { count, alerts } = alertsOf(view);
  const listed = alerts.slice(-MAX_LISTED).reverse();
  const list = useRef<HTMLUListElement>(null);
  useRoving(list);
  return (
    <ul ref={list} class="tbwidget-problems tbwidget-alerts" aria-label={dashboardTexts().alerts}>
      {listed.map((alert) => {
        const { run, tag, step, rule, reason } = alert;
        return (
          <li key={JSON.stringify([run, tag, rule])} data-rule={rule}>
            <button
              type="button"
              title={dashboardTexts().alertHint}
              onClick={() => {
                close();
                goToAlert(alert, view);
              }}
            >
              <i style={{ background: options.colorOf.value(run, theme.value) }} />
              <b title={run}>
                <RunName run={run} />
              </b>
              <span>{tag}</span>
              <span class="tbwidget-quiet">{uiTexts().atStep(formatCount(step))}</span>
              <span>{reason}</span>
            </button>
          </li>
        );
      })}
      {count > listed.length && (
        <li class="tbwidget-quiet">{dashboardTexts().moreAlerts(formatCount(count - listed.length))}</li>
      )}
    </ul>
  );
}
