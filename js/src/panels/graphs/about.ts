// The info card's facts about a box or node.

import { formatCount } from "../../lib/format";
import { shapeOf, tensorKey } from "./model/bundles";
import type { Structure } from "./model/structure";
import type { ComposedView, View } from "./model/view";
import { entryOf, pathOf, rowOf, treeOf } from "./pageprogram";
import { boxAt, boxOfEntry } from "./places";
import { graphTexts } from "./texts";

/** Something that is named in a list. */
export interface Partner {
  /** Where a click leads; -1 where it leads nowhere. */
  readonly entry: number;
  readonly name: string;
  /** Shape, or how many edges. */
  readonly detail: string;
}

type Counts = readonly (readonly [name: string, count: number])[];

export interface About {
  readonly path: string;
  readonly label: string;
  /** As it was written in the graph. */
  readonly name: string;
  readonly kind: keyof ReturnType<typeof graphTexts>["kinds"];
  /** The kernel knows more of it. */
  readonly isNode: boolean;
  readonly op: string;
  readonly device: string;
  readonly cluster: string;
  readonly shapes: readonly string[];
  readonly nodes: number;
  readonly copies: number;
  /** Scopes of the same structure beside it. */
  readonly alike: number;
  readonly odd: readonly Partner[];
  readonly inputs: readonly Partner[];
  readonly outputs: readonly Partner[];
  readonly controlInputs: readonly Partner[];
  readonly controlOutputs: readonly Partner[];
  readonly annotations: readonly Partner[];
  readonly ops: Counts;
  readonly devices: Counts;
  nodesInside(): readonly number[];
}

const NOTHING: Omit<About, "path" | "label" | "name" | "kind"> = {
  isNode: false,
  op: "",
  device: "",
  cluster: "",
  shapes: [],
  nodes: 1,
  copies: 1,
  alike: 0,
  odd: [],
  inputs: [],
  outputs: [],
  controlInputs: [],
  controlOutputs: [],
  annotations: [],
  ops: [],
  devices: [],
  nodesInside: () => [],
};

const KINDS = ["node", "scope", "layer", "stack", "missing"] as const;

const EMBEDDED = ["node", "constant", "summary", "parameter", "plumbing"] as const;

/** Describe a box of a view whose structure has not arrived yet. */
export function aboutRoot(view: View, path: string): About | null {
  const box = boxAt(view, path);
  return box < 0 ? null : { ...NOTHING, ...named(path, view.label[box] as string), ...ofBox(view, box) };
}

/** Of what has this path; null where the structure has no such. */
export function aboutEntry(structure: Structure, view: ComposedView, path: string): About | null {
  const entry = entryOf(structure, path);
  if (entry < 0 || entry === structure.root) {
    return null;
  }
  return entry < structure.root ? aboutNode(structure, path, entry) : aboutScope(structure, view, path, entry);
}

function named(path: string, label: string) {
  return { path, label, name: writtenName(path) };
}

/** The name of a node as it was written: where others are called as its scope, its path ends in its label once more. */
export function writtenName(path: string): string {
  const strict = /^(.*)\/\(([^/]*)\)$/s.exec(path);
  return strict !== null && (strict[1] as string).split("/").at(-1) === strict[2] ? (strict[1] as string) : path;
}

function ofBox(view: View, box: number) {
  return {
    kind: KINDS[view.kind[box] as number] ?? "node",
    op: view.op[box] as string,
    nodes: view.nodes[box] as number,
    copies: view.copies[box] as number,
  };
}

