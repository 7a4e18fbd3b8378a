// Where the edges of a scope lead, and what is in it.

import { shapeOf } from "./model/groups";
import type { Structure } from "./model/structure";
import { tensorKey } from "./model/tensors";
import type { ComposedView } from "./model/view";
import { treeOf } from "./pageprogram";

/** 1 for each entry that is in one of the structure, and for that itself; embedded nodes are in their scopes. */
export function insideOf(structure: Structure, entry: number): Uint8Array {
  const { container, containers } = treeOf(structure);
  const isInside = new Uint8Array(structure.entryCount);
  isInside[entry] = 1;
  for (const one of containers) {
    if (isInside[container[one] as number] === 1) {
      isInside[one] = 1;
    }
  }
  for (let node = 0; node < structure.root; node += 1) {
    if (isInside[container[node] as number] === 1) {
      isInside[node] = 1;
    }
  }
  return isInside;
}

/** All edges to or from what is at the other end. */
export interface Link {
  /** The box at the other end; of what is not on the screen the node. */
  readonly entry: number;
  readonly isControl: boolean;
  /** Distinct tensors that are carried, and their shape where that is the same. */
  readonly tensors: number;
  readonly shape: string;
}

export interface Links {
  readonly inputs: readonly Link[];
  readonly outputs: readonly Link[];
}

/** What leads into the inside of an entry and out of it, by the boxes that it comes from and goes to; data first. */
export function linksOf(structure: Structure, view: ComposedView, isInside: Uint8Array): Links {
  const { source, target } = structure;
  const inputs = new Gathered(structure, view);
  const outputs = new Gathered(structure, view);
  for (let edge = 0; edge < source.length; edge += 1) {
    const from = source[edge] as number;
    const to = target[edge] as number;
    if (isInside[from] !== isInside[to]) {
      if (isInside[to] === 1) {
        inputs.add(edge, from);
      } else {
        outputs.add(edge, to);
      }
    }
  }
  return { inputs: inputs.links(), outputs: outputs.links() };
}

class Gathered {
  readonly #structure: Structure;
  readonly #view: ComposedView;
  readonly #edges = new Map<number, number[]>();

  constructor(structure: Structure, view: ComposedView) {
    this.#structure = structure;
    this.#view = view;
  }

  add(edge: number, end: number): void {
    const box = this.#view.boxOfNode[end] as number;
    const entry = box < 0 ? end : (this.#view.entry[box] as number);
    // Control edges are listed by themselves.
    const key = (this.#structure.slot[edge] as number) < 0 ? -1 - entry : entry;
    const edges = this.#edges.get(key);
    if (edges === undefined) {
      this.#edges.set(key, [edge]);
    } else {
      edges.push(edge);
    }
  }

  links(): Link[] {
    const links = [...this.#edges].map(([key, edges]) => {
      const tensors = new Map<number, string>();
      for (const edge of edges) {
        const tensor = tensorKey(this.#structure, edge);
        if (tensor >= 0) {
          tensors.set(tensor, shapeOf(this.#structure, edge));
        }
      }
      const distinct = new Set(tensors.values());
      const isControl = key < 0;
      return {
        entry: isControl ? -1 - key : key,
        isControl,
        tensors: tensors.size,
        shape: distinct.size === 1 && !isControl ? ([...distinct][0] ?? "") : "",
      };
    });
    return links.sort((a, b) => b.tensors - a.tensors);
  }
}
