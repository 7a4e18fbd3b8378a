// Edges with the same ends as bundles. Twin of tbwidget/graph/metaedges.py.

import type { Structure } from "./structure";
import { BoxKind, type EdgeBundles, type View } from "./view";

/**
 * Orders pairs of numbers below `count` by the first, then the second, equal ones as they came; pairs with a negative
 * number are left out.
 */
export function orderPairs(first: Int32Array, second: Int32Array, count: number): Int32Array {
  const all = new Int32Array(first.length);
  let length = 0;
  for (let i = 0; i < first.length; i += 1) {
    if ((first[i] as number) >= 0 && (second[i] as number) >= 0) {
      all[length] = i;
      length += 1;
    }
  }
  return sortBy(sortBy(all.subarray(0, length), second, count), first, count);
}

function sortBy(order: Int32Array, keys: Int32Array, count: number): Int32Array {
  const next = new Int32Array(count + 1);
  for (let i = 0; i < order.length; i += 1) {
    const key = keys[order[i] as number] as number;
    next[key + 1] = (next[key + 1] as number) + 1;
  }
  for (let key = 0; key < count; key += 1) {
    next[key + 1] = (next[key + 1] as number) + (next[key] as number);
  }
  const sorted = new Int32Array(order.length);
  for (let i = 0; i < order.length; i += 1) {
    const item = order[i] as number;
    const key = keys[item] as number;
    const place = next[key] as number;
    sorted[place] = item;
    next[key] = place + 1;
  }
  return sorted;
}

/** Bundles all edges of a structure by the boxes, fewer than `boxes`, that their nodes are in. */
export function bundleEdges(
  structure: Structure,
  boxOfNode: Int32Array,
  boxes: number,
): { readonly edges: EdgeBundles; readonly bundleOfEdge: Int32Array } {
  const { slot, reference, size, source, target } = structure;
  const left = source.map((node) => boxOfNode[node] as number);
  const right = target.map((node) => boxOfNode[node] as number);
  const order = orderPairs(left, right, boxes);
  const bundleOfEdge = new Int32Array(source.length).fill(-1);
  const firsts: number[] = [];
  for (let i = 0; i < order.length; i += 1) {
    const edge = order[i] as number;
    const before = order[i - 1] ?? -1;
    if (before < 0 || left[edge] !== left[before] || right[edge] !== right[before]) {
      firsts.push(edge);
    }
    bundleOfEdge[edge] = firsts.length - 1;
  }
  const count = firsts.length;
  const data = new Int32Array(count);
  const control = new Int32Array(count);
  const references = new Int32Array(count);
  const sizes = new Float64Array(count);
  const tensors = tensorsOf(structure);
  /** Last bundle of each tensor so far. */
  const foundIn = new Int32Array(tensors.count).fill(-1);
  const start = new Int32Array(count + 1);
  const items: number[] = [];
  /** By bundle: an edge with the bundle's last tensor. */
  const carried = new Int32Array(count);
  for (let i = 0; i < order.length; i += 1) {
    const edge = order[i] as number;
    const bundle = bundleOfEdge[edge] as number;
    sizes[bundle] = (sizes[bundle] as number) + (size[edge] as number);
    if ((slot[edge] as number) < 0) {
      control[bundle] = (control[bundle] as number) + 1;
      continue;
    }
    data[bundle] = (data[bundle] as number) + 1;
    references[bundle] = (references[bundle] as number) + (reference[edge] as number);
    const tensor = tensors.of[edge] as number;
    if (tensor >= 0 && foundIn[tensor] !== bundle) {
      foundIn[tensor] = bundle;
      carried[bundle] = edge;
      items.push(tensor);
      start[bundle + 1] = items.length;
    }
  }
  for (let bundle = 0; bundle < count; bundle += 1) {
    start[bundle + 1] = Math.max(start[bundle] as number, start[bundle + 1] as number);
  }
  const shapeOfBundle = (edge: number, bundle: number) =>
    (start[bundle + 1] as number) - (start[bundle] as number) === 1 ? shapeOf(structure, edge) : "";
  return {
    edges: {
      count,
      source: Int32Array.from(firsts, (edge) => left[edge] as number),
      target: Int32Array.from(firsts, (edge) => right[edge] as number),
      data,
      control,
      reference: references,
      size: sizes,
      shape: Array.from(carried, shapeOfBundle),
      tensors: { start, items: Int32Array.from(items) },
    },
    bundleOfEdge,
  };
}

/** The shape of what a data edge carries; "" where that is not known. */
export function shapeOf({ carrier, slot, outputs, shapes }: Structure, edge: number): string {
  const outputsOf = outputs[carrier[edge] as number] as number;
  return shapes[outputsOf]?.[slot[edge] as number] ?? "";
}

// Which tensor each edge carries.

