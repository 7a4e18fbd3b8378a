// A structure and its open scopes → the boxes on the screen and all edges between them. Twin of tbwidget/graph/view.py.

import { bundleEdges } from "./bundles";
import { FoldKind, type Structure } from "./structure";
import { countNodes, entryOf, isBox, pathOf, rowOf, type Tree, treeOf } from "./tree";
import { BoxKind, type ComposedView } from "./view";

export interface Composing {
  /** Paths of boxes; or all of them are open. */
  readonly opened: ReadonlySet<string> | "all";
  /** Paths of stacks and layers that are not made: what they hold stands where they stood. */
  readonly ungrouped?: ReadonlySet<string>;
  /** Paths of optional stacks that are made. */
  readonly grouped?: ReadonlySet<string>;
  /** Ops whose nodes vanish, and with them their edges and what holds no other nodes. */
  readonly hiddenOps?: ReadonlySet<string>;
  /** Path of the scope that is shown alone: what is inside stands at the top. One that there is not isolates nothing. */
  readonly isolated?: string | null;
}

const NONE: ReadonlySet<string> = new Set();
const NOTHING_ODD: readonly string[] = [];

/**
 * Boxes stand scope by scope, in each nodes, then scopes, then what folding made. Every edge whose ends are on the screen
 * is in exactly one bundle.
 */
export function compose(structure: Structure, options: Composing): ComposedView {
  return made(structure, options).finish();
}

/** How many boxes there would be, and the paths of those that could be opened, and are closed. */
export function boxesOf(
  structure: Structure,
  options: Composing,
): { readonly count: number; readonly closed: readonly string[] } {
  return made(structure, options).boxes();
}

function made(structure: Structure, options: Composing): Making {
  const making = new Making(structure, options);
  const { isolated = null } = options;
  // Nodes, which hold nothing that could be shown, come before the root.
  making.make(Math.max(isolated === null ? -1 : entryOf(structure, isolated), structure.root));
  return making;
}

class Making {
  readonly #structure: Structure;
  readonly #tree: Tree;
  readonly #folds: Folds;
  readonly #opened: ReadonlySet<string> | "all";
  readonly #ungrouped: ReadonlySet<string>;
  readonly #grouped: ReadonlySet<string>;
  /** Box of each entry; -1 where it has none. */
  readonly #boxOf: Int32Array;
  readonly #entries: number[] = [];
  readonly #parents: number[] = [];
  readonly #paths: string[] = [];
  readonly #open: boolean[] = [];

  constructor(structure: Structure, { opened, ungrouped = NONE, grouped = NONE, hiddenOps = NONE }: Composing) {
    this.#structure = structure;
    this.#tree = treeOf(structure);
    this.#folds = foldsOf(structure, this.#tree, hiddenOps);
    this.#opened = opened;
    this.#ungrouped = ungrouped;
    this.#grouped = grouped;
    this.#boxOf = new Int32Array(structure.entryCount).fill(-1);
  }

  /** Makes the boxes in an entry, then those in all open scopes, scope by scope. */
  make(entry: number): void {
    const { itemCount, parent } = this.#structure;
    const scope = entry < itemCount ? entry : (parent[entry] as number);
    const scopes: [scope: number, box: number][] = [];
    this.#fill(entry, scope, -1, pathOf(this.#structure, scope), scopes);
    for (let i = 0; i < scopes.length; i += 1) {
      const [opened, box] = scopes[i] as [number, number];
      this.#fill(opened, opened, box, this.#paths[box] as string, scopes);
    }
  }

