// Whether any mesh that is shown has faces: without them no surface has a direction.

import { type Signal, signal } from "@preact/signals";
import type { View } from "../../ui/view";

const ofViews = new WeakMap<View, Signal<ReadonlyMap<string, boolean>>>();

function surfacesOf(view: View): Signal<ReadonlyMap<string, boolean>> {
  const known = ofViews.get(view) ?? signal(new Map());
  ofViews.set(view, known);
  return known;
}

/** Takes in whether a tag shows faces; null: it shows no mesh. */
export function noteFaces(view: View, tag: string, hasFaces: boolean | null): void {
  const surfaces = surfacesOf(view);
  const before = surfaces.peek();
  if ((before.get(tag) ?? null) !== hasFaces) {
    const next = new Map(before);
    if (hasFaces === null) {
      next.delete(tag);
    } else {
      next.set(tag, hasFaces);
    }
    surfaces.value = next;
  }
}

/** True once meshes are shown and none has faces. */
export function showsOnlyPoints(view: View): boolean {
  const all = [...surfacesOf(view).value.values()];
  return all.length > 0 && !all.includes(true);
}