export interface Tensors {
  readonly count: number;
  /** By edge: the number of its tensor; -1 for control edges, and from nodes with neither op nor shapes. */
  readonly of: Int32Array;
}

/** Keys of tensors: nodes and their outputs side by side in a double. */
const OUTPUTS = 2 ** 31;

/** The same for all edges that carry one tensor; -1 for edges that carry none. */
export function tensorKey(structure: Structure, edge: number): number {
  const { carrier, slot, op, ops, outputs, shapes, nodeCount } = structure;
  const node = carrier[edge] as number;
  const output = slot[edge] as number;
  const hasShapes = (shapes[outputs[node] as number]?.length ?? 0) > 0;
  return output < 0 || (node < nodeCount && ops[op[node] as number] === "" && !hasShapes)
    ? -1
    : node * OUTPUTS + output;
}

const known = new WeakMap<Structure, Tensors>();

/** Edges that carry the same output of a node have the same number. */
export function tensorsOf(structure: Structure): Tensors {
  const before = known.get(structure);
  if (before !== undefined) {
    return before;
  }
  const numbers = new Map<number, number>();
  const of = new Int32Array(structure.carrier.length).fill(-1);
  for (let edge = 0; edge < of.length; edge += 1) {
    const key = tensorKey(structure, edge);
    if (key < 0) {
      continue;
    }
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    of[edge] = number;
  }
  const tensors = { count: numbers.size, of };
  known.set(structure, tensors);
  return tensors;
}

// A first view with fewer boxes open, while the structure is not here.

/** The view with only the open boxes of `opened` left open. */
export function narrowed(view: View, opened: ReadonlySet<string>): View {
  const { count, path, parent, open } = view;
  /** The box that each one is, or is hidden in. */
  const shown = new Int32Array(count);
  const kept: number[] = [];
  const place = new Int32Array(count);
  const stays = new Uint8Array(count);
  for (let box = 0; box < count; box += 1) {
    const around = parent[box] as number;
    const isShown = around < 0 || stays[around] === 1;
    // A stack's representative is open while the stack is.
    const isOpen = opened.has(path[box] as string) || (around >= 0 && view.kind[around] === BoxKind.STACK);
    shown[box] = isShown ? box : (shown[around] as number);
    stays[box] = isShown && isOpen ? (open[box] as number) : 0;
    if (isShown) {
      place[box] = kept.push(box) - 1;
    }
  }
  if (kept.length === count && stays.every((one, box) => one === open[box])) {
    return view;
  }
  const at = (box: number) => place[shown[box] as number] as number;
  const numbers = (column: Int32Array) => Int32Array.from(kept, (box) => column[box] as number);
  const bytes = (column: Uint8Array) => Uint8Array.from(kept, (box) => column[box] as number);
  return {
    count: kept.length,
    path: kept.map((box) => path[box] as string),
    label: kept.map((box) => view.label[box] as string),
    kind: bytes(view.kind),
    parent: Int32Array.from(kept, (box) => ((parent[box] as number) < 0 ? -1 : at(parent[box] as number))),
    entry: numbers(view.entry),
    op: kept.map((box) => view.op[box] as string),
    nodes: numbers(view.nodes),
    copies: numbers(view.copies),
    odd: kept.map((box) => view.odd[box] as readonly string[]),
    alike: numbers(view.alike),
    unordered: bytes(view.unordered),
    role: bytes(view.role),
    open: bytes(stays),
    edges: merged(view.edges, at, kept.length),
  };
}

/** The bundles between the boxes that ends now are; of several as one, the shape is not known. */
function merged(edges: EdgeBundles, at: (box: number) => number, boxes: number): EdgeBundles {
  const source = edges.source.map(at);
  const target = edges.target.map(at);
  const bundles: number[][] = [];
  for (const bundle of orderPairs(source, target, boxes)) {
    const last = bundles.at(-1)?.[0];
    if (last !== undefined && source[last] === source[bundle] && target[last] === target[bundle]) {
      bundles.at(-1)?.push(bundle);
    } else {
      bundles.push([bundle]);
    }
  }
  const sums = (column: ArrayLike<number>) =>
    bundles.map((members) => members.reduce((sum, bundle) => sum + (column[bundle] as number), 0));
  return {
    count: bundles.length,
    source: Int32Array.from(bundles, ([first = 0]) => source[first] as number),
    target: Int32Array.from(bundles, ([first = 0]) => target[first] as number),
    data: Int32Array.from(sums(edges.data)),
    control: Int32Array.from(sums(edges.control)),
    reference: Int32Array.from(sums(edges.reference)),
    size: Float64Array.from(sums(edges.size)),
    shape: bundles.map(([first = 0, ...more]) => (more.length === 0 ? (edges.shape[first] as string) : "")),
    tensors: null,
  };
}
