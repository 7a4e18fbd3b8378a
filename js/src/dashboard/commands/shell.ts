// The sheets that are open over a dashboard, and its side bar: for the actions, which are no components.

import { type Signal, signal } from "@preact/signals";
import { uncover } from "../../ui/reach";
import type { View } from "../../ui/view";

/** The tabs of the side bar. */
export const SIDE_TABS = ["runs", "tags"] as const;

export type SideTab = (typeof SIDE_TABS)[number];

/** From this many tags on there is a tree of them. */
const MIN_TAGS = 20;

interface SideBar {
  readonly isOpen: boolean;
  toggle(): void;
}

interface Shell {
  /** The palette or the sheet of keys and gestures; null: neither. */
  readonly sheet: Signal<"palette" | "help" | null>;
  /** The text that the palette opens with. */
  readonly typed: Signal<string>;
  /** Null while there is nothing that it could list. */
  readonly sideBar: Signal<SideBar | null>;
  /** The tab that the user has chosen, also while the side bar is closed; null before that. */
  readonly sideTab: Signal<SideTab | null>;
}

const shells = new WeakMap<View, Shell>();

export function shellOf(view: View): Shell {
  const held = shells.get(view) ?? {
    ...{ sheet: signal(null), typed: signal(""), sideBar: signal(null), sideTab: signal(null) },
  };
  shells.set(view, held);
  return held;
}

/** Whether the side bar has tabs: the runs, and the tree of the tags. */
export function hasSideTabs({ grid }: View): boolean {
  return (grid.value?.tags.value.length ?? 0) >= MIN_TAGS;
}

/** Opens the side bar at one of its tabs. */
export function openSideBar(view: View, tab: string): void {
  const { sideBar, sideTab } = shellOf(view);
  uncover(view);
  sideTab.value = SIDE_TABS.find((one) => one === tab) ?? null;
  if (sideBar.peek()?.isOpen === false) {
    sideBar.peek()?.toggle();
  }
}
