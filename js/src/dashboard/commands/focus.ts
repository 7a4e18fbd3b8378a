// The focus stays in the dashboard: else the next key would be the notebook's.

import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Keeps the focus in the dashboard when another panel replaces the focused one. */
export function useKeptFocus(board: RefObject<HTMLElement | null>, shown: string | undefined): void {
  const before = useRef(shown);
  const held = useRef(false);
  if (before.current !== shown) {
    before.current = shown;
    held.current = hasFocus(board.current);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another panel has removed what had the focus
  useLayoutEffect(() => {
    if (held.current && !hasFocus(board.current)) {
      board.current?.focus({ preventScroll: true });
    }
    held.current = false;
  }, [shown, board]);
}

function hasFocus(element: HTMLElement | null): boolean {
  const active = (element?.getRootNode() as Document | ShadowRoot | undefined)?.activeElement;
  return active != null && element?.contains(active) === true;
}
