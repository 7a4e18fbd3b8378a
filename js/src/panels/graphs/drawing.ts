// From what is laid out to the scene that is drawn: colours, the selection, a trace, hits of the search.

import { computed, type ReadonlySignal } from "@preact/signals";
import { type Coloured, coloured, plainColours } from "./colouring";
import type { Scene } from "./draw/scene";
import { emphasis } from "./emphasis";
import { isComposed } from "./places";
import { searching } from "./searching";
import type { GraphState } from "./state";
import { tracing } from "./tracing";

export interface Drawing {
  readonly scene: ReadonlySignal<Scene | null>;
  readonly coloured: ReadonlySignal<Coloured | null>;
}

export function drawingOf(state: GraphState): Drawing {
  const { laidOut, chosen, statistics, selectedBox, board } = state;
  const colours = computed<Coloured | null>(() => {
    const now = laidOut.value;
    if (now === null) {
      return null;
    }
    const { structure, view } = now;
    return structure !== null && isComposed(view)
      ? coloured(structure, view, chosen.graph_color_by.value, statistics.value.value, board.theme.value)
      : plainColours(view.count);
  });
  const scene = computed<Scene | null>(() => {
    const now = laidOut.value;
    const { fills, notes, faint } = colours.value ?? plainColours(0);
    if (now === null) {
      return null;
    }
    const { view, input, layout } = now;
    const standing = emphasis(now, selectedBox.value, tracing(state).traced.value, searching(state).nodes.value, faint);
    return { view, input, layout, fills, note: notes, ...standing };
  });
  return { scene, coloured: colours };
}
