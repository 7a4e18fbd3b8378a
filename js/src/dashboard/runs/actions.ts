// The actions of the list of runs: of one run, of its groups, and of the table that it is. Most press the control that does the same.

import { FIXED_COLUMNS, HPARAM, parseColumn, parseSort, STATISTICS, sortText } from "../../lib/runcolumns";
import { checkpointsOf } from "../../lines/checkpoints";
import { checkpointTexts } from "../../lines/texts";
import { MAX_RUNS_WIDTH_PX, MIN_RUNS_WIDTH_PX } from "../../options/runtable";
import type { Action, Choice, Command } from "../../ui/actions";
import { choiceOfName } from "../../ui/choices";
import { pressSoon, reachable } from "../../ui/reach";
import { saveTexts } from "../../ui/save/texts";
import { runTableTexts } from "../../ui/texts";
import type { View } from "../../ui/view";
import { hasSideTabs, openSideBar, SIDE_TABS, shellOf } from "../commands/shell";
import { commandTexts } from "../commands/texts";
import { dashboardTexts } from "../texts";
import { ROW_HEIGHT } from "./list";
import { meansOf } from "./pane";
import { selectionAfter } from "./rows";
import { selections } from "./selecting";
import { headlineKey, runTableOf, titleOf } from "./table";

const inList = { isBelow: true, section: () => commandTexts().sections.runs } as const;

/** Presses a button of a run's row, after it opened the side bar and its group, and dropped a filter that hides the row. */
function pressInRow(view: View, run: string, button: string): void {
  const { runTable, leftOut, runFilter, runGroups } = view.options;
  openSideBar(view, "runs");
  if (leftOut.peek().has(run)) {
    runTable.show_archived.set(true);
  }
  if (!runFilter.matches.peek()(run)) {
    runFilter.set("", "typed");
  }
  const table = runTableOf(view);
  const place = () => table.items.peek().findIndex((item) => item.type === "run" && item.run === run);
  if (place() < 0) {
    table.fold(runGroups.groupOf.peek()(run));
  }
  pressSoon(() => {
    const list = reachable(view, ".tbwidget-run-scroller");
    const row = [...(list?.querySelectorAll<HTMLElement>("li[data-run]") ?? [])].find(
      ({ dataset }) => dataset.run === run,
    );
    // In a long list, only the rows around the scroll position exist.
    list?.scrollTo({ top: place() * ROW_HEIGHT });
    return row?.querySelector(button) ?? null;
  }, "click");
}

/** A button in the rows of runs. `labelOf`: its name. */
function ofRun(id: string, labelOf: () => (run: string) => string, button: string, values?: Choice["values"]): Choice {
  return {
    ...inList,
    kind: "choice",
    id: `runs.${id}`,
    isList: true,
    isOfRuns: true,
    name: () => labelOf()("…"),
    labelOf: (run) => labelOf()(run),
    values: values ?? (({ channel }) => channel.store.runs.value),
    // Found by the name that the user gave it, too.
    nameOf: (run, { options }) => `${run} ${options.runTable.run_names.value.get(run) ?? ""}`.trimEnd(),
    choose: (view, run) => pressInRow(view, run, button),
  };
}

const archived = (isArchived: boolean) => (view: View) =>
  view.channel.store.runs.value.filter((run) => view.options.runTable.archived_runs.value.has(run) === isArchived);

const groupsOf = (view: View) => runTableOf(view).items.value.flatMap((item) => (item.type === "group" ? [item] : []));

const groupName = (group: string) => (group === "" ? runTableTexts().noGroup : group);

const ofGroups = {
  isOfRuns: false,
  values: (view: View) => groupsOf(view).map(({ group }) => group),
  nameOf: groupName,
};

