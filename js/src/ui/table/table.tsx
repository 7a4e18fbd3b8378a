// A table with sortable columns that renders only the rows in its viewport.

import { computed, type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, HTMLAttributes, RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Cell } from "../../lib/delimited";
import { type CellValue, nextSorts, type Sort, sortRowsBy } from "../../lib/sortrows";
import { uiTexts } from "../texts";
import { isRightToLeft } from "../widths";
import { ariaSort, ColumnMenu, ColumnTitle } from "./title";
import { MAX_WINDOW_ROWS, useRowWindow } from "./windowed";
import "./table.css";

/** Height of a row in CSS pixels. Keep in step with table.css. */
export const ROW_HEIGHT_PX = 21;

interface Props<R> {
  readonly columns: readonly TableColumn<R>[];
  /** In the order in which they are shown. */
  readonly rows: readonly R[];
  /** Rows that are equal in the first are ordered by the second, and so on. */
  readonly sorts: readonly Sort[];
  setSorts(sorts: readonly Sort[]): void;
  keyOf(row: R): string;
  /** Attributes of the row's element, such as `data-run`. */
  attributesOf(row: R): RowAttributes;
  /** Whether a row is pointed at. A row that reads signals here is drawn again by itself. */
  isLit?(row: R): boolean;
  /** With it, columns can be resized. */
  readonly widths?: Signal<ColumnWidths>;
  /** With it, columns can be dragged: puts a column before another; null: at the end. */
  move?(key: string, before: string | null): void;
  /** With it, columns have a menu: its content. */
  menuOf?(key: string, close: () => void): ComponentChildren;
}

type RowAttributes = HTMLAttributes<HTMLTableRowElement> & Readonly<Record<`data-${string}`, string | undefined>>;

/** Sort rows by columns; without a sort they keep their order. */
export function sortedRows<R>(
  rows: readonly R[],
  sorts: readonly Sort[],
  columns: readonly TableColumn<R>[],
): readonly R[] {
  const by = sorts.flatMap(({ key, descending }) => {
    const column = columns.find((one) => one.key === key);
    return column === undefined ? [] : [{ cellOf: column.cellOf, descending }];
  });
  return by.length === 0 ? rows : sortRowsBy(rows, by);
}

/** The titles of the columns and all rows, as `TableFiles` takes them. */
export function fileRows<R>(rows: readonly R[], columns: readonly TableColumn<R>[]): Cell[][] {
  const cell = (value: CellValue) => (typeof value === "boolean" ? String(value) : (value ?? ""));
  return [columns.map(({ key }) => key), ...rows.map((row) => columns.map(({ cellOf }) => cell(cellOf(row))))];
}

export function Table<R>(props: Props<R>) {
  const { columns, rows, keyOf, attributesOf, isLit, widths, menuOf } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLTableRowElement>(null);
  const menu = useSignal<{ readonly key: string; readonly anchor: HTMLElement } | null>(null);
  const { isWindowed, from, to, above, below, look } = useRowWindow(scroller, rows.length, ROW_HEIGHT_PX);
  const key = columns.map((column) => column.key).join("\n");
  const chosen = widths?.value;
  // Columns only grow: each window of rows has its own widths, and columns would move while the user scrolls.
  const grown = useRef({ key, least: [] as number[] });
  useLayoutEffect(() => {
    if (grown.current.key !== key || !isWindowed) {
      grown.current = { key, least: [] };
    }
    if (!isWindowed) {
      return;
    }
    const { least } = grown.current;
    for (const [i, cell] of [...(head.current?.children ?? [])].entries()) {
      const isChosen = chosen?.has(columns[i]?.key ?? "") === true;
      least[i] = isChosen ? 0 : Math.max(least[i] ?? 0, Math.ceil(cell.getBoundingClientRect().width));
    }
  });
  const widthOf = (column: string, i: number) =>
    chosen?.get(column) ?? (isWindowed && grown.current.key === key ? grown.current.least[i] : undefined);
  const close = () => {
    menu.value = null;
  };
  return (
    <>
      <div ref={scroller} class="tbwidget-table" onScroll={look}>
        <table {...(isWindowed ? { "aria-rowcount": rows.length + 1 } : {})}>
          <thead>
            <Head
              {...props}
              head={head}
              widthOf={widthOf}
              menu={menu.value?.key ?? null}
              openMenu={(column, anchor) => {
                menu.value = menu.peek()?.key === column ? null : { key: column, anchor };
              }}
            />
          </thead>
          <tbody>
            {above > 0 && <tr key="above" style={{ height: `${above}px` }} />}
            {rows.slice(from, to).map((row, i) => (
              <Row
                // A row that enters the window takes over the elements of one that left it.
                key={isWindowed ? (from + i) % MAX_WINDOW_ROWS : keyOf(row)}
                row={row}
                id={keyOf(row)}
                index={isWindowed ? from + i : null}
                columns={columns}
                attributesOf={attributesOf}
                isLit={isLit}
                widths={chosen}
              />
            ))}
            {below > 0 && <tr key="below" style={{ height: `${below}px` }} />}
          </tbody>
        </table>
      </div>
      {menu.value !== null && menuOf !== undefined && (
        <ColumnMenu key={menu.value.key} anchor={menu.value.anchor} close={close}>
          {menuOf(menu.value.key, close)}
        </ColumnMenu>
      )}
    </>
  );
}

