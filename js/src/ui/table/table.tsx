// A table with sortable columns that renders only the rows in its viewport.

import type { ComponentChildren, HTMLAttributes } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Cell } from "../../lib/delimited";
import { type CellValue, nextSort, type Sort, sortRows } from "../../lib/sortrows";
import { ariaSort, ColumnTitle } from "./title";
import { useRowWindow } from "./windowed";

/** Height of a row in CSS pixels. Keep in step with table.css. */
const ROW_HEIGHT_PX = 21;

export interface TableColumn<R> {
  readonly key: string;
  readonly title: string;
  readonly hint?: string;
  /** Stands at the beginning of its cell, and is sorted upwards first; numbers stand at the end, the greatest first. */
  readonly isText: boolean;
  /** What is sorted, and what files have; null: nothing. */
  cellOf(row: R): CellValue;
  /** What the page shows. */
  shown(row: R): ComponentChildren;
}

interface Props<R> {
  readonly columns: readonly TableColumn<R>[];
  /** In the order in which they are shown. */
  readonly rows: readonly R[];
  readonly sort: Sort | null;
  setSort(sort: Sort | null): void;
  keyOf(row: R): string;
  /** Attributes of the row's element, such as `data-run`. */
  attributesOf(row: R): HTMLAttributes<HTMLTableRowElement> & Readonly<Record<`data-${string}`, string>>;
}

/** Sort rows by a column; without a sort they keep their order. */
export function sortedRows<R>(rows: readonly R[], sort: Sort | null, columns: readonly TableColumn<R>[]): readonly R[] {
  const column = columns.find(({ key }) => key === sort?.key);
  return sort === null || column === undefined ? rows : sortRows(rows, column.cellOf, sort.descending);
}

/** The titles of the columns and all rows, as `TableFiles` takes them. */
export function fileRows<R>(rows: readonly R[], columns: readonly TableColumn<R>[]): Cell[][] {
  const cell = (value: CellValue) => (typeof value === "boolean" ? String(value) : (value ?? ""));
  return [columns.map(({ key }) => key), ...rows.map((row) => columns.map(({ cellOf }) => cell(cellOf(row))))];
}

export function Table<R>({ columns, rows, sort, setSort, keyOf, attributesOf }: Props<R>) {
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLTableRowElement>(null);
  const { isWindowed, from, to, above, below, look } = useRowWindow(scroller, rows.length, ROW_HEIGHT_PX);
  const key = columns.map((column) => column.key).join("\n");
  // Columns only grow: each window of rows has its own widths, and columns would move while the user scrolls.
  const widths = useRef({ key, least: [] as number[] });
  useLayoutEffect(() => {
    if (widths.current.key !== key || !isWindowed) {
      widths.current = { key, least: [] };
    }
    if (!isWindowed) {
      return;
    }
    const { least } = widths.current;
    for (const [i, cell] of [...(head.current?.children ?? [])].entries()) {
      least[i] = Math.max(least[i] ?? 0, Math.ceil(cell.getBoundingClientRect().width));
    }
  });
  return (
    <div ref={scroller} class="tbwidget-table" onScroll={look}>
      <table {...(isWindowed ? { "aria-rowcount": rows.length + 1 } : {})}>
        <thead>
          <tr ref={head}>
            {columns.map(({ key, title, hint = title, isText }, i) => {
              const own = sort?.key === key ? sort : null;
              const width = isWindowed && widths.current.key === key ? widths.current.least[i] : undefined;
              return (
                <th
                  key={key}
                  data-text={isText ? "" : undefined}
                  aria-sort={ariaSort(own)}
                  style={width === undefined ? undefined : { minWidth: `${width}px` }}
                >
                  <ColumnTitle
                    title={title}
                    hint={hint}
                    sort={own}
                    choose={() => setSort(nextSort(sort, key, !isText))}
                  />
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr key="above" style={{ height: `${above}px` }} />}
          {rows.slice(from, to).map((row, i) => (
            <tr key={keyOf(row)} {...(isWindowed ? { "aria-rowindex": from + i + 2 } : {})} {...attributesOf(row)}>
              {columns.map(({ key, isText, shown }) => (
                <td key={key} data-text={isText ? "" : undefined} data-column={key}>
                  {shown(row)}
                </td>
              ))}
            </tr>
          ))}
          {below > 0 && <tr key="below" style={{ height: `${below}px` }} />}
        </tbody>
      </table>
    </div>
  );
}
