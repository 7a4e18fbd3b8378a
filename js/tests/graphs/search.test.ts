import { signal } from "@preact/signals";
import { afterAll, describe, expect, test, vi } from "vitest";
import { RegexWorker } from "../../src/lib/namematcher";
import type { Structure } from "../../src/panels/graphs/model/structure";
import { pathOf } from "../../src/panels/graphs/model/tree";
import { FoundBy, type Hits, type Searched, searchIn as search, searching } from "../../src/panels/graphs/searching";
import type { GraphState } from "../../src/panels/graphs/state";
import { nodeWorkers } from "../lib/nodeworkers";
import { structureMade } from "./made";
import { recorded, structureOf } from "./recorded";

const worker = new RegexWorker([await nodeWorkers()]);
const never = new AbortController().signal;

afterAll(() => worker.close());

async function hits(structure: Structure, searched: Searched): Promise<Hits> {
  const found = await search(structure, searched, worker, never);
  if (found === null || typeof found === "string") {
    throw new Error(String(found));
  }
  return found;
}

describe.each(recorded)("%s", (_, read) => {
  test("is searched as Python does it", async () => {
    const graph = await read();
    const structure = await structureOf(graph);
    for (const { text, regex, count, nodes } of graph.found) {
      const found = await hits(structure, { text, regex });
      if (regex && /[a-z]/i.test(text)) {
        // Patterns ignore case here; Python leaves that to the pattern.
        expect([...found.nodes]).toEqual(expect.arrayContaining([...nodes]));
      } else {
        expect(found.nodes).toHaveLength(count);
        expect([...found.nodes.subarray(0, nodes.length)]).toEqual(nodes);
      }
    }
  });
});

const SMALL = structureMade({
  "Net/Conv1": { op: "Conv2D", shapes: ["32×10×3", "?"] },
  "Net/Conv1/bias": { op: "Read", shapes: ["10"] },
  "Other(1)": { op: "net.*" },
});

async function namesFound(searched: Searched): Promise<[number, number][]> {
  const { nodes, by } = await hits(SMALL, searched);
  return Array.from(nodes, (node, i) => [node, by[i] as number]);
}

test("says by what each node was found", async () => {
  expect(await namesFound({ text: "CONV", regex: false })).toEqual([
    [0, FoundBy.NAME + FoundBy.OP],
    [1, FoundBy.NAME],
  ]);
  expect(await namesFound({ text: "net/conv1/b", regex: false })).toEqual([[1, FoundBy.NAME]]);
  expect(await namesFound({ text: "read", regex: false })).toEqual([[1, FoundBy.OP]]);
  expect(await namesFound({ text: "10", regex: false })).toEqual([
    [0, FoundBy.SHAPE],
    [1, FoundBy.SHAPE],
  ]);
  expect(await namesFound({ text: "32 x 10*3", regex: false })).toEqual([[0, FoundBy.SHAPE]]);
});

test("a plain text is no pattern, and an empty one finds nothing", async () => {
  expect(await namesFound({ text: "net.*", regex: false })).toEqual([[2, FoundBy.OP]]);
  expect(await namesFound({ text: "(1)", regex: false })).toEqual([[2, FoundBy.NAME]]);
  expect(await namesFound({ text: "", regex: false })).toEqual([]);
  expect(await namesFound({ text: "", regex: true })).toEqual([]);
});

test("a node that is called as its scope is found by that name", async () => {
  const structure = structureMade({ "a/(a)": {}, "a/b": {}, "c/((c))": {}, "c/(d)": {} });
  expect([...(await hits(structure, { text: "^[ac]$", regex: true })).nodes]).toEqual([0, 2]);
  expect([...(await hits(structure, { text: "(", regex: false })).nodes]).toEqual([3]);
});

test("explains errors in a pattern", async () => {
  expect(await search(SMALL, { text: "(", regex: true }, worker, never)).toBe("openGroup");
});

