// Small graphs for tests, with the structure that the kernel builds if nothing is folded.

import { Inlined, type Structure } from "../../src/panels/graphs/model/structure";
import { rowsBy } from "../../src/panels/graphs/model/tree";

/** A node by name: its op, `reads` ("name", "name:1", "^name" for control edges), and nodes embedded in it. */
export interface MadeNode {
  readonly op?: string;
  readonly reads?: readonly string[];
  readonly annotations?: readonly string[];
  readonly embedded?: number;
  readonly shapes?: readonly string[];
  readonly device?: string;
}

/** A structure of these nodes, in the scopes of their names. */
export function structureMade(nodes: Readonly<Record<string, MadeNode>>): Structure {
  const names = Object.keys(nodes);
  const made = Object.values(nodes);
  const root = names.length;
  const labels = names.map((name) => name.slice(name.lastIndexOf("/") + 1));
  const parents: number[] = [];
  const scopes = new Map([["", root]]);
  const scopeLabels = [""];
  const scopeParents = [-1];
  for (const name of names) {
    let around = root;
    let path = "";
    for (const part of name.split("/").slice(0, -1)) {
      path = path === "" ? part : `${path}/${part}`;
      let scope = scopes.get(path);
      if (scope === undefined) {
        scope = root + scopeLabels.length;
        scopes.set(path, scope);
        scopeLabels.push(part);
        scopeParents.push(around);
      }
      around = scope;
    }
    parents.push(around);
  }
  const entryCount = root + scopeLabels.length;
  const edges = made.flatMap(({ reads = [] }, target) =>
    reads.map((read) => {
      const [, control, name, slot = "0"] = /^(\^?)(.*?)(?::(\d+))?$/.exec(read) as unknown as string[];
      return { source: names.indexOf(name as string), target, slot: control === "^" ? -1 : Number(slot) };
    }),
  );
  const numbers = (texts: readonly string[]) => {
    const distinct = [...new Set(texts)];
    return [distinct, Int32Array.from(texts, (text) => distinct.indexOf(text))] as const;
  };
  const [ops, op] = numbers(made.map((node) => node.op ?? "Op"));
  const [devices, device] = numbers(made.map((node) => node.device ?? ""));
  const annotations = made.flatMap((node, row) =>
    (node.annotations ?? []).map((name) => [row, names.indexOf(name)] as const),
  );
  return {
    nodeCount: root,
    root,
    itemCount: entryCount,
    entryCount,
    labels: [...labels, ...scopeLabels],
    callLabels: new Map(),
    parent: Int32Array.from([...parents, ...scopeParents]),
    foldParent: new Int32Array(entryCount).fill(-1),
    foldKind: new Uint8Array(0),
    representative: new Int32Array(0),
    odd: new Map(),
    unordered: new Set(),
    optional: new Set(),
    role: new Uint8Array(entryCount),
    alike: new Int32Array(entryCount - root).fill(-1),
    op,
    device,
    cluster: new Int32Array(root),
    embedded: Uint8Array.from(made, (node) => node.embedded ?? Inlined.NOT),
    outputs: Int32Array.from(made.keys()),
    ops,
    devices,
    clusters: [""],
    shapes: made.map((node) => node.shapes ?? []),
    source: Int32Array.from(edges, ({ source }) => source),
    target: Int32Array.from(edges, ({ target }) => target),
    carrier: Int32Array.from(edges, ({ source }) => source),
    slot: Int32Array.from(edges, ({ slot }) => slot),
    reference: new Uint8Array(edges.length),
    size: new Float64Array(edges.length).fill(1),
    annotations: {
      start: rowsBy(
        annotations.map(([row]) => row),
        root,
      ).start,
      items: Int32Array.from(annotations, ([, item]) => item),
    },
    functions: [],
    isTorch: false,
    problems: [],
    opened: [],
  };
}
