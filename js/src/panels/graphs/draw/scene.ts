// All that is needed to draw a graph: what is on the screen, where, and in which colors.

import type { Layout, LayoutInput } from "../layout/types";
import type { View } from "../model/view";

/** A share of a box filled in one color. */
export interface Fill {
  /** CSS color. */
  readonly color: string;
  /** From 0 to 1; the shares of a box add up to 1 at most. */
  readonly share: number;
}

export interface Scene {
  readonly view: View;
  readonly input: LayoutInput;
  readonly layout: Layout;
  /** Of each box, what fills it; empty: the theme's plain paper of its kind. */
  readonly fills: readonly (readonly Fill[])[];
  /** 1 for boxes that are drawn faintly, such as nodes that did not run or are off a trace. */
  readonly faint: Uint8Array;
  /** 1 for boxes that are marked: hits of a search, what is on a trace. */
  readonly marked: Uint8Array;
  /** 1 for groups of edges of the view that are emphasized: those of the selected box, or on a trace. */
  readonly emphasized: Uint8Array;
  /** Lines of text that each box shows below its label where there is room, such as "12 ms"; else "". */
  readonly note: readonly string[];
}
