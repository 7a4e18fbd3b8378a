// The side bar: the list of runs; where there are many tags, a second tab with the tree of tags.

import { type Signal, signal } from "@preact/signals";
import { formatCount } from "../lib/format";
import { useView, type View } from "../ui/view";
import { Runs } from "./runs/pane";
import { Tags } from "./tags/pane";
import { dashboardTexts } from "./texts";

/** From this many tags on there is a tree of them. */
const MIN_TAGS = 20;

/** From this many tags on their tree is worth the place of a list of one run. */
export const MIN_TAGS_FOR_SIDE_BAR = 61;

const TABS = ["runs", "tags"] as const;

type Tab = (typeof TABS)[number];

const chosenTabs = new WeakMap<View, Signal<Tab | null>>();

/** The tab that the user has chosen, also while the side bar is closed; null before that. */
function chosenOf(view: View): Signal<Tab | null> {
  const own = chosenTabs.get(view) ?? signal<Tab | null>(null);
  chosenTabs.set(view, own);
  return own;
}

export function SideBar() {
  const view = useView();
  const chosen = chosenOf(view);
  const grid = view.grid.value;
  const runs = view.channel.store.runs.value.length;
  const tags = grid?.tags.value.length ?? 0;
  if (grid === null || tags < MIN_TAGS) {
    return <Runs />;
  }
  const shown = chosen.value ?? (runs === 1 && tags >= MIN_TAGS_FOR_SIDE_BAR ? "tags" : "runs");
  const names = { runs: [dashboardTexts().runs, runs], tags: [dashboardTexts().tagTree.tab, tags] } as const;
  const tabs = (
    <fieldset
      class="tbwidget-side-tabs"
      aria-label={dashboardTexts().tagTree.sideBar}
      data-lm-suppress-shortcuts="true"
    >
      {TABS.map((tab) => (
        <button
          key={tab}
          type="button"
          aria-pressed={tab === shown}
          onClick={() => {
            chosen.value = tab;
          }}
        >
          {names[tab][0]} <span class="tbwidget-quiet">{formatCount(names[tab][1])}</span>
        </button>
      ))}
    </fieldset>
  );
  return shown === "runs" ? <Runs>{tabs}</Runs> : <Tags grid={grid}>{tabs}</Tags>;
}