/** Presses controls above the list in turn; each one opens the next. */
function commandAbove(id: string, name: () => string, controls: readonly string[], act: "click" | "focus"): Command {
  return {
    ...inList,
    kind: "command",
    id,
    name,
    applies: (view) => shellOf(view).sideBar.value !== null,
    run: (view) => {
      openSideBar(view, "runs");
      controls.forEach((control, i) => {
        pressSoon(() => reachable(view, control), i < controls.length - 1 ? "click" : act);
      });
    },
  };
}

/** A button of the menu for the file of the list; others save and copy under the same name. */
function ofTable(id: string, name: () => string, button: string): Choice {
  const { applies, run } = commandAbove(id, name, [MENU, `${IN_MENU} .tbwidget-run-copies ${button}`], "click");
  return {
    ...inList,
    kind: "choice",
    id,
    isList: true,
    name,
    values: () => [""],
    nameOf: inList.section,
    ...(applies && { applies }),
    choose: run,
  };
}

const MENU = ".tbwidget-runs-menus > :last-child > button";
const IN_MENU = ".tbwidget-runs-menus .tbwidget-run-menu";
const SELECT = `${IN_MENU} .tbwidget-segments button:last-child`;

function columnName(key: string, view: View): string {
  const column = parseColumn(key);
  return column === null ? runTableTexts().name : titleOf(column, runTableOf(view).shownAs);
}

const columnsShown = ({ options }: View) => options.runTable.run_columns.value;

const column = {
  ...inList,
  kind: "choice",
  isList: true,
  name: () => runTableTexts().sections.columns,
  nameOf: columnName,
  choose: ({ options }: View, key: string) => {
    const { run_columns } = options.runTable;
    const keys = run_columns.peek();
    run_columns.set(keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key]);
  },
} as const;

const sortOf = ({ options }: View) => parseSort(options.runTable.run_sort.value);

const headline = choiceOfName({
  ...inList,
  id: "runs.headline_tag",
  name: () => runTableTexts().headline,
  none: () => runTableTexts().automaticHeadline(null),
  // An empty name means no tag.
  names: ({ channel }) => ["", ...channel.store.measuredTags()],
  option: ({ options }) => options.runTable.headline_tag,
  applies: ({ channel }) => channel.store.runs.value.length > 1,
});