interface RowProps<R> {
  readonly row: R;
  readonly id: string;
  /** Among all rows, where not all of them exist. */
  readonly index: number | null;
  readonly columns: readonly TableColumn<R>[];
  readonly widths: ColumnWidths | undefined;
  attributesOf(row: R): RowAttributes;
  readonly isLit: ((row: R) => boolean) | undefined;
}

function Row<R>({ row, id, index, columns, widths, attributesOf, isLit }: RowProps<R>) {
  const element = useRef<HTMLTableRowElement>(null);
  const shownId = useRef(id);
  useLayoutEffect(() => {
    const focused = element.current?.ownerDocument.activeElement;
    // The focus does not go over to the row that takes these elements: keys would be for another one than the user chose.
    if (shownId.current !== id && focused instanceof HTMLElement && element.current?.contains(focused)) {
      focused.blur();
    }
    shownId.current = id;
  }, [id]);
  const lit = useMemo(() => computed(() => isLit?.(row) === true), [row, isLit]).value;
  return (
    <tr
      ref={element}
      {...(index === null ? {} : { "aria-rowindex": index + 2 })}
      data-lit={lit ? "" : undefined}
      {...attributesOf(row)}
    >
      {columns.map(({ key, isText, shown }, i) => {
        const width = widths?.get(key);
        return (
          <td
            key={key}
            {...(i === 0 && isText ? { role: "rowheader" } : {})}
            data-text={isText ? "" : undefined}
            data-column={key}
            style={width === undefined ? undefined : { maxWidth: `${width}px` }}
          >
            {shown(row)}
          </td>
        );
      })}
    </tr>
  );
}

// The titles of a table's columns: a click sorts, with Shift by several; a drag moves a column, or its edge.

const MIN_COLUMN_PX = 40;
const MAX_COLUMN_PX = 1200;

/** CSS pixels from which on a title is dragged, not clicked. */
const DRAG_PX = 6;

export interface TableColumn<R> {
  readonly key: string;
  readonly title: string;
  readonly hint?: string;
  /** Stands at the beginning of its cell, and is sorted upwards first; numbers stand at the end, the greatest first. */
  readonly isText: boolean;
  /** The value for sorting and for files; null for none. */
  cellOf(row: R): CellValue;
  /** The cell in the page. */
  shown(row: R): ComponentChildren;
  /** Stays at its place; by default columns can be moved where the table lets them. */
  readonly isFixed?: boolean;
  /** Something that its menu sets is in effect. */
  readonly isActive?: boolean;
}

/** The widths that the user gave columns, by key, in CSS pixels. */
export type ColumnWidths = ReadonlyMap<string, number>;

interface HeadProps<R> {
  readonly columns: readonly TableColumn<R>[];
  readonly sorts: readonly Sort[];
  setSorts(sorts: readonly Sort[]): void;
  readonly widths?: Signal<ColumnWidths>;
  move?(key: string, before: string | null): void;
  menuOf?: unknown;
  readonly head: RefObject<HTMLTableRowElement | null>;
  widthOf(key: string, index: number): number | undefined;
  /** The column whose menu is open. */
  readonly menu: string | null;
  openMenu(key: string, anchor: HTMLElement): void;
}

/** Where a dragged column would go: before another, or to the end. */
interface Drop {
  readonly key: string;
  readonly before: string | null;
}

