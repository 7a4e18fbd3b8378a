// A graph as the kernel has structured it: nodes, scopes, folds and edges in columns. Twin of tbwidget/panels/graph_columns.py.
//
// Items are the nodes by number, first those that are in the graph, then those that inputs name and that are missing;
// behind them the scopes, beginning with the root. Behind the items stand the boxes that folding made: layers,
// stacks, and the members of stacks that consist of several nodes. Items and folding's boxes together are *entries*.

/** Kinds of nodes that are drawn as an icon at another node's side. As `Inlined` in tbwidget/graph/inlining.py. */
export const Inlined = { NOT: 0, CONSTANT: 1, SUMMARY: 2, PARAMETER: 3, PLUMBING: 4 } as const;

/** Boxes that folding creates. As `Kind` in tbwidget/graph/folding/fold.py. */
export const FoldKind = { LAYER: 1, STACK: 2, MEMBER: 3 } as const;

/** Purpose of a box, as far as drawing depends on it. As `Role` in tbwidget/graph/roles.py. */
export const Role = { MODEL: 0, BOOKKEEPING: 1, SCALARS: 2, LARGE: 3 } as const;

/** Lists of numbers, one a row: row i is `items[start[i]] … items[start[i + 1] - 1]`. */
export interface Rows {
  readonly start: Int32Array;
  readonly items: Int32Array;
}

export interface Structure {
  /** Nodes that are in the graph. */
  readonly nodeCount: number;
  /** Nodes and missing ones; as an item, the root. */
  readonly root: number;
  /** Items. */
  readonly itemCount: number;
  /** Items and folding's boxes. */
  readonly entryCount: number;
  /** Name of each entry within its scope; of the root "". */
  readonly labels: readonly string[];
  /** Text of nodes whose label is not drawn, such as calls in a trace of torch. */
  readonly callLabels: ReadonlyMap<number, string>;
  /** Scope of each entry; -1 for the root. */
  readonly parent: Int32Array;
  /** Box of the fold around each entry; -1 where it stands in its scope itself. */
  readonly foldParent: Int32Array;
  /** `FoldKind` of folding's boxes, by entry - itemCount. */
  readonly foldKind: Uint8Array;
  /** Representative entry of each stack, by entry - itemCount; else -1. */
  readonly representative: Int32Array;
  /** By stack: labels of siblings called alike and built differently. */
  readonly odd: ReadonlyMap<number, readonly string[]>;
  /** Stacks, by entry, whose members lead to one another by way of others: in what order is not shown. */
  readonly unordered: ReadonlySet<number>;
  /** Stacks, by entry, that are only made if the user asks for them. */
  readonly optional: ReadonlySet<number>;
  /** `Role` of each entry. */
  readonly role: Uint8Array;
  /** Number shared by scopes of the same structure, by item - root; -1 for a unique one. */
  readonly alike: Int32Array;
  /** By node and missing node: its number in `ops`, `devices`, `clusters`; `Inlined`; its number in `shapes` or -1. */
  readonly op: Int32Array;
  readonly device: Int32Array;
  readonly cluster: Int32Array;
  readonly embedded: Uint8Array;
  readonly outputs: Int32Array;
  readonly ops: readonly string[];
  readonly devices: readonly string[];
  readonly clusters: readonly string[];
  /** Distinct lists of output shapes, as text: "32×10", "scalar", "?". */
  readonly shapes: readonly (readonly string[])[];
  /** Edges between nodes that are boxes, in the order written; edges of embedded nodes are led past them. */
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** The node whose output it carries, and which output; -1 for control edges. */
  readonly carrier: Int32Array;
  readonly slot: Int32Array;
  /** 1 for the first input of an op that changes it in place. */
  readonly reference: Uint8Array;
  /** Elements of the tensor carried, 1 where unknown. */
  readonly size: Float64Array;
  /** Nodes embedded at each node, in the order of its inputs; summaries of it behind. By node. */
  readonly annotations: Rows;
  /** Names of the functions in its library. */
  readonly functions: readonly string[];
  /** Whether it is a trace of torch. */
  readonly isTorch: boolean;
  /** Problems found while reading it, in the language of the page. */
  readonly problems: readonly string[];
  /** Paths of the boxes that are open at first. */
  readonly opened: readonly string[];
}
