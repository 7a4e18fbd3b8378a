// Roving tabindex: a list of rows of controls is one stop for the Tab key; arrow keys move between its controls.

import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** Rows that Page Up and Page Down move by. */
const PAGE = 10;

/** The place of a control. */
export type Cell = readonly [row: number, column: number];

/**
 * The control that a key moves to; undefined for other keys. `rows`: how many controls each row has; rows before the `first`
 * are headings.
 */
export function cellAfter(key: string, [row, column]: Cell, rows: readonly number[], first = 0): Cell | undefined {
  const last = rows.length - 1;
  const to: Readonly<Record<string, Cell>> = {
    ArrowDown: [row + 1, column],
    ArrowUp: [row - 1, column],
    PageDown: [row + PAGE, column],
    PageUp: [row - PAGE, column],
    Home: [first, column],
    End: [last, column],
    ArrowRight: [row, column + 1],
    ArrowLeft: [row, column - 1],
  };
  const found = Object.hasOwn(to, key) ? to[key] : undefined;
  if (found === undefined) {
    return undefined;
  }
  const there = Math.min(last, Math.max(0, found[0]));
  return [there, Math.min((rows[there] ?? 1) - 1, Math.max(0, found[1]))];
}

const children = (list: Element): Element[] => [...list.children];

/** `rowsOf` finds the rows of the list; the first stop is in the row `first`. */
export function useRoving(list: RefObject<HTMLElement | null>, rowsOf = children, first = 0): void {
  // After each render: the row with the stop may have been removed, and controls may have come, which are stops by themselves.
  useEffect(() => {
    const rows = list.current === null ? [] : rowsOf(list.current);
    const controls = rows.flatMap(controlsOf);
    const stop =
      controls.find((control) => control.getAttribute("tabindex") === "0") ?? controlsOf(rows[first])[0] ?? controls[0];
    for (const control of controls) {
      if (control.tabIndex !== (control === stop ? 0 : -1)) {
        control.tabIndex = control === stop ? 0 : -1;
      }
    }
  });
  useEffect(() => {
    const element = list.current;
    if (element === null) {
      return;
    }
    const focused = ({ target }: FocusEvent) => {
      const controls = rowsOf(element).flatMap(controlsOf);
      if (controls.includes(target as HTMLElement)) {
        for (const control of controls) {
          control.tabIndex = control === target ? 0 : -1;
        }
      }
    };
    const pressed = (event: KeyboardEvent) => {
      const rows = rowsOf(element);
      const row = rows.findIndex((one) => one.contains(event.target as Node));
      const column = controlsOf(rows[row]).indexOf(event.target as HTMLElement);
      const modified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
      if (row < 0 || column < 0 || modified) {
        return;
      }
      const cell = cellAfter(
        event.key,
        [row, column],
        rows.map((one) => controlsOf(one).length),
        first,
      );
      if (cell !== undefined) {
        event.preventDefault();
        controlsOf(rows[cell[0]])[cell[1]]?.focus();
      }
    };
    element.addEventListener("focusin", focused);
    element.addEventListener("keydown", pressed);
    return () => {
      element.removeEventListener("focusin", focused);
      element.removeEventListener("keydown", pressed);
    };
  }, [list, rowsOf, first]);
}

function controlsOf(row: Element | undefined): HTMLElement[] {
  return row === undefined ? [] : [...row.querySelectorAll<HTMLElement>(":is(input, button):enabled")];
}
