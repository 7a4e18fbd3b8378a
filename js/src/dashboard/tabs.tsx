// One tab a panel that has data.

import type { ComponentChildren } from "preact";
import { strings } from "../lib/strings";
import { type Panel, titleOf } from "../ui/panel";
import { useView } from "../ui/view";

interface TabsProps {
  readonly tabs: readonly Panel[];
  readonly shown: Panel;
}

export function Tabs({ tabs, shown }: TabsProps) {
  const { options, id } = useView();
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
          onClick={() => options.board.panel.set(tab.name)}
          onKeyDown={(event) => {
            const next = neighbor(tabs, tab, event.key);
            if (next !== undefined) {
              event.preventDefault();
              options.board.panel.set(next.name);
              const buttons = event.currentTarget.parentElement?.children;
              (buttons?.[tabs.indexOf(next)] as HTMLElement | undefined)?.focus();
            }
          }}
        >
          {titleOf(tab)}
        </button>
      ))}
    </div>
  );
}

function tabId(view: string, { name }: Panel): string {
  return `${view}-tab-${name}`;
}

function panelId(view: string): string {
  return `${view}-panel`;
}

interface PanelProps {
  readonly tabs: readonly Panel[];
  readonly shown: Panel | undefined;
  readonly children: ComponentChildren;
}

/** The content of a tab; without tabs, just the content. */
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

/** The tab that a key moves to; the first follows the last. */
export function neighbor<T>(tabs: readonly T[], tab: T, key: string): T | undefined {
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
