import { describe, expect, test } from "vitest";
import { compose } from "../../src/panels/graphs/model/compose";
import { decodeRoot } from "../../src/panels/graphs/model/decode";
import { Inlined, type Structure } from "../../src/panels/graphs/model/structure";
import { BoxKind, type ComposedView } from "../../src/panels/graphs/model/view";
import { structureMade } from "./made";
import { asJson, bytesOf, recorded, structureNamed, structureOf } from "./recorded";

describe.each(recorded)("%s", (_, read) => {
  test("is composed into the views that Python makes", async () => {
    const graph = await read();
    const structure = await structureOf(graph);
    for (const { all, opened, ungrouped, grouped, view } of graph.views) {
      const made = { ungrouped: new Set(ungrouped), grouped: new Set(grouped) };
      const composed = compose(structure, { opened: all ? "all" : new Set(opened), ...made });
      expect(asJson(composed)).toEqual(view);
    }
  });

  test("has the first view that Python makes", async () => {
    const graph = await read();
    const root = await decodeRoot(bytesOf(graph.root));
    if (root !== null) {
      const structure = await structureOf(graph);
      expect(asJson(root)).toEqual(asJson(compose(structure, { opened: new Set(structure.opened) })));
    }
  });

  test("has every edge and node in one place, whatever is open", async () => {
    const structure = await structureOf(await read());
    const chance = random(structure.entryCount);
    const opened = new Set<string>();
    const ungrouped = new Set<string>();
    for (let round = 0; round < 6; round += 1) {
      const view = compose(structure, { opened, ungrouped });
      expectWhole(structure, view);
      for (const [box, path] of view.path.entries()) {
        const isFold = view.kind[box] === BoxKind.STACK || view.kind[box] === BoxKind.LAYER;
        if (isFold && chance() < 0.2) {
          ungrouped.add(path);
        } else if (chance() < 0.5) {
          opened.add(path);
        }
      }
    }
  });
});

/** Checks that every edge is in the bundle of its nodes' boxes, and every node in the innermost visible box. */
function expectWhole(structure: Structure, view: ComposedView): void {
  const { edges, boxOfNode, bundleOfEdge } = view;
  const counts = new Int32Array(edges.count);
  let wrong = 0;
  for (let edge = 0; edge < structure.source.length; edge += 1) {
    const bundle = bundleOfEdge[edge] as number;
    counts[bundle] = (counts[bundle] as number) + 1;
    const isThere =
      edges.source[bundle] === boxOfNode[structure.source[edge] as number] &&
      edges.target[bundle] === boxOfNode[structure.target[edge] as number];
    wrong += isThere ? 0 : 1;
  }
  expect(wrong).toBe(0);
  expect(counts).toEqual(edges.data.map((data, bundle) => data + (edges.control[bundle] as number)));
  const inside = new Int32Array(view.count);
  for (let node = 0; node < structure.nodeCount; node += 1) {
    for (let box = boxOfNode[node] as number; box >= 0; box = view.parent[box] as number) {
      inside[box] = (inside[box] as number) + 1;
    }
  }
  expect(inside).toEqual(view.nodes);
}

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

describe("ops that are hidden", () => {
  test("vanish with their edges and the scopes that hold nothing else", async () => {
    const structure = await structureNamed("train_graph_def");
    const whole = compose(structure, { opened: "all" });
    const op = whole.op.find((name) => name !== "") as string;
    const hidden = compose(structure, { opened: "all", hiddenOps: new Set([op]) });
    expect(hidden.op).not.toContain(op);
    const gone = whole.path.filter((path) => !hidden.path.includes(path));
    expect(gone.length).toBeGreaterThanOrEqual(whole.op.filter((name) => name === op).length);
    for (const [edge, bundle] of hidden.bundleOfEdge.entries()) {
      const ends = [structure.source[edge], structure.target[edge]].map((node) => opOf(structure, node as number));
      expect(bundle === -1).toBe(ends.includes(op));
    }
    for (const [box, kind] of hidden.kind.entries()) {
      expect(kind === BoxKind.MISSING || (hidden.nodes[box] as number) > 0).toBe(true);
    }
  });

  test("leave nothing where all are hidden", async () => {
    const structure = await structureNamed("optimizer");
    const view = compose(structure, { opened: "all", hiddenOps: new Set(structure.ops) });
    expect([view.count, view.edges.count]).toEqual([0, 0]);
    expect(new Set(view.boxOfNode)).toEqual(new Set([-1]));
  });

  test("leave of a stack those members that are not", async () => {
    const structure = await structureNamed("optimizer");
    const stackOf = (hiddenOps: ReadonlySet<string>) => {
      const view = compose(structure, { opened: new Set(["opt"]), hiddenOps });
      const box = view.path.findIndex((path) => path.startsWith("opt/square"));
      return [view.kind[box], view.copies[box], view.nodes[box]];
    };
    expect(stackOf(new Set())).toEqual([BoxKind.STACK, 24, 72]);
    expect(stackOf(new Set(["Mul"]))).toEqual([BoxKind.STACK, 24, 48]);
  });
});

