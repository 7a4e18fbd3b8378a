// Windowing of long lists: only rows in and around the viewport are rendered. All rows have one height, so that this file is
// enough: a package such as @tanstack/virtual-core (14 kB) is for rows of any height.

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** Up to this many rows all exist, each as high as it needs to be. */
const MAX_UNWINDOWED_ROWS = 100;

/** Rows that exist above and below the visible ones. The window moves by half as many at once. */
const OVERSCAN_ROWS = 16;

/** Most rows that exist. */
export const MAX_WINDOW_ROWS = 100;

export interface RowWindow {
  /** False where all rows exist. */
  readonly isWindowed: boolean;
  /** The first row that exists, and the one after the last. */
  readonly from: number;
  readonly to: number;
  /** CSS pixels of the rows that do not exist, above and below. */
  readonly above: number;
  readonly below: number;
  /** Called when the element scrolls. */
  look(): void;
}

/**
 * The window of `count` rows in an element that scrolls, each `height` CSS pixels high. `measure` is called when the element
 * has rendered, scrolled or another size.
 */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  height: number,
  measure: (scroller: HTMLElement) => void = () => {},
): RowWindow {
  const first = useSignal(0);
  const inSight = useSignal(0);
  const rowHeight = useRef(height);
  rowHeight.current = height;
  const measured = useRef(measure);
  measured.current = measure;
  const look = useCallback(() => {
    const element = scroller.current;
    if (element !== null) {
      // In strides, so that not every pixel makes rows.
      const stride = (OVERSCAN_ROWS / 2) * rowHeight.current;
      first.value = Math.floor(element.scrollTop / stride) * (OVERSCAN_ROWS / 2);
      inSight.value = Math.ceil(element.clientHeight / stride) * (OVERSCAN_ROWS / 2);
      measured.current(element);
    }
  }, [scroller, first, inSight]);
  useLayoutEffect(look);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) {
      return;
    }
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [scroller, look]);
  const isWindowed = count > MAX_UNWINDOWED_ROWS;
  if (!isWindowed) {
    return { isWindowed, from: 0, to: count, above: 0, below: 0, look };
  }
  const from = Math.max(0, Math.min(first.value, Math.max(0, count - 1)) - OVERSCAN_ROWS);
  const end = first.value + inSight.value + OVERSCAN_ROWS + OVERSCAN_ROWS / 2;
  const to = Math.min(count, from + MAX_WINDOW_ROWS, end);
  return { isWindowed, from, to, above: from * height, below: (count - to) * height, look };
}
