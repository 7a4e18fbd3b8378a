// The focus stays in the dashboard: else the next key would be the notebook's.

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { cardOfTag } from "../../ui/cardgrid";

/** Controls into which nothing is typed: keys of the dashboard are heard there. */
const CONTROLS = 'button:enabled, [tabindex="0"], [type="checkbox"]:enabled';

/**
 * Moves the focus on when its element is removed: to the card that has its tag now, such as a card that was pinned; else to
 * the first control of the nearest part around it that is still there.
 */
export function useMovedFocus(board: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = board;
    if (current === null) {
      return;
    }
    /** The focused element and all around it, up to the dashboard. */
    let around: Element[] = [];
    const observer = new MutationObserver(() => {
      if (around[0]?.isConnected !== false) {
        return;
      }
      const part = around.find(({ isConnected }) => isConnected);
      const gone = around.find((one) => !one.isConnected && one.matches(".tbwidget-card"));
      const { tag } = (gone as HTMLElement | undefined)?.dataset ?? {};
      around = [];
      // Later: the focus may be on its way to another control.
      setTimeout(() => {
        const active = (current.getRootNode() as Document | ShadowRoot).activeElement;
        if (active === null || active === current.ownerDocument.body) {
          const card = tag === undefined ? undefined : cardOfTag(tag, current);
          if (card !== undefined) {
            card.focus();
            return;
          }
          const controls = [...(part?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
          (controls.find((one) => one.getClientRects().length > 0) ?? current).focus({ preventScroll: true });
        }
      });
    });
    observer.observe(current, { childList: true, subtree: true });
    const end = new AbortController();
    current.addEventListener(
      "focusin",
      ({ target }) => {
        around = [];
        for (let at = target as Element | null; at !== null; at = at === current ? null : at.parentElement) {
          around.push(at);
        }
      },
      end,
    );
    // Browsers may send it before they remove the element as well.
    const left = () => {
      around = hasFocus(current) ? around : [];
    };
    current.addEventListener("focusout", () => setTimeout(left), end);
    return () => {
      observer.disconnect();
      end.abort();
    };
  }, [board]);
}

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