function aboutNode(structure: Structure, path: string, node: number): About {
  const { source, target, carrier, slot, shapes, outputs, nodeCount } = structure;
  const inputs: Partner[] = [];
  const leaving: Partner[] = [];
  const controlInputs: Partner[] = [];
  const controlOutputs: Partner[] = [];
  const shapeOf = (edge: number) => shapes[outputs[carrier[edge] as number] as number]?.[slot[edge] as number] ?? "";
  for (let edge = 0; edge < source.length; edge += 1) {
    const [from, to] = [source[edge] as number, target[edge] as number];
    if (from === node || to === node) {
      const isData = (slot[edge] as number) >= 0;
      const name = (entry: number) => {
        const place = slot[edge] as number;
        return { entry, name: pathOf(structure, entry), detail: detailOf(place, shapeOf(edge)) };
      };
      if (to === node) {
        (isData ? inputs : controlInputs).push(name(from));
      }
      if (from === node) {
        (isData ? leaving : controlOutputs).push(name(to));
      }
    }
  }
  const kind = node >= nodeCount ? "missing" : (EMBEDDED[structure.embedded[node] as number] ?? "node");
  return {
    ...NOTHING,
    ...named(path, structure.callLabels.get(node) ?? (structure.labels[node] as string)),
    kind,
    isNode: node < nodeCount,
    op: structure.ops[structure.op[node] as number] as string,
    device: structure.devices[structure.device[node] as number] as string,
    cluster: structure.clusters[structure.cluster[node] as number] as string,
    shapes: shapes[outputs[node] as number] ?? [],
    inputs,
    outputs: leaving,
    controlInputs,
    controlOutputs,
    annotations: Array.from(rowOf(structure.annotations, node), (entry) => ({
      entry,
      name: pathOf(structure, entry),
      detail: graphTexts().kinds[EMBEDDED[structure.embedded[entry] as number] ?? "node"],
    })),
    nodesInside: () => [node],
  };
}

function detailOf(slot: number, shape: string): string {
  return [slot > 0 ? `:${slot}` : "", shape].filter((text) => text !== "").join(" ");
}

function aboutScope(structure: Structure, view: ComposedView, path: string, entry: number): About {
  const { nodeCount, op, ops, device, devices, alike, root, itemCount, parent } = structure;
  const box = boxOfEntry(structure, view, entry);
  const isBox = box >= 0 && view.entry[box] === entry;
  const isInside = insideOf(structure, entry);
  const inside: number[] = [];
  for (let node = 0; node < nodeCount; node += 1) {
    if (isInside[node] === 1) {
      inside.push(node);
    }
  }
  const known = entry < itemCount ? (alike[entry - root] as number) : isBox ? (view.alike[box] as number) : -1;
  const scope = pathOf(structure, parent[entry] as number);
  const odd = (structure.odd.get(entry) ?? []).map((label) => {
    const name = scope === "" ? label : `${scope}/${label}`;
    return { entry: entryOf(structure, name), name, detail: "" };
  });
  const { inputs, outputs } = linksOf(structure, view, isInside);
  const listed = (links: readonly Link[], isControl: boolean) =>
    links.flatMap((link) => (link.isControl === isControl ? [partnerOf(structure, link)] : []));
  return {
    ...NOTHING,
    ...named(path, structure.labels[entry] as string),
    ...(isBox ? ofBox(view, box) : { kind: "scope" as const }),
    op: "",
    nodes: treeOf(structure).nodes[entry] as number,
    alike: known < 0 ? 0 : alike.reduce((n, one) => n + (one === known ? 1 : 0), 0) - 1,
    odd,
    inputs: listed(inputs, false),
    outputs: listed(outputs, false),
    controlInputs: listed(inputs, true),
    controlOutputs: listed(outputs, true),
    ops: counted(inside, op, ops),
    devices: devices.some((name) => name !== "") ? counted(inside, device, devices) : [],
    nodesInside: () => inside,
  };
}

function partnerOf(structure: Structure, { entry, tensors, shape, isControl }: Link): Partner {
  const detail = isControl ? "" : tensors > 1 ? graphTexts().tensors(tensors, formatCount(tensors)) : shape;
  return { entry, name: pathOf(structure, entry), detail };
}

/** How many of the nodes have each name, the most frequent first. */
function counted(nodes: readonly number[], of: Int32Array, names: readonly string[]): Counts {
  const counts = new Int32Array(names.length);
  for (const node of nodes) {
    const name = of[node] as number;
    counts[name] = (counts[name] as number) + 1;
  }
  return names
    .map((name, i) => [name, counts[i] as number] as const)
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1]);
}

// Targets of a scope's edges, and its contents.

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

/** All edges to or from one other box. */
export interface Link {
  /** The box at the other end; or the node, if it is not on the screen. */
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

/** Edges across the border of an entry, by the boxes at their other ends; data first. */
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
