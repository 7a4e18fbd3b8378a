// The list of runs with its columns. Only visible rows and some around them exist.

import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { parseSort, sortText } from "../../lib/runcolumns";
import { nextSort } from "../../lib/sortrows";
import { useRoving } from "../../ui/roving";
import { ariaSort, ColumnTitle } from "../../ui/table/title";
import { useRowWindow } from "../../ui/table/windowed";
import { runTableTexts } from "../../ui/texts";
import { useView, type View } from "../../ui/view";
import { dashboardTexts } from "../texts";
import { GroupRow, Row, type RowActions } from "./rows";
import { columnOfHeadline, ROLES, type RunTable } from "./table";

/** Height of a row in CSS pixels. */
export const ROW_HEIGHT = 24;

/** Width of what stands beside a name in its cell, in CSS pixels. */
const ROW_CONTROLS_PX = 52;
/** A name of usual characters, and how much wider than these others may be. */
const USUAL_NAME = "adamw_lr0.0003_seed15";
const WIDER = 1.08;
/** Characters that the indentation below a group takes. */
export const INDENTATION = 3;

interface Props {
  readonly table: RunTable;
  readonly actions: RowActions;
}

export function RunList({ table, actions }: Props) {
  const { options } = useView();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const items = table.items.value;
  const columns = table.columns.value;
  const isTable = columns.length > 0 || table.headline.value !== null;
  // Keys begin at the first run, below the titles.
  useRoving(scroller, rowsIn, isTable ? 1 : 0);
  useKeptScroll(scroller, "runs");
  const grouped = options.runGroups.grouped.value;
  /** Mean width of a character of a name, in CSS pixels; 0 until it is measured. */
  const character = useRef(0);
  const { room } = table;
  const rowWindow = useRowWindow(scroller, items.length, ROW_HEIGHT, (element) => {
    const cell = element.querySelector("li .tbwidget-run");
    if (cell !== null && cell.clientWidth > 0) {
      character.current ||= characterWidth(cell.querySelector("label") ?? cell);
      const characters = Math.floor((cell.clientWidth - ROW_CONTROLS_PX) / character.current);
      room.value = characters - (grouped ? INDENTATION : 0);
    }
  });
  const { isWindowed: many, from, to, look } = rowWindow;
  // With very many runs, only the newest are selected. The list opens at them, and stays where it is scrolled to.
  const opened = useRef<number | null>(0);
  const { onlyNewest } = options.runs;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || opened.current === null || !many || !onlyNewest.value) {
      return;
    }
    if (element.scrollTop !== opened.current) {
      opened.current = null;
      return;
    }
    const shown = items.findIndex((item) => item.type === "run" && options.shows(item.run));
    element.scrollTop = Math.max(0, shown) * ROW_HEIGHT;
    opened.current = element.scrollTop;
  });
  // Preact skips rows that are the same objects as before.
  const rows = useMemo(
    () =>
      items
        .slice(from, to)
        .map((item) =>
          item.type === "run" ? (
            <Row key={`r${item.run}`} run={item.run} table={table} inGroup={grouped} actions={actions} />
          ) : (
            <GroupRow key={`g${item.group}`} {...item} table={table} actions={actions} />
          ),
        ),
    [items, from, to, table, grouped, actions],
  );
  return (
    <div
      ref={scroller}
      class="tbwidget-run-scroller"
      {...{
        ...{ role: ROLES.table, "aria-label": dashboardTexts().runs },
        "aria-rowcount": items.length + (isTable ? 1 : 0),
      }}
      data-lm-suppress-shortcuts="true"
      data-rows={items.length}
      onScroll={look}
      style={{ "--tbwidget-columns": columns.length }}
    >
      {isTable && <Head table={table} />}
      <ul
        ref={list}
        role={ROLES.between}
        data-many={many ? "" : undefined}
        style={
          many
            ? {
                "--tbwidget-row": `${ROW_HEIGHT}px`,
                paddingTop: `${rowWindow.above}px`,
                paddingBottom: `${rowWindow.below}px`,
              }
            : {}
        }
        onKeyDown={(event) => {
          const end = event.key === "End";
          if (many && (end || event.key === "Home")) {
            const column = columnOf(event.target as Element);
            // Once the focus has gone to the last of the rows that exist now.
            requestAnimationFrame(() => {
              scroller.current?.scrollTo({ top: end ? scroller.current.scrollHeight : 0 });
              look();
              requestAnimationFrame(() => focusRow(list.current, end, column));
            });
          }
        }}
        onMouseLeave={() => actions.highlight(null)}
        onFocusOut={() => actions.highlight(null)}
      >
        {rows}
      </ul>
    </div>
  );
}

function characterWidth(name: Element): number {
  const context = document.createElement("canvas").getContext("2d");
  if (context !== null) {
    const { fontSize, fontFamily } = getComputedStyle(name);
    context.font = `${fontSize} ${fontFamily}`;
  }
  return (WIDER * (context?.measureText(USUAL_NAME).width ?? 0)) / USUAL_NAME.length || 1;
}

/** The titles, and the runs and groups below them. */
const rowsIn = (scroller: Element) => [...scroller.querySelectorAll(".tbwidget-run-titles, ul > li")];

function controlsOf(row: Element | null | undefined): HTMLElement[] {
  return [...(row?.querySelectorAll<HTMLElement>("input, button") ?? [])];
}

function columnOf(control: Element): number {
  return Math.max(0, controlsOf(control.closest("li")).indexOf(control as HTMLElement));
}

/** The first row of all, or the last, which did not exist before. */
function focusRow(list: HTMLElement | null, last: boolean, column: number): void {
  const controls = controlsOf(last ? list?.lastElementChild : list?.firstElementChild);
  controls[Math.min(column, controls.length - 1)]?.focus();
}

/** The titles of the columns; each sorts by its own. */
function Head({ table }: { readonly table: RunTable }) {
  const { run_sort } = useView().options.runTable;
  const sort = parseSort(run_sort.value);
  const headline = table.headline.value;
  const columns = [
    { key: "name", title: runTableTexts().name, hint: runTableTexts().name },
    ...(headline === null
      ? []
      : [columnOfHeadline(headline, table.shownAs, table.sparkScale.value, table.linked.value)]),
    ...table.columns.value,
  ];
  return (
    <div class="tbwidget-run-titles" role={ROLES.row}>
      {columns.map(({ key, title, hint }) => {
        const own = sort?.key === key ? sort : null;
        return (
          <span
            key={key}
            class={headline !== null && key === columns[1]?.key ? "tbwidget-headline" : undefined}
            {...{ role: ROLES.title, "aria-sort": ariaSort(own) }}
          >
            <ColumnTitle
              title={title}
              hint={hint}
              sort={own}
              choose={() => run_sort.set(sortText(nextSort(parseSort(run_sort.peek()), key)))}
            />
          </span>
        );
      })}
    </div>
  );
}

const places = new WeakMap<View, Map<string, number>>();

/** Restores the scroll position of a list when it is mounted again. */
export function useKeptScroll(scroller: RefObject<HTMLElement | null>, list: string): void {
  const view = useView();
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) {
      return;
    }
    const held = places.get(view) ?? new Map<string, number>();
    places.set(view, held);
    const before = held.get(list);
    if (before !== undefined) {
      element.scrollTop = before;
    }
    const keep = () => {
      held.set(list, element.scrollTop);
    };
    element.addEventListener("scroll", keep);
    return () => element.removeEventListener("scroll", keep);
  }, [view, scroller, list]);
}
