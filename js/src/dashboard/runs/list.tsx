// The list of runs with its columns. Of many rows those exist that are in sight, and some around them.

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { shortened } from "../../lib/names";
import { parseSort, sortText } from "../../lib/runcolumns";
import { nextSort } from "../../lib/sortrows";
import { strings } from "../../lib/strings";
import { useRoving } from "../../ui/roving";
import { ariaSort, ColumnTitle } from "../../ui/table/title";
import { useRowWindow } from "../../ui/table/windowed";
import { useView } from "../../ui/view";
import { GroupRow, MOST_OF_TWO_LINES, Row, type RowActions } from "./rows";
import { ROLES, type RunTable } from "./table";

const texts = strings.runTable;

/** Heights of the rows of more, in CSS pixels: with names of one line, and of two. */
const LOW = 22;
const HIGH = 38;

/** Width of a character of a name, and of what else stands in its row, in CSS pixels. */
const CHARACTER = 7.1;
const BESIDE = 50;

interface Props {
  readonly table: RunTable;
  /** Characters that all names share at their beginning. */
  readonly start: number;
  readonly actions: RowActions;
}

export function RunList({ table, start, actions }: Props) {
  const { options } = useView();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useRoving(list);
  const items = table.items.value;
  const columns = table.columns.value;
  const names = options.runTable.run_names.value;
  /** Characters that a line has room for. */
  const room = useSignal(0);
  const line = room.value;
  const height = useMemo(() => {
    const isLong = ({ run }: { run: string }) => {
      const { length } = names.get(run) ?? shortened(run, start);
      return length > line && length <= MOST_OF_TWO_LINES;
    };
    return items.some((item) => item.type === "run" && isLong(item)) ? HIGH : LOW;
  }, [items, names, start, line]);
  const rowWindow = useRowWindow(scroller, items.length, height, (element) => {
    const name = element.querySelector(".tbwidget-run")?.clientWidth ?? 0;
    room.value = Math.floor((name - BESIDE) / CHARACTER);
  });
  const { isWindowed: many, from, to, look } = rowWindow;
  // Of very many runs the newest are shown, wherever they stand in the list: it opens there, and stays where it is scrolled to.
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
    element.scrollTop = Math.max(0, shown) * height;
    opened.current = element.scrollTop;
  });
  // Preact skips rows that are the same objects as before.
  const rows = useMemo(
    () =>
      items
        .slice(from, to)
        .map((item) =>
          item.type === "run" ? (
            <Row key={`r${item.run}`} run={item.run} table={table} start={start} actions={actions} />
          ) : (
            <GroupRow key={`g${item.group}`} {...item} table={table} actions={actions} />
          ),
        ),
    [items, from, to, table, start, actions],
  );
  const isTable = columns.length > 0;
  return (
    <div
      ref={scroller}
      class="tbwidget-run-scroller"
      {...(isTable ? { role: ROLES.table, "aria-rowcount": items.length + 1 } : {})}
      data-rows={items.length}
      onScroll={look}
      style={{ "--tbwidget-columns": columns.length }}
    >
      {isTable && <Head table={table} />}
      <ul
        ref={list}
        role={isTable ? ROLES.rows : undefined}
        data-lm-suppress-shortcuts="true"
        data-many={many ? "" : undefined}
        style={
          many
            ? {
                "--tbwidget-row": `${height}px`,
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
  const columns = [{ key: "name", title: texts.name, hint: texts.name }, ...table.columns.value];
  return (
    <div class="tbwidget-run-titles" role={ROLES.row}>
      {columns.map(({ key, title, hint }) => {
        const own = sort?.key === key ? sort : null;
        return (
          <span key={key} {...{ role: ROLES.title, "aria-sort": ariaSort(own) }}>
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
