// The entries of a structure as one tree: scopes, what folding made in them, and the nodes at its leaves.

import { Inlined, type Rows, type Structure } from "./structure";

export interface Tree {
  /** Parents of each entry: the box of the fold around it, else its scope; -1 for the root. */
  readonly container: Int32Array;
  /** The boxes that stand in each entry, ascending. Inlined nodes are none. */
  readonly inside: Rows;
  /** Scopes and folding's boxes, each behind what it stands in; the root is the first. */
  readonly containers: Int32Array;
  /** Boxes that folding creates in each scope. */
  readonly folds: Rows;
  /** Nodes in each entry, embedded ones included, missing ones not. */
  readonly nodes: Int32Array;
}

const trees = new WeakMap<Structure, Tree>();

export function treeOf(structure: Structure): Tree {
  let tree = trees.get(structure);
  if (tree === undefined) {
    tree = buildTree(structure);
    trees.set(structure, tree);
  }
  return tree;
}

function buildTree(structure: Structure): Tree {
  const { root, itemCount, entryCount, parent, foldParent } = structure;
  const container = new Int32Array(entryCount);
  const boxed = new Int32Array(entryCount);
  for (let entry = 0; entry < entryCount; entry += 1) {
    const around = foldParent[entry] as number;
    container[entry] = around >= 0 ? around : (parent[entry] as number);
    boxed[entry] = isBox(structure, entry) && entry !== root ? (container[entry] as number) : -1;
  }
  const inside = rowsBy(boxed, entryCount);
  const containers = new Int32Array(entryCount - root);
  containers[0] = root;
  let last = 1;
  for (let i = 0; i < last; i += 1) {
    const around = containers[i] as number;
    for (let k = inside.start[around] as number; k < (inside.start[around + 1] as number); k += 1) {
      const entry = inside.items[k] as number;
      if (entry >= root) {
        containers[last] = entry;
        last += 1;
      }
    }
  }
  const folds = rowsBy(parent.subarray(itemCount), itemCount);
  folds.items.forEach((fold, i) => {
    folds.items[i] = fold + itemCount;
  });
  return { container, inside, containers, folds, nodes: countNodes(structure, container, containers, null) };
}

/** Nodes in each entry, without those that are `hidden`. */
export function countNodes(
  { nodeCount, entryCount }: Structure,
  container: Int32Array,
  containers: Int32Array,
  hidden: Uint8Array | null,
): Int32Array {
  const nodes = new Int32Array(entryCount);
  for (let node = 0; node < nodeCount; node += 1) {
    if (hidden?.[node] !== 1) {
      nodes[node] = 1;
      nodes[container[node] as number] = (nodes[container[node] as number] as number) + 1;
    }
  }
  for (let i = containers.length - 1; i > 0; i -= 1) {
    const entry = containers[i] as number;
    const around = container[entry] as number;
    nodes[around] = (nodes[around] as number) + (nodes[entry] as number);
  }
  return nodes;
}

/** Whether an entry is a box, and not drawn beside one. */
export function isBox({ root, embedded }: Structure, entry: number): boolean {
  return entry >= root || embedded[entry] === Inlined.NOT;
}

/** Lists, for each of `count` rows, the numbers whose key it is, ascending; those with negative keys are in none. */
export function rowsBy(keys: ArrayLike<number>, count: number): Rows {
  const start = new Int32Array(count + 1);
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] as number;
    if (key >= 0) {
      start[key + 1] = (start[key + 1] as number) + 1;
    }
  }
  for (let row = 0; row < count; row += 1) {
    start[row + 1] = (start[row + 1] as number) + (start[row] as number);
  }
  const items = new Int32Array(start[count] as number);
  const next = start.slice(0, count);
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] as number;
    if (key >= 0) {
      const place = next[key] as number;
      items[place] = i;
      next[key] = place + 1;
    }
  }
  return { start, items };
}

/** The numbers of one row. */
export function rowOf({ start, items }: Rows, row: number): Int32Array {
  return items.subarray(start[row], start[row + 1]);
}

/** The name of an entry as a box: the strict name of a node or scope; of what folding made, its label below its scope's. */
export function pathOf({ root, labels, parent }: Structure, entry: number): string {
  let path = "";
  for (let at = entry; at !== root && at >= 0; at = parent[at] as number) {
    path = at === entry ? (labels[at] as string) : `${labels[at]}/${path}`;
  }
  return path;
}

/** The entry with this path, "" being the root; -1 if there is none. */
export function entryOf(structure: Structure, path: string): number {
  const { root, itemCount, labels } = structure;
  if (path === "") {
    return root;
  }
  // Labels may hold slashes, so that the way to a path is not its text alone.
  const waiting: [scope: number, rest: string][] = [[root, path]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [scope, rest] = next;
    for (const entry of rowOf(childrenOf(structure), scope)) {
      const label = labels[entry] as string;
      if (label === rest) {
        return entry;
      }
      if (entry > root && entry < itemCount && rest.startsWith(`${label}/`)) {
        waiting.push([entry, rest.slice(label.length + 1)]);
      }
    }
  }
  return -1;
}

const children = new WeakMap<Structure, Rows>();

/** All entries of each scope, whatever they are folded into, embedded nodes included. */
function childrenOf(structure: Structure): Rows {
  let rows = children.get(structure);
  if (rows === undefined) {
    rows = rowsBy(structure.parent, structure.itemCount);
    children.set(structure, rows);
  }
  return rows;
}
