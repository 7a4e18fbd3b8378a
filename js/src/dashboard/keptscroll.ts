// Where the lists of the side bar are scrolled to, while another one takes their place.

import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { useView, type View } from "../ui/view";

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
