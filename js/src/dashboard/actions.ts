// The actions of the dashboard around its panels: commands, switches, and the keys and gestures of its parts.

import { HPARAM } from "../lib/runcolumns";
import { PROFILE_NAME } from "../options/profile";
import { AUTO } from "../options/runcolors";
import { FOLDER } from "../options/rungroups";
import { ALL } from "../options/selection";
import { MIN_HEIGHT_PX } from "../options/shared";
import type { Action, Gesture } from "../ui/actions";
import { alertsOf, alertsOpenIn } from "../ui/alerts";
import { stepGestures } from "../ui/gestures";
import { globalStep } from "../ui/globalstep";
import { group, varyingNames } from "../ui/grouping";
import { commandIn, commandOn, reachable } from "../ui/reach";
import { canCopyCode, copyCode } from "../ui/save/code";
import { saveTexts } from "../ui/save/texts";
import { runTableTexts, stepTexts, uiTexts } from "../ui/texts";
import type { View } from "../ui/view";
import { hasSideTabs, shellOf } from "./commands/shell";
import { commandTexts } from "./commands/texts";
import { runActions } from "./runs/actions";
import { dashboardTexts, profileTexts } from "./texts";

const STATE_MENU = ".tbwidget-state-menu button";

/** Largest height that can be typed, in CSS pixels. */
const MAX_HEIGHT_PX = 4_000;

const commands = { section: () => commandTexts().sections.commands } as const;

const hasRuns = ({ channel, runChoice }: View) => channel.store.runs.value.length > 1 && runChoice.value === null;

const shows = (isShown: boolean) => (view: View) =>
  hasRuns(view) && view.channel.store.runs.value.some((run) => view.options.shows(run) === isShown);

const runSelection: readonly Action[] = [
  {
    kind: "command",
    id: "dashboard.all_runs",
    name: () => uiTexts().allRuns,
    applies: shows(false),
    run: ({ options }) => options.select(ALL),
  },
  {
    kind: "command",
    id: "dashboard.no_run",
    name: () => commandTexts().actions.noRun,
    applies: shows(true),
    run: ({ options }) => options.select({ names: new Set(), only: true }),
  },
  {
    kind: "choice",
    id: "dashboard.group_by",
    name: () => runTableTexts().groupBy,
    applies: hasRuns,
    values: ({ channel, options }) => [
      "",
      FOLDER,
      ...varyingNames(channel.store, options.board.group_by.value).map((name) => HPARAM + name),
    ],
    nameOf: (by) => nameOfGrouping(by === "" ? "none" : by),
    chosen: ({ options }) => options.board.group_by.value,
    choose: group,
  },
  {
    kind: "choice",
    id: "dashboard.color_by",
    name: () => runTableTexts().colorBy,
    applies: hasRuns,
    values: ({ channel, options }) => [
      AUTO,
      "run",
      FOLDER,
      ...varyingNames(channel.store, options.runTable.run_color_by.value).map((name) => HPARAM + name),
    ],
    nameOf: (by) => (by === AUTO ? runTableTexts().automaticColors(null) : nameOfGrouping(by)),
    chosen: ({ options }) => options.runTable.run_color_by.value,
    choose: ({ options }, by) => options.runTable.run_color_by.set(by),
  },
  {
    kind: "toggle",
    id: "dashboard.show_archived",
    name: () => commandTexts().actions.archived,
    applies: ({ options }) => options.runTable.archived_runs.value.size > 0,
    option: ({ options }) => options.runTable.show_archived,
  },
];

function nameOfGrouping(by: string): string {
  const names: Readonly<Record<string, string>> = runTableTexts().grouping;
  return by.startsWith(HPARAM) ? by.slice(HPARAM.length) : (names[by] ?? by);
}

/** Pins cards of the shown panel, or ends that. */
function pinning(name: "pin" | "unpin", isPinned: boolean): Action {
  const tagsOf = ({ grid, options }: View) => {
    const pinned = new Set(options.board.pinned.value);
    return (grid.value?.tags.value ?? []).filter((tag) => pinned.has(tag) === isPinned);
  };
  return {
    kind: "choice",
    id: `dashboard.${name}`,
    isBelow: true,
    isList: true,
    name: () => commandTexts().actions[name],
    values: tagsOf,
    nameOf: (tag) => (tag === "" ? uiTexts().emptyTag : tag),
    choose: ({ options }, tag) => options.togglePins([tag]),
  };
}

