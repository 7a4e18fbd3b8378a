// The cameras of tags: one for all runs and steps of a tag, in the grid and in the viewer.

import type { Signal } from "@preact/signals";
import { KeyedSignals } from "../../../ui/keyed";
import type { View } from "../../../ui/view";
import { type Camera, WHOLE } from "./camera";

const cameras = new WeakMap<View, KeyedSignals<Camera>>();

export function cameraOf(view: View, tag: string): Signal<Camera> {
  let ofView = cameras.get(view);
  if (ofView === undefined) {
    ofView = new KeyedSignals(WHOLE);
    cameras.set(view, ofView);
  }
  return ofView.of("images", tag);
}