describe("a scope that is isolated", () => {
  test("stands alone, its contents at the top", async () => {
    const structure = await structureNamed("train_graph_def");
    const whole = compose(structure, { opened: "all" });
    const scope = whole.kind.findIndex((kind, box) => kind === BoxKind.SCOPE && (whole.nodes[box] as number) > 4);
    const isolated = whole.path[scope] as string;
    const view = compose(structure, { opened: "all", isolated });
    const inside = whole.path.filter((path) => path !== isolated && path.startsWith(`${isolated}/`));
    expect([...view.path].sort()).toEqual([...inside].sort());
    for (const [edge, bundle] of view.bundleOfEdge.entries()) {
      const ends = [structure.source[edge], structure.target[edge]].map((node) => view.boxOfNode[node as number]);
      expect(bundle === -1).toBe(ends.includes(-1));
    }
  });

  test("may be what folding made", async () => {
    const structure = await structureNamed("layers");
    const whole = compose(structure, { opened: "all" });
    const stack = whole.kind.indexOf(BoxKind.STACK);
    const view = compose(structure, { opened: new Set(), isolated: whole.path[stack] as string });
    expect(view.path).toEqual(whole.path.filter((_, box) => whole.parent[box] === stack));
    expect([...view.parent]).toEqual(view.path.map(() => -1));
  });

  test("is the whole graph where there is no such scope", async () => {
    const structure = await structureNamed("layers");
    const view = compose(structure, { opened: new Set(), isolated: "no such scope" });
    expect(asJson(view)).toEqual(asJson(compose(structure, { opened: new Set() })));
  });
});

test("embedded nodes are in no box of their own", async () => {
  const structure = await structureNamed("train_graph_def");
  const view = compose(structure, { opened: "all" });
  expect([...view.entry].some((entry) => entry < structure.root && structure.embedded[entry] !== Inlined.NOT)).toBe(
    false,
  );
  expect(structure.embedded.some((kind) => kind !== Inlined.NOT)).toBe(true);
});

function opOf({ op, ops }: Structure, node: number): string {
  return ops[op[node] as number] as string;
}

describe("the tensors of edges", () => {
  const tensorsOf = (structure: Structure, opened: readonly string[] = []) => {
    const { path, edges } = compose(structure, { opened: new Set(opened) });
    const { start, items } = edges.tensors ?? { start: [], items: [] };
    return Object.fromEntries(
      Array.from({ length: edges.count }, (_, bundle) => [
        `${path[edges.source[bundle] as number]}→${path[edges.target[bundle] as number]}`,
        [...items].slice(start[bundle], start[bundle + 1]),
      ]),
    );
  };

  test("are told once, however many edges carry them, and are the same in all bundles", () => {
    const structure = structureMade({
      x: {},
      "s/a": { reads: ["x", "x:1"] },
      "s/b": { reads: ["x", "^x"] },
      y: { reads: ["^x"] },
    });
    expect(tensorsOf(structure)).toEqual({ "x→s": [0, 1], "x→y": [] });
    expect(tensorsOf(structure, ["s"])).toEqual({ "x→s/a": [0, 1], "x→s/b": [0], "x→y": [] });
  });

  test("are none where nodes have neither op nor shape, and unknown before the structure is here", async () => {
    const structure = structureMade({ x: { op: "" }, v: { op: "", shapes: ["3"] }, y: { op: "", reads: ["x", "v"] } });
    expect(tensorsOf(structure)).toEqual({ "x→y": [], "v→y": [0] });
    const roots = await Promise.all(recorded.map(async ([, read]) => decodeRoot(bytesOf((await read()).root))));
    const known = roots.filter((root) => root !== null);
    expect(known.length).toBeGreaterThan(0);
    expect(known.every(({ edges }) => edges.tensors === null)).toBe(true);
  });
});
