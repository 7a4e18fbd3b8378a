// One tab a panel that has data.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Panel, titleOf } from "../ui/panel";
import { useView } from "../ui/view";
import { dashboardTexts } from "./texts";
import "./tabs.css";

/** CSS pixels of the next tab that are seen beside the shown one, where tabs are cut off. */
const MARGIN_PX = 24;

interface TabsProps {
  readonly tabs: readonly Panel[];
  readonly shown: Panel;
}

export function Tabs({ tabs, shown }: TabsProps) {
  const { options, id, width } = useView();
  const list = useRef<HTMLDivElement>(null);
  const available = width.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab or width may put the shown tab out of sight
  useLayoutEffect(() => {
    const tab = list.current?.querySelector('[aria-selected="true"]');
    if (list.current && tab) {
      revealIn(list.current, tab);
    }
  }, [shown, tabs, available]);
  return (
    <div
      ref={list}
      class="tbwidget-tabs"
      role="tablist"
      aria-label={dashboardTexts().panels}
      data-lm-suppress-shortcuts="true"
    >
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

/** Scrolls a list, and nothing around it, until one of its elements is seen. */
function revealIn(list: HTMLElement, element: Element): void {
  const [outer, inner] = [list.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.left < outer.left) {
    list.scrollLeft -= outer.left - inner.left + MARGIN_PX;
  } else if (inner.right > outer.right) {
    list.scrollLeft += inner.right - outer.right + MARGIN_PX;
  }
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