test("a pattern that takes forever is ended, and the page lives on", async () => {
  const name = "x".repeat(300);
  const structure = structureMade(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${name}${i}y`, {}])));
  const searched = { text: "(?:x{0,200}){3}(?:x{0,200}){3}z", regex: true };
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 5);
  expect(await search(structure, searched, worker, never)).toBe("ended");
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(1);
});

test("a search without a listener ends", async () => {
  const end = new AbortController();
  end.abort();
  expect(await search(SMALL, { text: "a", regex: false }, worker, end.signal)).toBeNull();
  expect(await search(SMALL, { text: "(a+)+", regex: true }, worker, end.signal)).toBeNull();
});

/** The list of a search: paths of hits, and behind "+" how many nodes are inside. */
async function listed(structure: Structure, text: string, regex = false): Promise<string[]> {
  const { named, inside } = await hits(structure, { text, regex });
  return Array.from(named, (entry) => {
    const count = inside.get(entry)?.length ?? 0;
    return pathOf(structure, entry) + (count > 0 ? ` +${count}` : "");
  });
}

const LAYERS = structureMade({
  input: {},
  "Net/features/Conv2d[0]/181": {},
  "Net/features/Conv2d[0]/bias/bias.5": {},
  "Net/features/Conv2d[3]/conv_out": {},
  "Net/features/Conv2d[3]/182": {},
  "Net/features/ReLU[1]/183": {},
  "Net/classifier/deconv/184": {},
});

test("lists scopes that are named so, and nodes in them only if they are named so themselves", async () => {
  expect(await listed(LAYERS, "conv")).toEqual([
    "Net/features/Conv2d[0] +2",
    "Net/features/Conv2d[3] +1",
    "Net/classifier/deconv +1",
    "Net/features/Conv2d[3]/conv_out",
  ]);
  expect(await listed(LAYERS, "18")).toEqual([
    "Net/features/Conv2d[0]/181",
    "Net/features/Conv2d[3]/182",
    "Net/features/ReLU[1]/183",
    "Net/classifier/deconv/184",
  ]);
  expect(await listed(LAYERS, "net/features")).toEqual(["Net/features +5"]);
  expect(await listed(LAYERS, "^net", true)).toEqual(["Net +6"]);
  expect(await listed(LAYERS, "input")).toEqual(["input"]);
});

test("lists the scope with just this name first, and before all a path that was typed whole", async () => {
  const structure = structureMade({ "layer10/a": {}, "b/c/layer1/d": {}, "layer1/e": {}, "grad/layer1/f": {} });
  expect(await listed(structure, "layer1")).toEqual(["layer1 +1", "grad/layer1 +1", "b/c/layer1 +1", "layer10 +1"]);
  expect(await listed(structureMade({ "a/kernel": {}, "a/kernel_1/b": {} }), "A/kernel")).toEqual([
    "a/kernel",
    "a/kernel_1 +1",
  ]);
});

test("from a node inside a listed scope, the search goes on behind that scope", async () => {
  const gone: string[] = [];
  const state = {
    ...{ structure: signal(LAYERS), graph: signal(null), body: signal(null), board: { channel: { requests: {} } } },
    goTo: (entry: number) => gone.push(pathOf(LAYERS, entry)),
  };
  const found = searching(state as unknown as GraphState);
  const end = found.follow();
  found.setText("conv");
  await vi.waitUntil(() => found.entries.value.length === 4);
  const inside = found.inside.value.get(found.entries.value[1] as number)?.[0] as number;
  found.goTo(inside);
  expect([found.current.value, found.place.value]).toEqual([inside, 2]);
  found.go(1);
  found.goTo(inside);
  found.go(-1);
  expect(gone).toEqual([
    "Net/features/Conv2d[3]/182",
    "Net/classifier/deconv",
    "Net/features/Conv2d[3]/182",
    "Net/features/Conv2d[0]",
  ]);
  end();
});

test("a search of 50,000 nodes gives the page its turns", async () => {
  const names = Array.from({ length: 50_000 }, (_, i) => `model/block${i >> 9}/attn${(i >> 4) % 32}/op${i}`);
  const nodes = Object.fromEntries(names.map((name) => [name, {}]));
  // A clock of the number of looks at it: the slices do not depend on the machine.
  let looks = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => looks++);
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  });
  await hits(structureMade(nodes), { text: "attn", regex: false });
  clearInterval(timer);
  clock.mockRestore();
  expect(turns).toBeGreaterThan(3);
});
