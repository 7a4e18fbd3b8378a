// One tab a panel that has data, in the row at the top; where there are more than it holds, they scroll.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Panel, titleOf } from "../ui/panel";
import { useView } from "../ui/view";
import { isRightToLeft } from "../ui/widths";
import { dashboardTexts } from "./texts";
import "./tabs.css";

/** CSS pixels at an edge of the strip that a chevron and the fade beside it cover. */
const EDGE_PX = 44;

/** Share of the strip that a chevron scrolls by. */
const SCROLL_SHARE = 0.6;

interface TabsProps {
  readonly tabs: readonly Panel[];
  readonly shown: Panel;
}

export function Tabs({ tabs, shown }: TabsProps) {
  const { options, id } = useView();
  const list = useRef<HTMLDivElement>(null);
  const hidden = useSignal("");
  const measure = () => {
    const { scrollLeft = 0, scrollWidth = 0, clientWidth = 0 } = list.current ?? {};
    // While the page is covered it has no size, and none is reported when it has the former one again.
    if (clientWidth === 0) {
      return;
    }
    // From right to left, places are negative.
    const before = Math.abs(scrollLeft);
    const sides = [before > 1 ? "start" : "", before + clientWidth < scrollWidth - 1 ? "end" : ""];
    hidden.value = sides.join(" ").trim();
  };
  const reveal = () => {
    const tab = list.current?.querySelector('[aria-selected="true"]');
    if (list.current && tab) {
      revealIn(list.current, tab);
    }
    measure();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab may put the shown tab out of sight
  useLayoutEffect(() => {
    const sizes = new ResizeObserver(reveal);
    if (list.current) {
      reveal();
      sizes.observe(list.current);
    }
    return () => sizes.disconnect();
  }, [shown, tabs]);
  const scroll = (by: 1 | -1) => {
    const element = list.current;
    const outwards = isRightToLeft(element) ? -by : by;
    element?.scrollBy({ left: outwards * SCROLL_SHARE * element.clientWidth });
  };
  return (
    <div class="tbwidget-tab-strip" data-hidden={hidden.value || undefined}>
      <div
        ref={list}
        class="tbwidget-tabs"
        role="tablist"
        aria-label={dashboardTexts().panels}
        data-lm-suppress-shortcuts="true"
        onScroll={measure}
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
      <Chevron side="start" scroll={() => scroll(-1)} />
      <Chevron side="end" scroll={() => scroll(1)} />
    </div>
  );
}

/** For the pointer alone: the arrow keys go from tab to tab, and each comes into sight. */
function Chevron({ side, scroll }: { readonly side: "start" | "end"; scroll(): void }) {
  return (
    <button type="button" class="tbwidget-chevron" data-side={side} tabIndex={-1} aria-hidden="true" onClick={scroll}>
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        <path d={side === "start" ? "M6.5 1.5 3 5l3.5 3.5" : "M3.5 1.5 7 5 3.5 8.5"} />
      </svg>
    </button>
  );
}

/** Scrolls a list, and nothing around it, until one of its elements is seen. */
function revealIn(list: HTMLElement, element: Element): void {
  const [outer, inner] = [list.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.left < outer.left + EDGE_PX) {
    list.scrollLeft -= outer.left + EDGE_PX - inner.left;
  } else if (inner.right > outer.right - EDGE_PX) {
    list.scrollLeft += inner.right - outer.right + EDGE_PX;
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