const ofSteps = { section: () => stepTexts().control } as const;

const PLAY = ".tbwidget-step-control .tbwidget-play[aria-pressed=false]";
const PAUSE = ".tbwidget-step-control .tbwidget-play[aria-pressed=true]";

/** The control of the step of all cards. */
const stepControls: readonly Action[] = [
  {
    ...ofSteps,
    kind: "step",
    id: "dashboard.step",
    name: () => stepTexts().allCards,
    applies: (view) => reachable(view, ".tbwidget-step-control") !== null,
    choose: (view, step) => {
      reachable(view, PAUSE)?.click();
      globalStep(view).set(step);
    },
  },
  commandOn(PLAY, "click", { ...ofSteps, id: "dashboard.play", name: () => stepTexts().play }),
  commandOn(PAUSE, "click", { ...ofSteps, id: "dashboard.pause", name: () => stepTexts().pause }),
  commandOn(".tbwidget-step-control .tbwidget-follow[aria-pressed=false]", "click", {
    ...ofSteps,
    id: "dashboard.newest",
    name: () => stepTexts().newest,
  }),
];

/** Stops the first reading, or lets it go on: by the button in the menu of the state, which may have to wait. */
function readingSwitch(name: "stop" | "resume", isStopped: boolean): Action {
  return {
    ...commandIn(STATE_MENU, ".tbwidget-reading-switch", "click", {
      id: `dashboard.${name}`,
      name: () => dashboardTexts()[name],
      section: () => dashboardTexts().reading,
    }),
    applies: ({ channel: { store, loss } }) => {
      const reading = store.status.value?.reading ?? null;
      const isKernel = store.savedAt.value === null && loss.value === null;
      return isKernel && reading !== null && (reading.phase === "stopped") === isStopped;
    },
  };
}

type Place = keyof ReturnType<typeof commandTexts>["sections"];

function gesture(
  id: string,
  section: Place,
  does: keyof ReturnType<typeof commandTexts>["does"],
  by: keyof ReturnType<typeof commandTexts>["gestures"] | null,
  keys: readonly string[] = [],
): Gesture {
  return {
    kind: "gesture",
    id: `dashboard.${id}`,
    name: () => commandTexts().does[does],
    section: () => commandTexts().sections[section],
    keys,
    ...(by === null ? {} : { gesture: () => commandTexts().gestures[by] }),
  };
}

const gestures: readonly Action[] = [
  gesture("close", "commands", "close", null, ["Escape"]),
  gesture("next_tab", "tabs", "nextTab", null, ["ArrowLeft", "ArrowRight"]),
  gesture("only_run", "runs", "onlyRun", "onName"),
  gesture("rename_run", "runs", "renameRun", null, ["F2"]),
  { ...gesture("go_to_tag", "tags", "goToTag", "onTag", ["Enter"]), applies: hasSideTabs },
  { ...gesture("filter_tag", "tags", "filterTag", null, ["Space"]), applies: hasSideTabs },
  gesture("width", "edges", "width", "divider"),
  gesture("drag_height", "edges", "height", "edge"),
  gesture("fit_height", "edges", "fitHeight", "edgeTwice"),
];

export const PALETTE = "dashboard.palette";

