// Which boxes and edges stand out, and which are drawn faintly: the selection, a trace, hits of a search.

import { crossing } from "./model/crossing";
import type { Trace } from "./model/trace";
import { isComposed } from "./places";
import type { LaidOut } from "./state";

export interface Emphasis {
  readonly faint: Uint8Array;
  readonly marked: Uint8Array;
  readonly emphasized: Uint8Array;
}

/** `unrecorded`: 1 for boxes of which nothing was recorded. */
export function emphasis(
  { view }: LaidOut,
  selected: number,
  traced: Trace | null,
  hits: ArrayLike<number> | null,
  unrecorded: Uint8Array,
): Emphasis {
  const { edges } = view;
  const marked = new Uint8Array(view.count);
  const emphasized = new Uint8Array(edges.count);
  let faint = unrecorded;
  if (isComposed(view)) {
    for (let i = 0; i < (hits?.length ?? 0); i += 1) {
      const box = view.boxOfNode[hits?.[i] ?? -1] ?? -1;
      if (box >= 0) {
        marked[box] = 1;
      }
    }
  }
  if (traced !== null && isComposed(view)) {
    faint = new Uint8Array(view.count).fill(1);
    for (let node = 0; node < traced.nodes.length; node += 1) {
      // What is around it stays as it is, too.
      for (
        let box = traced.nodes[node] === 1 ? (view.boxOfNode[node] ?? -1) : -1;
        box >= 0 && faint[box] === 1;
        box = view.parent[box] as number
      ) {
        faint[box] = 0;
      }
    }
    for (let edge = 0; edge < traced.edges.length; edge += 1) {
      const group = view.groupOfEdge[edge] ?? -1;
      if (traced.edges[edge] === 1 && group >= 0) {
        emphasized[group] = 1;
      }
    }
  } else if (selected >= 0) {
    for (const group of crossing(view, selected).groups) {
      emphasized[group] = 1;
    }
  }
  return { faint, marked, emphasized };
}
