// Which image the viewer is open at, in each view of a dashboard.

import { type Signal, signal } from "@preact/signals";
import type { View } from "../../ui/view";
import type { ImagePlace } from "./codec";

const opened = new WeakMap<View, Signal<ImagePlace | null>>();

/** Null while the viewer is closed. */
export function viewerAt(view: View): Signal<ImagePlace | null> {
  let at = opened.get(view);
  if (at === undefined) {
    at = signal(null);
    opened.set(view, at);
  }
  return at;
}
