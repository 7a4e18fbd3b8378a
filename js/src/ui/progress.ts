// How much in sight has yet to show what it is to show: the next step is played when nothing has.

import { computed, type ReadonlySignal } from "@preact/signals";
import { KeyedSignals } from "./keyed";
import type { View } from "./view";

const counts = new WeakMap<View, KeyedSignals<number>>();

/** Of one tag of a panel, and, as null, of all. */
function countOf(view: View, panel: string, tag: string | null) {
  let ofView = counts.get(view);
  if (ofView === undefined) {
    ofView = new KeyedSignals(0);
    counts.set(view, ofView);
  }
  return ofView.of(panel, tag === null ? "all" : `tag ${tag}`);
}

/** Something begins to wait, until the function that is returned is called. */
export function beginWaiting(view: View, panel: string, tag: string): () => void {
  const both = [countOf(view, panel, tag), countOf(view, panel, null)];
  const add = (count: number) => {
    for (const one of both) {
      one.value = one.peek() + count;
    }
  };
  add(1);
  return () => add(-1);
}

/** Whether all that is in sight of a tag, or of all (null), shows what it is to show. */
export function allShown(view: View, panel: string, tag: string | null): ReadonlySignal<boolean> {
  const count = countOf(view, panel, tag);
  return computed(() => count.value === 0);
}
