// The composed graph: the boxes of opened scopes, and all edges between them. Twin of tbwidget/graph/view.py.

import type { Rows } from "./structure";

/** Kinds of boxes. As `BoxKind` in tbwidget/graph/view.py. */
export const BoxKind = { NODE: 0, SCOPE: 1, LAYER: 2, STACK: 3, MISSING: 4 } as const;

/** Boxes in columns. A box stands behind its parent. */
export interface View {
  readonly count: number;
  /** Names the box: the strict name of a node or scope; of what folding made, its label below its scope's name. */
  readonly path: readonly string[];
  /** Its uncut label. */
  readonly label: readonly string[];
  /** `BoxKind`. */
  readonly kind: Uint8Array;
  /** Box around it; -1 at the top. */
  readonly parent: Int32Array;
  /** Entry of the structure; -1 where that is not there yet. */
  readonly entry: Int32Array;
  /** Op of a node; else "". */
  readonly op: readonly string[];
  /** Nodes inside, embedded ones included. */
  readonly nodes: Int32Array;
  /** Things in a stack, else 1. */
  readonly copies: Int32Array;
  /** Of stacks: siblings called alike and built differently; else empty. */
  readonly odd: readonly (readonly string[])[];
  /** Scopes of the same structure, or stacks of such, have the same number; -1 for a unique one. */
  readonly alike: Int32Array;
  /** 1 for stacks whose members lead to one another by way of others, in an order that is not shown. */
  readonly unordered: Uint8Array;
  /** `Role` of each box. */
  readonly role: Uint8Array;
  /** 1 for boxes whose contents are shown. */
  readonly open: Uint8Array;
  readonly edges: EdgeBundles;
}

/** Edges grouped by their pair of boxes; hidden inner edges lead from a box to itself. */
export interface EdgeBundles {
  readonly count: number;
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** How many data edges, control edges, and how many of the data edges are references. */
  readonly data: Int32Array;
  readonly control: Int32Array;
  readonly reference: Int32Array;
  /** Elements in all tensors carried; an unknown dimension counts as 1. */
  readonly size: Float64Array;
  /** The shape of what a bundle carries, where that is one tensor and its shape is known; else "". */
  readonly shape: readonly string[];
  /** The tensors that each bundle carries, each once, by number; null where they are not known yet. */
  readonly tensors: Rows | null;
}

/** A view composed from a structure: it also says where each node and edge is. */
export interface ComposedView extends View {
  /** Box in which each node is, itself or hidden inside; -1 where it is not on the screen at all. */
  readonly boxOfNode: Int32Array;
  /** Bundle of each edge of the structure; -1 where it is not on the screen at all. */
  readonly bundleOfEdge: Int32Array;
}

export function isOpenable(view: View, box: number): boolean {
  const kind = view.kind[box];
  return kind !== BoxKind.NODE && kind !== BoxKind.MISSING;
}

// Boundary edges of a box: edges with one end inside it.

export interface BoundaryEdges {
  /** 1 for the box itself and for all boxes inside. */
  readonly inside: Uint8Array;
  /** Bundles with one end inside. */
  readonly bundles: Int32Array;
}

export function boundaryEdges(
  { count, parent, edges }: Pick<View, "count" | "parent" | "edges">,
  box: number,
): BoundaryEdges {
  const inside = new Uint8Array(count);
  inside[box] = 1;
  // A box stands behind its parent.
  for (let other = box + 1; other < count; other += 1) {
    inside[other] = inside[parent[other] as number] ?? 0;
  }
  const bundles = new Int32Array(edges.count);
  let found = 0;
  for (let bundle = 0; bundle < edges.count; bundle += 1) {
    if (inside[edges.source[bundle] as number] !== inside[edges.target[bundle] as number]) {
      bundles[found++] = bundle;
    }
  }
  return { inside, bundles: bundles.slice(0, found) };
}
