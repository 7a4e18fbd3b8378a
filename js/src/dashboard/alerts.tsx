// The button in the header that counts alerts, and the list of them.

import { formatCount } from "../lib/format";
import { alertsOf, goToAlert } from "../ui/alerts";
import { RunName } from "../ui/runname";
import { uiTexts } from "../ui/texts";
import { useView } from "../ui/view";
import { dashboardTexts } from "./texts";
import "./alerts.css";

/** Alerts that are listed, the newest ones. */
const MAX_LISTED = 100;

export function AlertsButton({ isOpen, toggle }: { readonly isOpen: boolean; toggle(): void }) {
  const view = useView();
  const { count } = alertsOf(view);
  const name = dashboardTexts().alertCount(count, formatCount(count));
  return count === 0 ? null : (
    <button
      type="button"
      class="tbwidget-alerts-button"
      title={name}
      aria-label={name}
      aria-expanded={isOpen}
      onClick={toggle}
    >
      {view.widthClass.value === "narrow" ? formatCount(count) : name}
    </button>
  );
}

export function Alerts() {
  const view = useView();
  const { options, theme } = view;
  const { count, alerts } = alertsOf(view);
  const listed = alerts.slice(-MAX_LISTED).reverse();
  return count === 0 ? null : (
    <ul class="tbwidget-problems tbwidget-alerts" aria-label={dashboardTexts().alerts}>
      {listed.map((alert) => {
        const { run, tag, step, rule, reason } = alert;
        return (
          <li key={JSON.stringify([run, tag, rule])} data-rule={rule}>
            <button type="button" title={dashboardTexts().alertHint} onClick={() => goToAlert(alert, view)}>
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
