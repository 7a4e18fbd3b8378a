// Which panels there are something for, and which of them is shown.

import type { ComponentChildren } from "preact";
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

interface TabsProps {
  readonly tabs: readonly Tab[];
  readonly shown: Tab;
}

export function Tabs({ tabs, shown }: TabsProps) {
  const { choices, id } = useView();
  return (
    <div class="tbwidget-tabs" role="tablist" aria-label={strings.panels} data-lm-suppress-shortcuts="true">
      {tabs.map((tab) => (
        <button
          key={tab.name}
          type="button"
          class="tbwidget-tab"
          role="tab"
          id={tabId(id, tab)}
          aria-controls={tab === shown ? panelId(id) : undefined}
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

function tabId(view: string, { name }: Tab): string {
  return `${view}-tab-${name}`;
}

function panelId(view: string): string {
  return `${view}-panel`;
}

interface PanelProps {
  readonly tabs: readonly Tab[];
  readonly shown: Tab | undefined;
  readonly children: ComponentChildren;
}

/** What a tab stands for; without tabs, just its content. */
export function TabPanel({ tabs, shown, children }: PanelProps) {
  const { id } = useView();
  const tabbed = shown !== undefined && tabs.length > 1;
  return (
    <div
      class="tbwidget-panel"
      {...(tabbed ? { role: "tabpanel", id: panelId(id), "aria-labelledby": tabId(id, shown) } : {})}
    >
      {children}
    </div>
  );
}

/** The tab that a key leads to, round and round. */
export function neighbour<T extends Tab>(tabs: readonly T[], tab: T, key: string): T | undefined {
  switch (key) {
    case "ArrowRight":
      return tabs[(tabs.indexOf(tab) + 1) % tabs.length];
    case "ArrowLeft":
      return tabs.at(tabs.indexOf(tab) - 1);
    case "Home":
      return tabs[0];
    case "End":
      return tabs.at(-1);
    default:
      return undefined;
  }
}

/** Names what was logged and is not drawn. */
export function Undrawn({ kinds }: { readonly kinds: readonly string[] }) {
  const named = kinds.map((kind) => (strings.kinds as Record<string, string>)[kind] ?? kind);
  return kinds.length > 0 && <p class="tbwidget-hint">{strings.undrawn(named.join(", ").toLowerCase())}</p>;
}
