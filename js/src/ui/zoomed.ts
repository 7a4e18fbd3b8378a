// Which charts show a part of their data, also while their cards are off the screen.

import { type Signal, signal } from "@preact/signals";
import type { Range } from "../lib/search";
import type { View } from "./view";

/** By tag, the values at the ends of a zoomed axis, where the option `y_ranges` can fix them. */
export type ZoomLimits = ReadonlyMap<string, Range>;

interface Zoom {
  readonly panel: string;
  readonly limits: ZoomLimits;
}

/** By panel and the first tag of the card. */
const zoomed = new WeakMap<View, Signal<ReadonlyMap<string, Zoom>>>();

function zoomedIn(view: View): Signal<ReadonlyMap<string, Zoom>> {
  const held = zoomed.get(view) ?? signal<ReadonlyMap<string, Zoom>>(new Map());
  zoomed.set(view, held);
  return held;
}

const keyOf = (panel: string, tag: string) => `${panel} ${tag}`;

/** Keeps the zoom of a card; null where it shows all of its data. */
export function noteZoom(view: View, panel: string, tag: string, limits: ZoomLimits | null): void {
  const held = zoomedIn(view);
  const key = keyOf(panel, tag);
  if (limits !== null || held.peek().has(key)) {
    const zooms = new Map(held.peek());
    zooms.delete(key);
    held.value = limits === null ? zooms : zooms.set(key, { panel, limits });
  }
}

/** Whether the card whose first tag this is shows a part of its values. */
export function isZoomed(view: View, tag: string): boolean {
  return zoomedIn(view).value.has(keyOf(view.panel.value?.name ?? "", tag));
}

/** The limits of all zoomed cards of the shown panel. */
export function zoomLimits(view: View): ZoomLimits {
  const panel = view.panel.peek()?.name;
  const ofPanel = [...zoomedIn(view).peek().values()].filter((zoom) => zoom.panel === panel);
  return new Map(ofPanel.flatMap(({ limits }) => [...limits]));
}
