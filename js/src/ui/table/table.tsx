// A table with sortable columns that renders only the rows in its viewport.

import { computed, type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, HTMLAttributes } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Cell } from "../../lib/delimited";
import { type CellValue, type Sort, sortRowsBy } from "../../lib/sortrows";
import { type ColumnWidths, Head, type TableColumn } from "./head";
import { ColumnMenu } from "./title";
import { MAX_WINDOW_ROWS, useRowWindow } from "./windowed";

export type { ColumnWidths, TableColumn } from "./head";

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
      {columns.map(({ key, isText, shown }) => {
        const width = widths?.get(key);
        return (
          <td
            key={key}
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
