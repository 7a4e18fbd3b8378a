// Where on the screen something is that is named by its path.

import type { Structure } from "./model/structure";
import type { ComposedView, View } from "./model/view";
import { entryOf, treeOf } from "./pageprogram";

const boxes = new WeakMap<View, ReadonlyMap<string, number>>();

/** Boxes by path. */
export function boxesOf(view: View): ReadonlyMap<string, number> {
  let found = boxes.get(view);
  if (found === undefined) {
    found = new Map(view.path.map((one, box) => [one, box]));
    boxes.set(view, found);
  }
  return found;
}

/** The box of this path; -1 where there is none. */
export function boxAt(view: View, path: string): number {
  return boxesOf(view).get(path) ?? -1;
}

export function isComposed(view: View): view is ComposedView {
  return "boxOfNode" in view;
}

/** The box of this path, or of what it is hidden in; -1 where it is not on the screen. */
export function boxOfPath(
  { view, structure }: { readonly view: View; readonly structure: Structure | null },
  path: string,
): number {
  const box = boxAt(view, path);
  const entry = box < 0 && structure !== null ? entryOf(structure, path) : -1;
  return entry < 0 || structure === null ? box : boxOfEntry(structure, view, entry);
}

const byEntry = new WeakMap<View, Int32Array>();

/** The box that is an entry, or that it is hidden in; -1 where it is not on the screen. */
export function boxOfEntry(structure: Structure, view: View, entry: number): number {
  let found = byEntry.get(view);
  if (found === undefined) {
    found = new Int32Array(structure.entryCount).fill(-1);
    for (let box = 0; box < view.count; box += 1) {
      found[view.entry[box] as number] = box;
    }
    byEntry.set(view, found);
  }
  const { container } = treeOf(structure);
  for (let at = entry; at >= 0 && at !== structure.root; at = container[at] as number) {
    const box = found[at] as number;
    if (box >= 0) {
      return box;
    }
  }
  return -1;
}
