// The sheet of keys and gestures: those of the panel that is shown, then those of the dashboard, from their tables of actions.

import { useRef } from "preact/hooks";
import type { Action } from "../../ui/actions";
import { CloseButton, Dialog } from "../../ui/dialog";
import { titleOf } from "../../ui/panel";
import { useView } from "../../ui/view";
import { dashboardActions } from "../actions";
import { Caps } from "./palette";
import { shellOf } from "./shell";
import { commandTexts } from "./texts";
import "./commands.css";

/** Actions with a gesture or keys, by the headings that they stand below. */
export function helpOf(actions: readonly Action[]): ReadonlyMap<string, readonly Action[]> {
  const found = new Map<string, Action[]>();
  for (const action of actions) {
    if (action.kind === "gesture" || (action.keys ?? []).length > 0) {
      const heading = action.section?.() ?? commandTexts().general;
      found.set(heading, [...(found.get(heading) ?? []), action]);
    }
  }
  return found;
}

export function HelpSheet() {
  const view = useView();
  const { sheet } = shellOf(view);
  const panel = view.panel.value;
  const applies = (action: Action) => action.applies?.(view) !== false;
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => {
    // The event of a dialog that is gone may come when the next one is open.
    if (dialog.current !== null && sheet.peek() === "help") {
      sheet.value = null;
    }
  };
  const parts = [
    ...(panel === undefined ? [] : [{ title: titleOf(panel), actions: panel.actions ?? [] }]),
    { title: commandTexts().dashboard, actions: dashboardActions },
  ].map(({ title, actions }) => ({ title, headings: helpOf(actions.filter(applies)) }));
  return (
    <Dialog
      label={commandTexts().help}
      class="tbwidget-sheet tbwidget-help"
      focus={(dialog) => dialog.querySelector<HTMLElement>(".tbwidget-help-parts")?.focus()}
      element={dialog}
      closed={close}
    >
      <header class="tbwidget-card-header">
        <h4>{commandTexts().help}</h4>
        <CloseButton close={close} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys. */}
      <div class="tbwidget-help-parts" tabIndex={0}>
        {parts.map(
          ({ title, headings }) =>
            headings.size > 0 && (
              <section key={title} aria-label={title}>
                <h4>{title}</h4>
                <div class="tbwidget-help-columns">
                  {[...headings].map(([heading, actions]) => (
                    <div key={heading}>
                      <h5>{heading}</h5>
                      <dl>
                        {actions.map((action) => (
                          <Line key={action.id} action={action} />
                        ))}
                      </dl>
                    </div>
                  ))}
                </div>
              </section>
            ),
        )}
      </div>
    </Dialog>
  );
}

function Line({ action }: { readonly action: Action }) {
  const gesture = action.kind === "gesture" ? action.gesture?.() : undefined;
  return (
    <div>
      <dt>
        <Caps keys={action.keys ?? []} />
        {gesture !== undefined && <span>{gesture}</span>}
      </dt>
      <dd title={action.hint?.()}>{action.name()}</dd>
    </div>
  );
}