export const runActions: readonly Action[] = [
  ofRun("rename", () => runTableTexts().rename, ".tbwidget-rename-run"),
  ofRun("color", () => dashboardTexts().colorOf, ".tbwidget-swatch"),
  ofRun("note", () => runTableTexts().noteOf, '[data-action="runs.note"]'),
  ofRun("archive", () => runTableTexts().archive, ".tbwidget-archive-run", archived(false)),
  ofRun("unarchive", () => runTableTexts().unarchive, ".tbwidget-archive-run", archived(true)),
  ofRun(
    "checkpoints",
    () => checkpointTexts().of,
    ".tbwidget-run-checkpoints",
    ({ channel }) => [...checkpointsOf(channel.store).counts.keys()],
  ),
  {
    ...ofRun("fold", () => (group) => runTableTexts().fold(groupName(group)), ""),
    ...ofGroups,
    choose: (view: View, group: string) => {
      openSideBar(view, "runs");
      runTableOf(view).fold(group);
    },
  },
  {
    ...ofRun("show_group", () => (group) => runTableTexts().groupRuns(groupName(group)), ""),
    ...ofGroups,
    isOn: (view, group) =>
      groupsOf(view)
        .find((item) => item.group === group)
        ?.runs.every((run) => view.options.shows(run)) === true,
    choose: (view: View, group: string) => {
      const runs = groupsOf(view).find((item) => item.group === group)?.runs ?? [];
      view.options.select(selectionAfter(view, runs, !runs.every((run) => view.options.shows(run))));
    },
  },
  {
    ...inList,
    kind: "choice",
    id: "runs.side_tab",
    name: () => dashboardTexts().tagTree.sideBar,
    values: () => SIDE_TABS,
    nameOf: (tab) => (tab === "runs" ? dashboardTexts().runs : dashboardTexts().tagTree.tab),
    chosen: (view) => shellOf(view).sideTab.value,
    choose: (view, tab) => openSideBar(view, tab),
    applies: hasSideTabs,
  },
  {
    ...column,
    id: "runs.run_columns",
    isFoundByValue: true,
    values: (view) => {
      const fixed: readonly string[] = FIXED_COLUMNS;
      const hparams = view.channel.store.runAttributes.value.names.map((name) => HPARAM + name);
      return [...new Set([...fixed, ...columnsShown(view), ...hparams])];
    },
    isOn: (view, key) => columnsShown(view).includes(key),
  },
  {
    ...column,
    id: "runs.tag_columns",
    values: (view) => {
      const shown = new Set(columnsShown(view));
      const tags = view.channel.store.measuredTags();
      return STATISTICS.flatMap((what) => tags.map((tag) => `${what}:${tag}`)).filter((key) => !shown.has(key));
    },
  },
  {
    ...inList,
    kind: "choice",
    id: "runs.run_sort",
    isList: true,
    name: () => runTableTexts().sort,
    values: (view) => {
      const tag = runTableOf(view).headline.value;
      const chosen = sortOf(view)?.key ?? "name";
      return [...new Set(["name", ...(tag === null ? [] : [headlineKey(tag)]), ...columnsShown(view), chosen])];
    },
    nameOf: columnName,
    chosen: (view) => sortOf(view)?.key ?? null,
    choose: (view, key) =>
      view.options.runTable.run_sort.set(sortText({ key, descending: sortOf(view)?.descending === true })),
  },
  {
    ...inList,
    kind: "toggle",
    id: "runs.descending",
    name: () => runTableTexts().descending,
    option: (view) => ({
      get value() {
        return sortOf(view)?.descending === true;
      },
      peek: () => parseSort(view.options.runTable.run_sort.peek())?.descending === true,
      set: (descending) =>
        view.options.runTable.run_sort.set(sortText({ key: sortOf(view)?.key ?? "name", descending })),
    }),
  },
  { ...headline, nameOf: (value, view) => headline.nameOf(value, view) || runTableTexts().noHeadline },
  {
    ...inList,
    kind: "choice",
    id: "runs.select",
    name: () => runTableTexts().selectListed,
    values: () => selections.map((_, i) => String(i)),
    nameOf: (i) => selections[Number(i)]?.[0]() ?? "",
    choose: (view, i) => selections[Number(i)]?.[1](view),
    applies: ({ runChoice }) => runChoice.value === null,
  },
  commandAbove("runs.best", () => runTableTexts().best, [MENU, SELECT, `${IN_MENU} [type=number]`], "focus"),
  ofTable("runs.copy", () => saveTexts().copyData, "button"),
  ofTable("runs.csv", () => saveTexts().formats.csv, "button + button"),
  commandAbove("runs.menu", () => runTableTexts().menu, [MENU], "click"),
  {
    ...commandAbove("runs.group_menu", () => runTableTexts().groupMenu, [".tbwidget-runs-menus button"], "click"),
    applies: ({ channel }) => channel.store.runs.value.length > 1,
  },
  {
    ...inList,
    kind: "toggle",
    id: "runs.means",
    name: () => runTableTexts().means,
    applies: (view) => view.channel.store.runs.value.length > 1 && meansOf(view) !== null,
    option: (view) => meansOf(view) as NonNullable<ReturnType<typeof meansOf>>,
  },
  {
    kind: "number",
    id: "runs.runs_width",
    isBelow: true,
    name: () => runTableTexts().resize,
    least: MIN_RUNS_WIDTH_PX,
    most: MAX_RUNS_WIDTH_PX,
    step: 1,
    none: () => runTableTexts().automaticHeadline(null),
    option: ({ options }) => options.runTable.runs_width,
  },
];