export const dashboardActions: readonly Action[] = [
  {
    ...commands,
    kind: "command",
    id: PALETTE,
    name: () => commandTexts().palette,
    keys: ["Mod+K", "/"],
    run: (view) => {
      shellOf(view).sheet.value = "palette";
    },
  },
  {
    ...commands,
    kind: "command",
    id: "dashboard.help",
    name: () => commandTexts().help,
    keys: ["?"],
    run: (view) => {
      shellOf(view).sheet.value = "help";
    },
  },
  {
    kind: "toggle",
    id: "dashboard.side_bar",
    isBelow: true,
    name: () => dashboardTexts().toggleRuns,
    applies: (view) => shellOf(view).sideBar.value !== null,
    option: (view) => {
      const { sideBar } = shellOf(view);
      return {
        get value() {
          return sideBar.value?.isOpen === true;
        },
        peek: () => sideBar.peek()?.isOpen === true,
        set: () => sideBar.peek()?.toggle(),
      };
    },
  },
  {
    // No switch: the palette would be below the dashboard over the whole window.
    kind: "command",
    id: "dashboard.maximize",
    name: () => dashboardTexts().maximize,
    applies: ({ isMaximized }) => !isMaximized.value,
    run: ({ isMaximized }) => {
      isMaximized.value = true;
    },
  },
  {
    kind: "command",
    id: "dashboard.restore",
    name: () => dashboardTexts().restore,
    applies: ({ isMaximized }) => isMaximized.value,
    run: ({ isMaximized }) => {
      isMaximized.value = false;
    },
  },
  ...runSelection,
  {
    kind: "command",
    id: "dashboard.clear_filters",
    name: () => commandTexts().actions.clearFilters,
    applies: ({ options }) => options.tagFilter.text.value !== "" || options.runFilter.text.value !== "",
    run: ({ options }) => {
      options.tagFilter.set("", "typed");
      options.runFilter.set("", "typed");
    },
  },
  commandOn(".tbwidget-toolbar .tbwidget-filter-box input", "focus", {
    id: "dashboard.filter_tags",
    name: () => uiTexts().filterTags,
  }),
  commandOn(".tbwidget-runs .tbwidget-filter-box input", "focus", {
    id: "dashboard.filter_runs",
    name: () => dashboardTexts().filterRuns,
  }),
  ...runActions,
  ...stepControls,
  {
    kind: "number",
    id: "dashboard.height",
    isBelow: true,
    name: () => commandTexts().does.height,
    least: MIN_HEIGHT_PX,
    most: MAX_HEIGHT_PX,
    step: 1,
    option: ({ options }) => options.board.height,
  },
  {
    kind: "toggle",
    id: "dashboard.alerts",
    name: () => commandTexts().actions.alerts,
    applies: (view) => alertsOf(view).count > 0,
    option: (view) => {
      const isOpen = alertsOpenIn(view);
      return {
        get value() {
          return isOpen.value;
        },
        peek: () => isOpen.peek(),
        set: (value) => {
          isOpen.value = value;
        },
      };
    },
  },
  commandOn(".tbwidget-problems-button", "click", {
    id: "dashboard.problems",
    name: () => commandTexts().actions.problems,
  }),
  readingSwitch("stop", false),
  readingSwitch("resume", true),
  {
    kind: "toggle",
    id: "dashboard.options_file",
    name: () => PROFILE_NAME,
    section: () => profileTexts().menu,
    applies: ({ options }) => options.file.value !== null,
    option: ({ options }) => ({
      get value() {
        return options.file.value?.isIgnored === false;
      },
      peek: () => options.file.peek()?.isIgnored === false,
      set: (isUsed) => options.ignoreFile(!isUsed),
    }),
  },
  commandOn(".tbwidget-preview button", "click", {
    id: "dashboard.only_these",
    name: () => uiTexts().onlyThese,
  }),
  {
    kind: "command",
    id: "dashboard.end_preview",
    name: () => uiTexts().endPreview,
    applies: ({ options }) => options.runs.isPreviewing.value,
    run: ({ options }) => options.runs.preview.peek()?.end(),
  },
  pinning("pin", false),
  pinning("unpin", true),
  commandOn(".tbwidget-toolbar .tbwidget-save-menu button, .tbwidget-full .tbwidget-save-menu button", "click", {
    id: "dashboard.save",
    name: () => saveTexts().save,
  }),
  {
    kind: "command",
    id: "dashboard.copy_code",
    name: () => saveTexts().copyCode,
    applies: canCopyCode,
    run: (view) => void copyCode(view),
  },
  commandIn(STATE_MENU, ".tbwidget-profile li:first-child button", "click", {
    id: "dashboard.save_profile",
    name: () => profileTexts().save,
  }),
  commandIn(STATE_MENU, ".tbwidget-profile li:nth-child(2) button", "click", {
    id: "dashboard.load_profile",
    name: () => profileTexts().load,
  }),
  {
    kind: "command",
    id: "dashboard.reset",
    name: () => profileTexts().reset,
    run: ({ options }) => options.reset(),
  },
  ...stepGestures,
  ...gestures,
];
