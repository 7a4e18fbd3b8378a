// From what is laid out to the scene that is drawn: colors, the selection, a trace, hits of the search.

import { computed, type ReadonlySignal } from "@preact/signals";
import { type Colored, colored, plainColors } from "./coloring";
import type { Scene } from "./draw/scene";
import { emphasis } from "./emphasis";
import { isComposed } from "./places";
import { searching } from "./searching";
import type { GraphState } from "./state";
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
