// Which charts show a part of their data, also while their cards are off the screen.

import { type Signal, signal } from "@preact/signals";
import type { View } from "./view";

const zoomed = new WeakMap<View, Signal<ReadonlySet<string>>>();

function zoomedIn(view: View): Signal<ReadonlySet<string>> {
  const held = zoomed.get(view) ?? signal<ReadonlySet<string>>(new Set());
  zoomed.set(view, held);
  return held;
}

const keyOf = (panel: string, tag: string) => `${panel} ${tag}`;

export function noteZoom(view: View, panel: string, tag: string, isZoomed: boolean): void {
  const held = zoomedIn(view);
  const key = keyOf(panel, tag);
  if (held.peek().has(key) !== isZoomed) {
    const others = [...held.peek()].filter((one) => one !== key);
    held.value = new Set(isZoomed ? [...others, key] : others);
  }
}

/** Whether the card whose first tag this is shows a part of its values. */
export function isZoomed(view: View, tag: string): boolean {
  return zoomedIn(view).value.has(keyOf(view.panel.value?.name ?? "", tag));
}