  /** Makes the boxes in an entry of a scope, and in what is open of its fold; opened scopes are left for later. */
  #fill(inside: number, scope: number, around: number, path: string, scopes: [number, number][]): void {
    const { itemCount, root, labels, optional } = this.#structure;
    const before = path === "" ? "" : `${path}/`;
    ungroup(this.#structure, this.#folds.ungrouped, rowOf(this.#tree.folds, scope), (fold) => {
      const own = before + (labels[fold] as string);
      return this.#ungrouped.has(own) || (optional.has(fold) && !this.#grouped.has(own));
    });
    const entries = Array.from(shownInside(this.#structure, this.#tree, this.#folds, inside));
    const arounds = entries.map(() => around);
    // A stack opens together with the one member that it shows.
    const members = new Set<number>();
    for (let i = 0; i < entries.length; i += 1) {
      const entry = entries[i] as number;
      const box = this.#entries.length;
      const own = before + (labels[entry] as string);
      const isOpen = entry >= root && (this.#opened === "all" || this.#opened.has(own) || members.has(entry));
      this.#boxOf[entry] = box;
      this.#entries.push(entry);
      this.#parents.push(arounds[i] as number);
      this.#paths.push(own);
      this.#open.push(isOpen);
      if (isOpen && entry < itemCount) {
        scopes.push([entry, box]);
      } else if (isOpen) {
        const held = shownInside(this.#structure, this.#tree, this.#folds, entry);
        if (
          kindOf(this.#structure, entry) === BoxKind.STACK &&
          held[0] === this.#structure.representative[entry - itemCount]
        ) {
          members.add(held[0] as number);
        }
        for (let k = 0; k < held.length; k += 1) {
          entries.push(held[k] as number);
          arounds.push(box);
        }
      }
    }
  }

  boxes(): ReturnType<typeof boxesOf> {
    const { root } = this.#structure;
    const closed = this.#paths.filter((_, box) => (this.#entries[box] as number) >= root && !this.#open[box]);
    return { count: this.#entries.length, closed };
  }

  finish(): ComposedView {
    const { root, nodeCount, labels, callLabels, op, ops, odd } = this.#structure;
    const { nodes } = this.#folds;
    const boxOfNode = this.#boxesOfNodes();
    const entries = this.#entries;
    const { edges, bundleOfEdge } = bundleEdges(this.#structure, boxOfNode, entries.length);
    return {
      count: entries.length,
      path: this.#paths,
      label: entries.map((entry) => (entry < nodeCount && callLabels.get(entry)) || (labels[entry] as string)),
      kind: Uint8Array.from(entries, (entry) => kindOf(this.#structure, entry)),
      parent: Int32Array.from(this.#parents),
      entry: Int32Array.from(entries),
      op: entries.map((entry) => (entry < root ? (ops[op[entry] as number] as string) : "")),
      nodes: Int32Array.from(entries, (entry) => nodes[entry] as number),
      copies: Int32Array.from(entries, (entry) => this.#copies(entry)),
      odd: entries.map((entry) => odd.get(entry) ?? NOTHING_ODD),
      alike: Int32Array.from(entries, (entry) => this.#alike(entry)),
      unordered: Uint8Array.from(entries, (entry) => (this.#structure.unordered.has(entry) ? 1 : 0)),
      role: Uint8Array.from(entries, (entry) => this.#structure.role[entry] as number),
      open: Uint8Array.from(this.#open, Number),
      edges,
      boxOfNode,
      bundleOfEdge,
    };
  }

  /** The box that each node is, or is hidden in. */
  #boxesOfNodes(): Int32Array {
    const { root } = this.#structure;
    const { container, containers } = this.#tree;
    const { hidden } = this.#folds;
    const boxOf = this.#boxOf;
    const settle = (entry: number) => {
      if (boxOf[entry] === -1) {
        boxOf[entry] = boxOf[container[entry] as number] as number;
      }
    };
    for (let i = 1; i < containers.length; i += 1) {
      settle(containers[i] as number);
    }
    for (let node = 0; node < root; node += 1) {
      if (hidden?.[node] !== 1) {
        settle(node);
      }
    }
    return boxOf.slice(0, root);
  }

  #copies(entry: number): number {
    const isStack = kindOf(this.#structure, entry) === BoxKind.STACK;
    return isStack ? contents(this.#tree, this.#folds, entry).length : 1;
  }

  #alike(entry: number): number {
    const { root, itemCount, alike } = this.#structure;
    const isStack = kindOf(this.#structure, entry) === BoxKind.STACK;
    const first = isStack ? (contents(this.#tree, this.#folds, entry)[0] ?? -1) : entry;
    return first >= root && first < itemCount ? (alike[first - root] as number) : -1;
  }
}

function kindOf({ nodeCount, root, itemCount, foldKind }: Structure, entry: number): number {
  if (entry < root) {
    return entry < nodeCount ? BoxKind.NODE : BoxKind.MISSING;
  }
  if (entry < itemCount) {
    return BoxKind.SCOPE;
  }
  return foldKind[entry - itemCount] === FoldKind.STACK ? BoxKind.STACK : BoxKind.LAYER;
}

// The boxes of a scope as its fold has them, without what the user has ungrouped or hidden. Twin of `Fold.without` in
// tbwidget/graph/folding/fold.py.

export interface Folds {
  /** Whether an entry's box is drawn at all; without it, what it holds stands where it stood. */
  readonly ungrouped: Uint8Array;
  /** What has vanished with all that is in it; null if nothing has. */
  readonly hidden: Uint8Array | null;
  /** Nodes in each entry that are not hidden. */
  readonly nodes: Int32Array;
}

/** Hides nodes with these ops, and what holds no others. Only optional stacks are ungrouped so far. */
export function foldsOf(structure: Structure, tree: Tree, hiddenOps: ReadonlySet<string>): Folds {
  const { root, entryCount, op, ops, optional } = structure;
  const ungrouped = new Uint8Array(entryCount);
  for (const fold of optional) {
    ungrouped[fold] = 1;
  }
  if (hiddenOps.size === 0) {
    return { ungrouped, hidden: null, nodes: tree.nodes };
  }
  const isHidden = ops.map((name) => hiddenOps.has(name));
  const hidden = new Uint8Array(entryCount).fill(1, root);
  for (let node = 0; node < root; node += 1) {
    if (isHidden[op[node] as number]) {
      hidden[node] = 1;
    } else if (isBox(structure, node)) {
      hidden[tree.container[node] as number] = 0;
    }
  }
  for (let i = tree.containers.length - 1; i > 0; i -= 1) {
    const entry = tree.containers[i] as number;
    if (hidden[entry] === 0) {
      hidden[tree.container[entry] as number] = 0;
    }
  }
  return { ungrouped, hidden, nodes: countNodes(structure, tree.container, tree.containers, hidden) };
}

/** Mark the ungrouped ones among the stacks and layers of one scope's fold. */
export function ungroup(
  { itemCount, foldParent, foldKind }: Structure,
  ungrouped: Uint8Array,
  boxes: Int32Array,
  isUngrouped: (fold: number) => boolean,
): void {
  const kindOf = (fold: number) => foldKind[fold - itemCount];
  for (const fold of boxes) {
    ungrouped[fold] = isUngrouped(fold) ? 1 : 0;
  }
  for (const fold of boxes) {
    const around = foldParent[fold] as number;
    // A member is nothing without its stack.
    if (
      kindOf(fold) === FoldKind.MEMBER &&
      around >= 0 &&
      ungrouped[around] === 1 &&
      kindOf(around) === FoldKind.STACK
    ) {
      ungrouped[fold] = 1;
    }
  }
}

/** The boxes that stand in an entry, ascending. */
export function contents({ inside }: Tree, { ungrouped, hidden }: Folds, entry: number): ArrayLike<number> {
  const own = rowOf(inside, entry);
  const isPlain = own.every((box) => ungrouped[box] === 0 && hidden?.[box] !== 1);
  if (isPlain) {
    return own;
  }
  const found: number[] = [];
  const waiting = [entry];
  for (let around = waiting.pop(); around !== undefined; around = waiting.pop()) {
    for (const box of rowOf(inside, around)) {
      if (ungrouped[box] === 1) {
        waiting.push(box);
      } else if (hidden?.[box] !== 1) {
        found.push(box);
      }
    }
  }
  return found.sort((a, b) => a - b);
}

/** Contents of an open entry: of a stack the first thing in it, which stands for all. */
export function shownInside(structure: Structure, tree: Tree, folds: Folds, entry: number): ArrayLike<number> {
  const { itemCount, foldKind } = structure;
  const held = contents(tree, folds, entry);
  const first = held[0];
  if (entry < itemCount || foldKind[entry - itemCount] !== FoldKind.STACK || first === undefined) {
    return held;
  }
  return foldKind[first - itemCount] === FoldKind.MEMBER ? contents(tree, folds, first) : [first];
}
