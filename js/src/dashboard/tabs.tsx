// Which panels there are something for, and which of them is shown.

import { strings } from "../lib/strings";
import { useView } from "./view";

/** What a tab needs to know of a panel. */
export interface Tab {
  readonly name: string;
  readonly title: string;
  readonly kinds: readonly string[];
}

/** The panels that have data; `only` one of them where a widget shows no other. */
export function withData<T extends Tab>(panels: readonly T[], kinds: readonly string[], only: string | null): T[] {
  return panels.filter(
    (panel) => (only === null || panel.name === only) && panel.kinds.some((kind) => kinds.includes(kind)),
  );
}

/** The one that is shown: the chosen one, if it has data; else the first that has. */
export function shownOf<T extends Tab>(tabs: readonly T[], chosen: string | null): T | undefined {
  return tabs.find(({ name }) => name === chosen) ?? tabs[0];
}

/** Kinds that have data and no panel. */
export function undrawn(panels: readonly Tab[], kinds: readonly string[]): string[] {
  return kinds.filter((kind) => !panels.some((panel) => panel.kinds.includes(kind)));
}

export function Tabs({ tabs, shown }: { readonly tabs: readonly Tab[]; readonly shown: Tab }) {
  const { choices } = useView();
  return (
    <div class="tbwidget-tabs" role="tablist" aria-label={strings.panels}>
      {tabs.map((tab) => (
        <button
          key={tab.name}
          type="button"
          class="tbwidget-tab"
          role="tab"
          aria-selected={tab === shown}
          tabIndex={tab === shown ? 0 : -1}
          onClick={() => choices.open(tab.name)}
          onKeyDown={(event) => {
            const next = neighbour(tabs, tab, event.key);
            if (next !== undefined) {
              event.preventDefault();
              choices.open(next.name);
              const buttons = event.currentTarget.parentElement?.children;
              (buttons?.[tabs.indexOf(next)] as HTMLElement | undefined)?.focus();
            }
          }}
        >
          {tab.title}
        </button>
      ))}
    </div>
  );
}

function neighbour(tabs: readonly Tab[], tab: Tab, key: string): Tab | undefined {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  return step === undefined ? undefined : tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
}

/** Names what was logged and is not drawn. */
export function Undrawn({ kinds }: { readonly kinds: readonly string[] }) {
  const named = kinds.map((kind) => (strings.kinds as Record<string, string>)[kind] ?? kind);
  return kinds.length > 0 && <p class="tbwidget-hint">{strings.undrawn(named.join(", ").toLowerCase())}</p>;
}
