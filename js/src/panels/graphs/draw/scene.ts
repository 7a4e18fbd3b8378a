// Input of drawing a graph: its boxes, their layout and their colors.

import { type Layout, type LayoutInput, LEVELS, type Routes } from "../layout/types";
import type { Rows } from "../model/structure";
import { type BoundaryEdges, BoxKind, boundaryEdges, type View } from "../model/view";
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
  /** 1 for emphasized bundles of the view: at the selected box, or on a trace. */
  readonly emphasized: Uint8Array;
  /** Lines of text that each box shows below its label where there is room, such as "12 ms"; else "". */
  readonly note: readonly string[];
}

// Columns that drawing and pointing derive from a scene once: kinds, widths and order of routes, who is connected with whom.

/** How much a route stands out. */
export const Tone = { FAINT: 0, PLAIN: 1, EMPHASIZED: 2 } as const;

export interface Prepared {
  /** Boxes around each box. */
  readonly depth: Uint8Array;
  /** Index of each box in depth-first order. */
  readonly place: Int32Array;
  /** 1 for stacks whose things are connected with each other. */
  readonly connected: Uint8Array;
  /** By route: `EdgeKind`, `Tone`, and the level of their width. */
  readonly routeKind: Uint8Array;
  readonly routeTone: Uint8Array;
  readonly routeLevel: Uint8Array;
  /** Routes in the order in which they are drawn: alike ones follow each other, those that stand out come last. */
  readonly routeOrder: Int32Array;
  /** Boxes by path. */
  readonly boxOf: ReadonlyMap<string, number>;
  /** Bundles of each box, from and to it; routes of each bundle. */
  bundlesOf(box: number): Int32Array;
  routesOf(bundle: number): Int32Array;
  /** Edges that cross the border of a box. */
  boundaryOf(box: number): BoundaryEdges;
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
    return { ...before.prepared, ...styleRoutes(scene) };
  }
  const { routes } = layout;
  let bundlesOf: Rows | null = null;
  let routesOf: Rows | null = null;
  // Asked for again in each frame.
  let last: { readonly box: number; readonly edges: BoundaryEdges } | null = null;
  return {
    depth: depthsOf(view),
    place: placesOf(view),
    connected: connectedStacks(view),
    ...styleRoutes(scene),
    boxOf: boxesOf(view),
    bundlesOf: (box) => {
      bundlesOf ??= bundlesByBox(view);
      return rowOf(bundlesOf, box);
    },
    routesOf: (bundle) => {
      routesOf ??= routesByBundle(routes, view.edges.count);
      return rowOf(routesOf, bundle);
    },
    boundaryOf: (box) => {
      if (last?.box !== box) {
        last = { box, edges: boundaryEdges(view, box) };
      }
      return last.edges;
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
  for (let bundle = 0; bundle < edges.count; bundle++) {
    const box = edges.source[bundle] as number;
    if (box === edges.target[bundle] && kind[box] === BoxKind.STACK && (edges.data[bundle] as number) > 0) {
      connected[box] = 1;
    }
  }
  return connected;
}

function styleRoutes({ view, layout, faint, emphasized }: Scene) {
  const { count, bundleStart, bundles, level: routeLevel } = layout.routes;
  const { data, reference, source, target } = view.edges;
  const routeKind = new Uint8Array(count);
  const routeTone = new Uint8Array(count);
  const key = new Float64Array(count);
  for (let route = 0; route < count; route++) {
    let [tensors, references, isFaint, isEmphasized] = [0, 0, true, false];
    for (let i = bundleStart[route] as number; i < (bundleStart[route + 1] as number); i++) {
      const bundle = bundles[i] as number;
      if ((data[bundle] as number) > 0) {
        tensors += data[bundle] as number;
        references += reference[bundle] as number;
      }
      isEmphasized ||= emphasized[bundle] === 1;
      isFaint &&= faint[source[bundle] as number] === 1 || faint[target[bundle] as number] === 1;
    }
    const some = references > 0 ? EdgeKind.MIXED : EdgeKind.DATA;
    const kind = tensors === 0 ? EdgeKind.CONTROL : references === tensors ? EdgeKind.REFERENCE : some;
    const tone = isEmphasized ? Tone.EMPHASIZED : isFaint ? Tone.FAINT : Tone.PLAIN;
    [routeKind[route], routeTone[route]] = [kind, tone];
    key[route] = ((tone * 4 + kind) * LEVELS + (routeLevel[route] as number)) * 2 ** 32 + route;
  }
  const routeOrder = Int32Array.from(key.sort(), (each) => each % 2 ** 32);
  return { routeKind, routeTone, routeLevel, routeOrder };
}

function bundlesByBox({ count, edges }: View): Rows {
  const ends = new Int32Array(2 * edges.count);
  for (let bundle = 0; bundle < edges.count; bundle++) {
    ends[2 * bundle] = edges.source[bundle] as number;
    ends[2 * bundle + 1] = edges.target[bundle] as number;
  }
  const { start, items } = rowsBy(ends, count);
  return { start, items: items.map((end) => end >> 1) };
}

function routesByBundle({ count, bundleStart, bundles }: Routes, all: number): Rows {
  const routeAt = new Int32Array(bundles.length);
  for (let route = 0; route < count; route++) {
    routeAt.fill(route, bundleStart[route], bundleStart[route + 1]);
  }
  const { start, items } = rowsBy(bundles, all);
  return { start, items: items.map((at) => routeAt[at] as number) };
}
