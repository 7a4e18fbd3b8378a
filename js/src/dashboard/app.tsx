// The dashboard: header, list of runs, cards.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Groups } from "./groups";
import { Header } from "./header";
import { PointerNote } from "./note";
import { Runs } from "./runs";
import { stateOf } from "./state";
import { Toolbar } from "./toolbar";
import { type View, ViewContext } from "./view";
import { Waiting } from "./waiting";

export function App({ view }: { readonly view: View }) {
  const { choices } = view;
  const { store, askedAt } = view.session;
  const main = useRef<HTMLElement>(null);
  const runsToggled = useSignal<boolean | null>(null);
  const runsOpen = runsToggled.value ?? ((store.runs.value.length > 1 && !view.narrow.value) || choices.strayed.value);
  const hasData = store.tags.value.length > 0;
  const state = stateOf({
    now: view.now.value,
    failed: store.failed.value,
    ready: store.status.value?.ready ?? null,
    hasData,
    askedAt: askedAt.value,
    heardAt: store.heardAt.value,
    coarseAt: view.coarseAt.value,
    changedAt: store.changedAt.value,
  });

  useEffect(() => {
    if (main.current !== null) {
      view.visibility.connect(main.current);
    }
    return () => view.visibility.disconnect();
  }, [view]);

  return (
    <ViewContext.Provider value={view}>
      <section
        class="tbwidget"
        data-state={state}
        data-theme={view.theme.value}
        data-narrow={view.narrow.value ? "" : undefined}
        style={{ maxHeight: `${choices.height.value}px` }}
      >
        <Header
          state={state}
          runsOpen={runsOpen}
          onToggleRuns={() => {
            runsToggled.value = !runsOpen;
          }}
        />
        {hasData && <Toolbar />}
        <div class="tbwidget-body">
          {hasData && runsOpen && <Runs />}
          <main ref={main} class="tbwidget-main">
            {hasData ? <Groups /> : <Waiting state={state} />}
          </main>
        </div>
        <PointerNote />
      </section>
    </ViewContext.Provider>
  );
}
