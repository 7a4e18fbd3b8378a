import { describe, expect, test } from "vitest";
import type { Structure } from "../../src/panels/graphs/model/structure";
import { type Trace, traceBetween, traceFrom } from "../../src/panels/graphs/model/trace";
import { entryOf, pathOf } from "../../src/panels/graphs/model/tree";
import { structureMade } from "./made";
import { recorded, structureOf } from "./recorded";

const GRAPH = structureMade({
  a: {},
  "s/b": { reads: ["a"] },
  "s/c": { reads: ["s/b", "^d"] },
  d: { reads: ["a"] },
  e: { reads: ["s/c:1"] },
  f: { reads: ["e", "f"] },
  alone: {},
});

function said(structure: Structure, trace: Trace | null) {
  const name = (node: number | undefined) => pathOf(structure, node as number);
  const numbers = (flags: Uint8Array | undefined) =>
    [...(flags ?? []).entries()].filter(([, on]) => on).map(([i]) => i);
  return (
    trace && {
      nodes: numbers(trace.nodes).map(name),
      edges: numbers(trace.edges).map((edge) => `${name(structure.source[edge])} ${name(structure.target[edge])}`),
    }
  );
}

const from = (path: string, direction: "inputs" | "outputs" | "both", control = true) =>
  said(GRAPH, traceFrom(GRAPH, entryOf(GRAPH, path), direction, control));

const between = (one: string, other: string, control = true) =>
  said(GRAPH, traceBetween(GRAPH, entryOf(GRAPH, one), entryOf(GRAPH, other), control));

test("leads to all ancestors and descendants", () => {
  expect(from("e", "inputs")).toEqual({
    nodes: ["a", "s/b", "s/c", "d", "e"],
    edges: ["a s/b", "s/b s/c", "d s/c", "a d", "s/c e"],
  });
  expect(from("d", "outputs")).toEqual({ nodes: ["s/c", "d", "e", "f"], edges: ["d s/c", "s/c e", "e f", "f f"] });
  expect(from("d", "both")?.nodes).toEqual(["a", "s/c", "d", "e", "f"]);
  expect(from("alone", "both")).toEqual({ nodes: ["alone"], edges: [] });
});

test("leaves out control edges if so wished", () => {
  expect(from("e", "inputs", false)?.nodes).toEqual(["a", "s/b", "s/c", "e"]);
  expect(from("d", "outputs", false)?.nodes).toEqual(["d"]);
});

test("begins at all nodes of a scope", () => {
  expect(from("s", "inputs")?.nodes).toEqual(["a", "s/b", "s/c", "d"]);
  expect(from("s", "outputs", false)?.nodes).toEqual(["s/b", "s/c", "e", "f"]);
});

test("goes a shortest way from one to another", () => {
  expect(between("a", "e")).toEqual({ nodes: ["a", "s/b", "s/c", "e"], edges: ["a s/b", "s/b s/c", "s/c e"] });
  expect(between("d", "f")?.nodes).toEqual(["s/c", "d", "e", "f"]);
  expect(between("d", "f", false)).toBeNull();
  expect(between("f", "a")).toBeNull();
  expect(between("s", "f")?.edges).toEqual(["s/c e", "e f"]);
});

test("begins at the node beside which an embedded node is drawn", () => {
  const structure = structureMade({ c: { op: "Const", embedded: 1 }, x: { annotations: ["c"] }, y: { reads: ["x"] } });
  expect(said(structure, traceFrom(structure, 0, "outputs", true))?.nodes).toEqual(["x", "y"]);
});

describe.each(recorded)("%s", (_, read) => {
  test("has the ways that following its edges one by one finds", async () => {
    const structure = await structureOf(await read());
    const { source, target, root } = structure;
    for (let node = 0; node < root; node += Math.ceil(root / 3)) {
      if (structure.embedded[node] !== 0) {
        continue;
      }
      const { nodes, edges } = traceFrom(structure, node, "inputs", true);
      const reached = new Set([node]);
      for (let before = 0; before < reached.size; ) {
        before = reached.size;
        for (let edge = source.length - 1; edge >= 0; edge -= 1) {
          if (reached.has(target[edge] as number)) {
            reached.add(source[edge] as number);
          }
        }
      }
      expect([...nodes.keys()].filter((other) => nodes[other])).toEqual([...reached].sort((a, b) => a - b));
      expect([...edges.keys()].every((edge) => (edges[edge] === 1) === reached.has(target[edge] as number))).toBe(true);
    }
  });
});
