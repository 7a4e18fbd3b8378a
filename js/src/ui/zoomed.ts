// Which charts show a part of their data, also while their cards are off the screen.

import { type Signal, signal } from "@preact/signals";
import { timeAxisOptions } from "../options/shared";
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

/** Whether any chart of the shown panel shows a part of its data. */
export function isAnyZoomed(view: View): boolean {
  const start = keyOf(view.panel.value?.name ?? "", "");
  const { step_range } = view.options.of(timeAxisOptions);
  return step_range.value !== null || [...zoomedIn(view).value].some((key) => key.startsWith(start));
}

/** Every chart of the shown panel shows all of its data, those that are off the screen, too. */
export function resetZooms(view: View, buttons: Iterable<HTMLElement>): void {
  const panel = view.panel.peek()?.name ?? "";
  for (const button of buttons) {
    button.click();
  }
  view.cameras.reset(panel);
  view.options.of(timeAxisOptions).step_range.set(null);
  const held = zoomedIn(view);
  held.value = new Set([...held.peek()].filter((key) => !key.startsWith(keyOf(panel, ""))));
}