function Head<R>(props: HeadProps<R>) {
  const { columns, sorts, setSorts, widths, move, menuOf, head, widthOf, menu, openMenu } = props;
  const drop = useSignal<Drop | null>(null);
  const target = drop.value;
  const placeOf = (x: number): string | null => {
    const cells = [...(head.current?.children ?? [])];
    const end = isRightToLeft(head.current);
    const after = cells.findIndex((cell, i) => {
      const { left, width } = cell.getBoundingClientRect();
      const middle = left + width / 2;
      return columns[i]?.isFixed !== true && (end ? x > middle : x < middle);
    });
    return columns[after]?.key ?? null;
  };
  return (
    <tr ref={head}>
      {columns.map((column, i) => {
        const { key, title, hint = title, isText, isFixed = false, isActive = false } = column;
        const place = sorts.findIndex((sort) => sort.key === key);
        const own = sorts[place] ?? null;
        const width = widthOf(key, i);
        const size = width === undefined ? undefined : `${width}px`;
        const isChosen = widths?.value.has(key) === true;
        const isLast = i === columns.length - 1;
        const dropped =
          target !== null && (target.before === key ? "before" : isLast && target.before === null && "after");
        return (
          <th
            key={key}
            data-text={isText ? "" : undefined}
            data-column={key}
            data-drop={dropped || undefined}
            data-dragged={target?.key === key ? "" : undefined}
            // Its buttons would be in the name.
            aria-label={title}
            aria-sort={ariaSort(own)}
            style={size === undefined ? undefined : isChosen ? { minWidth: size, maxWidth: size } : { minWidth: size }}
            {...(move === undefined || isFixed ? {} : dragsOf(key, drop, placeOf, move))}
          >
            <span class="tbwidget-column-head">
              <ColumnTitle
                title={title}
                hint={hint}
                sort={own}
                place={sorts.length > 1 && place >= 0 ? place + 1 : null}
                choose={(adds) => drop.peek() === null && setSorts(nextSorts(sorts, key, !isText, adds))}
              />
              {menuOf !== undefined && (
                <button
                  type="button"
                  class="tbwidget-column-menu-button"
                  title={uiTexts().table.menuHint}
                  aria-label={uiTexts().table.menuOf(title)}
                  aria-haspopup="dialog"
                  aria-expanded={menu === key}
                  data-active={isActive ? "" : undefined}
                  onClick={({ currentTarget }) => openMenu(key, currentTarget)}
                >
                  {isActive ? <Funnel /> : "⋮"}
                </button>
              )}
            </span>
            {widths !== undefined && <ResizeHandle column={key} widths={widths} />}
          </th>
        );
      })}
    </tr>
  );
}

function Funnel() {
  return (
    <svg viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
      <path d="M1 1.5h10L7.2 6.3v4.2L4.8 9V6.3z" fill="currentColor" />
    </svg>
  );
}

/** Handlers that drag a title to another place. */
function dragsOf(
  key: string,
  drop: Signal<Drop | null>,
  placeOf: (x: number) => string | null,
  move: (key: string, before: string | null) => void,
) {
  return {
    onPointerDown: (event: PointerEvent) => {
      const cell = event.currentTarget as HTMLElement;
      const isHandle = event.target instanceof Element && event.target.closest(".tbwidget-column-edge") !== null;
      if (event.button !== 0 || isHandle) {
        return;
      }
      const { clientX } = event;
      const end = new AbortController();
      const until = { signal: end.signal };
      const { ownerDocument } = cell;
      ownerDocument.addEventListener(
        "pointermove",
        (moved) => {
          if (drop.peek() !== null || Math.abs(moved.clientX - clientX) > DRAG_PX) {
            drop.value = { key, before: placeOf(moved.clientX) };
          }
        },
        until,
      );
      const stop = (isDropped: boolean) => {
        end.abort();
        const found = drop.peek();
        if (found === null) {
          return;
        }
        // Not at once: the click that ends a drag sorts nothing.
        setTimeout(() => {
          drop.value = null;
        });
        if (isDropped && found.before !== key) {
          move(key, found.before);
        }
      };
      ownerDocument.addEventListener("pointerup", () => stop(true), until);
      ownerDocument.addEventListener("pointercancel", () => stop(false), until);
      ownerDocument.addEventListener("keydown", (pressed) => pressed.key === "Escape" && stop(false), until);
    },
  };
}

interface HandleProps {
  readonly column: string;
  readonly widths: Signal<ColumnWidths>;
}

/** The edge of a column: a drag sets its width, a double-click fits it to its content again. */
function ResizeHandle({ column, widths }: HandleProps) {
  const set = (width: number | null) => {
    const next = new Map(widths.peek());
    if (width === null) {
      next.delete(column);
    } else {
      next.set(column, Math.round(Math.min(MAX_COLUMN_PX, Math.max(MIN_COLUMN_PX, width))));
    }
    widths.value = next;
  };
  const widthOf = (handle: Element) => handle.parentElement?.getBoundingClientRect().width ?? 0;
  return (
    <span
      class="tbwidget-column-edge"
      aria-hidden="true"
      title={uiTexts().table.widthHint}
      onDblClick={() => set(null)}
      onPointerDown={(event) => {
        const { clientX, pointerId, currentTarget: handle } = event;
        if (event.button !== 0) {
          return;
        }
        event.preventDefault();
        handle.setPointerCapture(pointerId);
        const width = widthOf(handle);
        const sign = isRightToLeft(handle) ? -1 : 1;
        const moved = (to: PointerEvent) => set(width + sign * (to.clientX - clientX));
        handle.addEventListener("pointermove", moved);
        handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", moved), {
          once: true,
        });
      }}
    />
  );
}
