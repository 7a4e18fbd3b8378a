// Input of drawing a graph: its boxes, their layout and their colors.

import { type Layout, type LayoutInput, LEVELS, type Lines } from "../layout/types";
import type { Rows } from "../model/structure";
import { BoxKind, type Crossing, crossing, type View } from "../model/view";
import { rowOf, rowsBy } from "../pageprogram";
import { boxesOf } from "../places";
import { EdgeKind } from "./edgestyles";

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
  /** Fills of each box; empty: the theme's plain paper of its kind. */
  readonly fills: readonly (readonly Fill[])[];
  /** 1 for boxes that are drawn faintly, such as nodes that did not run or are off a trace. */
  readonly faint: Uint8Array;
  /** 1 for boxes that are marked: hits of a search, or boxes of a trace. */
  readonly marked: Uint8Array;
  /** 1 for groups of edges of the view that are emphasized: those of the selected box, or on a trace. */
  readonly emphasized: Uint8Array;
  /** Lines of text that each box shows below its label where there is room, such as "12 ms"; else "". */
  readonly note: readonly string[];
}

// Columns that drawing and pointing derive from a scene once: kinds, widths and order of lines, who is connected with whom.

/** How much a line stands out. */
export const Tone = { FAINT: 0, PLAIN: 1, EMPHASIZED: 2 } as const;

export interface Prepared {
  /** Boxes around each box. */
  readonly depth: Uint8Array;
  /** Index of each box in depth-first order. */
  readonly place: Int32Array;
  /** 1 for stacks whose things are connected with each other. */
  readonly connected: Uint8Array;
  /** By line: `EdgeKind`, `Tone`, and the level of their width. */
  readonly lineKind: Uint8Array;
  readonly lineTone: Uint8Array;
  readonly lineLevel: Uint8Array;
  /** Lines in the order in which they are drawn: alike ones follow each other, those that stand out come last. */
  readonly lineOrder: Int32Array;
  /** Boxes by path. */
  readonly boxOf: ReadonlyMap<string, number>;
  /** Groups of edges of each box, from and to it; lines of each group. */
  groupsOf(box: number): Int32Array;
  linesOf(group: number): Int32Array;
  /** Edges that cross the border of a box. */
  crossingOf(box: number): Crossing;
}

/** A scene with its derived columns. */
export interface Shown {
  readonly scene: Scene;
  readonly prepared: Prepared;
}

/** `before` is what was shown last: of the same boxes at the same places only the styles can be others. */
export function prepare(scene: Scene, before: Shown | null = null): Prepared {
  const { view, layout } = scene;
  if (before?.scene.view === view && before.scene.layout === layout) {
    return { ...before.prepared, ...styleLines(scene) };
  }
  const { lines } = layout;
  let groupsOf: Rows | null = null;
  let linesOf: Rows | null = null;
  // Asked for again in each frame.
  let last: { readonly box: number; readonly crossing: Crossing } | null = null;
  return {
    depth: depthsOf(view),
    place: placesOf(view),
    connected: connectedStacks(view),
    ...styleLines(scene),
    boxOf: boxesOf(view),
    groupsOf: (box) => {
      groupsOf ??= groupsByBox(view);
      return rowOf(groupsOf, box);
    },
    linesOf: (group) => {
      linesOf ??= linesByGroup(lines, view.edges.count);
      return rowOf(linesOf, group);
    },
    crossingOf: (box) => {
      if (last?.box !== box) {
        last = { box, crossing: crossing(view, box) };
      }
      return last.crossing;
    },
  };
}

function depthsOf({ count, parent }: View): Uint8Array {
  const depth = new Uint8Array(count);
  for (let box = 0; box < count; box++) {
    const around = parent[box] as number;
    depth[box] = around < 0 ? 0 : Math.min(255, (depth[around] as number) + 1);
  }
  return depth;
}

function placesOf({ count, parent }: View): Int32Array {
  // A box stands behind its parent. The last index stands for the graph itself.
  const around = (box: number) => ((parent[box] as number) < 0 ? count : (parent[box] as number));
  const sizes = new Int32Array(count + 1).fill(1);
  for (let box = count - 1; box >= 0; box--) {
    (sizes[around(box)] as number) += sizes[box] as number;
  }
  const place = new Int32Array(count);
  const next = new Int32Array(count + 1);
  for (let box = 0; box < count; box++) {
    const at = next[around(box)] as number;
    place[box] = at;
    next[box] = at + 1;
    next[around(box)] = at + (sizes[box] as number);
  }
  return place;
}

/** Edges inside of a stack that is not open lead from it to itself. */
function connectedStacks({ count, kind, edges }: View): Uint8Array {
  const connected = new Uint8Array(count);
  for (let group = 0; group < edges.count; group++) {
    const box = edges.source[group] as number;
    if (box === edges.target[group] && kind[box] === BoxKind.STACK && (edges.data[group] as number) > 0) {
      connected[box] = 1;
    }
  }
  return connected;
}

function styleLines({ view, layout, faint, emphasized }: Scene) {
  const { count, groupStart, groups, level: lineLevel } = layout.lines;
  const { data, reference, source, target } = view.edges;
  const lineKind = new Uint8Array(count);
  const lineTone = new Uint8Array(count);
  const key = new Float64Array(count);
  for (let line = 0; line < count; line++) {
    let [tensors, references, isFaint, isEmphasized] = [0, 0, true, false];
    for (let i = groupStart[line] as number; i < (groupStart[line + 1] as number); i++) {
      const group = groups[i] as number;
      if ((data[group] as number) > 0) {
        tensors += data[group] as number;
        references += reference[group] as number;
      }
      isEmphasized ||= emphasized[group] === 1;
      isFaint &&= faint[source[group] as number] === 1 || faint[target[group] as number] === 1;
    }
    const some = references > 0 ? EdgeKind.MIXED : EdgeKind.DATA;
    const kind = tensors === 0 ? EdgeKind.CONTROL : references === tensors ? EdgeKind.REFERENCE : some;
    const tone = isEmphasized ? Tone.EMPHASIZED : isFaint ? Tone.FAINT : Tone.PLAIN;
    [lineKind[line], lineTone[line]] = [kind, tone];
    key[line] = ((tone * 4 + kind) * LEVELS + (lineLevel[line] as number)) * 2 ** 32 + line;
  }
  const lineOrder = Int32Array.from(key.sort(), (each) => each % 2 ** 32);
  return { lineKind, lineTone, lineLevel, lineOrder };
}

function groupsByBox({ count, edges }: View): Rows {
  const ends = new Int32Array(2 * edges.count);
  for (let group = 0; group < edges.count; group++) {
    ends[2 * group] = edges.source[group] as number;
    ends[2 * group + 1] = edges.target[group] as number;
  }
  const { start, items } = rowsBy(ends, count);
  return { start, items: items.map((end) => end >> 1) };
}

function linesByGroup({ count, groupStart, groups }: Lines, all: number): Rows {
  const lineAt = new Int32Array(groups.length);
  for (let line = 0; line < count; line++) {
    lineAt.fill(line, groupStart[line], groupStart[line + 1]);
  }
  const { start, items } = rowsBy(groups, all);
  return { start, items: items.map((at) => lineAt[at] as number) };
}
