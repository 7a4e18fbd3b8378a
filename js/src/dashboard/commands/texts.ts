// Texts of the palette, of the sheet of keys and gestures, and of the dashboard's own actions.

import { defineTexts } from "../../lib/texts";

export const commandTexts = defineTexts({
  palette: "Search tags, runs and actions",
  paletteHint: (key: string) => `Search tags, runs and actions (${key})`,
  help: "Keys and gestures",
  helpHint: (key: string) => `Keys and gestures (${key})`,
  placeholder: "Tags, runs, panels, actions…",
  results: "Results",
  nothing: "Nothing matches",
  count: (shown: string, all: string) => `${shown} of ${all}`,
  kinds: { panel: "panel", action: "action", tag: "tag", run: "run" },
  recent: "recent",
  on: "on",
  off: "off",
  shown: "shown",
  hidden: "hidden",
  chosen: "current",
  typeNumber: (least: string, most: string) => `type a number, ${least} – ${most}`,
  feet: {
    move: "choose",
    go: "go",
    set: "set",
    flip: "switch",
    only: "only this run",
    toggleRun: "show or hide",
    close: "close",
  },
  keys: { Escape: "Esc", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Plus: "+" } as Readonly<
    Record<string, string>
  >,
  general: "General",
  dashboard: "Dashboard",
  actions: {
    allRuns: "Show all runs",
    noRun: "Hide all runs",
    clearFilters: "Clear filters of tags and runs",
    archived: "Show archived runs",
    alerts: "List of alerts",
    pin: "Pin",
    unpin: "Unpin",
  },
  sections: { commands: "Commands", tabs: "Tabs", runs: "List of runs", edges: "Edges" },
  gestures: {
    onName: "Double-click a name",
    onTag: "Click a tag",
    edge: "Drag the lower edge",
    edgeTwice: "Double-click it",
    divider: "Drag the divider",
  },
  does: {
    nextTab: "Next or previous panel",
    onlyRun: "Show only this run",
    renameRun: "Rename a run here",
    goToTag: "Go to its card",
    filterTag: "Show only these cards",
    height: "Height of the dashboard",
    fitHeight: "As high as its content",
    width: "Width of the list",
    close: "Close what is open, or end a drag",
  },
});
