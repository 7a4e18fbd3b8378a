// The titles of a table's columns: a click sorts, with Shift by several; a drag moves a column, or its edge.

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { type CellValue, nextSorts, type Sort } from "../../lib/sortrows";
import { uiTexts } from "../texts";
import { isRightToLeft } from "../widths";
import { ariaSort, ColumnTitle } from "./title";
import "./table.css";

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

interface Props<R> {
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

export function Head<R>(props: Props<R>) {
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
