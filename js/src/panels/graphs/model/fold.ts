// The boxes of a scope as its fold has them, without what the user has undone or hidden. Twin of `Fold.undone` in
// tbwidget/graph/folding/fold.py.

import { FoldKind, type Structure } from "./structure";
import { countNodes, isBox, rowOf, type Tree } from "./tree";

export interface Folds {
  /** Whether an entry's box is drawn at all; without it, what it holds stands where it stood. */
  readonly undone: Uint8Array;
  /** What has vanished with all that is in it; null if nothing has. */
  readonly hidden: Uint8Array | null;
  /** Nodes in each entry that are not hidden. */
  readonly nodes: Int32Array;
}

/** Hides nodes with these ops, and what holds no others. Only optional stacks are undone yet. */
export function foldsOf(structure: Structure, tree: Tree, hiddenOps: ReadonlySet<string>): Folds {
  const { root, entryCount, op, ops, optional } = structure;
  const undone = new Uint8Array(entryCount);
  for (const fold of optional) {
    undone[fold] = 1;
  }
  if (hiddenOps.size === 0) {
    return { undone, hidden: null, nodes: tree.nodes };
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
  return { undone, hidden, nodes: countNodes(structure, tree.container, tree.containers, hidden) };
}

/** Takes away those of the stacks and layers `boxes`, which are all of one scope's fold, that are undone. */
export function undo(
  { itemCount, foldParent, foldKind }: Structure,
  undone: Uint8Array,
  boxes: Int32Array,
  isUndone: (fold: number) => boolean,
): void {
  const kindOf = (fold: number) => foldKind[fold - itemCount];
  for (const fold of boxes) {
    undone[fold] = isUndone(fold) ? 1 : 0;
  }
  for (const fold of boxes) {
    const around = foldParent[fold] as number;
    // A member is nothing without its stack.
    if (kindOf(fold) === FoldKind.MEMBER && around >= 0 && undone[around] === 1 && kindOf(around) === FoldKind.STACK) {
      undone[fold] = 1;
    }
  }
}

/** The boxes that stand in an entry, ascending. */
export function contents({ inside }: Tree, { undone, hidden }: Folds, entry: number): ArrayLike<number> {
  const own = rowOf(inside, entry);
  const isPlain = own.every((box) => undone[box] === 0 && hidden?.[box] !== 1);
  if (isPlain) {
    return own;
  }
  const found: number[] = [];
  const waiting = [entry];
  for (let around = waiting.pop(); around !== undefined; around = waiting.pop()) {
    for (const box of rowOf(inside, around)) {
      if (undone[box] === 1) {
        waiting.push(box);
      } else if (hidden?.[box] !== 1) {
        found.push(box);
      }
    }
  }
  return found.sort((a, b) => a - b);
}

/** What is drawn in an entry that is open: of a stack the first thing in it, which stands for all. */
export function shownInside(structure: Structure, tree: Tree, folds: Folds, entry: number): ArrayLike<number> {
  const { itemCount, foldKind } = structure;
  const held = contents(tree, folds, entry);
  const first = held[0];
  if (entry < itemCount || foldKind[entry - itemCount] !== FoldKind.STACK || first === undefined) {
    return held;
  }
  return foldKind[first - itemCount] === FoldKind.MEMBER ? contents(tree, folds, first) : [first];
}
