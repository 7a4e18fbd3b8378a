// Which tensor each edge carries.

import type { Structure } from "./structure";

export interface Tensors {
  readonly count: number;
  /** Of each edge the number of its tensor; -1 for control edges, and from nodes with neither op nor shapes. */
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
