// What leads into a box and out of it: edges of all that is inside, to all that is not.

import type { View } from "./view";

export interface Crossing {
  /** 1 for the box itself and for all boxes inside. */
  readonly inside: Uint8Array;
  /** Groups of edges with one end inside. */
  readonly groups: Int32Array;
}

export function crossing({ count, parent, edges }: Pick<View, "count" | "parent" | "edges">, box: number): Crossing {
  const inside = new Uint8Array(count);
  inside[box] = 1;
  // A box stands behind the one that it is in.
  for (let other = box + 1; other < count; other += 1) {
    inside[other] = inside[parent[other] as number] ?? 0;
  }
  const groups = new Int32Array(edges.count);
  let found = 0;
  for (let group = 0; group < edges.count; group += 1) {
    if (inside[edges.source[group] as number] !== inside[edges.target[group] as number]) {
      groups[found++] = group;
    }
  }
  return { inside, groups: groups.slice(0, found) };
}
