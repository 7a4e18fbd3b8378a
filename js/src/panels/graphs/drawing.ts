// Composes the drawn scene of a layout: colors, the selection, a trace, hits of the search.

import { computed, type ReadonlySignal } from "@preact/signals";
import { type Colored, colored, plainColors } from "./coloring";
import type { Scene } from "./draw/scene";
import type { Trace } from "./model/trace";
import { boundaryEdges } from "./model/view";
import { isComposed } from "./places";
import { searching } from "./searching";
import type { GraphState, LaidOut } from "./state";
import { tracing } from "./tracing";

export interface Drawing {
  readonly scene: ReadonlySignal<Scene | null>;
  readonly colored: ReadonlySignal<Colored | null>;
}

export function drawingOf(state: GraphState): Drawing {
  const { laidOut, chosen, statistics, selectedBox, board } = state;
  const colors = computed<Colored | null>(() => {
    const now = laidOut.value;
    if (now === null) {
      return null;
    }
    const { structure, view } = now;
    return structure !== null && isComposed(view)
      ? colored(structure, view, chosen.graph_color_by.value, statistics.value.value, board.theme.value)
      : plainColors(view.count);
  });
  const scene = computed<Scene | null>(() => {
    const now = laidOut.value;
    const { fills, notes, faint } = colors.value ?? plainColors(0);
    if (now === null) {
      return null;
    }
    const { view, input, layout } = now;
    const standing = emphasis(now, selectedBox.value, tracing(state).traced.value, searching(state).nodes.value, faint);
    return { view, input, layout, fills, note: notes, ...standing };
  });
  return { scene, colored: colors };
}

interface Emphasis {
  readonly faint: Uint8Array;
  readonly marked: Uint8Array;
  readonly emphasized: Uint8Array;
}

/** Apply the selection, a trace and hits of a search. `unrecorded` is 1 for boxes that nothing was recorded of. */
function emphasis(
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
      // The boxes around it stay as they are, too.
      for (
        let box = traced.nodes[node] === 1 ? (view.boxOfNode[node] ?? -1) : -1;
        box >= 0 && faint[box] === 1;
        box = view.parent[box] as number
      ) {
        faint[box] = 0;
      }
    }
    for (let edge = 0; edge < traced.edges.length; edge += 1) {
      const bundle = view.bundleOfEdge[edge] ?? -1;
      if (traced.edges[edge] === 1 && bundle >= 0) {
        emphasized[bundle] = 1;
      }
    }
  } else if (selected >= 0) {
    for (const bundle of boundaryEdges(view, selected).bundles) {
      emphasized[bundle] = 1;
    }
  }
  return { faint, marked, emphasized };
}
