// Edges with the same ends as groups. Twin of tbwidget/graph/metaedges.py.

import type { Structure } from "./structure";
import { tensorsOf } from "./tensors";
import type { EdgeGroups } from "./view";

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

/** Groups all edges of a structure by the boxes, fewer than `boxes`, that their nodes are in. */
export function groupEdges(
  structure: Structure,
  boxOfNode: Int32Array,
  boxes: number,
): { readonly edges: EdgeGroups; readonly groupOfEdge: Int32Array } {
  const { slot, reference, size, source, target } = structure;
  const left = source.map((node) => boxOfNode[node] as number);
  const right = target.map((node) => boxOfNode[node] as number);
  const order = orderPairs(left, right, boxes);
  const groupOfEdge = new Int32Array(source.length).fill(-1);
  const firsts: number[] = [];
  for (let i = 0; i < order.length; i += 1) {
    const edge = order[i] as number;
    const before = order[i - 1] ?? -1;
    if (before < 0 || left[edge] !== left[before] || right[edge] !== right[before]) {
      firsts.push(edge);
    }
    groupOfEdge[edge] = firsts.length - 1;
  }
  const count = firsts.length;
  const data = new Int32Array(count);
  const control = new Int32Array(count);
  const references = new Int32Array(count);
  const sizes = new Float64Array(count);
  const tensors = tensorsOf(structure);
  /** Of each tensor the last group that it was found in. */
  const foundIn = new Int32Array(tensors.count).fill(-1);
  const start = new Int32Array(count + 1);
  const items: number[] = [];
  /** Of each group an edge with the last one of its tensors. */
  const carried = new Int32Array(count);
  for (let i = 0; i < order.length; i += 1) {
    const edge = order[i] as number;
    const group = groupOfEdge[edge] as number;
    sizes[group] = (sizes[group] as number) + (size[edge] as number);
    if ((slot[edge] as number) < 0) {
      control[group] = (control[group] as number) + 1;
      continue;
    }
    data[group] = (data[group] as number) + 1;
    references[group] = (references[group] as number) + (reference[edge] as number);
    const tensor = tensors.of[edge] as number;
    if (tensor >= 0 && foundIn[tensor] !== group) {
      foundIn[tensor] = group;
      carried[group] = edge;
      items.push(tensor);
      start[group + 1] = items.length;
    }
  }
  for (let group = 0; group < count; group += 1) {
    start[group + 1] = Math.max(start[group] as number, start[group + 1] as number);
  }
  const shapeOfGroup = (edge: number, group: number) =>
    (start[group + 1] as number) - (start[group] as number) === 1 ? shapeOf(structure, edge) : "";
  return {
    edges: {
      count,
      source: Int32Array.from(firsts, (edge) => left[edge] as number),
      target: Int32Array.from(firsts, (edge) => right[edge] as number),
      data,
      control,
      reference: references,
      size: sizes,
      shape: Array.from(carried, shapeOfGroup),
      tensors: { start, items: Int32Array.from(items) },
    },
    groupOfEdge,
  };
}

/** The shape of what a data edge carries; "" where that is not known. */
export function shapeOf({ carrier, slot, outputs, shapes }: Structure, edge: number): string {
  const outputsOf = outputs[carrier[edge] as number] as number;
  return shapes[outputsOf]?.[slot[edge] as number] ?? "";
}
