// The dashboard: header, list of runs, cards.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { panels } from "../panels/registry";
import { Header } from "./header";
import { PointerNote } from "./note";
import { listsRuns } from "./room";
import { Runs } from "./runs";
import { stateOf } from "./state";
import { shownOf, TabPanel, Tabs, Undrawn, undrawn, withData } from "./tabs";
import { type View, ViewContext } from "./view";
import { Waiting } from "./waiting";

export function App({ view }: { readonly view: View }) {
  const { choices } = view;
  const { store, askedAt } = view.session;
  const main = useRef<HTMLDivElement>(null);
  const runsToggled = useSignal<boolean | null>(null);
  const runsOpen = runsToggled.value ?? (listsRuns(store.runs.value, view.room.value) || choices.strayed.value);
  const kinds = store.status.value?.kinds ?? [];
  const tabs = withData(panels, kinds, choices.onlyPanel);
  const shown = shownOf(tabs, choices.panel.value);
  const hasData = shown !== undefined;
  const saved = store.savedAt.value !== null;
  const state = stateOf({
    now: view.now.value,
    failed: store.failed.value,
    ready: saved || (store.status.value?.ready ?? null),
    hasData,
    // Nobody answers in a page that was saved.
    askedAt: saved ? null : askedAt.value,
    heardAt: store.heardAt.value,
    coarseAt: saved ? null : view.coarseAt.value,
    changedAt: store.changedAt.value,
  });

  useEffect(() => {
    const element = main.current;
    if (element === null) {
      return;
    }
    view.visibility.connect(element);
    const measure = () => {
      view.width.value = element.clientWidth;
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => {
      view.visibility.disconnect();
      sizes.disconnect();
    };
  }, [view]);

  return (
    <ViewContext.Provider value={view}>
      <section
        class="tbwidget"
        data-state={state}
        data-theme={view.theme.value}
        data-narrow={view.room.value === "narrow" ? "" : undefined}
        style={{ maxHeight: `${choices.height.value}px` }}
      >
        <Header
          state={state}
          runsOpen={runsOpen}
          onToggleRuns={() => {
            runsToggled.value = !runsOpen;
          }}
        />
        {shown && tabs.length > 1 && <Tabs tabs={tabs} shown={shown} />}
        <TabPanel tabs={tabs} shown={shown}>
          {shown && <shown.Toolbar key={shown.name} />}
          <div class="tbwidget-body">
            {hasData && runsOpen && <Runs />}
            <div ref={main} class="tbwidget-main">
              <Undrawn kinds={choices.onlyPanel === null ? undrawn(panels, kinds) : []} />
              {shown ? <shown.Body key={shown.name} /> : <Waiting state={state} />}
            </div>
          </div>
        </TabPanel>
        <PointerNote />
      </section>
    </ViewContext.Provider>
  );
}
