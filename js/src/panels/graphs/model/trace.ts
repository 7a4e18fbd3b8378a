// Dependencies and dependents of an entry, and the paths between two entries. As tbwidget/graph/arrays.py,
// along the edges between boxes: those of embedded nodes are led past them.

import { rowOf, rowsBy, treeOf } from "../pageprogram";
import { Inlined, type Rows, type Structure } from "./structure";

/** Nodes and edges of a structure, 1 for each that is on the trace. */
export interface Trace {
  readonly nodes: Uint8Array;
  readonly edges: Uint8Array;
}

/** Direction of a trace: dependencies, dependents, or both. */
export type TraceDirection = "inputs" | "outputs" | "both";

/** The nodes of an entry and every node reachable from them, without control edges on request. */
export function traceFrom(structure: Structure, entry: number, direction: TraceDirection, control: boolean): Trace {
  const trace = emptyTrace(structure);
  const begin = nodesOf(structure, entry);
  if (direction !== "outputs") {
    spread(trace, begin, neighbors(structure, control).leading, structure.source);
  }
  if (direction !== "inputs") {
    spread(trace, begin, neighbors(structure, control).following, structure.target);
  }
  return trace;
}

/** A shortest way along the edges from one of the nodes of an entry to one of another's; null if there is none. */
export function traceBetween(structure: Structure, from: number, to: number, control: boolean): Trace | null {
  const { source, target } = structure;
  const { following } = neighbors(structure, control);
  const isEnd = new Uint8Array(structure.root);
  for (const node of nodesOf(structure, to)) {
    isEnd[node] = 1;
  }
  /** Edge by which each node was reached; -1 for those to begin with. */
  const through = new Int32Array(structure.root).fill(-2);
  const queue: number[] = [];
  for (const node of nodesOf(structure, from)) {
    through[node] = -1;
    queue.push(node);
  }
  for (let i = 0; i < queue.length; i += 1) {
    let node = queue[i] as number;
    if (isEnd[node] === 1) {
      const trace = emptyTrace(structure);
      trace.nodes[node] = 1;
      for (let edge = through[node] as number; edge >= 0; edge = through[node] as number) {
        trace.edges[edge] = 1;
        node = source[edge] as number;
        trace.nodes[node] = 1;
      }
      return trace;
    }
    for (const edge of rowOf(following, node)) {
      const next = target[edge] as number;
      if (through[next] === -2) {
        through[next] = edge;
        queue.push(next);
      }
    }
  }
  return null;
}

/** The nodes that an entry is or holds; for an embedded one those that it is drawn beside. */
function nodesOf(structure: Structure, entry: number): number[] {
  const { root, embedded, annotations } = structure;
  if (entry < root && embedded[entry] !== Inlined.NOT) {
    return Array.from({ length: root }, (_, node) => node).filter((node) => rowOf(annotations, node).includes(entry));
  }
  const { inside } = treeOf(structure);
  const found: number[] = [];
  const waiting = [entry];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next < root) {
      found.push(next);
    } else {
      for (const box of rowOf(inside, next)) {
        waiting.push(box);
      }
    }
  }
  return found;
}

function emptyTrace({ root, source }: Structure): Trace {
  return { nodes: new Uint8Array(root), edges: new Uint8Array(source.length) };
}

/** Follows edges, those listed for each node, to their other ends. */
function spread({ nodes, edges }: Trace, begin: readonly number[], rows: Rows, ends: Int32Array): void {
  const reached = new Uint8Array(nodes.length);
  const waiting = [...begin];
  for (const node of begin) {
    reached[node] = 1;
    nodes[node] = 1;
  }
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const edge of rowOf(rows, node)) {
      const next = ends[edge] as number;
      edges[edge] = 1;
      if (reached[next] === 0) {
        reached[next] = 1;
        nodes[next] = 1;
        waiting.push(next);
      }
    }
  }
}

interface Neighbors {
  /** The edges that begin at each node, and those that end there. */
  readonly following: Rows;
  readonly leading: Rows;
}

const known = new WeakMap<Structure, Map<boolean, Neighbors>>();

function neighbors(structure: Structure, control: boolean): Neighbors {
  const { root, source, target, slot } = structure;
  const ofStructure = known.get(structure) ?? new Map<boolean, Neighbors>();
  known.set(structure, ofStructure);
  let found = ofStructure.get(control);
  if (found === undefined) {
    const followed = (ends: Int32Array) =>
      rowsBy(control ? ends : ends.map((node, edge) => ((slot[edge] as number) < 0 ? -1 : node)), root);
    found = { following: followed(source), leading: followed(target) };
    ofStructure.set(control, found);
  }
  return found;
}
