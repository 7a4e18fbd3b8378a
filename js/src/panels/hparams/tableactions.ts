// The actions of the table of sessions, for the palette: its order, its filters, and the place of its columns.

import type { Action, Choice } from "../../ui/actions";
import { commandOn, pressSoon } from "../../ui/reach";
import type { View } from "../../ui/view";
import { nameOf } from "./chips";
import { setFilter } from "./columnactions";
import { type HParamsState, hparamsOf, moveColumn, orderBy } from "./sessions";
import { tableOf } from "./table";
import { hparamsTexts } from "./texts";

const inTable = { section: () => hparamsTexts().table } as const;

/** An action on one of some columns. */
function ofColumn(
  id: string,
  name: () => string,
  values: (view: View) => readonly string[],
  choose: (state: HParamsState, key: string, view: View) => void,
): Choice {
  return {
    ...inTable,
    kind: "choice",
    id: `hparams.${id}`,
    isList: true,
    name,
    values,
    nameOf: (key, view) => nameOf(hparamsOf(view), key),
    choose: (view, key) => choose(hparamsOf(view), key, view),
  };
}

const allOf = (view: View) => tableOf(view).columns.value.map(({ key }) => key);
const shownOf = (view: View) => hparamsOf(view).columns.value.map(({ key }) => key);

/** Moves a column by one place. */
function moved(state: HParamsState, key: string, by: -1 | 1): void {
  const keys = state.columns.peek().map((column) => column.key);
  const at = keys.indexOf(key);
  moveColumn(state, key, keys[by < 0 ? at - 1 : at + 2] ?? null);
}

export const tableActions: readonly Action[] = [
  ofColumn(
    "sort_ascending",
    () => hparamsTexts().sortAscending,
    allOf,
    (state, key) => orderBy(state, key, false),
  ),
  ofColumn(
    "sort_descending",
    () => hparamsTexts().sortDescending,
    allOf,
    (state, key) => orderBy(state, key, true),
  ),
  {
    ...inTable,
    kind: "command",
    id: "hparams.unsort",
    name: () => hparamsTexts().unsort,
    applies: (view) => hparamsOf(view).sorts.length > 0,
    run: (view) => hparamsOf(view).options.hparams_sort.set([]),
  },
  ofColumn(
    "filter",
    () => hparamsTexts().filter,
    (view) => allOf(view).filter((key) => key !== "duration"),
    (_, key, { root }) => {
      const title = [...root.querySelectorAll<HTMLElement>(".tbwidget-hparams-table th")].find(
        ({ dataset }) => dataset.column === key,
      );
      pressSoon(() => title?.querySelector(".tbwidget-column-menu-button") ?? null, "click");
    },
  ),
  {
    ...ofColumn(
      "remove_filter",
      () => hparamsTexts().removeFilter("…"),
      (view) => [...hparamsOf(view).options.hparams_filters.value.keys()],
      (state, key) => setFilter(state, key, null),
    ),
    labelOf: (key, view) => hparamsTexts().removeFilter(nameOf(hparamsOf(view), key)),
  },
  {
    ...ofColumn(
      "remove_brush",
      () => hparamsTexts().removeBrush("…"),
      (view) => [...hparamsOf(view).brushes.value.keys()],
      (state, key) => state.setBrushes(key, []),
    ),
    labelOf: (key, view) => hparamsTexts().removeBrush(nameOf(hparamsOf(view), key)),
  },
  ofColumn(
    "move_left",
    () => hparamsTexts().moveLeft,
    (view) => shownOf(view).slice(1),
    (state, key) => moved(state, key, -1),
  ),
  ofColumn(
    "move_right",
    () => hparamsTexts().moveRight,
    (view) => shownOf(view).slice(0, -1),
    (state, key) => moved(state, key, 1),
  ),
  commandOn(".tbwidget-sessions-line > .tbwidget-popover > button", "click", {
    id: "hparams.equal",
    name: () => hparamsTexts().equal,
  }),
];
